/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * A time cut into bands, one after the other, with some {@value #FIRST_ROWS} rows in the first, four times as many in each
 * further one. How many a band has is told by a sample of the rows; one with many rows due at the same millisecond has more.
 */
final class HeapBands {

    private static final int SAMPLED = 4_096;
    private static final int FIRST_ROWS = 16_384;
    private static final int GROWTH = 4;

    private final long[] sample;
    private final double rowsOfASample;
    private final long lastMillis;
    private double wanted = FIRST_ROWS;
    private long fromMillis;
    private long untilMillis;
    /** The first time that is in no band yet; behind the last if there is none. */
    private long nextMillis;
    private boolean isOver;

    /** Of rows due in a time, both ends inclusive; the due time of each by its number. */
    HeapBands(int rows, IntToLongFunction dueMillis, long fromMillis, long untilMillis) {
        int sampled = Math.min(rows, SAMPLED);
        long[] all = new long[sampled];
        int count = 0;
        for (int i = 0; i < sampled; i++) {
            long due = dueMillis.applyAsLong((int) ((long) i * rows / sampled));
            if (due >= fromMillis && due <= untilMillis) {
                all[count++] = due;
            }
        }
        sample = Arrays.copyOf(all, count);
        Arrays.sort(sample);
        rowsOfASample = (double) rows / Math.max(1, sampled);
        nextMillis = fromMillis;
        lastMillis = untilMillis;
    }

    /** Goes on to the next band; false if there is none. */
    boolean next() {
        if (isOver) {
            return false;
        }
        int first = Arrays.binarySearch(sample, nextMillis);
        long last = (first < 0 ? -first - 1 : first) + Math.max(1, Math.round(wanted / rowsOfASample));
        fromMillis = nextMillis;
        untilMillis = last < sample.length ? Math.max(sample[(int) last], fromMillis) : lastMillis;
        isOver = untilMillis >= lastMillis;
        nextMillis = isOver ? untilMillis : untilMillis + 1;
        wanted *= GROWTH;
        return true;
    }

    /** Where the band begins, inclusive. */
    long fromMillis() {
        return fromMillis;
    }

    /** Where it ends, inclusive. */
    long untilMillis() {
        return untilMillis;
    }
}
