/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.moves;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.DamagedJournalException;
import io.github.delayedtracker.acks.JournalFrame;
import io.github.delayedtracker.acks.JournalHead;
import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.index.PositionTimes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Due times are in the ledger that the record names, whatever fails in between, or their command has failed. */
class MoveJournalTest {

    private static final JournalHead HEAD = new JournalHead("t", "c");

    private final Ledgers ledgers = new Ledgers();
    private MoveJournal journal = new MoveJournal(ledgers, HEAD);
    private PositionTimes all = PositionTimes.NONE;

    /** Ledgers in memory, of which some calls fail. */
    private static final class Ledgers implements JournalLedgers {

        final TreeMap<Long, List<ByteBuffer>> stored = new TreeMap<>();
        List<Long> named = List.of();
        int mostBytes = 1 << 20;
        int callsUntilFailure = Integer.MAX_VALUE;
        int failures = Integer.MAX_VALUE;
        boolean readsHang;
        boolean namingFails;
        private long nextId = 1;

        private <T> CompletableFuture<T> answer(T value, Runnable effect) {
            if (--callsUntilFailure < 0 && failures-- > 0) {
                return CompletableFuture.failedFuture(JournalException.failed("for the test"));
            }
            effect.run();
            return CompletableFuture.completedFuture(value);
        }

        @Override
        public int mostBytes() {
            return mostBytes;
        }

        @Override
        public CompletableFuture<Writer> create() {
            long id = nextId++;
            return answer(new Writer() {
                @Override
                public long ledgerId() {
                    return id;
                }

                @Override
                public CompletableFuture<Long> append(ByteBuffer entry) {
                    assertTrue(entry.remaining() <= mostBytes);
                    return answer(0L, () -> stored.get(id).add(entry));
                }

                @Override
                public CompletableFuture<Void> close() {
                    return CompletableFuture.completedFuture(null);
                }
            }, () -> stored.put(id, new ArrayList<>()));
        }

        @Override
        public CompletableFuture<List<ByteBuffer>> read(long ledgerId) {
            return readsHang ? new CompletableFuture<>() : stored.containsKey(ledgerId)
                    ? answer(stored.get(ledgerId).stream().map(ByteBuffer::duplicate).toList(), () -> { })
                    : CompletableFuture.failedFuture(
                            new JournalException("no ledger " + ledgerId, JournalException.Kind.GONE, null));
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            return answer(null, () -> stored.remove(ledgerId));
        }

        @Override
        public List<Long> named() {
            return named;
        }

        @Override
        public CompletableFuture<Void> name(List<Long> ledgerIds) {
            return namingFails ? CompletableFuture.failedFuture(JournalException.failed("for the test"))
                    : answer(null, () -> named = ledgerIds);
        }
    }

    private static PositionTimes one(long ledgerId, long entryId, long atMillis) {
        PositionTimes.Builder one = new PositionTimes.Builder();
        one.add(ledgerId, entryId, atMillis);
        return one.build();
    }

    private CompletableFuture<Void> append(PositionTimes more) {
        all = all.plus(more);
        return journal.append(more, () -> all);
    }

    private CompletableFuture<Void> load() {
        return journal.load(before -> all = before, Runnable::run);
    }

    private Map<String, Long> loaded() {
        journal = new MoveJournal(ledgers, HEAD);
        Map<String, Long> times = new TreeMap<>();
        journal.load(before -> before.forEach((ledgerId, entryId, atMillis) -> times.put(ledgerId + ":" + entryId, atMillis)),
                Runnable::run).join();
        return times;
    }

    @Test
    void whatWasAppendedLastCountsAfterALoad() {
        append(one(1, 5, 100)).join();
        append(one(2, 0, 7)).join();
        append(one(1, 5, 50)).join();
        assertEquals(1, ledgers.stored.size());
        assertEquals(Map.of("1:5", 50L, "2:0", 7L), loaded());
        append(one(3, 3, 9)).join();
        assertEquals(1, ledgers.stored.size(), "the old one is deleted");
        assertEquals(List.copyOf(ledgers.stored.keySet()), ledgers.named);
        assertEquals(3, loaded().size());
    }

    @Test
    void whateverFailsWhatWasAnsweredIsThere() {
        for (int calls = 0; calls < 40; calls++) {
            Ledgers failing = new Ledgers();
            Map<String, Long> answered = new TreeMap<>();
            MoveJournal writing = new MoveJournal(failing, HEAD);
            PositionTimes[] given = {PositionTimes.NONE};
            failing.callsUntilFailure = calls;
            for (int i = 0; i < 6; i++) {
                PositionTimes more = one(1, i % 4, 1_000 + i);
                given[0] = given[0].plus(more);
                boolean isDurable = !writing.append(more, () -> given[0]).handle((done, failure) -> failure != null).join();
                failing.callsUntilFailure = isDurable ? failing.callsUntilFailure : Integer.MAX_VALUE;
                if (isDurable) {
                    answered.put("1:" + i % 4, 1_000L + i);
                }
            }
            failing.callsUntilFailure = Integer.MAX_VALUE;
            Map<String, Long> found = new TreeMap<>();
            new MoveJournal(failing, HEAD).load(before -> before.forEach((ledgerId, entryId, atMillis) ->
                    found.put(ledgerId + ":" + entryId, atMillis)), Runnable::run).join();
            answered.forEach((id, atMillis) -> assertTrue(found.get(id) >= atMillis, () -> id + " of " + found));
        }
    }

    @Test
    void nothingIsAddedToTimesThatAreNotKnown() {
        append(one(1, 5, 100)).join();
        journal = new MoveJournal(ledgers, HEAD);
        assertFalse(journal.isLoaded());
        assertThrows(CompletionException.class, append(one(1, 6, 100))::join);
        ledgers.callsUntilFailure = 0;
        assertThrows(CompletionException.class, load()::join);
        assertFalse(journal.isLoaded());
        ledgers.callsUntilFailure = Integer.MAX_VALUE;
        load().join();
        append(one(1, 6, 100)).join();
        assertEquals(2, loaded().size());
    }

    /** Found by the simulator: a ledger written anew in this moment had the times of the command alone. */
    @Test
    @DisplayName("R30: what was read is not known before it is taken over")
    void nothingIsAddedBeforeWhatWasReadIsTakenOver() {
        append(one(1, 5, 100)).join();
        journal = new MoveJournal(ledgers, HEAD);
        List<Runnable> worker = new ArrayList<>();
        PositionTimes[] taken = {PositionTimes.NONE};
        CompletableFuture<Void> load = journal.load(before -> taken[0] = before, worker::add);
        assertFalse(journal.isLoaded());
        CompletableFuture<Void> added = journal.append(one(1, 6, 100), () -> taken[0].plus(one(1, 6, 100)));
        assertFalse(added.isDone(), "it waits for its turn");
        worker.get(0).run();
        load.join();
        added.join();
        assertEquals(Map.of("1:5", 100L, "1:6", 100L), loaded());
    }

    @Test
    void timesThatCouldNotBeTakenOverAreNotKnown() {
        append(one(1, 5, 100)).join();
        journal = new MoveJournal(ledgers, HEAD);
        assertThrows(CompletionException.class, journal.load(before -> {
            throw new IllegalStateException("no room");
        }, Runnable::run)::join);
        assertFalse(journal.isLoaded());
        load().join();
        assertTrue(journal.isLoaded());
    }

    @Test
    void aLongLedgerIsWrittenAnew() {
        for (int i = 0; i < 1_500; i++) {
            append(one(1, i % 10, i)).join();
        }
        assertEquals(1, ledgers.stored.size());
        assertTrue(ledgers.stored.firstEntry().getValue().size() < 600);
        assertEquals(10, loaded().size());
    }

    private static PositionTimes many(int count) {
        Random random = new Random(3);
        PositionTimes.Builder many = new PositionTimes.Builder();
        for (int i = 0; i < count; i++) {
            many.add(i / 100, 1_000_000L * i, random.nextLong() & PositionTimes.LATEST_MILLIS);
        }
        return many.build();
    }

    @Test
    void manyTimesTakeEntriesOfTheLengthAllowed() {
        ledgers.mostBytes = 200;
        append(many(1_000)).join();
        assertEquals(1_000, loaded().size());
    }

    @Test
    void aLedgerThatBeginsWithManyShortEntriesIsNotWrittenAnewForEachTime() {
        ledgers.mostBytes = 200;
        append(many(30_000)).join();
        List<Long> begun = List.copyOf(ledgers.stored.keySet());
        assertTrue(ledgers.stored.firstEntry().getValue().size() > 1_100);
        for (int i = 0; i < 10; i++) {
            append(one(1_000, i, 100)).join();
        }
        assertEquals(begun, List.copyOf(ledgers.stored.keySet()));
    }

    @Test
    void damagedTimesAreGivenUpAndANewerVersionsAreLeft() throws Exception {
        append(one(1, 5, 100)).join();
        List<ByteBuffer> entries = ledgers.stored.firstEntry().getValue();
        ByteBuffer good = entries.get(1);
        ByteBuffer bad = ByteBuffer.allocate(good.remaining()).put(good.duplicate()).flip();
        bad.put(3, (byte) (bad.get(3) + 1));
        entries.set(1, bad);
        journal = new MoveJournal(ledgers, HEAD);
        assertFailsWith(false);
        assertTrue(journal.isLoaded());

        ByteBuffer newer = JournalFrame.begin((byte) 99, 0);
        entries.set(1, JournalFrame.end(newer));
        journal = new MoveJournal(ledgers, HEAD);
        assertFailsWith(true);
        assertFalse(journal.isLoaded());
    }

    private void assertFailsWith(boolean newer) {
        CompletionException failure = assertThrows(CompletionException.class, load()::join);
        assertEquals(newer, assertInstanceOf(DamagedJournalException.class, failure.getCause()).isNewer());
    }

    @Test
    void timesOfAnotherCursorAreNotRead() {
        append(one(1, 5, 100)).join();
        journal = new MoveJournal(ledgers, new JournalHead("t", "other"));
        assertFailsWith(false);
    }

    @Test
    void aLedgerIsKeptIfATimeWasAppendedBeforeItsTurnToBeDeletedHasCome() {
        append(one(1, 5, 100)).join();
        journal = new MoveJournal(ledgers, HEAD);
        List<Runnable> worker = new ArrayList<>();
        PositionTimes[] known = {PositionTimes.NONE};
        CompletableFuture<Void> load = journal.load(before -> { }, worker::add);
        CompletableFuture<Void> appended = journal.append(one(1, 6, 100), () -> one(1, 6, 100));
        CompletableFuture<Void> cleared = journal.clear(() -> known[0].isEmpty());
        known[0] = one(1, 6, 100);
        worker.get(0).run();
        load.join();
        appended.join();
        cleared.join();
        assertEquals(Map.of("1:6", 100L), loaded());
    }

    @Test
    void aClearDoesNotWaitForALoad() {
        append(one(1, 5, 100)).join();
        journal = new MoveJournal(ledgers, HEAD);
        ledgers.readsHang = true;
        CompletableFuture<Void> load = load();
        assertFalse(load.isDone());
        journal.clear(() -> true).join();
        assertTrue(load.isCompletedExceptionally());
        assertEquals(0, ledgers.stored.size());
        assertEquals(List.of(), ledgers.named);
    }

    @Test
    void aLedgerThatIsNotWrittenWholeOrNotNamedIsDeletedInTheEnd() {
        for (int calls = 0; calls < 5; calls++) {
            Ledgers failing = new Ledgers();
            MoveJournal writing = new MoveJournal(failing, HEAD);
            failing.callsUntilFailure = calls;
            failing.failures = 1;
            boolean fails = writing.append(one(1, 1, 7), () -> one(1, 1, 7)).handle((done, failure) -> failure != null).join();
            assertEquals(fails, writing.isBehind());
            writing.append(PositionTimes.NONE, () -> one(1, 1, 7)).join();
            assertFalse(writing.isBehind());
            assertEquals(List.copyOf(failing.stored.keySet()), failing.named, "with a failure after " + calls + " calls");
        }
    }

    @Test
    void whileNoNameCanBeWrittenOneLedgerIsLeftAtMost() {
        ledgers.namingFails = true;
        for (int i = 0; i < 10; i++) {
            assertThrows(CompletionException.class, append(one(1, 5, 100))::join);
            assertTrue(ledgers.stored.size() <= 1);
        }
        ledgers.namingFails = false;
        append(one(1, 6, 100)).join();
        assertEquals(List.copyOf(ledgers.stored.keySet()), ledgers.named);
        assertEquals(2, loaded().size());
    }

    @Test
    void aFirstLedgerThatMayBeNamedGoesWithAClear() {
        ledgers.namingFails = true;
        assertThrows(CompletionException.class, append(one(1, 5, 100))::join);
        assertTrue(journal.isNamed(), "it may be");
        assertTrue(journal.isLoaded());
        ledgers.namingFails = false;
        journal.clear(() -> true).join();
        assertEquals(0, ledgers.stored.size());
        assertFalse(journal.isNamed());
    }

    @Test
    void aClearWaitsForNoneOfSeveralLoads() {
        append(one(1, 5, 100)).join();
        journal = new MoveJournal(ledgers, HEAD);
        ledgers.readsHang = true;
        List<CompletableFuture<Void>> loads = List.of(load(), load(), load());
        journal.clear(() -> true).join();
        loads.forEach(load -> assertTrue(load.isCompletedExceptionally()));
        assertEquals(0, ledgers.stored.size());
    }

    @Test
    void timesThatWereNotAppendedAreBehind() {
        append(one(1, 5, 100)).join();
        assertFalse(journal.isBehind());
        ledgers.callsUntilFailure = 0;
        assertThrows(CompletionException.class, append(one(1, 6, 100))::join);
        assertTrue(journal.isBehind());
        ledgers.callsUntilFailure = Integer.MAX_VALUE;
        journal.append(PositionTimes.NONE, () -> all).join();
        assertFalse(journal.isBehind());
        assertEquals(2, loaded().size());
    }

    @Test
    void aClearOfUnknownOutcomeLeavesTheTimesBehind() {
        append(one(1, 5, 100)).join();
        ledgers.callsUntilFailure = 0;
        assertThrows(CompletionException.class, journal.clear(() -> true)::join);
        assertTrue(journal.isBehind());
    }

    @Test
    void whenNoneIsLeftThereIsNoLedger() {
        append(one(1, 5, 100)).join();
        journal.clear(() -> true).join();
        assertEquals(List.of(), ledgers.named);
        assertEquals(0, ledgers.stored.size());
        append(one(1, 6, 100)).join();
        journal.close().join();
        assertThrows(CompletionException.class, append(one(1, 7, 100))::join);
    }
}
