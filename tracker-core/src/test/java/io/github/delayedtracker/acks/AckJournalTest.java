/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The journal of one cursor, tick by tick, on ledgers that answer at once. */
class AckJournalTest {

    private static final JournalHead HEAD = new JournalHead("t", "c");
    private static final int MOST = 1_000;
    private static final int LEDGERS = 40;
    private static final int ENTRIES = 50_000;

    private final Map<Long, long[]> acked = new HashMap<>();
    private final Ledgers ledgers = new Ledgers();
    private final Cursor cursor = new Cursor();
    private final List<Throwable> failures = new ArrayList<>();
    private final AckJournal journal = new AckJournal(cursor, ledgers, HEAD, new Outcome(End.NONE, "", 0), Runnable::run,
            failures::add);
    private long nowMillis;

    private final class Cursor implements JournalCursor {

        private Optional<Stamp> stamp = Optional.empty();
        private boolean hasConsumer = true;

        @Override
        public <T> Optional<T> excluded(Function<Excluded, T> work) {
            return hasConsumer ? Optional.of(work.apply(new Excluded() {
                @Override
                public Moment moment() {
                    return Cursor.this.moment().orElseThrow();
                }

                @Override
                public void stamp(Optional<Stamp> next, Runnable whenWritten) {
                    stamp = next;
                    whenWritten.run();
                }

                @Override
                public CompletableFuture<Void> acknowledge(AckedPositions positions) {
                    throw new IllegalStateException("a journal that is written acknowledges nothing");
                }
            })) : Optional.empty();
        }

        @Override
        public Optional<Moment> moment() {
            Map<Long, long[]> copy = new HashMap<>();
            acked.forEach((ledgerId, words) -> copy.put(ledgerId, words.clone()));
            return Optional.of(new Moment(0, -1, new AckedPositions(copy, true), stamp, MOST, false, 0));
        }
    }

    private static final class Ledgers implements JournalLedgers {

        private final TreeMap<Long, List<ByteBuffer>> stored = new TreeMap<>();
        private List<Long> named = List.of();
        private long nextId;
        private long bytes;
        private boolean isAway;
        private boolean isLate;
        private final List<Runnable> late = new ArrayList<>();

        private <T> CompletableFuture<T> answer(T value) {
            if (isLate) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                late.add(() -> answer.complete(value));
                return answer;
            }
            return isAway ? CompletableFuture.failedFuture(new JournalException("away", false, null))
                    : CompletableFuture.completedFuture(value);
        }

        @Override
        public int mostBytes() {
            return 1 << 20;
        }

        @Override
        public CompletableFuture<Writer> create() {
            long id = ++nextId;
            stored.put(id, new ArrayList<>());
            return answer(new Writer() {
                @Override
                public long ledgerId() {
                    return id;
                }

                @Override
                public CompletableFuture<Long> append(ByteBuffer entry) {
                    bytes += entry.remaining();
                    stored.get(id).add(entry);
                    return answer(stored.get(id).size() - 1L);
                }

                @Override
                public CompletableFuture<Void> close() {
                    return answer(null);
                }
            });
        }

        @Override
        public CompletableFuture<List<ByteBuffer>> read(long ledgerId) {
            return answer(stored.get(ledgerId));
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            stored.remove(ledgerId);
            return answer(null);
        }

        @Override
        public List<Long> named() {
            return named;
        }

        @Override
        public CompletableFuture<Void> name(List<Long> ledgerIds) {
            named = ledgerIds;
            return answer(null);
        }
    }

    private void tick() {
        nowMillis += 5_000;
        assertTrue(journal.tick(nowMillis).isDone());
    }

    private void acknowledge(long ledgerId, int entryId) {
        acked.computeIfAbsent(ledgerId, id -> new long[(ENTRIES + 63) / 64])[entryId >> 6] |= 1L << entryId;
    }

    private void acknowledgeRanges(int count) {
        for (int i = 0; i < count; i++) {
            acknowledge(1, 2 * i);
        }
    }

    private AckedPositions stored() throws DamagedJournalException {
        AckedPositions none = new AckedPositions(Map.of(), true);
        return JournalContents.read(ledgers.stored.lastEntry().getValue(), 0, none).all();
    }

    @Test
    void nothingIsWrittenWhileTheRecordHoldsAll() {
        acknowledgeRanges(MOST / 2 - 1);
        tick();
        assertEquals(0, ledgers.nextId);
    }

    @Test
    void aJournalIsNamedStampedAndHasAllAcknowledgements() throws DamagedJournalException {
        acknowledgeRanges(MOST / 2);
        tick();
        acknowledgeRanges(MOST);
        tick();
        assertEquals(List.of(1L), ledgers.named);
        assertEquals(Optional.of(new JournalCursor.Stamp(1, 2)), cursor.stamp);
        assertTrue(stored().containsAll(cursor.moment().orElseThrow().acked()));
    }

    @Test
    void itEndsWithItsLedgerBelowAQuarter() {
        acknowledgeRanges(MOST / 2);
        tick();
        for (int entry = 0; entry < MOST; entry++) {
            acknowledge(1, entry);
        }
        tick();
        assertFalse(journal.isActive());
        assertEquals(Map.of(), ledgers.stored);
        assertEquals(List.of(), ledgers.named);
        assertEquals(Optional.empty(), cursor.stamp);
    }

    @Test
    void aResetTakesTheLedgerAwayAndAnotherIsBegun() {
        acknowledgeRanges(MOST);
        tick();
        acked.get(1L)[0] &= ~1L;
        cursor.stamp = Optional.empty();
        tick();
        assertEquals(Map.of(), ledgers.stored);
        tick();
        assertEquals(2, ledgers.stored.firstKey());
        assertEquals(2, cursor.stamp.orElseThrow().epoch());
    }

    @Test
    void aResetWhileAnEntryIsAppendedIsSeenBeforeTheStamp() {
        acknowledgeRanges(MOST / 2);
        tick();
        ledgers.isLate = true;
        acknowledgeRanges(MOST);
        nowMillis += 5_000;
        CompletableFuture<Void> step = journal.tick(nowMillis);
        acked.clear();
        cursor.stamp = Optional.empty();
        ledgers.late.forEach(Runnable::run);
        assertTrue(step.isDone());
        assertEquals(Optional.empty(), cursor.stamp);
    }

    @Test
    void whileNoConsumerIsConnectedNothingIsWritten() {
        cursor.hasConsumer = false;
        acknowledgeRanges(MOST);
        tick();
        assertEquals(0, ledgers.nextId);
    }

    @Test
    void storageThatIsAwayIsTriedAgainMoreAndMoreSeldom() {
        ledgers.isAway = true;
        acknowledgeRanges(MOST);
        for (int i = 0; i < 1_000; i++) {
            tick();
        }
        assertTrue(failures.size() < 30, () -> failures.size() + " tries within 5,000 s");
        ledgers.isAway = false;
        for (int i = 0; i < 70; i++) {
            tick();
        }
        assertTrue(journal.isActive());
        assertEquals(1, ledgers.named.size());
    }

    @Test
    void aLedgerThatHasFailedIsReplaced() throws DamagedJournalException {
        acknowledgeRanges(MOST / 2);
        tick();
        ledgers.isAway = true;
        acknowledgeRanges(MOST);
        tick();
        ledgers.isAway = false;
        for (int i = 0; i < 4; i++) {
            tick();
        }
        assertEquals(1, failures.size());
        assertEquals(List.of(2L), ledgers.named);
        assertEquals(1, ledgers.stored.size());
        assertTrue(stored().containsAll(cursor.moment().orElseThrow().acked()));
    }

    @Test
    void anAcknowledgementTakesLessThanThreeBytesWithAllThatIsWrittenAnew() {
        Random random = new Random(1);
        long acknowledged = 0;
        while (acknowledged < LEDGERS * ENTRIES / 2) {
            for (int i = 0; i < 50_000; i++) {
                acknowledge(1 + random.nextInt(LEDGERS), random.nextInt(ENTRIES));
            }
            acknowledged += 50_000;
            tick();
        }
        tick();
        tick();
        long entries = cursor.moment().orElseThrow().acked().entries();
        double each = (double) ledgers.bytes / entries;
        System.out.printf("journal: %,d acknowledgements in random order, 50,000 a tick: %.2f bytes each, %d ledgers%n", entries,
                each, ledgers.nextId);
        assertTrue(each < 3, () -> each + " bytes each");
        assertEquals(1, ledgers.stored.size());
    }
}
