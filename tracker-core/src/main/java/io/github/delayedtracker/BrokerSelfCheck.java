/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whether this broker's stock bucket tracker can be extended by {@link SkipReadAdapter}: the methods it overrides exist
 * and are not final, and the class links. Run once at broker start.
 */
final class BrokerSelfCheck {

    private static final String STOCK_TRACKER = "org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker";
    private static final List<String> OVERRIDDEN = List.of("addMessage", "hasMessageAvailable", "getScheduledMessages",
            "containsMessage", "getNumberOfDelayedMessages", "getBufferMemoryUsage", "shouldPauseAllDeliveries",
            "resetTickTime", "clear", "close", "genTopicMetricMap");

    private BrokerSelfCheck() {
    }

    /** The reason why the type cannot be extended; empty if it can. */
    static Optional<String> obstacle() {
        try {
            Class<?> stock = Class.forName(STOCK_TRACKER);
            for (String name : OVERRIDDEN) {
                Optional<Method> method = Arrays.stream(stock.getMethods()).filter(m -> m.getName().equals(name)).findFirst();
                if (method.isEmpty()) {
                    return Optional.of(STOCK_TRACKER + "." + name + " does not exist");
                }
                if (Modifier.isFinal(method.get().getModifiers())) {
                    return Optional.of(STOCK_TRACKER + "." + name + " is final");
                }
            }
            Class.forName(SkipReadAdapter.class.getName());
            return Optional.empty();
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.of(e.toString());
        }
    }
}
