/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import io.github.delayedtracker.index.PositionSet;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The journal of one cursor, tick by tick, on ledgers that answer at once or when they are told to. */
abstract class JournalFixture {

    static final JournalHead HEAD = new JournalHead("t", "c");
    static final AckedPositions NONE = new AckedPositions(Map.of(), true);
    static final int MOST = 1_000;
    static final int LEDGERS = 40;
    static final int ENTRIES = 50_000;

    final Map<Long, long[]> acked = new HashMap<>();
    final Ledgers ledgers = new Ledgers();
    final Cursor cursor = new Cursor();
    final List<Throwable> failures = new ArrayList<>();
    final AckJournal journal = new AckJournal(cursor, ledgers, HEAD, new Outcome(End.NONE, "", 0), Runnable::run,
            failures::add);
    long nowMillis;

    final class Cursor implements JournalCursor {

        Optional<Stamp> stamp = Optional.empty();
        boolean hasConsumer = true;
        long markDeleteLedger = 1;
        long markDelete = -1;

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
                    if (stampsFail) {
                        throw new IllegalStateException("the cursor takes no record now");
                    }
                    if (recordsAreLate) {
                        lateRecords.add(whenWritten);
                    } else {
                        whenWritten.run();
                    }
                }

                @Override
                public CompletableFuture<Void> acknowledge(AckedPositions positions) {
                    return acknowledging.apply(positions);
                }
            })) : Optional.empty();
        }

        @Override
        public Optional<Moment> moment() {
            Map<Long, long[]> copy = new HashMap<>();
            acked.forEach((ledgerId, words) -> copy.put(ledgerId, words.clone()));
            return Optional.of(new Moment(markDeleteLedger, markDelete, new AckedPositions(copy, true), stamp, MOST, false));
        }
    }

    /** Called with what a restore acknowledges. */
    Function<AckedPositions, CompletableFuture<Void>> acknowledging = positions -> {
        throw new IllegalStateException("a journal that is written acknowledges nothing");
    };
    /** A record of the cursor is not written before {@link #writeRecord}. */
    boolean recordsAreLate;
    private final Deque<Runnable> lateRecords = new ArrayDeque<>();
    /** The cursor throws when it is asked for a record, with the stamp in its memory. */
    boolean stampsFail;

    static final class Ledgers implements JournalLedgers {

        final TreeMap<Long, List<ByteBuffer>> stored = new TreeMap<>();
        List<Long> named = List.of();
        long nextId;
        long bytes;
        int mostBytes = 1 << 20;
        boolean isAway;
        int reads;
        boolean isLate;
        private final List<Runnable> late = new ArrayList<>();
        final List<Long> closed = new ArrayList<>();

        void answerLate() {
            List<Runnable> answers = List.copyOf(late);
            late.clear();
            answers.forEach(Runnable::run);
        }

        private <T> CompletableFuture<T> answer(T value) {
            if (isLate) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                late.add(() -> answer.complete(value));
                return answer;
            }
            return isAway ? CompletableFuture.failedFuture(new JournalException("away", JournalException.Kind.AWAY, null))
                    : CompletableFuture.completedFuture(value);
        }

        @Override
        public int mostBytes() {
            return mostBytes;
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
                    if (closed.contains(id)) {
                        return CompletableFuture.failedFuture(JournalException.failed("ledger " + id + " is closed"));
                    }
                    bytes += entry.remaining();
                    stored.get(id).add(entry);
                    return answer(stored.get(id).size() - 1L);
                }

                @Override
                public CompletableFuture<Void> close() {
                    closed.add(id);
                    return answer(null);
                }
            });
        }

        @Override
        public CompletableFuture<List<ByteBuffer>> read(long ledgerId) {
            reads++;
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

    /** The oldest of the records that are late is written. */
    void writeRecord() {
        lateRecords.remove().run();
    }

    void tick() {
        nowMillis += 5_000;
        assertTrue(journal.tick(nowMillis).isDone());
    }

    void acknowledge(long ledgerId, int entryId) {
        acked.computeIfAbsent(ledgerId, id -> new long[(ENTRIES + 63) / 64])[entryId >> 6] |= 1L << entryId;
    }

    void acknowledgeRanges(int count) {
        for (int i = 0; i < count; i++) {
            acknowledge(1, 2 * i);
        }
    }

    /** Acknowledges each entry of some ledgers with the chance of one in two. */
    void acknowledgeHalf(long firstLedgerId, long lastLedgerId, long seed) {
        Random random = new Random(seed);
        for (long ledgerId = firstLedgerId; ledgerId <= lastLedgerId; ledgerId++) {
            long[] words = random.longs((ENTRIES + 63) / 64).toArray();
            words[words.length - 1] &= (1L << ENTRIES) - 1;
            acked.put(ledgerId, words);
        }
    }

    AckedPositions stored() throws DamagedJournalException {
        return JournalContents.read(ledgers.stored.lastEntry().getValue(), 0, NONE).all();
    }

    /** Acknowledges entries of a ledger and asks for them to be kept. */
    CompletableFuture<Void> persist(int... entryIds) {
        PositionSet positions = new PositionSet();
        for (int entryId : entryIds) {
            acknowledge(1, entryId);
            positions.add(1, entryId);
        }
        nowMillis += 5_000;
        return journal.persist(positions, nowMillis);
    }
}
