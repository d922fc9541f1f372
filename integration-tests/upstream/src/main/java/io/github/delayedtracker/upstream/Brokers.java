/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.pulsar.broker.PulsarService;

/** The brokers of a published test: those in the fields that upstream's tests or their bases have. */
final class Brokers {

    private Brokers() {
    }

    /** Those that run; an exception where the test has no field for any. */
    static List<PulsarService> of(Object test) {
        List<PulsarService> running = new ArrayList<>();
        boolean isAny = false;
        for (Class<?> type = test.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("pulsar") || field.getName().equals("pulsarServiceList")
                        || field.getName().equals("pulsarMock")) {
                    isAny = true;
                    add(running, value(field, test));
                }
            }
        }
        if (!isAny) {
            throw new IllegalStateException(test.getClass() + " has no broker");
        }
        return running;
    }

    private static void add(List<PulsarService> running, Object value) {
        if (value instanceof Collection<?> several) {
            several.forEach(each -> add(running, each));
        } else if (value instanceof PulsarService broker && broker.isRunning()) {
            running.add(broker);
        }
    }

    private static Object value(Field field, Object test) {
        try {
            field.setAccessible(true);
            return field.get(test);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field of the broker cannot be read", e);
        }
    }
}
