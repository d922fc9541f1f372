/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import java.util.BitSet;

/**
 * Some positions of {@link NearRuns} in (time, ledger, entry) order. While a run is filled it has the columns of a segment, with
 * some rows marked; then it keeps the marked rows only. Rows may be read while rows behind them are marked. Not thread safe.
 */
final class NearRun implements Comparable<NearRun> {

    private static final int OBJECT_BYTES = Footprint.object(3 * Footprint.REFERENCE + 2 * Integer.BYTES + 1);
    private static final int SOURCE_BYTES = Footprint.object(Long.BYTES + Integer.BYTES);
    private static final int BITS_BYTES = Footprint.object(Footprint.REFERENCE + Integer.BYTES + 1);

    /** The segment that the run was loaded from, or null. */
    private final SegmentRef source;
    private NearRows rows;
    /** The marked rows; null once no more are marked: all rows count. */
    private BitSet marked;
    /** The first row not read yet; it need not be marked. */
    private int head;
    /** The row behind the last one that may count. */
    private int end;
    private boolean queued;

    NearRun(SegmentColumns columns, SegmentRef source) {
        this.source = source;
        rows = NearRows.of(columns);
        end = columns.count();
        marked = new BitSet(columns.count());
    }

    /** Marks a row, which must lie behind the rows marked before. */
    void mark(int row) {
        marked.set(row);
    }

    /** Ends the marking. Linear. */
    void complete() {
        marked.clear(0, head);
        keep(marked);
    }

    SegmentRef source() {
        return source;
    }

    boolean isComplete() {
        return marked == null;
    }

    /** Keeps only some rows. Linear. */
    void keep(BitSet kept) {
        rows = rows.kept(kept);
        marked = null;
        head = 0;
        end = rows.count();
    }

    /** Goes on to the next row that counts; false if there is none. */
    boolean hasHead() {
        if (marked == null) {
            return head < end;
        }
        int next = marked.nextSetBit(head);
        head = next < 0 ? head : next;
        return next >= 0;
    }

    long headDueMillis() {
        return rows.dueMillis(head);
    }

    long headLedgerId() {
        return rows.ledgerId(head);
    }

    long headEntryId() {
        return rows.entryId(head);
    }

    void dropHead() {
        head++;
    }

    int head() {
        return head;
    }

    /** The row behind the last one that may count. */
    int end() {
        return end;
    }

    /** When the last row that may count is due; there must be one. */
    long lastDueMillis() {
        return rows.dueMillis(end - 1);
    }

    /** Gives up the last row of a complete run that has a head. */
    void dropLast() {
        end--;
    }

    boolean isQueued() {
        return queued;
    }

    void setQueued(boolean isQueued) {
        queued = isQueued;
    }

    NearRows rows() {
        return rows;
    }

    /** Whether a row counts and was not read yet. */
    boolean counts(int row) {
        return row >= head && row < end && (marked == null || marked.get(row));
    }

    /** The number of rows not read yet that are due by some time, with rows that do not count. O(log n). */
    int rowsBy(long untilMillis) {
        int low = head;
        int high = end;
        while (low < high) {
            int middle = low + high >>> 1;
            if (rows.dueMillis(middle) <= untilMillis) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - head;
    }

    /** A look at the rows not read yet that are due in a time. Linear in them while it is filled. */
    DueRun look(long fromMillis, long untilMillis) {
        BitSet counting = marked == null ? null : marked.get(0, rows.count());
        return new NearRowsRun(rows, counting, head - 1, fromMillis, untilMillis);
    }

    /** Compares the heads. */
    @Override
    public int compareTo(NearRun other) {
        int byTime = Long.compare(headDueMillis(), other.headDueMillis());
        if (byTime != 0) {
            return byTime;
        }
        int byLedger = Long.compare(headLedgerId(), other.headLedgerId());
        return byLedger != 0 ? byLedger : Long.compare(headEntryId(), other.headEntryId());
    }

    long retainedBytes() {
        return OBJECT_BYTES + (source == null ? 0 : SOURCE_BYTES) + rows.retainedBytes() + (marked == null ? 0
                : BITS_BYTES + Footprint.array((rows.count() + Long.SIZE - 1) / Long.SIZE, Long.BYTES));
    }
}
