/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.atMost;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.NavigableSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;
import org.apache.pulsar.common.policies.data.stats.TopicMetricBean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SubscriptionTrackerTest {

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);

    private List<String> take(int max) {
        return tracker.getScheduledMessages(max).stream().map(p -> p.getLedgerId() + ":" + p.getEntryId()).toList();
    }

    @Test
    void theDispatcherIsWokenAtTheDueTimeAndThenGetsThePosition() {
        assertTrue(tracker.addMessage(1, 1, NOW + 5_000));
        broker.timer.advanceTo(NOW + 4_999);
        verify(broker.dispatcher, never()).readMoreEntriesAsync();
        broker.timer.advanceTo(NOW + 5_000);
        verify(broker.dispatcher, times(1)).readMoreEntriesAsync();
        assertTrue(tracker.hasMessageAvailable());
        assertEquals(List.of("1:1"), take(100));
        assertFalse(tracker.hasMessageAvailable());
        assertFalse(tracker.addMessage(1, 1, NOW + 5_000), "trap 6: what was handed out is offered again and must be sent");
    }

    @Test
    @DisplayName("Contract section 9: non-strict wakes at deliverAt, yet hands out within the tick when asked")
    void nonStrictWakesAtDeliverAtOnly() {
        FakeBroker quiet = new FakeBroker();
        SubscriptionTracker loose = quiet.tracker(false);
        loose.addMessage(1, 1, NOW + 5_000);
        quiet.timer.advanceTo(NOW + 4_999);
        verify(quiet.dispatcher, never()).readMoreEntriesAsync();
        assertEquals(1, loose.getScheduledMessages(10).size());
    }

    @Test
    @DisplayName("Invariant 8/#21554: leftovers of a permit-limited hand-out are woken for within a tick, without any event")
    void leftoversAreWokenForAgain() {
        for (int i = 0; i < 10; i++) {
            tracker.addMessage(1, i, NOW + 5_000);
        }
        broker.timer.advanceTo(NOW + 5_000);
        assertEquals(1, take(1).size());
        broker.timer.advanceTo(NOW + 6_000);
        verify(broker.dispatcher, times(2)).readMoreEntriesAsync();
    }

    @Test
    @DisplayName("Ruling 10: overdue positions nobody asks for are woken for ever more rarely, down to once a minute")
    void idleOverdueBacksOff() {
        tracker.addMessage(1, 1, NOW + 5_000);
        broker.timer.advanceTo(NOW + 605_000);
        verify(broker.dispatcher, atLeast(10)).readMoreEntriesAsync();
        verify(broker.dispatcher, atMost(20)).readMoreEntriesAsync();
    }

    @Test
    void oncePermitsAreBackLeftoversAreWokenForWithinATick() {
        tracker.addMessage(1, 1, NOW + 5_000);
        tracker.addMessage(1, 2, NOW + 5_000);
        broker.timer.advanceTo(NOW + 605_000);
        clearInvocations(broker.dispatcher);
        assertEquals(1, take(1).size());
        broker.timer.advanceTo(NOW + 606_000);
        verify(broker.dispatcher, times(1)).readMoreEntriesAsync();
    }

    @Test
    @DisplayName("Trap 4: acknowledged positions and positions of deleted ledgers are dropped, the batch is still filled")
    void positionsThatAreGoneAreNeverHandedOut() {
        broker.ledgers(2, 3);
        for (int i = 0; i < 10; i++) {
            tracker.addMessage(1, i, NOW + 5_000);
            tracker.addMessage(2, i, NOW + 5_000);
            broker.acknowledged.add(PositionFactory.create(2, i));
            tracker.addMessage(3, i, NOW + 5_000);
        }
        broker.timer.advanceTo(NOW + 5_000);
        assertEquals(10, take(10).stream().filter(p -> p.startsWith("3:")).count());
        assertEquals(0, tracker.numberOfDelayedMessages());
    }

    @Test
    void aHandOutThatFoundOnlyAcknowledgedPositionsIsFollowedByAnotherAtOnce() {
        for (int i = 0; i < 1_000; i++) {
            tracker.addMessage(1, i, NOW + 5_000);
            broker.acknowledged.add(PositionFactory.create(1, i));
        }
        tracker.addMessage(1, 1_000, NOW + 5_000);
        broker.timer.advanceTo(NOW + 5_000);
        int empty = 0;
        while (take(1).isEmpty()) {
            empty++;
            broker.timer.advanceTo(NOW + 5_000 + empty);
            verify(broker.dispatcher, times(1 + empty)).readMoreEntriesAsync();
        }
        assertEquals(3, empty);
        assertEquals(0, tracker.numberOfDelayedMessages());
    }

    @Test
    @DisplayName("B5: a message that is added while the sweep is about to renew the wake-up is woken for at its time")
    void b5TheSweepLeavesAnEarlierWakeUpThatComesInBetween() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> { });
        FakeBroker busy = new FakeBroker();
        SubscriptionTracker swept = busy.tracker(true, () -> {
            meanwhile.getAndSet(() -> { }).run();
            return busy.timer.nowMillis();
        });
        swept.addMessage(1, 1, NOW + 50_000);
        meanwhile.set(() -> swept.addMessage(1, 2, NOW + 5_000));
        swept.sweep();
        busy.timer.advanceTo(NOW + 5_000);
        verify(busy.dispatcher, times(1)).readMoreEntriesAsync();
    }

    @Test
    @DisplayName("Ruling 8: an empty ledger list and an unknown mark-delete mean unknown, not gone")
    void unknownIsNotGone() {
        when(broker.cursor.getMarkDeletedPosition()).thenReturn(null);
        tracker.addMessage(1, 1, NOW + 5_000);
        tracker.sweep();
        assertTrue(tracker.clear().isDone());
        broker.timer.advanceTo(NOW + 5_000);
        assertEquals(List.of("1:1"), take(10));
    }

    @Test
    void nothingAtOrAboveTheReadPositionIsHandedOut() {
        tracker.addMessage(1, 1, NOW + 5_000);
        tracker.addMessage(1, 2, NOW + 5_000);
        broker.timer.advanceTo(NOW + 5_000);
        broker.readPosition(1, 2);
        assertEquals(List.of("1:1"), take(10));
        assertEquals(1, tracker.numberOfDelayedMessages());
        assertFalse(tracker.containsMessage(1, 2));
        broker.readPosition(1, 3);
        assertEquals(List.of(), take(10));
    }

    @Test
    @DisplayName("S-12: mark-delete is compared on any broker call and on reading the statistics")
    void markDeletePrunesOnTheNextCall() {
        tracker.addMessage(1, 1, NOW + 86_400_000);
        tracker.addMessage(1, 2, NOW + 86_400_000);
        broker.markDelete(1, 1);
        assertEquals(1, tracker.numberOfDelayedMessages());
    }

    @Test
    @DisplayName("S-12: with no broker call at all the sweep prunes within a minute")
    void theSweepPrunesWithinAMinute() {
        broker.services.registry().add(tracker);
        tracker.addMessage(1, 1, NOW + 86_400_000);
        broker.markDelete(1, 1);
        broker.timer.advanceTo(NOW + TrackerRegistry.SWEEP_MILLIS);
        assertEquals(1.0, tracker.samples().get("pruned_total"));
    }

    @Test
    @DisplayName("S-02: what was offered after the cursor was cleared survives the clear")
    void clearForgetsOnlyWhatTheCursorHasPassed() {
        tracker.addMessage(1, 1, NOW + 5_000);
        tracker.addMessage(1, 2, NOW + 5_000);
        broker.markDelete(1, 1);
        tracker.addMessage(1, 3, NOW + 5_000);
        assertNotNull(tracker.clear());
        assertEquals(2, tracker.numberOfDelayedMessages());
        broker.timer.advanceTo(NOW + 5_000);
        assertEquals(List.of("1:2", "1:3"), take(10));
    }

    @Test
    @DisplayName("Ruling 9, B1: a Key_Shared replay queue of any length lets as much be handed out as is asked for")
    void keySharedHandsOutWhateverWaitsForOtherKeys() {
        broker.configuration.setKeySharedLookAheadMsgInReplayThresholdPerConsumer(0);
        broker.configuration.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(400);
        when(broker.dispatcher.getType()).thenReturn(SubType.Key_Shared);
        when(broker.dispatcher.getConsumers()).thenReturn(new CopyOnWriteArrayList<>());
        for (int entry = 1; entry <= 100; entry++) {
            tracker.addMessage(1, entry, NOW + 5_000);
        }
        broker.timer.advanceTo(NOW + 5_000);
        for (long waiting : new long[] {101, 399, 400, 1_000_000}) {
            when(broker.dispatcher.getNumberOfMessagesInReplay()).thenReturn(waiting);
            assertEquals(25, take(25).size(), () -> waiting + " wait for their keys' consumers");
        }
    }

    @Test
    @DisplayName("Statistics name the look-ahead limit where it keeps a read from what is due above the read position")
    void whatWaitsForAReadThatTheLookAheadLimitStopsIsSaidToBe() {
        broker.configuration.setKeySharedLookAheadMsgInReplayThresholdPerSubscription(400);
        when(broker.dispatcher.getType()).thenReturn(SubType.Key_Shared);
        when(broker.dispatcher.getConsumers()).thenReturn(new CopyOnWriteArrayList<>());
        tracker.addMessage(1, 7, NOW + 5_000);
        broker.readPosition(1, 7);
        broker.timer.advanceTo(NOW + 5_000);
        assertEquals(List.of(), take(10));
        when(broker.dispatcher.getNumberOfMessagesInReplay()).thenReturn(400L);
        assertEquals("key_shared_look_ahead", overdueReason());
        when(broker.dispatcher.getNumberOfMessagesInReplay()).thenReturn(399L);
        assertEquals("read_position", overdueReason());
    }

    @Test
    void whatIsDueAfterTheTimeToLiveIsCounted() {
        for (int i = 0; i < 100; i++) {
            tracker.addMessage(1, i, NOW + (i < 30 ? 5_000_000 : 5_000));
        }
        String name = "pulsar_delayed_index_due_after_ttl";
        assertFalse(tracker.metrics().containsKey(name));
        broker.policies.getMessageTTLInSeconds().updateBrokerValue(3_600);
        assertEquals(30.0, tracker.metrics().get(name).value);
        broker.policies.getMessageTTLInSeconds().updateBrokerValue(7_200);
        assertFalse(tracker.metrics().containsKey(name), "0 is not printed");
    }

    private String overdueReason() {
        return tracker.samples().all().stream().filter(sample -> TrackerMetrics.OVERDUE_BLOCKED.equals(sample.metric()))
                .findFirst().orElseThrow().labelValues().get(0);
    }

    @Test
    @DisplayName("A clock that is set forward releases at the next sweep; set back it delays, and repeats nothing")
    void theClockMaySetForward() {
        broker.services.registry().add(tracker);
        tracker.addMessage(1, 1, NOW + 10 * 60_000);
        assertEquals(1, broker.timer.armedCount(), "only the sweep is armed for a far deadline");
        broker.timer.advanceTo(NOW + 10 * 60_000);
        verify(broker.dispatcher, times(1)).readMoreEntriesAsync();
    }

    @Test
    @DisplayName("Trap 3: a failing cursor makes no call throw; the answers are neutral")
    void failuresInsideAreNotPassedToTheBroker() {
        when(broker.cursor.getMarkDeletedPosition()).thenThrow(new IllegalStateException("cursor is broken"));
        when(broker.cursor.getReadPosition()).thenThrow(new IllegalStateException("cursor is broken"));
        assertFalse(tracker.addMessage(1, 1, NOW + 5_000));
        assertFalse(tracker.hasMessageAvailable());
        NavigableSet<Position> none = tracker.getScheduledMessages(10);
        assertNotNull(none);
        assertTrue(none.isEmpty());
        assertFalse(tracker.containsMessage(1, 1));
        assertEquals(0, tracker.numberOfDelayedMessages());
        assertNotNull(tracker.metrics());
        assertTrue(tracker.clear().isDone());
        tracker.sweep();
        double told = tracker.samples().get("failures_total");
        assertEquals(told, tracker.failures.count());
        assertTrue(tracker.failures.count() > 5, () -> "failures counted: " + tracker.failures.count());
        tracker.close();
    }

    @Test
    @DisplayName("S-10/T26/#24578: after close no wake-up is armed and calls are harmless")
    void closeCancelsTheWakeUp() {
        broker.services.registry().add(tracker);
        tracker.addMessage(1, 1, NOW + 5_000);
        tracker.close();
        broker.timer.advanceTo(NOW + 10 * 60_000);
        verify(broker.dispatcher, never()).readMoreEntriesAsync();
        assertEquals(0, broker.timer.armedCount());
        assertEquals(List.of(), take(10));
        assertEquals(0, tracker.numberOfDelayedMessages());
        tracker.close();
    }

    @Test
    @DisplayName("A read that ends after the close goes by the tick of now, not by that of the close")
    void aClosedTrackerTakesOverTheTick() {
        SubscriptionTracker loose = broker.tracker(false);
        loose.resetTickTime(1_000);
        loose.close();
        loose.resetTickTime(1);
        assertTrue(loose.addMessage(1, 1, NOW + 500), "not sent half a second early");
    }

    @Test
    @DisplayName("S-25: a tracker made for a dispatcher that is closed already is silent and goes away with the third sweep")
    void lateTrackerOfAClosedDispatcherIsCollected() {
        broker.services.registry().add(tracker);
        tracker.addMessage(1, 1, NOW + 70_000);
        when(broker.dispatcher.isClosed()).thenReturn(true);
        broker.timer.advanceTo(NOW + 3 * TrackerRegistry.SWEEP_MILLIS);
        verify(broker.dispatcher, never()).readMoreEntriesAsync();
        assertTrue(broker.services.registry().live().isEmpty());
        assertEquals(0, broker.timer.armedCount());
    }

    @Test
    @DisplayName("A2: what waits for the normal read counts for the age of the oldest overdue")
    void a2TheAgeOfTheOldestOverdueIsOfBothPlaces() {
        broker.readPosition(1, 0);
        tracker.addMessage(1, 1, NOW + 5_000);
        tracker.addMessage(1, 2, NOW + 65_000);
        assertEquals(0, overdueAge());
        broker.timer.advanceTo(NOW + 3_605_000);
        assertEquals(3_600_000, overdueAge(), "still in the index");
        assertEquals(List.of(), take(10));
        assertEquals(2, tracker.samples().get("waiting_for_read"));
        assertEquals(3_600_000, overdueAge(), "both wait for the read");
        assertFalse(tracker.containsMessage(1, 1));
        assertFalse(tracker.containsMessage(1, 2));
        assertEquals(0, overdueAge(), "given up to the read");
        tracker.addMessage(1, 3, NOW + 3_700_000);
        broker.timer.advanceTo(NOW + 3_800_000);
        assertEquals(List.of(), take(10));
        assertEquals(100_000, overdueAge());
    }

    private double overdueAge() {
        return tracker.samples().get("oldest_overdue_age_ms");
    }

    @Test
    @DisplayName("#26171: two reads of the statistics in a row give counters that do not fall")
    void countersOnlyGrow() {
        tracker.addMessage(1, 1, NOW + 5_000);
        TopicMetricBean first = tracker.metrics().get("pulsar_delayed_index_offers_total");
        tracker.addMessage(1, 2, NOW + 5_000);
        TopicMetricBean second = tracker.metrics().get("pulsar_delayed_index_offers_total");
        assertEquals(1.0, first.value);
        assertEquals(2.0, second.value);
    }

    @Test
    void whatIsNotZeroIsPrintedWhereTheBrokerPrintsTopics() {
        assertEquals(Set.of("pulsar_delayed_index_info", "pulsar_delayed_index_acks_unknown",
                "pulsar_delayed_index_ack_journal"), tracker.metrics().keySet());
        tracker.addMessage(1, 1, NOW + 5_000);
        assertEquals(1.0, tracker.metrics().get("pulsar_delayed_index_offers_total").value);
        broker.configuration.setExposeTopicLevelMetricsInPrometheus(false);
        assertEquals(Map.of(), tracker.metrics());
    }

    @Test
    void statisticsNameBackendPrecisionAndNextDueTime() {
        tracker.addMessage(1, 1, NOW + 5_000);
        TopicMetricBean info = tracker.metrics().get("pulsar_delayed_index_info");
        assertEquals(List.of("backend", "heap", "state", "active", "precision_ms", "1", "adaptive_ratio", "0",
                "adaptive_max_ms", "0", "tick_ms", "1000", "strict", "true"), List.of(info.labelsAndValues));
        assertEquals((double) (NOW + 5_000), tracker.samples().get("next_due_ms"));
        broker.timer.advanceTo(NOW + 8_000);
        assertEquals(3_000.0, tracker.samples().get("oldest_overdue_age_ms"));
        assertEquals("no_permits_or_consumers",
                tracker.metrics().get("pulsar_delayed_index_overdue_blocked").labelsAndValues[1]);
    }

    @Test
    @DisplayName("S-08/T20: whatever is tracked, deliveries are not paused")
    void aHundredThousandEqualDelaysDoNotPause() {
        for (int i = 0; i < 100_000; i++) {
            tracker.addMessage(1, i, NOW + 3_600_000 + i / 100);
        }
        assertFalse(new PlainAdapter(tracker).shouldPauseAllDeliveries());
    }
}
