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
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.command.DelayedCommands.LedgerUse;
import io.github.delayedtracker.command.DelayedCommands.LedgerUses;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ledgers of a topic tell what waits in them, until when, and what expires before it is due. */
class LedgerUsesTest extends JournaledTracker {

    private static final long HOUR_MILLIS = 3_600_000;
    private static final long CLOSED_MILLIS = FakeBroker.NOW - HOUR_MILLIS;

    @BeforeEach
    void aTopicOfThreeLedgers() {
        when(broker.subscription.getName()).thenReturn("sub");
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(7, 49));
        when(broker.ledger.getTotalSize()).thenReturn(30_000L + 40_000 + 500);
        broker.ledgers.put(3L, closed(3, 300, 30_000));
        broker.ledgers.put(4L, closed(4, 400, 40_000));
        broker.ledgers.put(7L, LedgerInfo.newBuilder().setLedgerId(7).build());
        broker.markDelete(3, 99);
        broker.copies.set(Optional.of(new AckedPositions(Map.of(3L, new long[] {-1, -1}, 4L, new long[] {0xFF}), true)));
    }

    private static LedgerInfo closed(long ledgerId, long entries, long bytes) {
        return LedgerInfo.newBuilder().setLedgerId(ledgerId).setEntries(entries).setSize(bytes).setTimestamp(CLOSED_MILLIS)
                .build();
    }

    private LedgerUses uses() throws Exception {
        var uses = tracker.commands.ledgers(Optional.empty(), Runnable::run);
        afterSeconds(2);
        assertTrue(uses.isDone());
        return uses.get();
    }

    private static LedgerUse use(long ledgerId, long bytes, long messages, long scheduled, long lastDueMillis, long expiring) {
        return new LedgerUse(ledgerId, bytes, ledgerId == 7 ? OptionalLong.empty() : OptionalLong.of(CLOSED_MILLIS),
                OptionalLong.of(messages), scheduled, lastDueMillis == 0 ? OptionalLong.empty() : OptionalLong.of(lastDueMillis),
                expiring);
    }

    @Test
    void eachLedgerTellsWhatWaitsAndUntilWhen() throws Exception {
        assertTrue(tracker.addMessage(3, 200, FakeBroker.NOW + 2 * HOUR_MILLIS));
        assertTrue(tracker.addMessage(3, 201, FakeBroker.NOW + HOUR_MILLIS));
        assertTrue(tracker.addMessage(7, 1, FakeBroker.NOW + 3 * HOUR_MILLIS));
        LedgerUses uses = uses();
        assertEquals("sub", uses.subscription());
        assertEquals(OptionalLong.empty(), uses.timeToLiveSeconds());
        assertEquals(Optional.empty(), uses.next());
        assertEquals(List.of(use(3, 30_000, 300 - 128, 2, FakeBroker.NOW + 2 * HOUR_MILLIS, 0), use(4, 40_000, 392, 0, 0, 0),
                use(7, 500, 50, 1, FakeBroker.NOW + 3 * HOUR_MILLIS, 0)), uses.ledgers());
    }

    @Test
    void whatTheTimeToLiveEndsFirstIsCountedByTheClosingOfItsLedger() throws Exception {
        broker.policies.getMessageTTLInSeconds().updateBrokerValue(7_200);
        long endMillis = CLOSED_MILLIS + 2 * HOUR_MILLIS;
        assertTrue(tracker.addMessage(4, 200, endMillis - 1_000));
        assertTrue(tracker.addMessage(4, 201, endMillis + 1_000));
        assertTrue(tracker.addMessage(4, 202, endMillis + 2_000));
        assertTrue(tracker.addMessage(7, 3, FakeBroker.NOW + HOUR_MILLIS), "published by now at the latest");
        assertTrue(tracker.addMessage(7, 4, FakeBroker.NOW + 3 * HOUR_MILLIS));
        LedgerUses uses = uses();
        assertEquals(OptionalLong.of(7_200), uses.timeToLiveSeconds());
        assertEquals(List.of(0L, 2L, 1L), uses.ledgers().stream().map(LedgerUse::expiring).toList());
    }

    @Test
    void whereTheBrokerDoesNotTellAcknowledgementsOnlyTheScheduleCounts() throws Exception {
        broker.copies.set(Optional.empty());
        assertTrue(tracker.addMessage(4, 200, FakeBroker.NOW + HOUR_MILLIS));
        List<LedgerUse> ledgers = uses().ledgers();
        assertEquals(List.of(3L, 4L, 7L), ledgers.stream().map(LedgerUse::ledgerId).toList());
        assertEquals(OptionalLong.empty(), ledgers.get(0).messages());
        assertEquals(1, ledgers.get(1).scheduled());
    }

    @Test
    void aMovedMessageAndAnOverdueOneCountAtTheirTimes() throws Exception {
        assertTrue(tracker.addMessage(4, 200, FakeBroker.NOW + HOUR_MILLIS));
        var moved = move(List.of(MessageName.parse("4:200")), FakeBroker.NOW + 5 * HOUR_MILLIS);
        afterSeconds(1);
        assertTrue(moved.isDone());
        LedgerUse second = uses().ledgers().get(1);
        assertEquals(FakeBroker.NOW + 5 * HOUR_MILLIS, second.lastDueMillis().orElseThrow());
        assertEquals(1, second.scheduled(), "once, though the index has it at that time as well");
        assertTrue(tracker.addMessage(3, 250, broker.timer.nowMillis() + 1_000));
        broker.readPosition(3, 0);
        afterSeconds(5);
        assertEquals(List.of(), List.copyOf(tracker.getScheduledMessages(10)), "kept back: not read so far");
        LedgerUse first = uses().ledgers().get(0);
        assertEquals(1, first.scheduled());
        assertTrue(first.lastDueMillis().orElseThrow() <= broker.timer.nowMillis());
    }

    @Test
    void aLedgerBehindOneThatIsKeptIsKeptToo() throws Exception {
        broker.markDelete(4, 10);
        long[] all = new long[7];
        Arrays.fill(all, -1);
        all[0] &= ~(1L << 20);
        broker.copies.set(Optional.of(new AckedPositions(Map.of(4L, all, 7L, new long[] {-1}), true)));
        broker.ledgers.put(4L, closed(4, 448, 40_000));
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(7, 63));
        assertTrue(tracker.addMessage(4, 20, FakeBroker.NOW + HOUR_MILLIS));
        assertEquals(List.of(use(4, 40_000, 1, 1, FakeBroker.NOW + HOUR_MILLIS, 0), use(7, 500, 0, 0, 0, 0)), uses().ledgers());
    }

    @Test
    void whileOneCallPassesTheScheduleAnotherIsRefused() throws Exception {
        assertTrue(tracker.addMessage(4, 200, FakeBroker.NOW + HOUR_MILLIS));
        List<Runnable> held = new ArrayList<>();
        var first = tracker.commands.ledgers(Optional.empty(), held::add);
        afterSeconds(1);
        assertEquals(Reason.TOO_MANY, refusal(tracker.commands.ledgers(Optional.empty(), Runnable::run)));
        while (!held.isEmpty()) {
            held.remove(0).run();
        }
        afterSeconds(1);
        assertTrue(first.isDone());
        assertEquals(1, uses().ledgers().stream().mapToLong(LedgerUse::scheduled).sum());
    }

    private static Reason refusal(CompletableFuture<?> answer) {
        ExecutionException refused = assertThrows(ExecutionException.class, answer::get);
        return assertInstanceOf(RefusedException.class, refused.getCause()).reason();
    }

    @Test
    void aThousandLedgersAreAddedUp() throws Exception {
        LongStream.range(100, 1_100).forEach(id -> broker.ledgers.put(id, closed(id, 5, 10)));
        LongStream.range(100, 1_100).forEach(id -> assertTrue(tracker.addMessage(id, id % 5, FakeBroker.NOW + HOUR_MILLIS + id)));
        assertEquals(1_000, uses().ledgers().stream().mapToLong(LedgerUse::scheduled).sum());
    }
}
