/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.github.delayedtracker.timebucket.TimeCut;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntComparator;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Positions with their due times as three columns, 24 bytes a position. A segment is decoded to columns, and segments are cut
 * from columns. Immutable, so safe from any thread.
 */
public final class SegmentColumns {

    private static final int BYTES_A_POSITION = 3 * Long.BYTES;
    private static final SegmentColumns EMPTY = new SegmentColumns(0, new long[0], new long[0], new long[0]);
    private static final int OBJECT_BYTES = Footprint.object(3 * Footprint.REFERENCE + Integer.BYTES);

    private final int count;
    private final long[] dueMillis;
    private final long[] ledgerIds;
    private final long[] entryIds;

    /**
     * Takes over the arrays, which must not be written any more.
     *
     * @param count the number of positions; the arrays have that length or more
     */
    public SegmentColumns(int count, long[] dueMillis, long[] ledgerIds, long[] entryIds) {
        if (count < 0 || count > dueMillis.length || count > ledgerIds.length || count > entryIds.length) {
            throw new IllegalArgumentException("each column holds the " + count + " positions, got " + dueMillis.length + ", "
                    + ledgerIds.length + " and " + entryIds.length);
        }
        this.count = count;
        this.dueMillis = dueMillis;
        this.ledgerIds = ledgerIds;
        this.entryIds = entryIds;
    }

    /** No positions. */
    public static SegmentColumns empty() {
        return EMPTY;
    }

    /** The positions of a segment, in (time, ledger, entry) order. Linear. */
    public static SegmentColumns of(SealedSegment segment) {
        Filler filler = new Filler(segment.positions());
        segment.forEach(filler);
        return filler.columns();
    }

    /** The positions of several columns, one after the other. Linear. */
    public static SegmentColumns joined(List<SegmentColumns> parts) {
        int sum = 0;
        for (SegmentColumns part : parts) {
            sum = Math.addExact(sum, part.count);
        }
        Filler filler = new Filler(sum);
        for (SegmentColumns part : parts) {
            filler.addAll(part, 0, part.count);
        }
        return filler.columns();
    }

    /** The number of positions. */
    public int count() {
        return count;
    }

    /** The due time of a position, epoch milliseconds. */
    public long dueMillis(int at) {
        return dueMillis[at];
    }

    /** The ledger of a position. */
    public long ledgerId(int at) {
        return ledgerIds[at];
    }

    /** The entry of a position. */
    public long entryId(int at) {
        return entryIds[at];
    }

    /** The positions whose index is in the set, in the same order. Linear. */
    public SegmentColumns selected(BitSet indexes) {
        if (indexes.length() > count) {
            throw new IndexOutOfBoundsException("there are " + count + " positions, selected is the one at "
                    + (indexes.length() - 1));
        }
        Filler filler = new Filler(indexes.cardinality());
        for (int at = indexes.nextSetBit(0); at >= 0; at = indexes.nextSetBit(at + 1)) {
            filler.accept(dueMillis[at], ledgerIds[at], entryIds[at]);
        }
        return filler.columns();
    }

    /**
     * The same positions, strictly ascending; of equal positions the last counts. Linear, and nothing is copied, where they
     * ascend already; otherwise it takes a sort.
     */
    public SegmentColumns ascending() {
        return isSorted(this::byPosition) ? this : sorted(this::byPosition);
    }

    /** The same positions in (time, ledger, entry) order, equal ones once. Linear if they are in order, else it takes a sort. */
    public SegmentColumns byTime() {
        IntComparator comparator = (left, right) -> {
            int byTime = Long.compare(dueMillis[left], dueMillis[right]);
            return byTime != 0 ? byTime : byPosition(left, right);
        };
        return isSorted(comparator) ? this : sorted(comparator);
    }

    private boolean isSorted(IntComparator comparator) {
        for (int at = 1; at < count; at++) {
            if (comparator.compare(at - 1, at) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** The positions in an order; of positions that are equal in it the last. */
    private SegmentColumns sorted(IntComparator comparator) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        IntArrays.quickSort(order, (left, right) -> {
            int compared = comparator.compare(left, right);
            return compared != 0 ? compared : Integer.compare(left, right);
        });
        Filler filler = new Filler(count);
        for (int i = 0; i < count; i++) {
            if (i + 1 == count || comparator.compare(order[i], order[i + 1]) != 0) {
                filler.accept(dueMillis[order[i]], ledgerIds[order[i]], entryIds[order[i]]);
            }
        }
        return filler.columns();
    }

    /**
     * Cuts the positions by time into segments; they must be strictly {@link #ascending}.
     *
     * @param rule the rule where each segment ends
     * @return the segments in the order of their times
     */
    public List<SealedSegment> cut(CutRule rule) {
        return TimeCut.cut(count, ledgerIds, entryIds, dueMillis, rule);
    }

    /** Bytes of heap kept alive. */
    public long retainedBytes() {
        return OBJECT_BYTES + 3L * Footprint.array(dueMillis.length, Long.BYTES);
    }

    /** Bytes of a number of positions, without the objects; for budgets. */
    public static long bytesOf(long positions) {
        return positions * BYTES_A_POSITION;
    }

    private int byPosition(int left, int right) {
        int byLedger = Long.compare(ledgerIds[left], ledgerIds[right]);
        return byLedger != 0 ? byLedger : Long.compare(entryIds[left], entryIds[right]);
    }

    /** A writer of columns whose greatest length is known. */
    public static final class Filler implements SealedSegment.DueSink {

        private final long[] dueMillis;
        private final long[] ledgerIds;
        private final long[] entryIds;
        private int count;

        public Filler(int most) {
            dueMillis = new long[most];
            ledgerIds = new long[most];
            entryIds = new long[most];
        }

        @Override
        public void accept(long due, long ledgerId, long entryId) {
            dueMillis[count] = due;
            ledgerIds[count] = ledgerId;
            entryIds[count] = entryId;
            count++;
        }

        private void addAll(SegmentColumns from, int begin, int end) {
            System.arraycopy(from.dueMillis, begin, dueMillis, count, end - begin);
            System.arraycopy(from.ledgerIds, begin, ledgerIds, count, end - begin);
            System.arraycopy(from.entryIds, begin, entryIds, count, end - begin);
            count += end - begin;
        }

        /** The columns written, without the unused room if that is half of it or more. */
        public SegmentColumns columns() {
            if (count > dueMillis.length / 2) {
                return new SegmentColumns(count, dueMillis, ledgerIds, entryIds);
            }
            return new SegmentColumns(count, Arrays.copyOf(dueMillis, count), Arrays.copyOf(ledgerIds, count),
                    Arrays.copyOf(entryIds, count));
        }
    }
}
