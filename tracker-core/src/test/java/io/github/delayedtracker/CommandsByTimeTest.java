/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyIterable;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.Content;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Listed;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Page;
import io.github.delayedtracker.command.DelayedCommands.Peek;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.netty.buffer.Unpooled;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages are listed, cancelled and moved by when they are due; not many without the caller's word, and none in a dry run. */
class CommandsByTimeTest extends JournaledTracker {

    private static final long FIRST = FakeBroker.NOW + 10_000;
    private static final int MESSAGES = 150;
    private static final Options DRY_RUN = new Options(true, false);
    private static final Options UNCONFIRMED = new Options(false, false);

    @BeforeEach
    void aScheduleWithAMessageEachSecond() {
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, MESSAGES + 100));
        when(broker.subscription.getName()).thenReturn("sub");
        broker.ledgers(1);
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(tracker.addMessage(1, i, FIRST + i * 1_000L));
        }
    }

    private static DueWithin within(long fromMillis, long untilMillis) {
        return new DueWithin(fromMillis, untilMillis, Optional.empty());
    }

    private static DueWithin all() {
        return within(0, Long.MAX_VALUE);
    }

    private <T> T answer(CompletableFuture<T> answer) throws Exception {
        afterSeconds(2);
        assertTrue(answer.isDone());
        return answer.get();
    }

    private Page list(DueWithin within, int limit) throws Exception {
        return answer(tracker.commands.list(within, limit, Runnable::run));
    }

    private CompletableFuture<Result> cancel(DueWithin within, Options options) {
        return tracker.commands.cancel(within, options, Runnable::run);
    }

    private Reason refusal(CompletableFuture<?> answer) {
        afterSeconds(2);
        ExecutionException refused = assertThrows(ExecutionException.class, answer::get);
        return assertInstanceOf(RefusedException.class, refused.getCause()).reason();
    }

    @Test
    void pagesOfAListGoOnWhereTheOneBeforeEnded() throws Exception {
        Page first = list(within(FIRST + 10_000, Long.MAX_VALUE), 100);
        assertEquals("sub", first.subscription());
        assertEquals(100, first.messages().size());
        assertEquals(MessageName.parse("1:10"), first.messages().get(0).id());
        assertEquals(FIRST + 10_000, first.messages().get(0).dueMillis().orElseThrow());
        Page second = list(new DueWithin(FIRST + 10_000, Long.MAX_VALUE, first.next()), 100);
        assertEquals(MessageName.parse("1:110"), second.messages().get(0).id());
        assertEquals(40, second.messages().size());
        assertEquals(Optional.empty(), second.next());
    }

    @Test
    @DisplayName("R30: a message that could not be cancelled, and is to be read for its time, is of no time before it")
    void aMessageThatIsToBeReadAgainIsOfNoTime() throws Exception {
        doAnswer(call -> null).when(broker.cursor).asyncDelete(anyIterable(), any(), any());
        assertEquals(List.of(Answer.OUTCOME_UNKNOWN), answer(cancel(List.of(MessageName.parse("1:100")), false)));
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        assertEquals(List.of(), list(within(0, FIRST - 1), 10).messages());
        Result moved = answer(tracker.commands.move(within(0, FIRST + 2_000), new DueAt(FIRST), MEANT, Runnable::run));
        assertEquals(List.of(MessageName.parse("1:0"), MessageName.parse("1:1"), MessageName.parse("1:2")), moved.ids());
        assertTrue(tracker.addMessage(1, 100, FIRST + 100_000), "a read that came across it");
        assertEquals(List.of(), list(within(0, FIRST - 1), 10).messages());
        assertTrue(tracker.getScheduledMessages(100).contains(PositionFactory.create(1, 100)));
        assertTrue(tracker.addMessage(1, 100, FIRST + 100_000), "it is read again");
        assertEquals(MessageName.parse("1:100"), list(within(FIRST + 100_000, FIRST + 100_000), 10).messages().get(0).id());
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
    }

    /** The first ten are overdue, since the read has not come to them; the moment at which they are. */
    private long tenAreOverdue() {
        broker.readPosition(1, 0);
        broker.timer.advanceTo(FIRST + 9_500);
        assertEquals(0, tracker.getScheduledMessages(10).size());
        return broker.timer.nowMillis();
    }

    private static DueWithin asked(long fromMillis, long untilMillis, Optional<String> after, long nowMillis) {
        return new DueWithin(fromMillis, untilMillis, after, OptionalLong.of(nowMillis));
    }

    @Test
    void whatWasOverdueWhenATimeWasAskedForIsNotInItOnALaterPage() throws Exception {
        long nowMillis = tenAreOverdue();
        DueWithin within = asked(nowMillis + 3_001, FIRST + 20_000, Optional.empty(), nowMillis);
        assertEquals(MessageName.parse("1:13"), list(within, 10).messages().get(0).id());
        broker.timer.advanceTo(nowMillis + 4_000);
        assertTrue(answer(cancel(within, MEANT)).ids().stream().noneMatch(id -> id.entryId() < 13));
        assertTrue(broker.acknowledged.stream().noneMatch(position -> position.getEntryId() < 13));
    }

    @Test
    void pagesGoOnAmongWhatIsOverdueUntilTheTimeHasEnded() throws Exception {
        long nowMillis = tenAreOverdue();
        DueWithin within = asked(0, nowMillis + 10_000, Optional.empty(), nowMillis);
        Page first = list(within, 4);
        broker.timer.advanceTo(nowMillis + 5_000);
        Page second = list(within.behind(first.next()), 4);
        assertEquals(MessageName.parse("1:4"), second.messages().get(0).id());
        broker.timer.advanceTo(nowMillis + 10_001);
        assertEquals(Reason.BAD_REQUEST, refusal(cancel(within.behind(second.next()), MEANT)),
                "1:8 was due before the end, 1:20 would be due behind it");
        assertEquals(Set.of(), broker.acknowledged);
    }

    @Test
    void aTimeThatHasEndedIsNotRefusedWhileNothingIsOverdue() throws Exception {
        DueWithin within = asked(0, FakeBroker.NOW + 1_000, Optional.empty(), FakeBroker.NOW);
        broker.timer.advanceTo(FakeBroker.NOW + 2_000);
        assertEquals(List.of(), answer(cancel(within, MEANT)).ids());
    }

    @Test
    void anAcknowledgedMessageThatIsStillIndexedIsNeitherListedNorCancelledAgain() throws Exception {
        acknowledge(3);
        assertEquals(MESSAGES - 1, list(all(), 1_000).messages().size());
        assertEquals(Collections.nCopies(9, Answer.CANCELLED),
                answer(cancel(within(FIRST, FIRST + 9_000), UNCONFIRMED)).answers());
    }

    @Test
    void placesAndTimesThatAreNoneAreRefused() {
        for (String place : List.of("", "1", "1:2", "x:1:2", "1:2:3:4", "overdue", "overdue:1:x")) {
            assertEquals(Reason.BAD_REQUEST, refusal(tracker.commands.list(
                    new DueWithin(0, Long.MAX_VALUE, Optional.of(place)), 10, Runnable::run)), place);
        }
        assertEquals(Reason.BAD_REQUEST, refusal(tracker.commands.list(within(5, 4), 10, Runnable::run)));
        assertEquals(Reason.BAD_REQUEST, refusal(tracker.commands.list(within(-1, 4), 10, Runnable::run)));
    }

    @Test
    void messagesOfATimeAreCancelled() throws Exception {
        Result result = answer(cancel(within(FIRST + 5_000, FIRST + 14_000), UNCONFIRMED));
        assertEquals(Collections.nCopies(10, Answer.CANCELLED), result.answers());
        assertEquals(LongStream.range(5, 15).mapToObj(entry -> MessageName.parse("1:" + entry)).toList(), result.ids());
        assertEquals(MESSAGES - 10, tracker.numberOfDelayedMessages());
        assertEquals(List.of(), answer(cancel(within(FIRST + 5_000, FIRST + 14_000), UNCONFIRMED)).ids());
    }

    @Test
    void messagesOfATimeAreMovedAndListedAtTheirNewOne() throws Exception {
        long later = FIRST + 3_600_000;
        Result result = answer(tracker.commands.move(within(0, FIRST + 4_999), new DueAt(later), UNCONFIRMED, Runnable::run));
        assertEquals(Collections.nCopies(5, Answer.MOVED), result.answers());
        List<Listed> moved = list(within(later, Long.MAX_VALUE), 10).messages();
        assertEquals(5, moved.size());
        assertTrue(moved.stream().allMatch(Listed::isMoved));
        assertEquals(MessageName.parse("1:5"), list(all(), 1).messages().get(0).id());
    }

    @Test
    void moreThanAHundredNeedTheCallersWord() throws Exception {
        assertEquals(Reason.NOT_CONFIRMED, refusal(cancel(all(), UNCONFIRMED)));
        List<MessageName> ids = LongStream.range(0, 101).mapToObj(entry -> MessageName.parse("1:" + entry)).toList();
        assertEquals(Reason.NOT_CONFIRMED,
                refusal(tracker.commands.cancel(new Named(ids, false), UNCONFIRMED, Runnable::run)));
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        assertEquals(MESSAGES, answer(cancel(all(), MEANT)).answers().size());
        assertEquals(0, tracker.numberOfDelayedMessages());
    }

    @Test
    void aDryRunTellsWhatWouldBeDoneAndDoesNothing() throws Exception {
        Result ofTime = answer(cancel(all(), DRY_RUN));
        assertEquals(Collections.nCopies(MESSAGES, Answer.SCHEDULED), ofTime.answers());
        List<MessageName> ids = List.of(MessageName.parse("1:0"), MessageName.parse("1:900"));
        Result named = answer(tracker.commands.cancel(new Named(ids, false), DRY_RUN, Runnable::run));
        assertEquals(List.of(Answer.SCHEDULED, Answer.UNKNOWN), named.answers());
        Result moved = answer(tracker.commands.move(all(), new DueAt(FIRST), DRY_RUN, Runnable::run));
        assertEquals(Collections.nCopies(MESSAGES, Answer.SCHEDULED), moved.answers());
        assertEquals(MESSAGES, tracker.numberOfDelayedMessages());
        assertEquals(0, journals.ledgers.size());
    }

    @Test
    void whatIsOverdueIsDueNow() throws Exception {
        broker.readPosition(1, 0);
        broker.timer.advanceTo(FIRST + 2_500);
        assertEquals(List.<Position>of(), List.copyOf(tracker.getScheduledMessages(10)));
        List<Listed> first = list(within(FIRST + 2_000, FIRST + 5_000), 10).messages();
        assertTrue(first.get(0).dueMillis().isEmpty(), () -> first.toString());
        assertEquals(MessageName.parse("1:0"), first.get(0).id());
    }

    @Test
    void aPeekReadsWhatMessagesAreAndGoesOnWithoutTheOnesThatFail() throws Exception {
        doAnswer(call -> {
            Position position = call.getArgument(0);
            ReadEntryCallback callback = call.getArgument(1);
            if (position.getEntryId() == 11) {
                callback.readEntryFailed(new ManagedLedgerException("away"), null);
                return null;
            }
            MessageMetadata metadata = new MessageMetadata().setProducerName("p").setSequenceId(1).setPublishTime(77)
                    .setPartitionKey("k" + position.getEntryId()).setDeliverAtTime(FIRST);
            metadata.addProperty().setKey("a").setValue("b");
            var bytes = Commands.serializeMetadataAndPayload(Commands.ChecksumType.Crc32c, metadata, Unpooled.EMPTY_BUFFER);
            callback.readEntryComplete(EntryImpl.create(position, bytes), null);
            return null;
        }).when(broker.ledger).asyncReadEntry(any(), any(), any());
        Peek peek = answer(tracker.commands.peek(within(FIRST + 10_000, Long.MAX_VALUE), 20, Runnable::run));
        assertEquals(20, peek.messages().size());
        Content first = peek.messages().get(0).content().orElseThrow();
        assertEquals(77, first.publishMillis());
        assertEquals(Optional.of("k10"), first.key());
        assertEquals(Map.of("a", "b"), first.properties());
        assertEquals(FIRST, first.deliverAtMillis().orElseThrow());
        assertTrue(peek.messages().get(1).content().isEmpty());
        assertEquals(Optional.of("k29"), peek.messages().get(19).content().orElseThrow().key());
        assertTrue(peek.next().isPresent());
    }

    @Test
    void commandsThatComeTooOftenAreRefused() throws Exception {
        for (int i = 0; i < CommandRate.AT_ONCE; i++) {
            assertTrue(tracker.commands.list(all(), 1, Runnable::run).isDone());
        }
        CompletableFuture<Page> refused = tracker.commands.list(all(), 1, Runnable::run);
        assertEquals(Reason.TOO_MANY, refusal(refused));
        assertEquals(1, list(all(), 1).messages().size(), "two seconds later");
    }
}
