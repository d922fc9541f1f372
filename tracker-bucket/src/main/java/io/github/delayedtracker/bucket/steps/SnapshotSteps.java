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
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.timebucket.CutRule;
import io.netty.buffer.ByteBufAllocator;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The storage steps of one subscription. Those under way can be given up together: they end soon, with CLOSED, and steps begun
 * later are not touched. Thread safe.
 */
public final class SnapshotSteps {

    /** Decides what is kept of a source. Called once for each segment, in the order of their times. */
    @FunctionalInterface
    public interface Keep {

        /** The indexes of the positions to keep; not used any more once the future has answered and the merge went on. */
        CompletableFuture<BitSet> keep(int source, SegmentColumns columns);
    }

    /** Slows a merge down. */
    @FunctionalInterface
    public interface Pause {

        /** Answers when the merge may go on after so many bytes were read or written. */
        CompletableFuture<Void> pause(long bytes);
    }

    /** The steps that are given up together. */
    private record Generation(Retries retries, Retries loadRetries, SnapshotWriting write, ReadSnapshot read, ReadSnapshot load,
            MergeSnapshots merge, RecoverBucket recover, ImportSnapshot imports) {

        void abandon() {
            retries.abandon();
            loadRetries.abandon();
        }
    }

    private final Supplier<Generation> next;
    private volatile Generation now;
    @GuardedBy("this")
    private boolean closed;

    /**
     * The steps of one subscription.
     *
     * @param segments where a segment ends
     * @param retries how often a step tries
     * @param loadRetries the same for what is about to be due
     * @param stock how snapshots are written in the stock form; empty for the plugin's own
     */
    public SnapshotSteps(SnapshotStorage storage, SnapshotOwner owner, CutRule segments, Leftovers leftovers,
            ByteBufAllocator allocator, LongSupplier clockMillis, Retries retries, Retries loadRetries,
            Optional<StockWriting> stock) {
        this.next = () -> {
            Retries tries = retries.fresh();
            Retries loadTries = loadRetries.fresh();
            StockRanges ranges = stock.map(StockWriting::ranges).orElseGet(StockRanges::new);
            ReadSnapshot read = new ReadSnapshot(storage, owner, tries, ranges);
            MergeSnapshots merge = new MergeSnapshots(storage, owner, segments, tries, leftovers, allocator, clockMillis,
                    stock);
            SnapshotWriting write = stock.isPresent()
                    ? new WriteStockSnapshot(storage.maxEntryBytes(), owner, segments, tries, leftovers, allocator,
                            clockMillis, stock.get())
                    : new WriteSnapshot(storage, owner, segments, tries, leftovers, allocator, clockMillis);
            return new Generation(tries, loadTries, write, read, new ReadSnapshot(storage, owner, loadTries, ranges), merge,
                    new RecoverBucket(read), new ImportSnapshot(storage, owner, tries, merge));
        };
        this.now = next.get();
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
        return now.write().write(live);
    }

    /** Reads one segment, number from 0, of a snapshot whose table is known, more patiently than the other steps read. */
    public CompletableFuture<SegmentColumns> load(long ledgerId, List<SegmentEntry> table, int number) {
        return now.load().segment(ledgerId, table, number);
    }

    /** The segments of a snapshot whose table is known, to be merged. */
    public SegmentSource source(long ledgerId, List<SegmentEntry> table) {
        return now.read().segments(ledgerId, table);
    }

    /** Merges snapshots into a new one; empty, and no ledger made, if nothing is kept. */
    public CompletableFuture<Optional<WrittenSnapshot>> merge(List<? extends SegmentSource> sources, Keep keep,
            Pause pause) {
        return now.merge().merge(sources, keep, pause);
    }

    /** Finds out what of a recorded snapshot is still asleep: neither due by a time nor passed by mark-delete. */
    public CompletableFuture<RecoveredSnapshot> recover(long ledgerId, long nowMillis, long markDeleteLedgerId,
            long markDeleteEntryId) {
        return now.recover().recover(ledgerId, nowMillis, markDeleteLedgerId, markDeleteEntryId);
    }

    /** Writes what is kept of a stock snapshot as a new one; empty, and no ledger made, if that is nothing. */
    public CompletableFuture<Optional<WrittenSnapshot>> importStock(long ledgerId, Keep keep,
            Pause pause) {
        return now.imports().run(ledgerId, keep, pause);
    }
}
