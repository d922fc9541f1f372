/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.StockKey;
import io.github.delayedtracker.bucket.snapshot.StockSnapshotBuilder;
import io.github.delayedtracker.bucket.steps.LedgerWriting.AppendWindow;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.StockWriting;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A writer of positions as a snapshot that the stock bucket tracker reads: metadata first, then a segment an entry, in a ledger
 * with the stock label. The metadata are one entry, so a snapshot whose metadata are longer than an entry may be is not written.
 *
 * @param segments the rule where a segment ends; no segment spans more time, however few positions it has
 */
record WriteStockSnapshot(int maxEntryBytes, SnapshotOwner owner, CutRule segments, Retries retries, Leftovers leftovers,
        ByteBufAllocator allocator, LongSupplier clockMillis, StockWriting stock) implements SnapshotWriting {

    @Override
    public CompletableFuture<WrittenSnapshot> write(SegmentColumns live) {
        String what = "writing a stock snapshot of " + live.count() + " positions";
        return Futures.step(what, () -> live.count() > 0 ? begin(what, live.ascending())
                : StorageException.failed(Kind.UNEXPECTED, "a snapshot holds at least one position, got none"));
    }

    private CompletableFuture<WrittenSnapshot> begin(String what, SegmentColumns ascending) {
        List<SealedSegment> cut = ascending.cut(rule(ascending.count()));
        StockSnapshotBuilder builder = new StockSnapshotBuilder();
        PositionSet positions = new PositionSet();
        for (int i = 0; i < ascending.count(); i++) {
            if (ascending.entryId(i) > StockSnapshotBuilder.MOST_ENTRY_ID) {
                return StorageException.failed(Kind.TOO_LARGE, "an entry id in a stock snapshot is at most "
                        + StockSnapshotBuilder.MOST_ENTRY_ID + ", found " + ascending.entryId(i));
            }
            positions.add(ascending.ledgerId(i), ascending.entryId(i));
        }
        cut.forEach(builder::add);
        if (builder.metadataBytes() > maxEntryBytes) {
            return tooLarge(builder, ascending.count(), maxEntryBytes);
        }
        StockKey key = new StockKey(ascending.ledgerId(0), ascending.ledgerId(ascending.count() - 1));
        List<SegmentEntry> table = cut.stream().map(this::entryOf).toList();
        long bytes = builder.metadataBytes() + cut.stream().mapToLong(StockSnapshotBuilder::bytes).sum();
        return label(key, bytes, ledgersOf(key).write(what, window -> window.append(() -> metadata(builder)).thenCompose(
                done -> window.appendEach(cut.stream().map(segment -> () -> bytesOf(segment)))), failure -> true))
                .thenApply(ledgerId -> new WrittenSnapshot(ledgerId, table, positions, bytes));
    }

    @Override
    public CutRule rule(long positions) {
        return WriteSnapshot.fitting(segments, maxEntryBytes).strict();
    }

    @Override
    public Merged merged(List<Long> ledgerIds) {
        return new StockMerged(stock.ranges().around(ledgerIds));
    }

    private LedgerWriting ledgersOf(StockKey key) {
        return new LedgerWriting(any -> stock.ledgers().create(stock.owner(), key.property()), owner, retries, leftovers,
                clockMillis);
    }

    /** Puts a ledger into the ranges before it is named anywhere. */
    private CompletableFuture<Long> label(StockKey key, long bytes, CompletableFuture<Long> written) {
        return written.thenApply(ledgerId -> {
            stock.ranges().put(ledgerId, key);
            stock.ranges().length(ledgerId, bytes);
            return ledgerId;
        });
    }

    private static <T> CompletableFuture<T> tooLarge(StockSnapshotBuilder builder, long positions, int maxEntryBytes) {
        return StorageException.failed(Kind.TOO_LARGE, "the metadata of a stock snapshot are one entry of at most "
                + maxEntryBytes + " bytes, those of " + positions + " positions have " + builder.metadataBytes() + " so far");
    }

    @Override
    public SegmentEntry entryOf(SealedSegment segment) {
        return new SegmentEntry(segment.firstDueMillis(), segment.lastDueMillis(), segment.positions(),
                Math.max(SegmentEntry.LEAST_BYTES, StockSnapshotBuilder.bytes(segment)));
    }

    private ByteBuf metadata(StockSnapshotBuilder builder) {
        return SnapshotEntries.filled(allocator, builder.metadataBytes(), builder::writeMetadata);
    }

    @Override
    public ByteBuf bytesOf(SealedSegment segment) {
        return SnapshotEntries.filled(allocator, StockSnapshotBuilder.bytes(segment),
                bytes -> StockSnapshotBuilder.write(segment, bytes));
    }

    /** A merged snapshot in the stock form. Its metadata grow with each segment; its key spans the keys of its sources. */
    private final class StockMerged implements Merged {
        private final StockKey key;
        private final StockSnapshotBuilder metadata = new StockSnapshotBuilder();

        StockMerged(StockKey key) {
            this.key = key;
        }

        @Override
        public CompletableFuture<Void> describe(SealedSegment segment, long positionsSoFar) {
            metadata.add(segment);
            return metadata.metadataBytes() <= maxEntryBytes ? Futures.DONE : tooLarge(metadata, positionsSoFar, maxEntryBytes);
        }

        @Override
        public CompletableFuture<WrittenSnapshot> write(String what, List<SegmentEntry> table, PositionSet positions,
                Function<AppendWindow, CompletableFuture<Void>> copy, Predicate<StorageException> mayRepeat) {
            long bytes = metadata.metadataBytes() + table.stream().mapToLong(SegmentEntry::bytes).sum();
            return label(key, bytes, ledgersOf(key).write(what,
                    window -> window.append(() -> metadata(metadata)).thenCompose(done -> copy.apply(window)), mayRepeat))
                            .thenApply(ledgerId -> new WrittenSnapshot(ledgerId, List.copyOf(table), positions, bytes));
        }
    }
}
