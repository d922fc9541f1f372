/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.Footprint;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Rows of a segment kept in memory. A row has 9 bytes: the differences to the least due time and entry id, and the number of the
 * ledger among a few. Rows that differ too much for that, or are not known to be final, are the columns they came in. Immutable.
 */
final class NearRows {

    private static final int MOST_LEDGERS = 1 << Byte.SIZE;
    private static final int OBJECT_BYTES = Footprint.object(5 * Footprint.REFERENCE + 2 * Long.BYTES + Integer.BYTES);

    private final int count;
    /** The columns; null if the rows are narrow. */
    private final SegmentColumns wide;
    private final long leastDueMillis;
    private final long leastEntryId;
    private final int[] dueOffsets;
    private final int[] entryOffsets;
    private final byte[] ledgerNumbers;
    private final long[] ledgers;

    private NearRows(SegmentColumns wide) {
        this.count = wide.count();
        this.wide = wide;
        this.leastDueMillis = 0;
        this.leastEntryId = 0;
        this.dueOffsets = null;
        this.entryOffsets = null;
        this.ledgerNumbers = null;
        this.ledgers = null;
    }

    private NearRows(Extent extent, NearRows from, BitSet kept) {
        count = kept.cardinality();
        wide = null;
        leastDueMillis = extent.leastDueMillis;
        leastEntryId = extent.leastEntryId;
        ledgers = Arrays.copyOf(extent.ledgers, extent.ledgerCount);
        dueOffsets = new int[count];
        entryOffsets = new int[count];
        ledgerNumbers = new byte[count];
        int row = 0;
        for (int at = kept.nextSetBit(0); at >= 0; at = kept.nextSetBit(at + 1)) {
            dueOffsets[row] = (int) (from.dueMillis(at) - leastDueMillis);
            entryOffsets[row] = (int) (from.entryId(at) - leastEntryId);
            ledgerNumbers[row] = (byte) Arrays.binarySearch(ledgers, from.ledgerId(at));
            row++;
        }
    }

    /** The rows of some columns, as they are. */
    static NearRows of(SegmentColumns columns) {
        return new NearRows(columns);
    }

    /** Some of the rows, in fewer bytes if that is possible. Linear. */
    NearRows kept(BitSet rows) {
        Extent extent = new Extent();
        boolean narrow = true;
        for (int at = rows.nextSetBit(0); at >= 0 && narrow; at = rows.nextSetBit(at + 1)) {
            narrow = extent.include(dueMillis(at), ledgerId(at), entryId(at));
        }
        return narrow ? new NearRows(extent, this, rows) : new NearRows(wide.selected(rows));
    }

    int count() {
        return count;
    }

    /** The columns that these rows are, or null. */
    SegmentColumns wide() {
        return wide;
    }

    long dueMillis(int row) {
        return wide != null ? wide.dueMillis(row) : leastDueMillis + Integer.toUnsignedLong(dueOffsets[row]);
    }

    long ledgerId(int row) {
        return wide != null ? wide.ledgerId(row) : ledgers[Byte.toUnsignedInt(ledgerNumbers[row])];
    }

    long entryId(int row) {
        return wide != null ? wide.entryId(row) : leastEntryId + Integer.toUnsignedLong(entryOffsets[row]);
    }

    long retainedBytes() {
        return OBJECT_BYTES + (wide != null ? wide.retainedBytes() : 2L * Footprint.array(count, Integer.BYTES)
                + Footprint.array(count, Byte.BYTES) + Footprint.array(ledgers.length, Long.BYTES));
    }

    /** The extent by which some rows differ. */
    private static final class Extent {
        private long leastDueMillis = Long.MAX_VALUE;
        private long mostDueMillis;
        private long leastEntryId = Long.MAX_VALUE;
        private long mostEntryId;
        private long[] ledgers = new long[1];
        private int ledgerCount;
        private long lastLedgerId = -1;

        /** Takes a row in; false if the rows differ too much with it. */
        boolean include(long dueMillis, long ledgerId, long entryId) {
            leastDueMillis = Math.min(leastDueMillis, dueMillis);
            mostDueMillis = Math.max(mostDueMillis, dueMillis);
            leastEntryId = Math.min(leastEntryId, entryId);
            mostEntryId = Math.max(mostEntryId, entryId);
            if (ledgerId != lastLedgerId) {
                lastLedgerId = ledgerId;
                include(ledgerId);
            }
            return ledgerCount <= MOST_LEDGERS && isNarrow(mostDueMillis - leastDueMillis)
                    && isNarrow(mostEntryId - leastEntryId);
        }

        private static boolean isNarrow(long difference) {
            return difference >>> Integer.SIZE == 0;
        }

        private void include(long ledgerId) {
            int at = Arrays.binarySearch(ledgers, 0, ledgerCount, ledgerId);
            if (at < 0) {
                int place = -1 - at;
                ledgers = ledgerCount < ledgers.length ? ledgers : Arrays.copyOf(ledgers, 2 * ledgerCount);
                System.arraycopy(ledgers, place, ledgers, place + 1, ledgerCount - place);
                ledgers[place] = ledgerId;
                ledgerCount++;
            }
        }
    }
}
