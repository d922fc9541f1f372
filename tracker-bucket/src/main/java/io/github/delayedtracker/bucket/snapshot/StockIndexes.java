/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockSegment;
import java.nio.ByteBuffer;

/** A later entry of a stock snapshot: the positions of one segment with their times. */
public final class StockIndexes {

    static final int INDEX = ProtoReader.tag(1, ProtoReader.BYTES);
    static final int DUE = ProtoReader.tag(1, ProtoReader.VARINT);
    static final int LEDGER_ID = ProtoReader.tag(2, ProtoReader.VARINT);
    static final int ENTRY_ID = ProtoReader.tag(3, ProtoReader.VARINT);

    private StockIndexes() {
    }

    /**
     * Reads bytes that may have been damaged; what is allocated is some twelve times as long as they are at most.
     *
     * @param expected what the metadata says of the segment
     * @return the positions in (time, ledger, entry) order, each time as it stands
     * @throws CorruptSnapshotException naming the rule they break
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
