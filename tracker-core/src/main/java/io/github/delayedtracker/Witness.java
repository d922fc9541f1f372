/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.List;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * A consumer that was connected at one moment: as long as it is, no seek can have come since, which would have to disconnect all.
 * Thread safe.
 */
final class Witness {

    private final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private volatile Consumer known;

    Witness(AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** One that is connected now; null if none is. */
    Consumer candidate() {
        for (Consumer each : dispatcher.getConsumers()) {
            return each;
        }
        return null;
    }

    /** From now on it is this one; null for none. */
    void choose(Consumer consumer) {
        known = consumer;
    }

    /** From now on it is one that is connected now. */
    void chooseNow() {
        known = candidate();
    }

    /** Whether it is still connected. By reference: to the broker a consumer that has come again equals the one that had gone. */
    @SuppressWarnings("ReferenceEquality")
    boolean isThere() {
        Consumer one = known;
        List<Consumer> consumers = dispatcher.getConsumers();
        for (int i = 0; one != null && i < consumers.size(); i++) {
            if (consumers.get(i) == one) {
                return true;
            }
        }
        return false;
    }
}
