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
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.verify;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.DueShifted;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;
import org.junit.jupiter.api.Test;

/** Messages are given other due times, which count wherever they are offered. */
class MovingTest extends MovedMessages {

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
