/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.Arrays;

/**
 * A run of rows that come in any order. They are copied in under the lock of their index, 24 bytes each, and brought into order
 * when they are read: a binary heap, O(n) once and O(log n) a row.
 */
public final class DueRows implements DueRun {

    private static final int ROW_LONGS = 3;
    private static final int FIRST_ROWS = 16;

    private final long fromMillis;
    private final long untilMillis;
    private long[] rows = new long[FIRST_ROWS * ROW_LONGS];
    private int count;
    private boolean isRead;

    /** Takes rows due from one time to another, both inclusive, and leaves others out. */
    public DueRows(long fromMillis, long untilMillis) {
        this.fromMillis = fromMillis;
        this.untilMillis = untilMillis;
    }

    /** Takes a row; before the first {@link #next}. */
    public void add(long dueMillis, long ledgerId, long entryId) {
        if (dueMillis < fromMillis || dueMillis > untilMillis) {
            return;
        }
        if ((count + 1) * ROW_LONGS > rows.length) {
            rows = Arrays.copyOf(rows, (count + (count >> 1) + 1) * ROW_LONGS);
        }
        put(count, dueMillis, ledgerId, entryId);
        count++;
    }

    /** The number of rows not passed yet. */
    public int count() {
        return count;
    }

    @Override
    public boolean next() {
        if (isRead) {
            dropFirst();
        } else {
            isRead = true;
            for (int i = count / 2 - 1; i >= 0; i--) {
                sink(i);
            }
        }
        return count > 0;
    }

    @Override
    public long dueMillis() {
        return rows[0];
    }

    @Override
    public long ledgerId() {
        return rows[1];
    }

    @Override
    public long entryId() {
        return rows[2];
    }

    private void dropFirst() {
        if (count > 0) {
            count--;
            System.arraycopy(rows, count * ROW_LONGS, rows, 0, ROW_LONGS);
            sink(0);
        }
    }

    private void sink(int from) {
        long due = rows[from * ROW_LONGS];
        long ledgerId = rows[from * ROW_LONGS + 1];
        long entryId = rows[from * ROW_LONGS + 2];
        int hole = from;
        for (int child = 2 * hole + 1; child < count; child = 2 * hole + 1) {
            if (child + 1 < count && compare(child, rows[(child + 1) * ROW_LONGS], rows[(child + 1) * ROW_LONGS + 1],
                    rows[(child + 1) * ROW_LONGS + 2]) > 0) {
                child++;
            }
            if (compare(child, due, ledgerId, entryId) >= 0) {
                break;
            }
            System.arraycopy(rows, child * ROW_LONGS, rows, hole * ROW_LONGS, ROW_LONGS);
            hole = child;
        }
        put(hole, due, ledgerId, entryId);
    }

    private int compare(int row, long due, long ledgerId, long entryId) {
        int at = row * ROW_LONGS;
        if (rows[at] != due) {
            return rows[at] < due ? -1 : 1;
        }
        return rows[at + 1] != ledgerId ? Long.compare(rows[at + 1], ledgerId) : Long.compare(rows[at + 2], entryId);
    }

    private void put(int row, long due, long ledgerId, long entryId) {
        rows[row * ROW_LONGS] = due;
        rows[row * ROW_LONGS + 1] = ledgerId;
        rows[row * ROW_LONGS + 2] = entryId;
    }
}
