/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyIterable;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The record of a cursor is written soon after acknowledgements, while a consumer is there, and not otherwise. */
class AckFlushTest {

    private static final int INTERVAL_SECONDS = 5;

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);
    private final AtomicInteger records = new AtomicInteger();
    private long acknowledged;
    private Outcome outcome = Outcome.WRITTEN;

    private enum Outcome {
        WRITTEN,
        WITHOUT_PERMIT,
        /** Answered at once, while a later record that has overtaken it is not durable yet. */
        OVERTAKEN,
        FAILED
    }

    @BeforeEach
    void aConsumerIsConnectedAndTheCursorHasItsLedger() {
        when(broker.dispatcher.isConsumerConnected()).thenReturn(true);
        broker.writesToLedger.set(true);
        when(broker.cursor.getTotalNonContiguousDeletedMessagesRange()).thenReturn(1);
        doAnswer(call -> {
            DeleteCallback asked = call.getArgument(1);
            isAsked(() -> asked.deleteComplete(null), failure -> asked.deleteFailed(failure, null));
            return null;
        }).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        doAnswer(call -> {
            assertEquals(broker.cursor.getMarkDeletedPosition(), call.getArgument(0));
            MarkDeleteCallback asked = call.getArgument(2);
            Position durable = durable(call.getArgument(0));
            isAsked(() -> {
                when(broker.cursor.getPersistentMarkDeletedPosition()).thenReturn(durable);
                asked.markDeleteComplete(null);
            }, failure -> asked.markDeleteFailed(failure, null));
            return null;
        }).when(broker.cursor).asyncMarkDelete(any(), anyMap(), any(), any());
        tracker.start();
        read();
        afterSeconds(2 * INTERVAL_SECONDS);
        records.set(0);
    }

    /** What is durable by the time of the answer: the record asked for, or one of an equal position from before. */
    private Position durable(Position asked) {
        return outcome == Outcome.WRITTEN ? asked : PositionFactory.create(asked.getLedgerId(), asked.getEntryId());
    }

    private void isAsked(Runnable written, Consumer<ManagedLedgerException> failed) {
        assertTrue(Thread.holdsLock(broker.dispatcher), "no seek may reach the cursor meanwhile");
        records.incrementAndGet();
        switch (outcome) {
            case WRITTEN -> broker.timer.arm(1, () -> {
                broker.cursorRecords.incrementAndGet();
                written.run();
            });
            case WITHOUT_PERMIT -> written.run();
            case OVERTAKEN -> broker.timer.arm(1, written);
            default -> broker.timer.arm(1, () -> failed.accept(new ManagedLedgerException("for the test")));
        }
    }

    private void read() {
        tracker.addMessage(1, 1, 0);
    }

    private void unacknowledged(int messages) {
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(messages);
    }

    private void acknowledge() {
        acknowledged++;
        when(broker.ledger.getNumberOfEntries()).thenReturn(acknowledged);
    }

    private void afterSeconds(int seconds) {
        broker.timer.advanceTo(broker.timer.nowMillis() + seconds * 1_000L);
    }

    @Test
    void theRecordIsWrittenAnIntervalAfterTheLastAcknowledgement() {
        unacknowledged(3);
        read();
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(0, records.get());
        acknowledge();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(1, records.get());
        assertEquals(0, tracker.failures.count());
    }

    @Test
    void aLookThatGetsNoThreadIsFollowedByAnotherOne() {
        unacknowledged(3);
        read();
        broker.refusedIn = 0;
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, tracker.failures.count(), "there was no thread");
        acknowledge();
        read();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    @ParameterizedTest
    @EnumSource(names = "WRITTEN", mode = EnumSource.Mode.EXCLUDE)
    void aRecordThatWasNotWrittenIsAskedForUntilItIs(Outcome trouble) {
        outcome = trouble;
        read();
        acknowledge();
        afterSeconds(3 * INTERVAL_SECONDS);
        assertEquals(3, records.get());
        outcome = Outcome.WRITTEN;
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(4, records.get());
    }

    @Test
    void aLaterRecordThatIsDurableWillDo() {
        doAnswer(call -> {
            Position later = PositionFactory.create(1L << 40, 0);
            when(broker.cursor.getPersistentMarkDeletedPosition()).thenReturn(later);
            isAsked(() -> call.<MarkDeleteCallback>getArgument(2).markDeleteComplete(null), failure -> { });
            return null;
        }).when(broker.cursor).asyncMarkDelete(any(), anyMap(), any(), any());
        read();
        acknowledge();
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    /** A subscription at rest is not looked at, whatever its storage does. */
    @Test
    void aRecordThatCannotBeWrittenIsInTheEndAskedForByTheSweepAlone() {
        int armed = broker.timer.armedCount();
        outcome = Outcome.WITHOUT_PERMIT;
        read();
        acknowledge();
        afterSeconds(100 * INTERVAL_SECONDS);
        assertEquals(armed, broker.timer.armedCount());
        int asked = records.get();
        assertTrue(asked > 10 && asked < 50, () -> asked + " times");
        tracker.sweep();
        afterSeconds(100 * INTERVAL_SECONDS);
        assertEquals(asked + 1, records.get());
        acknowledge();
        tracker.sweep();
        afterSeconds(3 * INTERVAL_SECONDS);
        assertEquals(asked + 4, records.get());
    }

    @Test
    void markDeleteIsWrittenTooWhereNothingAboveItIsAcknowledged() {
        when(broker.cursor.getTotalNonContiguousDeletedMessagesRange()).thenReturn(0);
        read();
        acknowledge();
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    @Test
    void withNothingToAcknowledgeNothingIsArmedUntilTheDispatcherIsActive() {
        int armed = broker.timer.armedCount();
        unacknowledged(0);
        read();
        assertEquals(armed + 1, broker.timer.armedCount());
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(armed, broker.timer.armedCount());
        read();
        acknowledge();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    @Test
    void anAcknowledgementByMessageIdIsNoticedByTheSweep() {
        acknowledge();
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(0, records.get());
        tracker.sweep();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    @Test
    void aRecordOfAnotherFormThanTheNextIsWrittenAnewOnce() {
        broker.limits.setMaxUnackedRangesToPersist(2);
        broker.copies.set(Optional.of(new AckedPositions(Map.of(1L, new long[] {0x5555}), true)));
        acknowledge();
        tracker.addMessage(1, 2, FakeBroker.NOW + 3_600_000);
        tracker.sweep();
        assertTrue(broker.limits.isPersistIndividualAckAsLongArray());
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
        tracker.sweep();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    @Test
    void asManyAcknowledgementsAsBeforeASeekHaveARecordOfTheirOwn() {
        acknowledge();
        read();
        afterSeconds(2 * INTERVAL_SECONDS);
        assertEquals(1, records.get());
        // A seek takes the message back, in a record of its own; it is sent and acknowledged again before the next look.
        broker.cursorRecords.incrementAndGet();
        read();
        afterSeconds(2 * INTERVAL_SECONDS);
        assertEquals(2, records.get());
        read();
        afterSeconds(2 * INTERVAL_SECONDS);
        assertEquals(2, records.get());
    }

    @Test
    void withoutAConsumerTheCursorIsLeftAlone() {
        unacknowledged(1);
        read();
        acknowledge();
        when(broker.dispatcher.isConsumerConnected()).thenReturn(false);
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(0, records.get());
        when(broker.dispatcher.isConsumerConnected()).thenReturn(true);
        read();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    @Test
    void aCursorWithoutALedgerIsNotMadeToOpenOne() {
        broker.writesToLedger.set(false);
        unacknowledged(1);
        read();
        acknowledge();
        afterSeconds(4 * INTERVAL_SECONDS);
        assertEquals(0, records.get());
        broker.writesToLedger.set(true);
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }

    @Test
    void withoutALedgerAndWithNothingToAcknowledgeNothingIsArmed() {
        int armed = broker.timer.armedCount();
        broker.writesToLedger.set(false);
        acknowledge();
        read();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(armed, broker.timer.armedCount());
    }

    @Test
    void aClosedDispatcherEndsTheLooks() {
        unacknowledged(1);
        read();
        int armed = broker.timer.armedCount();
        acknowledge();
        when(broker.dispatcher.isClosed()).thenReturn(true);
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(0, records.get());
        assertEquals(armed - 1, broker.timer.armedCount());
    }

    @Test
    void aFailureIsCountedAndTheNextLookGoesOn() {
        unacknowledged(1);
        read();
        acknowledge();
        when(broker.dispatcher.isConsumerConnected()).thenThrow(new IllegalStateException("for the test"));
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, tracker.failures.count());
        doReturn(true).when(broker.dispatcher).isConsumerConnected();
        afterSeconds(INTERVAL_SECONDS);
        assertEquals(1, records.get());
    }
}
