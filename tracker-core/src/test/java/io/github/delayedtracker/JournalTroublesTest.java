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
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.backend.JournalStore.Content;
import io.github.delayedtracker.command.Answer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.service.Consumer;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** Consumers that leave, storage that fails and a dispatcher in use again: nothing is forgotten, and nothing is tried in vain. */
class JournalTroublesTest extends JournaledTracker {

    private List<Long> handedOut() {
        return tracker.getScheduledMessages(100).stream().map(Position::getEntryId).toList();
    }

    /** Consumers that acknowledge and leave at once, and a broker that is killed an hour later. */
    @Test
    void whatWasAcknowledgedBeforeTheLastConsumerLeftIsThereAfterAKill() {
        aJournalIsKept();
        acknowledge(91);
        consumer = null;
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(0);
        for (int i = 0; i < 60; i++) {
            afterSeconds(60);
            tracker.sweep();
        }
        consumer = mock(Consumer.class);
        loadFromTheRecord();
        afterSeconds(2);
        assertEquals(ACKED + 1, broker.acknowledged.size(), "one was acknowledged an hour before the kill");
    }

    /** Held by the gate as the topic could not be closed: the dispatcher is in use again, and asks whether there is something. */
    @Test
    void whatWasHeldIsHandedOutByATrackerThatIsUsedAgain() {
        comesToRestAndIsUsedAgainWithAnEntryHeld();
        boolean isAvailable = tracker.hasMessageAvailable();
        assertEquals(List.of(0L), handedOut(), () -> "available " + isAvailable);
    }

    /** A sweep looks while the topic is being closed, in vain, and the dispatcher is in use again before the sweep is over. */
    @Test
    void aUseWhileARestBeginsKeepsAJournalAgain() {
        aJournalIsKept();
        CompletableFuture<List<Answer>> unused = cancel(List.of(), true);
        when(broker.dispatcher.isClosed()).thenReturn(true);
        journals.of(Content.MOVES).onClose = () -> {
            when(broker.dispatcher.isClosed()).thenReturn(false);
            assertFalse(tracker.addMessage(1, 0, 0));
        };
        tracker.sweep();
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(0);
        afterSeconds(60);
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(1);
        assertFalse(tracker.addMessage(1, 0, 0));
        whatIsAcknowledgedNowOutlivesALoad();
    }

    @Test
    void aRestoreThatCannotBeLookedAfterAtFirstIsDone() {
        aJournalIsKept();
        tracker.close();
        broker.timer.failNext();
        loadFromTheRecord();
        assertEquals(1, tracker.failures.count(), "the look could not be armed");
        afterSeconds(15);
        assertEquals(ACKED, broker.acknowledged.size());
        assertFalse(tracker.acks.pausesReads());
        assertEquals(Optional.empty(), tracker.acks.reasonNotToPersist());
    }

    @Test
    void aRestoreThatGetsNoThreadAtFirstIsDoneLater() {
        aJournalIsKept();
        tracker.close();
        broker.refusedIn = 0;
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        afterSeconds(3);
        assertEquals(ACKED, broker.acknowledged.size());
        assertEquals(List.of(0L), handedOut());
    }

    /** Nobody asks a dispatcher that is in use again to read. */
    @Test
    void whatWasHeldIsAskedForThoughTheJournalCannotBeMadeAgain() {
        comesToRestAndIsUsedAgainWithAnEntryHeld();
        when(broker.cursor.isDurable()).thenThrow(new IllegalStateException("for the test"));
        Mockito.clearInvocations(broker.dispatcher);
        tracker.sweep();
        afterSeconds(1);
        Mockito.verify(broker.dispatcher).readMoreEntriesAsync();
    }

    /** All consumers go before the journal has looked. */
    @Test
    void noLookIsTakenAgainAndAgainWhileNoConsumerIsConnected() {
        aJournalIsKept();
        consumer = mock(Consumer.class);
        broker.acknowledged.clear();
        properties.clear();
        copy();
        journals.answer = MemoryJournals.Answer.NEVER;
        assertTrue(tracker.addMessage(1, 1, 0), "held");
        consumer = null;
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(0);
        afterSeconds(60);
        Mockito.clearInvocations(broker.dispatcher);
        afterSeconds(60);
        int calls = Mockito.mockingDetails(broker.dispatcher).getInvocations().size();
        assertTrue(calls < 200, calls + " calls of the dispatcher in a minute without a consumer");
    }

    @Test
    void theSameWhereTheLookHadNoTime() {
        aJournalIsKept();
        // Deletions fail for a moment.
        consumer = mock(Consumer.class);
        broker.acknowledged.clear();
        properties.clear();
        copy();
        journals.answer = MemoryJournals.Answer.FAILS;
        assertTrue(tracker.addMessage(1, 1, 0), "held");
        consumer = null;
        journals.answer = MemoryJournals.Answer.AT_ONCE;
        when(broker.dispatcher.getTotalUnackedMessages()).thenReturn(0);
        afterSeconds(3_600);
        Mockito.clearInvocations(broker.dispatcher);
        afterSeconds(60);
        int calls = Mockito.mockingDetails(broker.dispatcher).getInvocations().size();
        assertTrue(calls < 200, calls + " calls of the dispatcher in a minute, an hour later");
    }

    /** The cursor gets no ledger for a while, as without bookies enough. */
    @Test
    void aSliceThatFailsIsNotTriedAgainWithEachEntry() {
        aJournalIsKept();
        tracker.close();
        AtomicInteger tries = new AtomicInteger();
        doAnswer(call -> {
            tries.incrementAndGet();
            call.<DeleteCallback>getArgument(1).deleteFailed(new ManagedLedgerException("not enough bookies"), null);
            return null;
        }).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        loadFromTheRecord();
        afterSeconds(11);
        assertFalse(tracker.acks.pausesReads(), "messages go without the journal");
        int before = tries.get();
        for (int i = 0; i < 1_000; i++) {
            assertFalse(tracker.addMessage(1, 1_000 + i, 0));
        }
        assertTrue(tries.get() - before < 10, (tries.get() - before) + " tries at one moment");
    }
}
