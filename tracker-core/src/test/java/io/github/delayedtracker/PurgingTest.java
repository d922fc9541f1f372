/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.atMost;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.Test;

/** Positions acknowledged one by one leave the tracker long before they are due, and are asked about only when that pays. */
class PurgingTest {

    private static final int MESSAGES = 4_000;

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);

    /** Adds all, acknowledges all but one in so many. */
    private void acknowledgeAllBut(int oneIn) {
        for (int i = 0; i < MESSAGES; i++) {
            tracker.addMessage(1, i, NOW + 86_400_000);
            if (i % oneIn > 0) {
                broker.acknowledged.add(PositionFactory.create(1, i));
            }
        }
        cursorCounts(MESSAGES - broker.acknowledged.size());
    }

    private void cursorCounts(long backlog) {
        when(broker.cursor.getNumberOfEntriesInBacklog(false)).thenReturn(backlog);
        when(broker.cursor.getTotalNonContiguousDeletedMessagesRange()).thenReturn(broker.acknowledged.size());
    }

    private double figure(String name) {
        return tracker.metrics().get("pulsar_delayed_index_" + name).value;
    }

    @Test
    void theSweepDropsWhatIsAcknowledgedAndTheFiguresFollow() {
        acknowledgeAllBut(10);
        tracker.sweep();
        assertEquals(MESSAGES / 10, tracker.numberOfDelayedMessages());
        assertEquals(1, figure("purges_total"));
        assertEquals(MESSAGES * 9 / 10, figure("purged_total"));
        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(i % 10 == 0, tracker.containsMessage(1, i));
        }
        tracker.validate();
    }

    @Test
    void readingTheStatisticsIsEnoughAndTheMemoryComesBackSoon() {
        acknowledgeAllBut(10);
        long full = tracker.bufferMemoryUsage();
        tracker.numberOfDelayedMessages();
        assertEquals(MESSAGES / 10, tracker.numberOfDelayedMessages());
        broker.timer.advanceTo(NOW + 1_000);
        assertTrue(tracker.bufferMemoryUsage() < full / 4, tracker.bufferMemoryUsage() + " of " + full + " bytes");
    }

    @Test
    void theCursorIsNotAskedWhileItDoesNotPay() {
        acknowledgeAllBut(10);
        cursorCounts(MESSAGES * 3 / 4 + 1);
        tracker.sweep();
        tracker.numberOfDelayedMessages();
        verify(broker.cursor, never()).isMessageDeleted(any());
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
    }

    @Test
    void whatTheCursorDoesNotCallAcknowledgedStaysAndIsAskedForOnce() {
        acknowledgeAllBut(1);
        cursorCounts(0);
        when(broker.cursor.getTotalNonContiguousDeletedMessagesRange()).thenReturn(1);
        for (int i = 0; i < 10; i++) {
            tracker.sweep();
        }
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        verify(broker.cursor, times(MESSAGES)).isMessageDeleted(any());
    }

    @Test
    void nothingIsAskedWhereNothingWasAcknowledgedAloneHoweverTheBacklogIsCounted() {
        acknowledgeAllBut(1);
        cursorCounts(0);
        for (int i = 0; i < 10; i++) {
            tracker.sweep();
        }
        verify(broker.cursor, never()).isMessageDeleted(any());
        verify(broker.cursor, atMost(1)).getTotalNonContiguousDeletedMessagesRange();
    }

    @Test
    void aBacklogThatCannotBeReadKeepsNobodyFromBeingWoken() {
        tracker.addMessage(1, 1, NOW + 600_000);
        for (int i = 2; i < MESSAGES; i++) {
            tracker.addMessage(1, i, NOW + 86_400_000);
        }
        when(broker.cursor.getNumberOfEntriesInBacklog(false)).thenThrow(new IllegalStateException("no answer"));
        for (long second = 0; second <= 660; second += 60) {
            broker.timer.advanceTo(NOW + second * 1_000);
            tracker.sweep();
        }
        verify(broker.dispatcher, atLeastOnce()).readMoreEntriesAsync();
    }

    @Test
    void aCursorThatFailsDoesNoHarmAndIsAskedAgainLater() {
        acknowledgeAllBut(10);
        when(broker.cursor.getTotalNonContiguousDeletedMessagesRange()).thenThrow(new IllegalStateException("no answer"));
        tracker.sweep();
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        doReturn(1).when(broker.cursor).getTotalNonContiguousDeletedMessagesRange();
        clearInvocations(broker.cursor);
        tracker.sweep();
        assertEquals(MESSAGES / 10, tracker.numberOfDelayedMessages());
    }
}
