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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.Test;

/** Positions acknowledged one by one leave the tracker soon, long before they are due, and at a bounded cost (B7). */
class PurgingTest {

    private static final int MESSAGES = 4_000;

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);

    private void add() {
        for (int i = 0; i < MESSAGES; i++) {
            tracker.addMessage(1, i, NOW + 86_400_000);
        }
        broker.backlog(MESSAGES);
    }

    /** Acknowledges one in so many, from the first on. */
    private void acknowledgeOneIn(int step) {
        for (int i = 0; i < MESSAGES; i += step) {
            broker.acknowledged.add(PositionFactory.create(1, i));
        }
        broker.backlog(MESSAGES - broker.acknowledged.size());
    }

    private void cursorTellsAllAtOnce() {
        long[] words = new long[MESSAGES / 64 + 1];
        broker.acknowledged.forEach(position -> words[(int) position.getEntryId() >> 6] |= 1L << position.getEntryId());
        broker.copies.set(Optional.of(new AckedPositions(broker.acknowledged.isEmpty() ? Map.of() : Map.of(1L, words), true)));
    }

    private void fourHundredHolesOfWhichHundredAreKept() {
        add();
        acknowledgeOneIn(10);
        cursorTellsAllAtOnce();
        broker.limits.setMaxUnackedRangesToPersist(100);
        when(broker.ledger.getCursors()).thenReturn(List.of(broker.cursor, mock(ManagedCursor.class)));
    }

    private void afterSeconds(int seconds) {
        broker.timer.advanceTo(broker.timer.nowMillis() + seconds * 1_000L);
    }

    private double figure(String name) {
        return tracker.samples().get(name);
    }

    @Test
    void theCountIsNeverAboveTheBacklog() {
        add();
        acknowledgeOneIn(10);
        assertEquals(MESSAGES * 9 / 10, tracker.numberOfDelayedMessages());
    }

    @Test
    void theCountLeavesOutWhatLiesFromTheReadPositionOn() {
        add();
        acknowledgeOneIn(10);
        broker.backlog(MESSAGES * 9 / 10 + 300);
        broker.readPosition(1, MESSAGES);
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, MESSAGES + 299));
        when(broker.cursor.getNumberOfEntries()).thenReturn(300L);
        assertEquals(MESSAGES * 9 / 10, tracker.numberOfDelayedMessages());
    }

    @Test
    void whatWaitsAboveTheReadPositionIsCounted() {
        add();
        broker.readPosition(1, 0);
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, MESSAGES - 1));
        when(broker.cursor.getNumberOfEntries()).thenReturn((long) MESSAGES);
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
    }

    @Test
    void numbersOfTheCursorThatCannotBeLeaveTheCountAlone() {
        add();
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, MESSAGES));
        broker.readPosition(1, MESSAGES);
        when(broker.cursor.getNumberOfEntries()).thenReturn(-5L);
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        when(broker.cursor.getNumberOfEntries()).thenReturn(MESSAGES + 1L);
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        broker.backlog(-3);
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        when(broker.cursor.getNumberOfEntriesInBacklog(false)).thenThrow(new IllegalStateException("no answer"));
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
    }

    @Test
    void theSweepDropsWhatIsAcknowledgedAndTheFiguresFollow() {
        add();
        acknowledgeOneIn(10);
        tracker.sweep();
        assertEquals(MESSAGES * 9 / 10, tracker.state().count());
        assertEquals(1, broker.services.purges().ended());
        assertEquals(MESSAGES / 10, figure("purged_total"));
        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(i % 10 > 0, tracker.containsMessage(1, i));
        }
        tracker.state().validate();
    }

    @Test
    void aSingleAcknowledgementAmongPlainUnreadOnesIsFound() {
        add();
        tracker.sweep();
        afterSeconds(30);
        broker.acknowledged.add(PositionFactory.create(1, 77));
        broker.backlog(MESSAGES - 1 + 10_000);
        tracker.look();
        assertFalse(tracker.containsMessage(1, 77));
        assertEquals(MESSAGES - 1, tracker.state().count());
    }

    @Test
    void readingTheStatisticsIsEnoughAndTheMemoryComesBackSoon() {
        add();
        long full = tracker.state().retainedBytes();
        for (int i = 0; i < MESSAGES; i++) {
            if (i % 10 > 0) {
                broker.acknowledged.add(PositionFactory.create(1, i));
            }
        }
        broker.backlog(MESSAGES / 10);
        tracker.numberOfDelayedMessages();
        assertEquals(MESSAGES / 10, tracker.state().count());
        afterSeconds(1);
        assertTrue(tracker.state().retainedBytes() < full / 4, tracker.state().retainedBytes() + " of " + full + " bytes");
    }

    @Test
    void anOverdueOneThatIsAcknowledgedIsFoundToo() {
        tracker.addMessage(1, 1, NOW + 1_000);
        tracker.addMessage(1, 2, NOW + 1_000);
        broker.readPosition(1, 0);
        broker.timer.advanceTo(NOW + 5_000);
        assertTrue(tracker.getScheduledMessages(10).isEmpty());
        assertEquals(2, tracker.state().overdueCount());
        broker.acknowledged.add(PositionFactory.create(1, 2));
        broker.backlog(1);
        tracker.look();
        assertEquals(1, tracker.state().overdueCount());
        tracker.state().validate();
    }

    @Test
    void withACopyOnlyThoseFoundInItAreAskedAboutAgain() {
        add();
        acknowledgeOneIn(10);
        cursorTellsAllAtOnce();
        tracker.sweep();
        assertEquals(MESSAGES * 9 / 10, tracker.state().count());
        verify(broker.cursor, times(MESSAGES / 10)).isMessageDeleted(any());
    }

    @Test
    void aPositionThatTheCursorTookBackSinceTheCopyStays() {
        add();
        acknowledgeOneIn(10);
        cursorTellsAllAtOnce();
        broker.acknowledged.clear();
        tracker.sweep();
        assertEquals(MESSAGES, tracker.state().count());
        assertTrue(tracker.containsMessage(1, 0));
    }

    @Test
    void withoutNewAcknowledgementsNoPassIsMade() {
        add();
        acknowledgeOneIn(10);
        cursorTellsAllAtOnce();
        tracker.sweep();
        for (int i = 0; i < 10; i++) {
            afterSeconds(60);
            tracker.look();
        }
        assertEquals(1, broker.services.purges().ended());
    }

    @Test
    void publishingAloneMakesNoPassWhileNothingIsAcknowledged() {
        add();
        cursorTellsAllAtOnce();
        tracker.sweep();
        for (int i = 0; i < 10; i++) {
            afterSeconds(60);
            tracker.addMessage(2, i, NOW + 86_400_000);
            broker.backlog(MESSAGES + i + 1);
            when(broker.ledger.getNumberOfEntries()).thenReturn(i + 1L);
            tracker.look();
        }
        assertEquals(1, broker.services.purges().ended());
    }

    @Test
    void aPositionThatCameBackAcknowledgedIsFoundByTheNextPass() {
        add();
        acknowledgeOneIn(10);
        cursorTellsAllAtOnce();
        tracker.sweep();
        tracker.addMessage(1, 0, NOW + 86_400_000);
        afterSeconds(30);
        tracker.look();
        assertFalse(tracker.containsMessage(1, 0));
    }

    @Test
    void whatIsAcknowledgedWhileAPassIsUnderWayIsFoundByTheNext() {
        add();
        acknowledgeOneIn(10);
        cursorTellsAllAtOnce();
        when(broker.cursor.isMessageDeleted(any())).thenAnswer(call -> {
            broker.acknowledged.add(PositionFactory.create(1, 77));
            broker.backlog(MESSAGES - broker.acknowledged.size());
            return broker.acknowledged.contains(call.<Position>getArgument(0));
        });
        tracker.sweep();
        assertTrue(tracker.containsMessage(1, 77));
        cursorTellsAllAtOnce();
        afterSeconds(30);
        tracker.look();
        assertFalse(tracker.containsMessage(1, 77));
    }

    @Test
    void passesOfOneSubscriptionKeepTheirDistance() {
        add();
        for (int i = 1; i <= 15; i++) {
            broker.acknowledged.add(PositionFactory.create(1, i));
            broker.backlog(MESSAGES - i);
            tracker.look();
            afterSeconds(1);
        }
        assertEquals(2, broker.services.purges().ended());
    }

    @Test
    void whatTheCursorDoesNotCallAcknowledgedStays() {
        add();
        broker.backlog(0);
        tracker.sweep();
        assertEquals(MESSAGES, tracker.state().count());
        verify(broker.cursor, times(MESSAGES)).isMessageDeleted(any());
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
        add();
        acknowledgeOneIn(10);
        when(broker.cursor.isMessageDeleted(any())).thenThrow(new IllegalStateException("no answer"));
        tracker.sweep();
        assertEquals(MESSAGES, tracker.state().count());
        doReturn(true).when(broker.cursor).isMessageDeleted(any());
        tracker.look();
        assertEquals(MESSAGES, tracker.state().count(), "not asked again at once");
        afterSeconds(10);
        tracker.look();
        assertEquals(0, tracker.state().count());
    }

    @Test
    void anErrorInAPassEndsItAndTheNextOneWorks() {
        add();
        acknowledgeOneIn(10);
        when(broker.cursor.isMessageDeleted(any())).thenThrow(new OutOfMemoryError("for the test"));
        try {
            tracker.sweep();
        } catch (OutOfMemoryError expected) {
            // The worker's thread ends with it.
        }
        doReturn(true).when(broker.cursor).isMessageDeleted(any());
        afterSeconds(30);
        tracker.look();
        assertEquals(0, tracker.state().count());
    }

    @Test
    void nothingIsAskedWhereNothingIsKnownToBeAcknowledged() {
        add();
        cursorTellsAllAtOnce();
        clearInvocations(broker.cursor);
        tracker.sweep();
        verify(broker.cursor, never()).isMessageDeleted(any());
    }

    @Test
    void theFiguresTellWhatARestartWouldBringBack() {
        fourHundredHolesOfWhichHundredAreKept();
        assertFalse(tracker.metrics().containsKey("pulsar_delayed_index_ack_holes_limit"));
        assertEquals(400, figure("ack_holes"));
        assertEquals(300, figure("acks_lost_on_restart_planned"));
    }

    @Test
    void theOnlyCursorOfATopicWritesBitmapsWhereTheyKeepMore() {
        fourHundredHolesOfWhichHundredAreKept();
        when(broker.ledger.getCursors()).thenReturn(List.of(broker.cursor));
        broker.writesToLedger.set(true);
        tracker.sweep();
        assertEquals(0, figure("acks_lost_on_restart_crash"));
        assertTrue(broker.limits.isPersistIndividualAckAsLongArray());
    }

    @Test
    void theFiguresFollowACursorThatOpensItsLedgerAfterTheLastAcknowledgement() {
        fourHundredHolesOfWhichHundredAreKept();
        tracker.sweep();
        assertEquals(0, figure("acks_lost_on_restart_crash"));
        broker.writesToLedger.set(true);
        afterSeconds(30);
        tracker.look();
        assertEquals(300, figure("acks_lost_on_restart_crash"));
        assertEquals(2, broker.services.purges().ended());
        afterSeconds(30);
        tracker.look();
        assertEquals(2, broker.services.purges().ended());
    }
}
