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
import io.github.delayedtracker.bucket.snapshot.StockIndexes;
import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockSegment;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** The form of the stock bucket tracker, each time as it stands there. Times outside those of the metadata are damage. */
final class StockForm implements SegmentForm {

    private final List<StockSegment> table;
    private final int usualBytes;

    StockForm(List<StockSegment> table, long ledgerBytes) {
        this.table = List.copyOf(table);
        this.usualBytes = (int) Math.min(Integer.MAX_VALUE, ledgerBytes / Math.max(1, table.size()));
    }

    /** The form of segments of which the plugin's own table tells. */
    static StockForm of(List<SegmentEntry> table) {
        return new StockForm(table.stream().map(entry ->
                new StockSegment(entry.firstDueMillis(), entry.lastDueMillis(), entry.positions())).toList(),
                table.stream().mapToLong(SegmentEntry::bytes).sum());
    }

    /** The plugin's own table of stock segments; refuses what it does not take. */
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
}
