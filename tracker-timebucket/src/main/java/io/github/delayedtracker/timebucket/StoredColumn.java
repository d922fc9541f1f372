/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * The numbers of a {@link LongColumn} as they are stored, and all that reads them.
 *
 * <p>Implementation note: loops over numbers of two bytes, by far the most, are written for their type.
 */
abstract class StoredColumn {

    static final int OBJECT_BYTES = Footprint.object(Long.BYTES + Integer.BYTES + 2 + Footprint.REFERENCE);

    static final int NONE = 0;
    static final int TWO = 2;
    static final int FOUR = 4;
    static final int EIGHT = 8;
    static final long FOUR_BYTES = 0xffff_ffffL;

    /** A {@code char[]}, {@code int[]} or {@code long[]} by the bytes of a number; null where they are none. */
    Object numbers;
    long base;
    /** The distance from one number to the next, where they take no bytes. */
    int step;
    byte bytes;
    byte shift;

    final long get(int index) {
        return switch (bytes) {
            case NONE -> base + (long) step * index;
            case TWO -> base + ((long) ((char[]) numbers)[index] << shift);
            case FOUR -> base + ((((int[]) numbers)[index] & FOUR_BYTES) << shift);
            default -> ((long[]) numbers)[index];
        };
    }

    /**
     * The first index from one on whose number is the given one or larger, or the index to end at (exclusive). The numbers in
     * between ascend. O(log n).
     */
    final int ceiling(int from, int to, long number) {
        int low = from;
        int high = to;
        if (bytes == NONE) {
            if (from == to || get(from) >= number) {
                return from;
            }
            return step <= 0 ? to : (int) Math.min(to, (number - base - 1) / step + 1);
        }
        while (low < high) {
            int middle = low + high >>> 1;
            if (get(middle) < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Sets a bit for each of the {@code count} numbers there are that is not above a limit; about a nanosecond each.
     *
     * @return how many those are
     */
    final int markUpTo(long limit, int count, long[] marks) {
        int marked = 0;
        for (int from = 0; from < count; from += Long.SIZE) {
            int end = Math.min(Long.SIZE, count - from);
            long word = bytes == TWO ? twoUpTo(limit, from, end) : anyUpTo(limit, from, end);
            marks[from >>> 6] = word;
            marked += Long.bitCount(word);
        }
        return marked;
    }

    private long twoUpTo(long limit, int from, int count) {
        char[] two = (char[]) numbers;
        long units = Math.min(limit - base >>> shift, Character.MAX_VALUE);
        int most = limit < base ? -1 : units < 0 ? Character.MAX_VALUE : (int) units;
        long word = 0;
        for (int i = 0; i < count; i++) {
            word |= (two[from + i] <= most ? 1L : 0L) << i;
        }
        return word;
    }

    private long anyUpTo(long limit, int from, int count) {
        long word = 0;
        for (int i = 0; i < count; i++) {
            word |= (get(from + i) <= limit ? 1L : 0L) << i;
        }
        return word;
    }

    /** The least of the {@code count} numbers there are. */
    final long least(int count) {
        return leastUnmarked(count, null);
    }

    /** The least of {@code count} numbers without a bit, where there are bits; the largest number of all if each has one. */
    final long leastUnmarked(int count, long[] marks) {
        long least = Long.MAX_VALUE;
        for (int from = 0; from < count; from += Long.SIZE) {
            long marked = marks == null ? 0 : marks[from >>> 6];
            int end = Math.min(Long.SIZE, count - from);
            least = Math.min(least, bytes == TWO ? leastOfTwo(from, end, marked) : leastOfAny(from, end, marked));
        }
        return least;
    }

    private long leastOfTwo(int from, int count, long marked) {
        char[] two = (char[]) numbers;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            least = (marked >>> i & 1) == 0 ? Math.min(least, two[from + i]) : least;
        }
        return least == Integer.MAX_VALUE ? Long.MAX_VALUE : base + ((long) least << shift);
    }

    private long leastOfAny(int from, int count, long marked) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            least = (marked >>> i & 1) == 0 ? Math.min(least, get(from + i)) : least;
        }
        return least;
    }

    /** Puts the numbers there are into an array from an index on. */
    final void copyTo(long[] target, int at, int count) {
        if (bytes == TWO) {
            char[] two = (char[]) numbers;
            for (int i = 0; i < count; i++) {
                target[at + i] = base + ((long) two[i] << shift);
            }
        } else {
            for (int i = 0; i < count; i++) {
                target[at + i] = get(i);
            }
        }
    }

    final long retainedBytes() {
        return (long) OBJECT_BYTES + (bytes == NONE ? 0 : Footprint.array(capacity(), bytes));
    }

    final long most(int count) {
        long most = get(0);
        for (int i = 1; i < count; i++) {
            most = Math.max(most, get(i));
        }
        return most;
    }

    /** All bits in which the distance of a number from the least is not even. */
    final long differing(int count, long least) {
        long differing = 0;
        for (int i = 0; i < count; i++) {
            differing |= get(i) - least;
        }
        return differing;
    }

    final int capacity() {
        return switch (bytes) {
            case NONE -> 0;
            case TWO -> ((char[]) numbers).length;
            case FOUR -> ((int[]) numbers).length;
            default -> ((long[]) numbers).length;
        };
    }
}
