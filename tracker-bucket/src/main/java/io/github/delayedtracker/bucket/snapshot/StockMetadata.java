/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import io.github.delayedtracker.index.PositionSink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The first entry of a stock snapshot: the segments in the order of their times, and for each a bitmap of each ledger. */
public final class StockMetadata {

    static final int SEGMENT = ProtoReader.tag(1, ProtoReader.BYTES);
    static final int BITMAP = ProtoReader.tag(1, ProtoReader.BYTES);
    static final int LAST_DUE = ProtoReader.tag(2, ProtoReader.VARINT);
    static final int FIRST_DUE = ProtoReader.tag(3, ProtoReader.VARINT);
    static final int LEDGER_ID = ProtoReader.tag(1, ProtoReader.VARINT);
    static final int ENTRY_IDS = ProtoReader.tag(2, ProtoReader.BYTES);

    private StockMetadata() {
    }

    /**
     * Reads bytes that may have been damaged.
     *
     * @param positions takes each position, segment by segment; some may come before damage is found
     * @return the segments, one for each further entry of the ledger
     * @throws CorruptSnapshotException naming the rule that the bytes break
     */
    public static List<StockSegment> decode(ByteBuffer entry, PositionSink positions) throws CorruptSnapshotException {
        ProtoReader reader = new ProtoReader(entry);
        List<StockSegment> segments = new ArrayList<>();
        long beforeMillis = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == SEGMENT) {
                StockSegment segment = segment(new ProtoReader(reader.bytes()), positions);
                if (segment.firstDueMillis() < beforeMillis || segment.lastDueMillis() < segment.firstDueMillis()) {
                    throw new CorruptSnapshotException("times of segments ascend from " + beforeMillis,
                            segment.firstDueMillis());
                }
                beforeMillis = segment.lastDueMillis();
                segments.add(segment);
            } else {
                reader.skip(tag);
            }
        }
        return segments;
    }

    private static StockSegment segment(ProtoReader reader, PositionSink sink) throws CorruptSnapshotException {
        long firstDueMillis = -1;
        long lastDueMillis = -1;
        long positions = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == BITMAP) {
                positions += bitmap(new ProtoReader(reader.bytes()), sink);
            } else if (tag == LAST_DUE) {
                lastDueMillis = reader.positive("the latest time of a segment");
            } else if (tag == FIRST_DUE) {
                firstDueMillis = reader.positive("the earliest time of a segment");
            } else {
                reader.skip(tag);
            }
        }
        if (firstDueMillis < 0 || lastDueMillis < 0) {
            throw new CorruptSnapshotException("a segment has an earliest and a latest time", firstDueMillis);
        }
        return new StockSegment(firstDueMillis, lastDueMillis, positions);
    }

    private static long bitmap(ProtoReader reader, PositionSink sink) throws CorruptSnapshotException {
        long ledgerId = 0;
        ByteBuffer entryIds = null;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == LEDGER_ID) {
                ledgerId = reader.positive("a ledger id");
            } else if (tag == ENTRY_IDS) {
                entryIds = reader.bytes();
            } else {
                reader.skip(tag);
            }
        }
        return entryIds == null ? 0 : PortableBitmap.read(entryIds, ledgerId, sink);
    }

    /**
     * The description of one segment in the metadata of a stock snapshot.
     *
     * @param firstDueMillis the earliest time in it, epoch milliseconds
     * @param lastDueMillis the latest
     * @param positions the number of positions in it
     */
    public record StockSegment(long firstDueMillis, long lastDueMillis, long positions) {
    }

    /** A later entry of a stock snapshot: the positions of one segment with their times. */
    public static final class StockIndexes {

        static final int INDEX = ProtoReader.tag(1, ProtoReader.BYTES);
        static final int DUE = ProtoReader.tag(1, ProtoReader.VARINT);
        static final int LEDGER_ID = ProtoReader.tag(2, ProtoReader.VARINT);
        static final int ENTRY_ID = ProtoReader.tag(3, ProtoReader.VARINT);

        private StockIndexes() {
        }

        /**
         * Reads bytes that may have been damaged; allocates at most about twelve times their length.
         *
         * @param expected the description of the segment in the metadata
         * @return the positions in (time, ledger, entry) order, each time as it stands
         * @throws CorruptSnapshotException naming the rule that the bytes break
         */
        public static SegmentColumns decode(ByteBuffer entry, StockSegment expected) throws CorruptSnapshotException {
            int count = count(new ProtoReader(entry));
            long[] dueMillis = new long[count];
            long[] ledgerIds = new long[count];
            long[] entryIds = new long[count];
            ProtoReader reader = new ProtoReader(entry);
            for (int at = 0; reader.hasMore();) {
                int tag = reader.tag();
                if (tag != INDEX) {
                    reader.skip(tag);
                    continue;
                }
                ProtoReader index = new ProtoReader(reader.bytes());
                dueMillis[at] = -1;
                ledgerIds[at] = -1;
                entryIds[at] = -1;
                while (index.hasMore()) {
                    int field = index.tag();
                    if (field == DUE) {
                        dueMillis[at] = index.positive("a time");
                    } else if (field == LEDGER_ID) {
                        ledgerIds[at] = index.positive("a ledger id");
                    } else if (field == ENTRY_ID) {
                        entryIds[at] = index.positive("an entry id");
                    } else {
                        index.skip(field);
                    }
                }
                check(dueMillis[at], ledgerIds[at], entryIds[at], expected);
                at++;
            }
            return new SegmentColumns(count, dueMillis, ledgerIds, entryIds).byTime();
        }

        private static int count(ProtoReader reader) throws CorruptSnapshotException {
            int count = 0;
            while (reader.hasMore()) {
                int tag = reader.tag();
                count += tag == INDEX ? 1 : 0;
                reader.skip(tag);
            }
            return count;
        }

        private static void check(long dueMillis, long ledgerId, long entryId, StockSegment expected)
                throws CorruptSnapshotException {
            if (dueMillis < 0 || ledgerId < 0 || entryId < 0) {
                throw new CorruptSnapshotException("a position has a time, a ledger and an entry", dueMillis);
            }
            if (dueMillis < expected.firstDueMillis() || dueMillis > expected.lastDueMillis()) {
                throw new CorruptSnapshotException("times of a segment are from " + expected.firstDueMillis() + " to "
                        + expected.lastDueMillis(), dueMillis);
            }
        }
    }
}
