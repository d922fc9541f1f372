/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.CorruptSnapshotException;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockIndexes;
import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockSegment;
import io.github.delayedtracker.bucket.snapshot.StockMetadata;
import io.github.delayedtracker.bucket.steps.SnapshotSegments.SegmentForm;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.index.PositionSink;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The form of the stock bucket tracker; times are taken as they stand. Times outside the range in the metadata are damage. */
final class StockForm implements SegmentForm {

    private final List<StockSegment> table;
    private final int usualBytes;

    StockForm(List<StockSegment> table, long ledgerBytes) {
        this.table = List.copyOf(table);
        this.usualBytes = (int) Math.min(Integer.MAX_VALUE, ledgerBytes / Math.max(1, table.size()));
    }

    /** The form of segments that stand in the plugin's own table. */
    static StockForm of(List<SegmentEntry> table) {
        return new StockForm(table.stream().map(entry ->
                new StockSegment(entry.firstDueMillis(), entry.lastDueMillis(), entry.positions())).toList(),
                table.stream().mapToLong(SegmentEntry::bytes).sum());
    }

    /** The plugin's own table of stock segments; refuses segments that do not fit into it. */
    static List<SegmentEntry> entries(List<StockSegment> table, long ledgerBytes) {
        int usualBytes = (int) Math.min(Integer.MAX_VALUE, ledgerBytes / Math.max(1, table.size()));
        return table.stream().map(segment -> new SegmentEntry(segment.firstDueMillis(), segment.lastDueMillis(),
                (int) Math.min(Integer.MAX_VALUE, segment.positions()), Math.max(SegmentEntry.LEAST_BYTES, usualBytes))).toList();
    }

    @Override
    public int count() {
        return table.size();
    }

    @Override
    public long positions() {
        return table.stream().mapToLong(StockSegment::positions).sum();
    }

    @Override
    public int bytes(int number) {
        return usualBytes;
    }

    @Override
    public SegmentColumns decode(int number, ByteBuf bytes) throws DamagedException {
        try {
            return StockIndexes.decode(bytes.nioBuffer(), table.get(number));
        } catch (CorruptSnapshotException e) {
            throw new DamagedException(e.getMessage(), e);
        }
    }

    /** The metadata of a stock snapshot: its first entry. */
    static final class StockHead {

        private StockHead() {
        }

        /** The segments, checked against the entries there are; each position is passed on. */
        static CompletableFuture<List<StockSegment>> read(Retries retries, SnapshotReader reader, PositionSink positions) {
            String what = "the metadata of stock ledger " + reader.ledgerId();
            if (reader.lastEntryId() < 0) {
                return CompletableFuture.failedFuture(StorageException.corrupt(what, "there is an entry, found none", null));
            }
            return retries.once("reading " + what, () -> reader.read(0)).thenCompose(entry -> {
                try {
                    List<StockSegment> table = StockMetadata.decode(entry.nioBuffer(), positions);
                    return table.size() == reader.lastEntryId() ? CompletableFuture.completedFuture(table)
                            : CompletableFuture.failedFuture(StorageException.corrupt(what, "each of its " + table.size()
                                    + " segments has an entry, found entries up to " + reader.lastEntryId(), null));
                } catch (CorruptSnapshotException | RuntimeException e) {
                    return CompletableFuture.failedFuture(StorageException.corrupt(what, String.valueOf(e.getMessage()), e));
                } finally {
                    entry.release();
                }
            });
        }
    }
}
