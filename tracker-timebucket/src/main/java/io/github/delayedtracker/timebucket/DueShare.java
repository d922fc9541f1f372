/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.function.IntConsumer;

/**
 * The positions of a tail that are due first: those due by a time, or some of them, with all that are due at the same time as the
 * last. Linear, a few ns a position.
 */
final class DueShare {

    private final long[] marks;
    private int count;

    /**
     * A share of a column of due times.
     *
     * @param rows the number of due times
     * @param untilMillis the time by which they are due
     * @param most how many are enough, 1 or more
     * @param without a bit for each position that is left out; null if none is
     */
    DueShare(LongColumn dueMillis, int rows, long untilMillis, int most, long[] without) {
        marks = new long[LeftRanks.words(rows)];
        mark(dueMillis, rows, untilMillis, without);
        if (count > most) {
            long[] times = new long[count];
            int[] filled = {0};
            forEach(i -> times[filled[0]++] = dueMillis.get(i));
            mark(dueMillis, rows, nth(times, most - 1), without);
        }
    }

    private void mark(LongColumn dueMillis, int rows, long untilMillis, long[] without) {
        count = dueMillis.markUpTo(untilMillis, rows, marks);
        for (int word = 0; without != null && word < marks.length; word++) {
            count -= Long.bitCount(marks[word] & without[word]);
            marks[word] &= ~without[word];
        }
    }

    /** The number of positions. */
    int count() {
        return count;
    }

    /** A bit for each position, by its index. */
    long[] marks() {
        return marks;
    }

    /** Passes on the indexes of the positions, in ascending order. */
    void forEach(IntConsumer indexes) {
        for (int word = 0; word < marks.length; word++) {
            for (long bits = marks[word]; bits != 0; bits &= bits - 1) {
                indexes.accept(word << 6 | Long.numberOfTrailingZeros(bits));
            }
        }
    }

    /** Hoare's selection: the time that comes at an index in ascending order. Changes their order. Expected linear. */
    private static long nth(long[] times, int index) {
        int low = 0;
        int high = times.length - 1;
        while (low < high) {
            long pivot = times[low + high >>> 1];
            int left = low;
            int right = high;
            while (left <= right) {
                while (times[left] < pivot) {
                    left++;
                }
                while (times[right] > pivot) {
                    right--;
                }
                if (left <= right) {
                    long swapped = times[left];
                    times[left++] = times[right];
                    times[right--] = swapped;
                }
            }
            if (index <= right) {
                high = right;
            } else if (index >= left) {
                low = left;
            } else {
                return times[index];
            }
        }
        return times[low];
    }
}
