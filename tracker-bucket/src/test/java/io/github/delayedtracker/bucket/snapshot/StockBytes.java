/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pulsar.broker.delayed.proto.SnapshotMetadata;
import org.apache.pulsar.broker.delayed.proto.SnapshotSegment;
import org.apache.pulsar.broker.delayed.proto.SnapshotSegmentMetadata;
import org.roaringbitmap.RoaringBitmap;

/** Snapshots as the stock classes on the test's class path write them. */
public final class StockBytes {

    private StockBytes() {
    }

    /**
     * The entries of a snapshot's ledger.
     *
     * @param mostPositions of a segment
     * @param stepMillis of a segment
     */
    public static List<byte[]> entries(SegmentColumns columns, int mostPositions, long stepMillis) {
        SegmentColumns sorted = columns.byTime();
        SnapshotMetadata.Builder metadata = SnapshotMetadata.newBuilder();
        List<byte[]> entries = new ArrayList<>();
        for (int from = 0; from < sorted.count();) {
            int to = from;
            Map<Long, RoaringBitmap> bitmaps = new TreeMap<>();
            SnapshotSegment segment = new SnapshotSegment();
            while (to < sorted.count() && to - from < mostPositions
                    && sorted.dueMillis(to) - sorted.dueMillis(from) < stepMillis) {
                segment.addIndexe().setTimestamp(sorted.dueMillis(to)).setLedgerId(sorted.ledgerId(to))
                        .setEntryId(sorted.entryId(to));
                bitmaps.computeIfAbsent(sorted.ledgerId(to), id -> new RoaringBitmap())
                        .add(sorted.entryId(to), sorted.entryId(to) + 1);
                to++;
            }
            SnapshotSegmentMetadata.Builder one = SnapshotSegmentMetadata.newBuilder()
                    .setMinScheduleTimestamp(sorted.dueMillis(from)).setMaxScheduleTimestamp(sorted.dueMillis(to - 1));
            bitmaps.forEach((ledgerId, bitmap) -> one.putDelayedIndexBitMap(ledgerId, ByteString.copyFrom(bytes(bitmap))));
            metadata.addMetadataList(one);
            entries.add(segment.toByteArray());
            from = to;
        }
        entries.add(0, metadata.build().toByteArray());
        return entries;
    }

    static byte[] bytes(RoaringBitmap bitmap) {
        bitmap.runOptimize();
        ByteBuffer buffer = ByteBuffer.allocate(bitmap.serializedSizeInBytes());
        bitmap.serialize(buffer);
        return buffer.array();
    }

    /** What the stock classes find in the entries of a snapshot's ledger: position and time, as text. */
    public static Map<String, Long> read(List<byte[]> entries) throws IOException {
        SnapshotMetadata metadata = SnapshotMetadata.parseFrom(entries.get(0));
        if (metadata.getMetadataListCount() != entries.size() - 1) {
            throw new IOException(metadata.getMetadataListCount() + " segments in " + entries.size() + " entries");
        }
        Map<String, Long> all = new TreeMap<>();
        for (int i = 1; i < entries.size(); i++) {
            SnapshotSegment segment = new SnapshotSegment();
            segment.parseFrom(entries.get(i));
            segment.getIndexesList().forEach(index ->
                    all.put(index.getLedgerId() + ":" + index.getEntryId(), index.getTimestamp()));
        }
        return all;
    }
}
