/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;

/**
 * Whether the broker reads on for a Key_Shared subscription: not while as many messages as the look-ahead limit allows wait in
 * the dispatcher's replay queue for the consumers of their keys.
 *
 * <p>Hand-out does not depend on it. A tracker does not know keys, so whatever it held back would hold up the due messages of
 * consumers that take theirs; the broker bounds a hand-out by what one read takes.
 *
 * <p>Thread safe; a few field reads.
 */
final class LookAhead {

    private final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private final ServiceConfiguration configuration;

    LookAhead(AbstractPersistentDispatcherMultipleConsumers dispatcher, ServiceConfiguration configuration) {
        this.dispatcher = dispatcher;
        this.configuration = configuration;
    }

    /** Whether the limit stops the broker's reading; never for another type than Key_Shared. */
    boolean stopsReading() {
        return dispatcher.getType() == SubType.Key_Shared && dispatcher.getNumberOfMessagesInReplay() >= limit();
    }

    // The broker's own rule: the smaller of those of its two limits that are on, else of its limits for unacknowledged messages.
    private long limit() {
        long consumers = dispatcher.getConsumers().size();
        long limit = smaller(consumers * configuration.getKeySharedLookAheadMsgInReplayThresholdPerConsumer(),
                configuration.getKeySharedLookAheadMsgInReplayThresholdPerSubscription());
        return limit < Long.MAX_VALUE ? limit : smaller(consumers * configuration.getMaxUnackedMessagesPerConsumer(),
                configuration.getMaxUnackedMessagesPerSubscription());
    }

    private static long smaller(long one, long other) {
        return Math.min(one <= 0 ? Long.MAX_VALUE : one, other <= 0 ? Long.MAX_VALUE : other);
    }
}
