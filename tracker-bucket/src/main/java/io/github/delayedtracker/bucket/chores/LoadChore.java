/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.index.Losses;
import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException.Consequence;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The chore that loads segments before they are due, one of each bucket at a time, so that a slow one delays its bucket alone. A
 * segment that storage does not give now is tried again after a pause, until its bucket is given up ({@link Unreadable}). A
 * bucket with something gone or damaged is lost at once. Positions asleep in it are read again from the topic. Thread safe.
 */
final class LoadChore implements Chore {

    /** The number of tries, about, of an unreadable segment before it is given up. */
    private static final int TRIES = 12;

    /** A read of one segment, number from 0, of a snapshot whose table is known. */
    @FunctionalInterface
    interface Read {
        CompletableFuture<SegmentColumns> segment(long ledgerId, List<SegmentEntry> table, int number);
    }

    private final GuardedIndex index;
    private final ChoreTasks tasks;
    private final Read read;
    private final DeleteChore deletes;
    private final ChoreClock clock;
    private final ChoreReport report;
    private final BucketSettings settings;
    private final MemoryBudget budget;
    private final Unreadable unreadable;
    private final Runnable whenLoaded;

    LoadChore(GuardedIndex index, ChoreTasks tasks, Read read, DeleteChore deletes, ChoreClock clock, ChoreReport report,
            BucketSettings settings, MemoryBudget budget, Runnable whenLoaded) {
        this.index = index;
        this.tasks = tasks;
        this.read = read;
        this.deletes = deletes;
        this.clock = clock;
        this.report = report;
        this.settings = settings;
        this.budget = budget;
        this.unreadable = new Unreadable(index, tasks, clock, report, settings.unreadableMillis(), whenLoaded);
        this.whenLoaded = whenLoaded;
    }

    /** The longest wait of a load between two tries. */
    static long longestRestMillis(BucketSettings settings) {
        return Math.max(1, Math.min(settings.pauseMillis(), settings.unreadableMillis() / TRIES));
    }

    /** The index after a look: when the next load is due, epoch milliseconds, and whether anything is lost. */
    record Ahead(long nextMillis, boolean isAnyLost) {
    }

    /** The segments whose loads are begun, and the loads and losses ahead then, seen under one lock. */
    private record Begun(List<SegmentRef> refs, long nextDueMillis, boolean isAnyLost) {
    }

    @Override
    public CompletableFuture<Void> run() {
        begin();
        return Futures.DONE;
    }

    /** Begins to load the segments due soon, whatever else is under way. Waits for none. From any thread, unless closed. */
    Ahead begin() {
        long aheadMillis = loadAheadMillis();
        long untilMillis = clock.nowMillis() + aheadMillis;
        if (tasks.isClosed()) {
            return new Ahead(Long.MAX_VALUE, false);
        }
        Begun begun = index.changeAndGet(known -> new Begun(known.loads().begin(untilMillis), known.loads().nextMillis(),
                known.losses().positions() > 0));
        begun.refs().forEach(this::submit);
        return new Ahead(wantedMillis(begun.nextDueMillis(), aheadMillis), begun.isAnyLost());
    }

    @Override
    public long nextMillis() {
        return wantedMillis(index.read(known -> known.loads().nextMillis()), loadAheadMillis());
    }

    private static long wantedMillis(long dueMillis, long aheadMillis) {
        return dueMillis == Long.MAX_VALUE ? dueMillis : dueMillis - aheadMillis;
    }

    /** While something sleeps the subscription does not rest anyway. */
    @Override
    public boolean isIdle() {
        return true;
    }

    private long loadAheadMillis() {
        return budget.loadAheadMillis(settings.prefetchMillis());
    }

    /** Gives up a bucket that has been overdue and unreadable for too long, if it is its turn. */
    void giveUp() {
        unreadable.look();
    }

    void close() {
        unreadable.close();
    }

    private void submit(SegmentRef ref) {
        Futures.whenDone(tasks.ofLedger(ref.ledgerId(), () -> load(ref)), (done, failure) -> {
            if (failure == null) {
                unreadable.ended(ref);
                whenLoaded.run();
            } else {
                failed(ref, failure);
            }
        });
    }

    private CompletableFuture<Void> load(SegmentRef ref) {
        Optional<SegmentEntry> entry = index.read(known -> known.loads().segment(ref));
        if (entry.isEmpty()) {
            return Futures.DONE;
        }
        long begunMillis = clock.nowMillis();
        unreadable.begun(ref);
        int count = index.read(known -> known.loads().segmentCount(ref.ledgerId()));
        // Of the table the step needs the length and this one entry.
        List<SegmentEntry> table = Collections.nCopies(count, entry.get());
        return read.segment(ref.ledgerId(), table, ref.number())
                .thenAccept(columns -> {
                    report.took(Operation.LOAD, begunMillis, entry.get().bytes());
                    take(ref, columns);
                    report.debug("Loaded segment {} of ledger {}: {} positions, {} bytes, {} ms", ref.number(), ref.ledgerId(),
                            columns.count(), entry.get().bytes(), clock.nowMillis() - begunMillis);
                });
    }

    private void take(SegmentRef ref, SegmentColumns columns) {
        index.changeInSlices(columns.count(), (known, from, to) -> known.loads().loaded(ref, columns, from, to));
        index.change(known -> known.loads().end(ref));
        report.count(Figure.LOADS_TOTAL);
    }

    private void failed(SegmentRef ref, Throwable failure) {
        report.count(Figure.LOAD_FAILURES_TOTAL);
        Consequence consequence = Futures.cause(failure) instanceof StorageException known ? known.consequence()
                : tasks.isClosed() ? Consequence.GIVEN_UP : Consequence.TRY_LATER;
        boolean isWanted = index.read(known -> known.losses().dueMillis(ref)) != Long.MAX_VALUE;
        if (consequence == Consequence.GIVEN_UP || !isWanted) {
            // Or its bucket is merged, given up or deleted meanwhile, and the ledger with it.
            unreadable.ended(ref);
            index.change(known -> known.loads().failed(ref));
            whenLoaded.run();
        } else if (consequence == Consequence.TRY_LATER) {
            report.warn("Segment " + ref.number() + " of ledger " + ref.ledgerId() + " is not there yet", failure);
            index.change(known -> known.loads().readAgain(ref));
            tasks.after(clock.jittered(longestRestMillis(settings)), () -> {
                if (!tasks.isClosed()) {
                    submit(ref);
                }
            });
        } else {
            unreadable.ended(ref);
            if (consequence == Consequence.NEWER) {
                deletes.keep(ref.ledgerId());
            }
            report.count(Figure.LOST_BUCKETS_TOTAL);
            report.warnOfLoss("Ledger " + ref.ledgerId() + " cannot be read; its positions are read again from the topic",
                    failure);
            index.change(known -> known.lose(ref.ledgerId(), Futures.cause(failure).toString()));
            whenLoaded.run();
        }
    }

    /**
     * The segments of one subscription that are being read and do not come. Once a segment was not read for a time and is
     * overdue, its bucket is given up and the topic read instead, one bucket after the other. The time runs from the beginning of
     * the segment's first read, not from when it was asked for. It goes on while tries fail. Thread safe.
     */
    static final class Unreadable {

        private final GuardedIndex index;
        private final ChoreTasks tasks;
        private final ChoreClock clock;
        private final ChoreReport report;
        private final long unreadableMillis;
        private final Runnable whenGivenUp;
        /** The running time of each segment that is being read. */
        private final Map<SegmentRef, WakeUpTimer.Armed> times = new ConcurrentHashMap<>();
        /** The segments whose time is over. */
        private final Set<SegmentRef> late = ConcurrentHashMap.newKeySet();
        private final Alarm alarm;

        /**
         * A set of segments with none being read.
         *
         * @param unreadableMillis the time for which an overdue segment is read
         */
        Unreadable(GuardedIndex index, ChoreTasks tasks, ChoreClock clock, ChoreReport report, long unreadableMillis,
                Runnable whenGivenUp) {
            this.index = index;
            this.tasks = tasks;
            this.clock = clock;
            this.report = report;
            this.unreadableMillis = unreadableMillis;
            this.whenGivenUp = whenGivenUp;
            this.alarm = tasks.alarm(this::lookSoon);
        }

        /** A segment is read now, for the first time or again. */
        void begun(SegmentRef ref) {
            times.computeIfAbsent(ref, begun -> tasks.after(unreadableMillis, () -> {
                times.computeIfPresent(ref, (same, time) -> {
                    late.add(ref);
                    return time;
                });
                lookSoon();
            }));
        }

        /** The segment was read, or nobody wants it any more. */
        void ended(SegmentRef ref) {
            times.computeIfPresent(ref, (same, time) -> {
                time.cancel();
                late.remove(ref);
                return null;
            });
        }

        private void lookSoon() {
            tasks.soon(this::look);
        }

        /** Gives a bucket up if there is one to give up and it is its turn; without the lock. */
        void look() {
            if (tasks.isClosed() || late.isEmpty()) {
                return;
            }
            long nowMillis = clock.nowMillis();
            Optional<Long> givenUp = index.changeAndGet(known ->
                    known.losses().giveUpOverdue(late, nowMillis, "it could not be read, and is overdue"));
            alarm.at(index.read(known -> nextDueMillis(known.losses(), nowMillis)), nowMillis);
            givenUp.ifPresent(ledgerId -> {
                report.count(Figure.LOST_BUCKETS_TOTAL);
                report.warnOfLoss("Ledger " + ledgerId + " is given up; its positions are read again from the topic",
                        new StorageException(StorageException.Kind.UNAVAILABLE, "what is due in it was not read within "
                                + unreadableMillis + " ms"));
                whenGivenUp.run();
            });
        }

        /** The time at which the next late segment falls due; Long.MAX_VALUE for never. */
        private long nextDueMillis(Losses losses, long nowMillis) {
            return late.stream().mapToLong(losses::dueMillis).filter(dueMillis -> dueMillis > nowMillis).min()
                    .orElse(Long.MAX_VALUE);
        }

        void close() {
            alarm.close();
            times.values().forEach(WakeUpTimer.Armed::cancel);
            times.clear();
            late.clear();
        }
    }
}
