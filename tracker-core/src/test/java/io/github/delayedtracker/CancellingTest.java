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
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyIterable;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages are cancelled durably or not at all, each has a true answer, and none that is cancelled is sent. */
class CancellingTest extends JournaledTracker {

    private static final long SOON = FakeBroker.NOW + 10_000;
    private static final long LAST = 99;

    /** Entries that have no delivery time; the others have. */
    private final List<Long> plain = new ArrayList<>();

    @BeforeEach
    void aTopicOfAHundredEntries() {
        when(broker.topic.getName()).thenReturn("persistent://public/default/t");
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, LAST));
        broker.ledgers(1);
        doAnswer(call -> {
            Position position = call.getArgument(0);
            MessageMetadata metadata = new MessageMetadata().setProducerName("p").setSequenceId(1).setPublishTime(1);
            if (!plain.contains(position.getEntryId())) {
                metadata.setDeliverAtTime(SOON);
            }
            var bytes = Commands.serializeMetadataAndPayload(Commands.ChecksumType.Crc32c, metadata, Unpooled.EMPTY_BUFFER);
            call.<ReadEntryCallback>getArgument(1).readEntryComplete(EntryImpl.create(position, bytes), null);
            return null;
        }).when(broker.ledger).asyncReadEntry(any(), any(), any());
    }

    private static List<MessageName> ids(long... entryIds) {
        return LongStream.of(entryIds).mapToObj(entryId -> MessageName.parse("1:" + entryId)).toList();
    }

    private CompletableFuture<List<Answer>> cancel(long... entryIds) {
        return cancel(ids(entryIds), false);
    }

    private List<Answer> answers(long... entryIds) throws Exception {
        CompletableFuture<List<Answer>> answers = cancel(entryIds);
        afterSeconds(1);
        assertTrue(answers.isDone());
        return answers.get();
    }

    private void schedule(long... entryIds) {
        LongStream.of(entryIds).forEach(entryId -> assertTrue(tracker.addMessage(1, entryId, SOON)));
    }

    private Reason refusal(long... entryIds) {
        ExecutionException refused = assertThrows(ExecutionException.class, cancel(entryIds)::get);
        return assertInstanceOf(RefusedException.class, refused.getCause()).reason();
    }

    @Test
    void aCancelledMessageIsAcknowledgedDurablyAndLeavesTheCountAtOnce() throws Exception {
        schedule(1, 2, 3);
        CompletableFuture<List<Answer>> answers = cancel(2);
        assertEquals(2, tracker.numberOfDelayedMessages());
        assertFalse(answers.isDone(), "it is not durable yet");
        afterSeconds(1);
        assertEquals(List.of(Answer.CANCELLED), answers.get());
        assertEquals(1, journals.ledgers.size());
        afterSeconds(20);
        assertEquals(List.of(1L, 3L), tracker.getScheduledMessages(10).stream().map(Position::getEntryId).toList());
    }

    @Test
    void theIndexIsTidiedAfterACommandSoThatItsNextDueTimeIsExact() throws Exception {
        DelayIndex index = spy(new HeapIndexProvider().newIndex());
        broker.newIndex = () -> index;
        load();
        schedule(1, 2);
        verify(index, never()).tidy(anyInt());
        assertEquals(List.of(Answer.CANCELLED), answers(1));
        verify(index, atLeastOnce()).tidy(anyInt());
    }

    @Test
    void aReadOfBeforeIsSwallowedBeforeAndAfterTheCursorKnows() throws Exception {
        schedule(1, 2);
        doAnswer(call -> {
            assertTrue(tracker.addMessage(1, 2, SOON), "withdrawn");
            assertTrue(tracker.addMessage(1, 2, FakeBroker.NOW - 1), "withdrawn, though it is due");
            assertEquals(1, tracker.state().count());
            acknowledge(2);
            return null;
        }).doAnswer(call -> {
            call.<DeleteCallback>getArgument(1).deleteComplete(null);
            return null;
        }).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        CompletableFuture<List<Answer>> unused = cancel(2);
        assertTrue(tracker.addMessage(1, 2, SOON));
        assertTrue(tracker.addMessage(1, 2, FakeBroker.NOW - 1));
        assertTrue(tracker.addMessage(1, 2, 0));
        assertEquals(1, tracker.state().count());
        assertFalse(tracker.addMessage(1, 3, 0), "others are sent");
    }

    @Test
    void anAcknowledgementThatFailsHasTheMessageReadAgain() throws Exception {
        schedule(1, 2);
        doThrow(new IllegalStateException("away")).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), answers(2));
        afterSeconds(2);
        assertEquals(List.of(2L), tracker.getScheduledMessages(10).stream().map(Position::getEntryId).toList());
        assertTrue(tracker.addMessage(1, 2, SOON + 60_000), "indexed with its own time");
        assertEquals(2, tracker.numberOfDelayedMessages());
    }

    @Test
    void anErrorOfTheCursorLeavesNothingWithdrawn() throws Exception {
        schedule(1, 2, 3);
        when(broker.cursor.isMessageDeleted(any())).thenAnswer(call -> {
            if (call.<Position>getArgument(0).getEntryId() == 1) {
                throw new LinkageError("for the test");
            }
            return broker.acknowledged.contains(call.<Position>getArgument(0));
        });
        List<Answer> answers = answers(1, 2, 3);
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN, Answer.CANCELLED, Answer.CANCELLED), answers);
        assertEquals(1, tracker.numberOfDelayedMessages(), "it is scheduled again");
        assertFalse(tracker.commands.isWithdrawn(1, 1));
        assertFalse(tracker.commands.isWithdrawn(1, 3));
    }

    @Test
    void aSeekThatComesFirstHasTheMessageReadAgain() throws Exception {
        schedule(2);
        doAnswer(call -> null).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), answers(2));
        assertEquals(1, tracker.numberOfDelayedMessages());
    }

    @Test
    void withoutAJournalNothingIsCancelled() {
        schedule(1);
        journals.answer = MemoryJournals.Answer.FAILS;
        CompletableFuture<List<Answer>> first = cancel(1);
        afterSeconds(1);
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), first.join(), "acknowledged, and perhaps not durable");
        schedule(2);
        assertEquals(Reason.NO_JOURNAL, refusal(2), "it is known to fail");
        assertEquals(1, tracker.numberOfDelayedMessages());
        assertFalse(broker.acknowledged.contains(PositionFactory.create(1, 2)));
    }

    /** As where the broker keeps acknowledgements as single ranges. */
    @Test
    void nothingIsCancelledWhereTheCursorCannotTellWhatIsAcknowledged() {
        schedule(1);
        broker.copies.set(Optional.empty());
        assertEquals(Reason.NO_JOURNAL, refusal(1));
        assertEquals(1, tracker.numberOfDelayedMessages());
        assertFalse(broker.acknowledged.contains(PositionFactory.create(1, 1)));
    }

    @Test
    void aCancelThatGetsNoThreadOnItsWayLeavesNoMessageBetweenAcknowledgedAndDelivered() {
        for (int refused = 0; refused < 6; refused++) {
            long first = 10L * refused;
            for (long entry = first; entry < first + 3; entry++) {
                assertTrue(tracker.addMessage(1, entry, FakeBroker.NOW + 3_600_000));
            }
            broker.refusedIn = refused;
            CompletableFuture<List<Answer>> answer = cancel(first, first + 1, first + 2);
            for (int second = 0; second < 15; second++) {
                try {
                    afterSeconds(1);
                } catch (InternalError e) {
                    assertTrue(e.getMessage().contains("no thread"), "it ends on the cursor's thread: " + e);
                }
            }
            assertTrue(answer.isDone(), "refused as number " + refused);
            broker.refusedIn = -1;
            Set<Position> seen = new HashSet<>(broker.acknowledged);
            seen.addAll(tracker.getScheduledMessages(100));
            for (long entry = first; entry < first + 3; entry++) {
                assertTrue(seen.contains(PositionFactory.create(1, entry)) || tracker.containsMessage(1, entry),
                        entry + ", refused as number " + refused);
            }
        }
    }

    @Test
    void withoutAConsumerNothingIsCancelled() {
        schedule(1);
        consumer = null;
        assertEquals(Reason.NO_CONSUMER, refusal(1));
        verify(broker.cursor, never()).asyncDelete(eq(List.of(PositionFactory.create(1, 1))), any(), any());
        assertEquals(1, tracker.numberOfDelayedMessages());
    }

    @Test
    void eachOtherMessageIsToldWhyItIsNotCancelled() throws Exception {
        schedule(1);
        acknowledge(2);
        plain.add(3L);
        broker.readPosition(1, 50);
        assertEquals(List.of(Answer.CANCELLED, Answer.ALREADY_ACKNOWLEDGED, Answer.NOT_DELAYED, Answer.ALREADY_HANDED_OUT,
                Answer.NOT_READ_YET, Answer.UNKNOWN, Answer.CANCELLED), answers(1, 2, 3, 4, 50, LAST + 1, 1));
        assertFalse(broker.acknowledged.contains(PositionFactory.create(1, 3)));
    }

    @Test
    void anIdOfAnotherPartitionIsUnknownAndPartOfABatchIsNotCancelled() throws Exception {
        schedule(1, 2);
        List<MessageName> ids = List.of(MessageName.parse("1:1:3"), MessageName.parse("1:2:-1:0"));
        CompletableFuture<List<Answer>> refused = cancel(ids, false);
        assertEquals(List.of(Answer.UNKNOWN, Answer.PART_OF_A_BATCH), refused.get());
        CompletableFuture<List<Answer>> whole = cancel(ids, true);
        afterSeconds(1);
        assertEquals(List.of(Answer.UNKNOWN, Answer.CANCELLED), whole.get());
    }

    @Test
    void aCancelledMessageStaysSoOverALoad() throws Exception {
        schedule(1, 2);
        acknowledgeMany();
        assertEquals(List.of(Answer.CANCELLED), answers(2));
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 2, SOON), "held until the journal is restored");
        afterSeconds(1);
        assertTrue(broker.acknowledged.contains(PositionFactory.create(1, 2)));
    }

    @Test
    void anEndOfTheCallsThatWaitIsKnown() {
        schedule(1);
        journals.answer = MemoryJournals.Answer.NEVER;
        List<CompletableFuture<List<Answer>>> calls = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            calls.add(cancel(1));
        }
        assertEquals(Reason.TOO_MANY, refusal(1));
        afterSeconds(10);
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), calls.get(0).join());
    }
}
