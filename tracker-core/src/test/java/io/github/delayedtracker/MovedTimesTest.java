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
import static org.mockito.Mockito.doThrow;

import io.github.delayedtracker.acks.JournalFrame;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.subscription.States;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The due times that commands have given outlive loads, failures of storage and want of memory, and leave no ledger behind. */
class MovedTimesTest extends MovedMessages {

    @Test
    void timesThatCouldNotBeAppendedAreStoredLater() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        move(SOON, 1).get();
        moves().answer = MemoryJournals.Answer.FAILS;
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), move(SOON, 2).get());
        tracker.sweep();
        moves().answer = MemoryJournals.Answer.AT_ONCE;
        tracker.sweep();
        assertEquals(2, moves().ledgers.lastEntry().getValue().size(), "there is a rest between two tries");
        afterSeconds(5);
        tracker.sweep();
        tracker.close();
        loadFromTheRecord();
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        afterSeconds(6);
        assertEquals(List.of(1L, 2L), due());
    }

    /** The position of an entry, as it comes back from storage at the message's own time. */
    private PositionRange recovered(long entryId, long ownMillis) {
        assertTrue(tracker.state().offer(1, entryId, ownMillis, broker.timer.nowMillis()));
        PositionSet one = new PositionSet();
        one.add(1, entryId);
        return PositionRange.of(one);
    }

    private static void isOfANewerVersion(MemoryJournals journals) {
        assertEquals(1, journals.ledgers.size());
        journals.ledgers.values().forEach(entries -> entries.set(1, JournalFrame.end(JournalFrame.begin((byte) 99, 0))));
    }

    @Test
    void timesCountAfterALoadBeforeAnythingIsSent() throws Exception {
        tracker.addMessage(1, 1, SOON);
        tracker.addMessage(1, 2, LATER);
        move(LATER, 1).get();
        move(SOON, 2).get();
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, FakeBroker.NOW - 1), "its own time has passed");
        assertTrue(tracker.addMessage(1, 2, LATER));
        afterSeconds(11);
        assertEquals(List.of(2L), due());
        afterSeconds(100);
        assertEquals(List.of(1L), due());
    }

    @Test
    void timesThatCannotBeReadDoNotHoldMessagesForEver() throws Exception {
        tracker.addMessage(1, 1, SOON);
        move(LATER, 1).get();
        tracker.close();
        moves().answer = MemoryJournals.Answer.NEVER;
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, FakeBroker.NOW - 1), "held");
        assertEquals(Reason.NO_JOURNAL, refusal(move(LATER, 1)));
        afterSeconds(12);
        assertFalse(tracker.acks.pausesReads(), "messages come at their own times");
    }

    @Test
    void aWakeUpThatFailsTakesNothingFromALoad() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        move(FakeBroker.NOW + 1, 1).get();
        tracker.close();
        moves().answer = MemoryJournals.Answer.FAILS;
        loadFromTheRecord();
        afterSeconds(12);
        assertTrue(tracker.addMessage(1, 1, LATER), "its new time is not known yet");
        assertTrue(tracker.addMessage(1, 2, LATER));
        moves().answer = MemoryJournals.Answer.AT_ONCE;
        doThrow(new IllegalStateException("a wake-up that fails")).when(broker.dispatcher).readMoreEntriesAsync();
        tracker.sweep();
        assertEquals(List.of(1L), due());
        assertEquals(List.of(Answer.MOVED), move(LATER + 1, 2).get());
    }

    @Test
    void whereNothingIsStoredTheOutcomeIsUnknownAndAskingAgainHelps() throws Exception {
        tracker.addMessage(1, 1, LATER);
        moves().answer = MemoryJournals.Answer.FAILS;
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), move(SOON, 1).get());
        moves().answer = MemoryJournals.Answer.AT_ONCE;
        assertEquals(List.of(Answer.MOVED), move(SOON, 1).get());
    }

    @Test
    void timesThatCouldNotBeStoredAreStoredLater() throws Exception {
        tracker.addMessage(1, 1, LATER);
        moves().answer = MemoryJournals.Answer.FAILS;
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), move(SOON, 1).get());
        moves().answer = MemoryJournals.Answer.AT_ONCE;
        tracker.sweep();
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, LATER));
        afterSeconds(11);
        assertEquals(List.of(1L), due());
    }

    @Test
    void aStoredMessageHasItsOtherTimeOnceItIsBack() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        move(SOON, 1, 2).get();
        tracker.close();
        loadFromTheRecord();
        tracker.commands.isRecovered(recovered(1, LATER));
        tracker.commands.isRecovered(recovered(2, LATER));
        afterSeconds(11);
        assertEquals(List.of(1L, 2L), due());
    }

    @Test
    void aStoredMessageForWhichThereIsNoRoomHasItsOtherTimeWithALaterSweep() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        broker.newIndex = () -> States.withoutRoom(new HeapIndexProvider().newIndex(), full);
        load();
        tracker.addMessage(1, 1, LATER);
        move(LATER + 10_000, 1).get();
        tracker.close();
        loadFromTheRecord();
        PositionRange range = recovered(1, LATER);
        full.set(true);
        tracker.commands.isRecovered(range);
        full.set(false);
        assertEquals(List.of(1L), due(), "to be read again");
        tracker.commands.isRecovered(recovered(1, LATER));
        tracker.sweep();
        afterSeconds(101);
        assertEquals(List.of(), due());
        afterSeconds(10);
        assertEquals(List.of(1L), due());
    }

    @Test
    void theLedgerGoesWithTheLastMessage() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        move(SOON, 1, 2).get();
        assertEquals(1, moves().ledgers.size());
        acknowledge(1);
        tracker.sweep();
        assertEquals(1, moves().ledgers.size());
        acknowledge(2);
        tracker.sweep();
        assertEquals(0, moves().ledgers.size());
        assertEquals(List.of(), moves().named);
    }

    @Test
    @DisplayName("I19: a subscription that is deleted with moved messages leaves no ledger")
    void aClearDeletesTheLedgerThoughMovedMessagesWait() throws Exception {
        tracker.addMessage(1, 1, LATER);
        move(SOON, 1).get();
        tracker.clear().get();
        assertEquals(0, moves().ledgers.size());
        assertEquals(List.of(), moves().named);
        tracker.close();
        afterSeconds(100);
        assertEquals(0, moves().ledgers.size());
    }

    @Test
    void whereTheSubscriptionGoesOnAfterAClearTheTimesAreStoredAgain() throws Exception {
        tracker.addMessage(1, 1, LATER);
        move(LATER + 100_000, 1).get();
        tracker.clear().get();
        tracker.sweep();
        assertEquals(0, moves().ledgers.size(), "it may be deleted at this moment");
        afterSeconds(60);
        tracker.sweep();
        assertEquals(1, moves().ledgers.size());
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, LATER));
        afterSeconds(130);
        assertEquals(List.of(), due());
        afterSeconds(20);
        assertEquals(List.of(1L), due());
    }

    @Test
    void aMoveAfterAClearStoresAllTimes() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        move(SOON, 1).get();
        tracker.clear().get();
        assertEquals(List.of(Answer.MOVED), move(SOON, 2).get());
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, LATER));
        assertTrue(tracker.addMessage(1, 2, LATER));
        afterSeconds(11);
        assertEquals(List.of(1L, 2L), due());
    }

    @Test
    void aClearThatIsNotAnsweredEndsAllTheSame() throws Exception {
        tracker.addMessage(1, 1, LATER);
        move(SOON, 1).get();
        moves().answer = MemoryJournals.Answer.NEVER;
        CompletableFuture<Void> cleared = tracker.clear();
        afterSeconds(11);
        cleared.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aClearBeforeTheTimesWereReadDeletesTheirLedgerToo() throws Exception {
        tracker.addMessage(1, 1, LATER);
        move(SOON, 1).get();
        tracker.close();
        SubscriptionTracker unread = broker.tracker(true);
        unread.clear().get();
        assertEquals(0, moves().ledgers.size());
        assertEquals(List.of(), moves().named);
    }

    @Test
    void whereANewerVersionKeepsTheAcknowledgementsMessagesAreMovedThoughNotCancelled() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        CompletableFuture<List<Answer>> cancelled = cancel(List.of(MessageName.parse("1:2")), false);
        afterSeconds(1);
        assertEquals(List.of(Answer.CANCELLED), cancelled.getNow(List.of()));
        tracker.close();
        isOfANewerVersion(journals);
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, LATER));
        assertEquals(Reason.NO_JOURNAL, refusal(cancel(List.of(MessageName.parse("1:1")), false)));
        assertEquals(List.of(Answer.MOVED), move(SOON, 1).get());
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, LATER));
        afterSeconds(10);
        assertEquals(List.of(1L), due());
        assertEquals(1, journals.ledgers.size(), "is left as it is");
    }

    @Test
    void timesThatANewerVersionHasWrittenAreLeftAsTheyAreAndNothingIsMoved() throws Exception {
        tracker.addMessage(1, 1, LATER);
        move(SOON, 1).get();
        tracker.close();
        isOfANewerVersion(moves());
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 1, LATER));
        assertEquals(Reason.NO_JOURNAL, refusal(move(SOON, 1)));
        afterSeconds(11);
        assertEquals(List.of(), due());
        assertEquals(1, moves().ledgers.size());
    }
}
