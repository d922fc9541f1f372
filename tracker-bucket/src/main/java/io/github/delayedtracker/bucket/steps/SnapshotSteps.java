/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.MergeSnapshots.ImportSnapshot;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.RecoverBucket;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CutRule;
import io.netty.buffer.ByteBufAllocator;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The storage steps of one subscription. Steps under way can be given up together: they end soon, with CLOSED, and steps begun
 * later are not touched. Thread safe.
 */
public final class SnapshotSteps {

    /** The decision which positions of a source are kept. Called once for each segment, in the order of their times. */
    @FunctionalInterface
    public interface Keep {

        /** The indexes of the positions to keep; not used any more after the future has answered and the merge went on. */
        CompletableFuture<BitSet> keep(int source, SegmentColumns columns);
    }

    /** The brake of a merge. */
    @FunctionalInterface
    public interface Pause {

        /** Answers when the merge may go on after {@code bytes} were read or written. */
        CompletableFuture<Void> pause(long bytes);
    }

    /** The longest time that a call of a merge gives way to more urgent calls. */
    private static final long MERGE_WAITS_MILLIS = 30_000;

    /** The retries of the steps that are given up together. */
    private record Generation(Retries retries, Retries loadRetries) {

        void abandon() {
            retries.abandon();
            loadRetries.abandon();
        }
    }

    private final SnapshotStorage storage;
    private final SnapshotOwner owner;
    private final LongSupplier clockMillis;
    private final Function<Retries, SnapshotWriting> writing;
    private final StockRanges ranges;
    private final Supplier<Generation> next;
    private volatile Generation now;
    @GuardedBy("this")
    private boolean closed;

    /**
     * The steps of one subscription.
     *
     * @param segments the rule where a segment ends
     * @param clockMillis the clock that decides what is due, epoch milliseconds
     * @param retries the limits of a step's tries
     * @param loadRetries the same for segments that are about to be due
     * @param stock the means to write snapshots in the stock form; empty for the plugin's own
     */
    public SnapshotSteps(SnapshotStorage storage, SnapshotOwner owner, CutRule segments, Leftovers leftovers,
            ByteBufAllocator allocator, LongSupplier clockMillis, Retries retries, Retries loadRetries,
            Optional<StockWriting> stock) {
        this.storage = storage;
        this.owner = owner;
        this.clockMillis = clockMillis;
        this.writing = stock.<Function<Retries, SnapshotWriting>>map(form -> tries -> new WriteStockSnapshot(
                storage.maxEntryBytes(), owner, segments, tries, leftovers, allocator, clockMillis, form))
                .orElse(tries -> new WriteSnapshot(storage, owner, segments, tries, leftovers, allocator, clockMillis));
        this.ranges = stock.map(StockWriting::ranges).orElseGet(StockRanges::new);
        this.next = () -> new Generation(retries.fresh(), loadRetries.fresh());
        this.now = next.get();
    }

    /** The retries of a step that begins now. Its calls are wanted now, so that it is over before a later step begins. */
    private Retries soon() {
        return now.retries().wantedAt(clockMillis.getAsLong());
    }

    private Retries later() {
        return now.retries().wantedAt(clockMillis.getAsLong() + MERGE_WAITS_MILLIS);
    }

    private ReadSnapshot reads(Retries retries) {
        return new ReadSnapshot(storage, owner, retries, ranges);
    }

    /** Gives up the steps under way. */
    public void giveUp() {
        Generation before;
        synchronized (this) {
            before = now;
            now = closed ? now : next.get();
        }
        before.abandon();
    }

    /** Gives up the steps under way; later ones end at once. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        now.abandon();
    }

    /** Writes positions, at least one, in any order, as a new snapshot. */
    public CompletableFuture<WrittenSnapshot> write(SegmentColumns live) {
        return writing.apply(soon()).write(live);
    }

    /**
     * Reads one segment, number from 0, of a snapshot whose table is known. It tries more patiently than the other steps, and its
     * calls are wanted when the segment is due.
     */
    public CompletableFuture<SegmentColumns> load(long ledgerId, List<SegmentEntry> table, int number) {
        return reads(now.loadRetries().wantedAt(table.get(number).firstDueMillis())).segment(ledgerId, table, number);
    }

    /** The segments of a snapshot whose table is known, to be merged. */
    public SegmentSource source(long ledgerId, List<SegmentEntry> table) {
        return reads(later()).segments(ledgerId, table);
    }

    /** Merges snapshots into a new one; empty, and no ledger made, if nothing is kept. */
    public CompletableFuture<Optional<WrittenSnapshot>> merge(List<? extends SegmentSource> sources, Keep keep,
            Pause pause) {
        return new MergeSnapshots(writing.apply(later())).merge(sources, keep, pause);
    }

    /** Recovers the positions of a recorded snapshot that are neither due by a time nor passed by mark-delete. */
    public CompletableFuture<RecoveredSnapshot> recover(long ledgerId, long nowMillis, long markDeleteLedgerId,
            long markDeleteEntryId) {
        return new RecoverBucket(reads(soon())).recover(ledgerId, nowMillis, markDeleteLedgerId, markDeleteEntryId);
    }

    /** Writes the kept positions of a stock snapshot as a new one; empty, and no ledger made, if nothing is kept. */
    public CompletableFuture<Optional<WrittenSnapshot>> importStock(long ledgerId, Keep keep,
            Pause pause) {
        Retries retries = soon();
        return new ImportSnapshot(storage, owner, retries, new MergeSnapshots(writing.apply(retries))).run(ledgerId, keep, pause);
    }

    /**
     * The positions of a recorded snapshot that still wait.
     *
     * @param ledgerId its ledger
     * @param segments by first due time
     * @param sleeping the positions that wait in its segments: no past ones, none that mark-delete has passed. Handed over, the
     *     step keeps no reference
     * @param pastMillis segments wholly due by this time hold no position of the set
     */
    public record RecoveredSnapshot(long ledgerId, List<SegmentEntry> segments, PositionSet sleeping, long pastMillis) {
    }

    /**
     * A sealed ledger that no record names yet.
     *
     * @param ledgerId the ledger
     * @param segments by first due time
     * @param positions all positions in it; handed over, the step keeps no reference
     * @param bytes of all its entries
     */
    public record WrittenSnapshot(long ledgerId, List<SegmentEntry> segments, PositionSet positions, long bytes) {
    }

    /**
     * The means to write snapshots as the stock bucket tracker does.
     *
     * @param ledgers the maker of ledgers with the stock label
     * @param owner the subscription, as the label names it
     * @param ranges told of each snapshot before it is named anywhere
     */
    public record StockWriting(StockLedgers ledgers, StockOwner owner, StockRanges ranges) {
    }
}
