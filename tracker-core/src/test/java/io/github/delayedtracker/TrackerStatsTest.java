/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.common.policies.data.stats.TopicMetricBean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrackerStatsTest {

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);

    @BeforeEach
    void printOneMessage() {
        broker.configuration.setExposeTopicLevelMetricsInPrometheus(true);
        assertTrue(tracker.addMessage(1, 0, FakeBroker.NOW + 5_000));
    }

    @Test
    void eachMessageIsInOneRangeOfTimesUntilItIsDue() {
        broker.configuration.setExposeTopicLevelMetricsInPrometheus(true);
        long[] inMinutes = {1, 2, 60, 61, 7 * 1_440, 7 * 1_440 + 1, 30 * 1_440 + 60, 1_000_000};
        for (int i = 0; i < inMinutes.length; i++) {
            assertTrue(tracker.addMessage(1, 1 + i, FakeBroker.NOW + inMinutes[i] * 60_000 - 2_000));
        }
        Map<String, Double> ranges = new TreeMap<>();
        tracker.metrics().values().stream().filter(bean -> bean.name.equals("pulsar_delayed_index_due_in"))
                .forEach(bean -> ranges.put(bean.labelsAndValues[1], bean.value));
        assertEquals(Map.of("0-1m", 2.0, "1m-1h", 2.0, "1h-6h", 1.0, "1d-7d", 1.0, "7d-30d", 1.0, "30d-", 2.0), ranges);
    }

    @Test
    void theTextsAreMadeOnceAndTheBeansAnew() {
        Map<String, TopicMetricBean> before = tracker.metrics();
        Iterator<Map.Entry<String, TopicMetricBean>> after = tracker.metrics().entrySet().iterator();
        assertTrue(before.size() > 4, before.keySet()::toString);
        before.forEach((series, bean) -> {
            Map.Entry<String, TopicMetricBean> same = after.next();
            assertSame(series, same.getKey());
            assertNotSame(bean, same.getValue());
            assertSame(bean.name, same.getValue().name);
            assertSame(bean.labelsAndValues, same.getValue().labelsAndValues);
        });
    }

    @Test
    void theCountAloneIsAReasonToLookOnceSomethingWasAcknowledged() {
        broker.copies.set(Optional.of(new AckedPositions(Map.of(), true)));
        tracker.look();
        assertPassesAfterTheCount(1);
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(2, 0));
        broker.ledgers(1, 2);
        assertPassesAfterTheCount(1);
        broker.backlog((1L << 40) - 1);
        assertPassesAfterTheCount(2);
    }

    @Test
    void theCountAloneIsAReasonToLookWhileAnythingIsAcknowledgedAboveMarkDelete() {
        broker.copies.set(Optional.of(new AckedPositions(Map.of(1L, new long[] {0b10}), true)));
        broker.acknowledged.add(PositionFactory.create(1, 1));
        tracker.look();
        assertPassesAfterTheCount(1);
        assertTrue(tracker.addMessage(1, 1, FakeBroker.NOW + 3_600_000), "it has come back");
        assertPassesAfterTheCount(2);
    }

    private void assertPassesAfterTheCount(long passes) {
        broker.timer.advanceTo(broker.timer.nowMillis() + Purging.LEAST_GAP_MILLIS);
        assertEquals(1, tracker.numberOfDelayedMessages());
        assertEquals(passes, broker.services.purges().ended());
    }
}
