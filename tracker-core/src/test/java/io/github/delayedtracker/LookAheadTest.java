/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Collections;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LookAheadTest {

    private final FakeBroker broker = new FakeBroker();
    private final LookAhead lookAhead = new LookAhead(broker.dispatcher, broker.configuration);

    @BeforeEach
    void twoKeySharedConsumers() {
        when(broker.dispatcher.getType()).thenReturn(SubType.Key_Shared);
        when(broker.dispatcher.getConsumers())
                .thenReturn(new CopyOnWriteArrayList<>(Collections.nCopies(2, mock(Consumer.class))));
    }

    @ParameterizedTest
    @CsvSource({"2000, 20000, 50000, 200000, 4000", "2000, 3000, 50000, 200000, 3000", "2000, 0, 50000, 200000, 4000",
            "0, 20000, 50000, 200000, 20000", "0, 0, 50000, 200000, 100000", "0, 0, 50000, 70000, 70000",
            "-1, -1, 0, 70000, 70000", "0, 0, 50000, 0, 100000"})
    void theLimitIsTheBrokersOwn(int perConsumer, int perSubscription, int unackedPerConsumer, int unackedPerSubscription,
            long limit) {
        broker.configuration.setKeySharedLookAheadMsgInReplayThresholdPerConsumer(perConsumer);
        broker.configuration.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(perSubscription);
        broker.configuration.setMaxUnackedMessagesPerConsumer(unackedPerConsumer);
        broker.configuration.setMaxUnackedMessagesPerSubscription(unackedPerSubscription);
        assertFalse(stopsAt(limit - 1));
        assertTrue(stopsAt(limit));
    }

    @Test
    void withoutAnyLimitNothingStopsTheReading() {
        broker.configuration.setKeySharedLookAheadMsgInReplayThresholdPerConsumer(0);
        broker.configuration.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(0);
        broker.configuration.setMaxUnackedMessagesPerConsumer(0);
        broker.configuration.setMaxUnackedMessagesPerSubscription(0);
        assertFalse(stopsAt(Integer.MAX_VALUE));
    }

    @Test
    void otherTypesHaveNoLimit() {
        when(broker.dispatcher.getType()).thenReturn(SubType.Shared);
        assertFalse(stopsAt(Integer.MAX_VALUE));
    }

    private boolean stopsAt(long inReplay) {
        when(broker.dispatcher.getNumberOfMessagesInReplay()).thenReturn(inReplay);
        return lookAhead.stopsReading();
    }
}
