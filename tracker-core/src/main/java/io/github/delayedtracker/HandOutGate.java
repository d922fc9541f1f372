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
 * Holds back due positions of a Key_Shared subscription while its replay queue is long.
 *
 * <p>Positions handed out wait in the dispatcher's replay queue until their key's consumer takes them, and the queue's
 * length counts against the look-ahead limit beyond which the dispatcher reads nothing new. So with one blocked consumer
 * a flood of due messages would stop every other key. Hand-out pauses above a quarter of the limit.
 *
 * <p>Thread safe; two field reads for other subscription types.
 */
final class HandOutGate {

    private static final int SHARE_OF_LIMIT = 4;

    private final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private final ServiceConfiguration configuration;

    HandOutGate(AbstractPersistentDispatcherMultipleConsumers dispatcher, ServiceConfiguration configuration) {
        this.dispatcher = dispatcher;
        this.configuration = configuration;
    }

    /** Whether positions may be handed out now. */
    boolean isOpen() {
        if (dispatcher.getType() != SubType.Key_Shared) {
            return true;
        }
        return dispatcher.getNumberOfMessagesInReplay() <= lookAheadLimit() / SHARE_OF_LIMIT;
    }

    // The broker's own rule: the smaller of the two limits, where 0 or less means that a limit is off.
    private long lookAheadLimit() {
        long perConsumer = configuration.getKeySharedLookAheadMsgInReplayThresholdPerConsumer();
        long perSubscription = configuration.getKeySharedLookAheadMsgInReplayThresholdPerSubscription();
        long ofConsumers = perConsumer <= 0
                ? Long.MAX_VALUE : perConsumer * Math.max(1, dispatcher.getConsumers().size());
        return Math.min(ofConsumers, perSubscription <= 0 ? Long.MAX_VALUE : perSubscription);
    }
}
