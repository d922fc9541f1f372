/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.JournalFrame;
import io.github.delayedtracker.backend.JournalStore.Content;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.DueShifted;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages are given other due times, which count wherever they are offered, and through loads. */
class MovingTest extends JournaledTracker {

    private static final long SOON = FakeBroker.NOW + 10_000;
    private static final long LATER = FakeBroker.NOW + 100_000;

    @BeforeEach
    void aTopicOfAHundredEntries() {
        when(broker.topic.getName()).thenReturn("persistent://public/default/t");
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, 99));
        broker.ledgers(1);
    }

    private CompletableFuture<List<Answer>> move(long dueMillis, long... entryIds) {
        return move(LongStream.of(entryIds).mapToObj(entryId -> MessageName.parse("1:" + entryId)).toList(), dueMillis);
    }

    private List<Long> due() {
        return tracker.getScheduledMessages(100).stream().map(Position::getEntryId).toList();
    }

    private Reason refusal(CompletableFuture<List<Answer>> answers) {
        ExecutionException refused = assertThrows(ExecutionException.class, answers::get);
        return assertInstanceOf(RefusedException.class, refused.getCause()).reason();
    }

    private MemoryJournals moves() {
        return journals.of(Content.MOVES);
    }

    @Test
    void aMessageMovedToAnEarlierTimeIsHandedOutThenAndNotAtItsOwn() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        assertEquals(List.of(Answer.MOVED), move(SOON, 2).get());
        afterSeconds(11);
        assertEquals(List.of(2L), due());
        assertFalse(tracker.addMessage(1, 2, LATER), "sent");
        assertFalse(tracker.addMessage(1, 2, LATER), "and sent again after a nack");
        afterSeconds(100);
        assertEquals(List.of(1L), due());
    }

    @Test
    void aMessageMovedToALaterTimeIsNotSentBefore() throws Exception {
        tracker.addMessage(1, 1, SOON);
        assertEquals(List.of(Answer.MOVED), move(LATER, 1).get());
        assertTrue(tracker.addMessage(1, 1, SOON), "read again before its own time");
        afterSeconds(11);
        assertTrue(tracker.addMessage(1, 1, SOON), "read again after its own time");
        afterSeconds(80);
        assertEquals(1, tracker.numberOfDelayedMessages());
        assertEquals(List.of(), due());
        afterSeconds(20);
        assertEquals(List.of(1L), due());
        assertFalse(tracker.addMessage(1, 1, SOON));
    }

    @Test
    void aMessageIsDeliveredNow() throws Exception {
        tracker.addMessage(1, 1, LATER);
        assertEquals(List.of(Answer.MOVED), move(FakeBroker.NOW - 1, 1).get());
        assertTrue(tracker.hasMessageAvailable());
        assertEquals(List.of(1L), due());
        assertFalse(tracker.addMessage(1, 1, LATER));
    }

    @Test
    void aDispatcherThatWasWokenInVainIsWokenForIt() throws Exception {
        tracker.addMessage(1, 1, SOON);
        tracker.addMessage(1, 2, LATER);
        afterSeconds(60);
        clearInvocations(broker.dispatcher);
        move(FakeBroker.NOW, 2).get();
        verify(broker.dispatcher).readMoreEntriesAsync();
    }

    @Test
    void anAcknowledgedMessageThatIsStillIndexedIsNotMoved() throws Exception {
        tracker.addMessage(1, 1, LATER);
        acknowledge(1);
        assertEquals(List.of(Answer.ALREADY_ACKNOWLEDGED), move(SOON, 1).get());
        assertEquals(0, moves().ledgers.size());
    }

    @Test
    void theStatisticsTellWhatCommandsDid() throws Exception {
        tracker.addMessage(1, 1, LATER);
        tracker.addMessage(1, 2, LATER);
        assertFalse(tracker.metrics().containsKey("pulsar_delayed_index_moved"));
        move(SOON, 1, 2).get();
        assertEquals(2, tracker.samples().get("moved"));
        assertEquals(2, tracker.samples().get("moved_total"));
        assertTrue(tracker.samples().get("moved_bytes") > 0);
        consumer = null;
        CompletableFuture<List<Answer>> refused = cancel(List.of(MessageName.parse("1:1")), false);
        assertEquals(Reason.NO_CONSUMER, refusal(refused));
        assertTrue(tracker.metrics().keySet().stream()
                .anyMatch(name -> name.startsWith("pulsar_delayed_index_commands_refused")));
    }

    @Test
    void aPlainMessageKeepsItsWayWhateverWasMoved() throws Exception {
        tracker.addMessage(1, 1, SOON);
        move(LATER, 1).get();
        assertFalse(tracker.addMessage(1, 2, 0));
    }

    @Test
    void aMessageThatIsHandedOutKeepsItsOwnTime() throws Exception {
        tracker.addMessage(1, 1, SOON);
        afterSeconds(11);
        assertEquals(List.of(1L), due());
        broker.readPosition(1, 50);
        assertEquals(List.of(Answer.NOT_SCHEDULED), move(LATER, 1).get());
        assertFalse(tracker.addMessage(1, 1, SOON));
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

    private static void isOfANewerVersion(MemoryJournals journals) {
        assertEquals(1, journals.ledgers.size());
        journals.ledgers.values().forEach(entries -> entries.set(1, JournalFrame.end(JournalFrame.begin((byte) 99, 0))));
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

    /** Entries tell that time as their own; the ones named cannot be read. */
    private void entriesAreDueAt(long deliverAtMillis, Long... unread) {
        doAnswer(call -> {
            Position position = call.getArgument(0);
            ReadEntryCallback callback = call.getArgument(1);
            if (List.of(unread).contains(position.getEntryId())) {
                callback.readEntryFailed(new ManagedLedgerException("away"), null);
                return null;
            }
            MessageMetadata metadata = new MessageMetadata().setProducerName("p").setSequenceId(1).setPublishTime(1)
                    .setDeliverAtTime(deliverAtMillis);
            var bytes = Commands.serializeMetadataAndPayload(Commands.ChecksumType.Crc32c, metadata, Unpooled.EMPTY_BUFFER);
            callback.readEntryComplete(EntryImpl.create(position, bytes), null);
            return null;
        }).when(broker.ledger).asyncReadEntry(any(), any(), any());
    }

    private CompletableFuture<List<Answer>> moveBy(long byMillis, long... entryIds) {
        return move(LongStream.of(entryIds).mapToObj(entryId -> MessageName.parse("1:" + entryId)).toList(),
                new DueShifted(byMillis));
    }

    @Test
    void aMessageIsMovedFromTheTimeThatItHasItsOwnOrTheOneGiven() throws Exception {
        tracker.addMessage(1, 1, SOON);
        tracker.addMessage(1, 2, SOON);
        tracker.addMessage(1, 3, SOON);
        entriesAreDueAt(SOON, 3L);
        broker.readPosition(1, 50);
        assertEquals(List.of(Answer.MOVED, Answer.MOVED, Answer.TIME_UNREAD, Answer.ALREADY_HANDED_OUT),
                moveBy(60_000, 1, 2, 3, 4).get());
        assertEquals(List.of(Answer.MOVED), moveBy(-30_000, 2).get());
        afterSeconds(11);
        due().forEach(entryId -> assertEquals(entryId != 3, tracker.addMessage(1, entryId, SOON), "kept back"));
        afterSeconds(28);
        assertEquals(List.of(), due());
        afterSeconds(2);
        assertEquals(List.of(2L), due());
        afterSeconds(28);
        assertEquals(List.of(), due());
        afterSeconds(2);
        assertEquals(List.of(1L), due());
    }

    @Test
    void aMessageMovedToBeforeTheFirstOfAllTimesIsDueNow() throws Exception {
        tracker.addMessage(1, 1, LATER);
        entriesAreDueAt(LATER);
        assertEquals(List.of(Answer.MOVED), moveBy(-2 * LATER, 1).get());
        assertEquals(List.of(1L), due());
    }

    @Test
    void withoutAJournalNothingIsMoved() throws Exception {
        tracker = new FakeBroker().tracker(true);
        tracker.addMessage(1, 1, LATER);
        assertEquals(Reason.NO_JOURNAL, refusal(move(SOON, 1)));
        assertEquals(1, tracker.numberOfDelayedMessages());
    }
}
