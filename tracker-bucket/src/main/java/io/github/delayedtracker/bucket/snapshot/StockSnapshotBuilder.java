/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockIndexes;
import io.github.delayedtracker.bytes.Varint;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * A builder of the entries of a stock snapshot: the metadata piece by piece, as segments are added in the order of their times,
 * and the entry of any segment. In memory are the bytes of the metadata.
 */
public final class StockSnapshotBuilder {

    /** The greatest entry id that a bitmap holds. */
    public static final long MOST_ENTRY_ID = (1L << Integer.SIZE) - 1;

    private final List<byte[]> segments = new ArrayList<>();
    private int metadataBytes;

    /** Adds a segment to the metadata. */
    public void add(SealedSegment segment) {
        Map<Long, RoaringBitmap> bitmaps = new TreeMap<>();
        segment.forEach((due, ledgerId, entryId) ->
                bitmaps.computeIfAbsent(ledgerId, id -> new RoaringBitmap()).add(entryId, entryId + 1));
        int length = ProtoWriter.fieldBytes(StockMetadata.LAST_DUE, segment.lastDueMillis())
                + ProtoWriter.fieldBytes(StockMetadata.FIRST_DUE, segment.firstDueMillis());
        for (Map.Entry<Long, RoaringBitmap> each : bitmaps.entrySet()) {
            each.getValue().runOptimize();
            length = Math.addExact(length, ProtoWriter.lengthFieldBytes(StockMetadata.BITMAP, bitmapBytes(each)));
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (Map.Entry<Long, RoaringBitmap> each : bitmaps.entrySet()) {
            ProtoWriter.writeLength(bytes, StockMetadata.BITMAP, bitmapBytes(each));
            ProtoWriter.writeField(bytes, StockMetadata.LEDGER_ID, each.getKey());
            ProtoWriter.writeLength(bytes, StockMetadata.ENTRY_IDS, each.getValue().serializedSizeInBytes());
            each.getValue().serialize(bytes);
        }
        ProtoWriter.writeField(bytes, StockMetadata.LAST_DUE, segment.lastDueMillis());
        ProtoWriter.writeField(bytes, StockMetadata.FIRST_DUE, segment.firstDueMillis());
        segments.add(bytes.array());
        metadataBytes = Math.addExact(metadataBytes, ProtoWriter.lengthFieldBytes(StockMetadata.SEGMENT, length));
    }

    private static int bitmapBytes(Map.Entry<Long, RoaringBitmap> bitmap) {
        return ProtoWriter.fieldBytes(StockMetadata.LEDGER_ID, bitmap.getKey())
                + ProtoWriter.lengthFieldBytes(StockMetadata.ENTRY_IDS, bitmap.getValue().serializedSizeInBytes());
    }

    /** The length of the metadata so far, bytes. */
    public int metadataBytes() {
        return metadataBytes;
    }

    /** Writes the metadata at the buffer's position. */
    public void writeMetadata(ByteBuffer to) {
        for (byte[] segment : segments) {
            ProtoWriter.writeLength(to, StockMetadata.SEGMENT, segment.length);
            to.put(segment);
        }
    }

    /** The length of the entry of a segment, bytes. */
    public static int bytes(SealedSegment segment) {
        int[] sum = {0};
        segment.forEach((due, ledgerId, entryId) -> sum[0] = Math.addExact(sum[0],
                ProtoWriter.lengthFieldBytes(StockIndexes.INDEX, indexBytes(due, ledgerId, entryId))));
        return sum[0];
    }

    /** Writes the entry of a segment at the buffer's position. */
    public static void write(SealedSegment segment, ByteBuffer to) {
        segment.forEach((due, ledgerId, entryId) -> {
            ProtoWriter.writeLength(to, StockIndexes.INDEX, indexBytes(due, ledgerId, entryId));
            ProtoWriter.writeField(to, StockIndexes.DUE, due);
            ProtoWriter.writeField(to, StockIndexes.LEDGER_ID, ledgerId);
            ProtoWriter.writeField(to, StockIndexes.ENTRY_ID, entryId);
        });
    }

    private static int indexBytes(long due, long ledgerId, long entryId) {
        return ProtoWriter.fieldBytes(StockIndexes.DUE, due) + ProtoWriter.fieldBytes(StockIndexes.LEDGER_ID, ledgerId)
                + ProtoWriter.fieldBytes(StockIndexes.ENTRY_ID, entryId);
    }

    /** A writer of the fields of protobuf messages, which tells their lengths before. */
    static final class ProtoWriter {

        private ProtoWriter() {
        }

        /** The length of a field with a number in it, with its tag. */
        static int fieldBytes(int tag, long number) {
            return Varint.bytes(tag) + Varint.bytes(number);
        }

        static void writeField(ByteBuffer to, int tag, long number) {
            Varint.write(to, tag);
            Varint.write(to, number);
        }

        /** The length of a field of {@code length} bytes, with its tag and its length. */
        static int lengthFieldBytes(int tag, int length) {
            return Math.addExact(Varint.bytes(tag) + Varint.bytes(length), length);
        }

        /** Writes the tag and the length that stand before the bytes of a field. */
        static void writeLength(ByteBuffer to, int tag, int length) {
            Varint.write(to, tag);
            Varint.write(to, length);
        }
    }
}
