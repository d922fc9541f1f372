/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyIterable;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.index.PositionSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.broker.service.Consumer;
import org.junit.jupiter.api.Test;

/** One tracker with the journal of its acknowledgements: what waits for it, how long, and what is left of it. */
class TrackerJournalTest extends JournaledTracker {

    private List<Long> handedOut() {
        NavigableSet<Position> positions = tracker.getScheduledMessages(100);
        return positions.stream().map(Position::getEntryId).toList();
    }

    @Test
    void noJournalIsKeptWhileTheRecordHoldsAll() {
        assertFalse(tracker.addMessage(1, 0, 0));
        acknowledge(1);
        acknowledge(3);
        afterSeconds(60);
        assertEquals(Map.of(), journals.ledgers);
    }

    @Test
    void whatTheRecordLeavesOutIsAcknowledgedAgainAtTheNextLoad() {
        aJournalIsKept();
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        assertTrue(tracker.addMessage(1, 79, 0), "held, and acknowledged by the journal");
        assertFalse(tracker.hasMessageAvailable());
        afterSeconds(1);
        assertEquals(ACKED, broker.acknowledged.size());
        assertEquals(List.of(0L), handedOut());
        assertFalse(tracker.addMessage(1, 0, 0));
        assertFalse(tracker.addMessage(1, 80, 0), "nothing is held any more");
    }

    @Test
    void aCursorThatCannotWriteSoonAfterALoadIsAskedAgain() {
        aJournalIsKept();
        tracker.close();
        List<DeleteCallback> failing = new ArrayList<>();
        doAnswer(call -> {
            call.<DeleteCallback>getArgument(1).deleteFailed(new ManagedLedgerException("no ledger for the cursor"), null);
            failing.add(call.getArgument(1));
            return null;
        }).doAnswer(call -> {
            Iterable<Position> positions = call.getArgument(0);
            positions.forEach(position -> acknowledge(position.getEntryId()));
            call.<DeleteCallback>getArgument(1).deleteComplete(null);
            return null;
        }).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        loadFromTheRecord();
        assertTrue(tracker.acks.pausesReads(), "the restore has not ended");
        afterSeconds(3);
        assertEquals(1, failing.size());
        assertEquals(ACKED, broker.acknowledged.size());
        assertFalse(tracker.acks.pausesReads());
    }

    @Test
    void acknowledgementsOfTheLastSecondAreAppendedAtClose() {
        aJournalIsKept();
        acknowledge(91);
        tracker.close();
        loadFromTheRecord();
        afterSeconds(1);
        assertTrue(broker.acknowledged.contains(PositionFactory.create(1, 91)));
    }

    @Test
    void storageThatNeverAnswersIsWaitedForTenSeconds() {
        aJournalIsKept();
        tracker.close();
        journals.answer = MemoryJournals.Answer.NEVER;
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 0, 0));
        afterSeconds(9);
        assertEquals(List.of(), handedOut());
        afterSeconds(1);
        assertEquals(List.of(0L), handedOut());
        assertEquals(MOST + 1, broker.acknowledged.size());
    }

    @Test
    void storageThatFailsIsNotWaitedFor() {
        aJournalIsKept();
        tracker.close();
        journals.answer = MemoryJournals.Answer.FAILS;
        loadFromTheRecord();
        assertFalse(tracker.addMessage(1, 0, 0));
    }

    @Test
    void theTimeDoesNotRunWhileNoConsumerIsConnected() {
        aJournalIsKept();
        tracker.close();
        consumer = null;
        loadFromTheRecord();
        afterSeconds(60);
        assertEquals(MOST + 1, broker.acknowledged.size());
        consumer = mock(Consumer.class);
        assertTrue(tracker.addMessage(1, 0, 0));
        afterSeconds(1);
        assertEquals(ACKED, broker.acknowledged.size());
        assertEquals(List.of(0L), handedOut());
    }

    @Test
    void whatIsNotDueIsIndexedWhileTheJournalIsRead() {
        aJournalIsKept();
        tracker.close();
        journals.answer = MemoryJournals.Answer.NEVER;
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 2, FakeBroker.NOW + 3_600_000));
        assertTrue(tracker.containsMessage(1, 2));
        assertEquals(1, tracker.state().count());
    }

    @Test
    void aTrackerThatIsClosedMeanwhileLeavesTheJournalForTheNextOne() {
        aJournalIsKept();
        tracker.close();
        journals.answer = MemoryJournals.Answer.NEVER;
        loadFromTheRecord();
        assertTrue(tracker.close().isDone());
        journals.answer = MemoryJournals.Answer.AT_ONCE;
        loadFromTheRecord();
        afterSeconds(1);
        assertEquals(ACKED, broker.acknowledged.size());
    }

    @Test
    void aTrackerThatIsClosedMeanwhileLetsNothingThroughToAReadThatEndsLate() {
        aJournalIsKept();
        tracker.close();
        journals.answer = MemoryJournals.Answer.FAILS_LATE;
        loadFromTheRecord();
        tracker.close();
        assertTrue(tracker.addMessage(1, 1, 0), "acknowledged, as only the journal knows");
        List.copyOf(journals.late).forEach(Runnable::run);
        afterSeconds(60);
        assertTrue(tracker.addMessage(1, 3, 0), "the restore has ended since");
    }

    @Test
    void aTrackerAtRestThatIsUsedAgainHoldsNothing() {
        comesToRestAndIsUsedAgainWithAnEntryHeld();
        assertFalse(tracker.acks.pausesReads());
        assertEquals(List.of(0L), handedOut());
    }

    @Test
    void aTrackerAtRestWhoseJournalCannotBeMadeAgainHoldsNothing() {
        comesToRestAndIsUsedAgainWithAnEntryHeld();
        when(broker.cursor.isDurable()).thenThrow(new IllegalStateException("for the test"));
        assertFalse(tracker.acks.pausesReads());
        assertEquals(List.of(0L), handedOut());
        assertFalse(tracker.addMessage(1, 0, 0));
    }

    @Test
    void aTrackerAtRestThatIsUsedAgainKeepsAJournalAgain() {
        aJournalIsKept();
        when(broker.dispatcher.isClosed()).thenReturn(true);
        tracker.sweep();
        when(broker.dispatcher.isClosed()).thenReturn(false);
        assertFalse(tracker.hasMessageAvailable());
        assertFalse(tracker.addMessage(1, 0, 0));
        whatIsAcknowledgedNowOutlivesALoad();
    }

    @Test
    void aTrackerAtRestThatIsUsedAgainHoldsNothingAfterAClearEither() {
        aJournalIsKept();
        tracker.close();
        journals.answer = MemoryJournals.Answer.NEVER;
        loadFromTheRecord();
        when(broker.dispatcher.isClosed()).thenReturn(true);
        tracker.sweep();
        when(broker.dispatcher.isClosed()).thenReturn(false);
        var unused = tracker.clear();
        consumer = mock(Consumer.class);
        assertFalse(tracker.addMessage(1, 0, 0), "nobody would open the gate again");
    }

    @Test
    void afterAllConsumersHaveGoneNothingIsSentBeforeTheJournalHasLookedForASeek() {
        aJournalIsKept();
        assertFalse(tracker.addMessage(1, 0, 0), "looked at once");
        consumer = mock(Consumer.class);
        journals.answer = MemoryJournals.Answer.NEVER;
        // A seek back: nothing is acknowledged any more, the stamp is gone.
        broker.acknowledged.clear();
        properties.clear();
        copy();
        assertTrue(tracker.addMessage(1, 1, 0));
        afterSeconds(9);
        assertEquals(List.of(), handedOut());
        afterSeconds(2);
        assertEquals(List.of(1L), handedOut());
    }

    @Test
    void aSeekEndsTheJournal() {
        aJournalIsKept();
        consumer = mock(Consumer.class);
        broker.acknowledged.clear();
        properties.clear();
        copy();
        assertFalse(tracker.addMessage(1, 1, 0), "looked at once");
        assertEquals(Map.of(), journals.ledgers);
    }

    @Test
    void aSkipOfNoMessageLeavesTheJournalNamed() {
        aJournalIsKept();
        // Nothing is acknowledged by it, and the broker writes the cursor without its properties.
        properties.clear();
        tracker.look();
        afterSeconds(10);
        assertTrue(BrokerJournalCursor.stampOf(broker.cursor).isPresent());
        assertEquals(1, journals.ledgers.size(), "the journal is the same");
    }

    @Test
    void aCursorThatCannotTellItsPropertiesOnceIsLookedAtLater() {
        aJournalIsKept();
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(0);
        afterSeconds(300);
        doThrow(new IllegalStateException("the cursor is being closed")).when(broker.cursor).getProperties();
        assertFalse(tracker.addMessage(1, 200, 0), "it is sent");
        properties.clear();
        doReturn(properties).when(broker.cursor).getProperties();
        afterSeconds(10);
        tracker.look();
        afterSeconds(10);
        assertTrue(BrokerJournalCursor.stampOf(broker.cursor).isPresent());
    }

    @Test
    void aClearDeletesTheJournal() {
        aJournalIsKept();
        assertTrue(tracker.clear().isDone());
        assertEquals(Map.of(), journals.ledgers);
        assertEquals(List.of(), journals.named);
    }

    /** An acknowledgement that is asked to be durable. */
    private CompletableFuture<Void> persist(long entryId) {
        acknowledge(entryId);
        PositionSet positions = new PositionSet();
        positions.add(1, entryId);
        return tracker.acks.persist(positions);
    }

    @Test
    void onePositionThatIsToBeDurableHasAJournalOverLoads() {
        CompletableFuture<Void> durable = persist(7);
        afterSeconds(5);
        assertTrue(durable.isDone() && !durable.isCompletedExceptionally());
        assertEquals(1, journals.ledgers.size());
        for (int i = 0; i < 2; i++) {
            tracker.close();
            loadFromTheRecord();
            assertTrue(tracker.addMessage(1, 0, 0), "held until it has a journal again");
            afterSeconds(1);
            assertEquals(List.of(0L), handedOut());
            assertFalse(tracker.addMessage(1, 0, 0));
            afterSeconds(15);
            assertEquals(1, journals.ledgers.size());
            assertEquals(List.copyOf(journals.ledgers.keySet()), journals.named);
        }
    }

    @Test
    void nothingIsDurableWithoutAJournalOrWhileOneIsRestored() {
        aJournalIsKept();
        tracker.close();
        assertTrue(persist(7).isCompletedExceptionally(), "closed");
        journals.answer = MemoryJournals.Answer.NEVER;
        loadFromTheRecord();
        assertTrue(persist(9).isCompletedExceptionally(), "being restored");
    }

    @Test
    void storageThatNeverAnswersIsWaitedForAWhileOnly() {
        journals.answer = MemoryJournals.Answer.NEVER;
        CompletableFuture<Void> durable = persist(7);
        afterSeconds(9);
        assertFalse(durable.isDone());
        afterSeconds(1);
        assertTrue(durable.isCompletedExceptionally());
    }

    @Test
    void switchedOffItDeletesWhatThereIs() {
        aJournalIsKept();
        tracker.close();
        SubscriptionSetup usual = FakeBroker.setup(true);
        SubscriptionSetup off = new SubscriptionSetup(usual.backend(), usual.newIndex(), usual.rules(), usual.precisionOfTick(),
                usual.ackFlushMillis(), false, 0);
        SubscriptionTracker without = new SubscriptionTracker(broker.dispatcher, off, Optional.empty(), broker.services);
        without.start();
        assertFalse(without.addMessage(1, 0, 0));
        assertTrue(without.acks.persist(new PositionSet()).isCompletedExceptionally());
        assertEquals(Map.of(), journals.ledgers);
    }

    /** H2: a seek that a crash follows brings as many back as with the stock tracker. */
    @Test
    void besideAJournalTheRecordKeepsTheBrokersForm() {
        aJournalIsKept();
        broker.limits.setPersistIndividualAckAsLongArray(true);
        tracker.sweep();
        afterSeconds(5);
        assertFalse(broker.limits.isPersistIndividualAckAsLongArray(), "ranges, as the broker is set to");
    }

    @Test
    void theStatisticsTellWhatIsKept() {
        aJournalIsKept();
        List<String> names = tracker.metrics().values().stream().map(bean -> bean.name).toList();
        assertTrue(names.stream().anyMatch(name -> name.endsWith("ack_journal_positions")), names::toString);
        assertEquals(ACKED, tracker.metrics().values().stream().filter(bean -> bean.name.endsWith("ack_journal_positions"))
                .findFirst().orElseThrow().value);
    }
}
