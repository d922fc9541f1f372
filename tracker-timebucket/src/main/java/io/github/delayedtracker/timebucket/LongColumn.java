/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import java.util.Arrays;

/**
 * A growing column of numbers of 0 or more: in no bytes at all while they are all equal and no room was asked for, in four
 * bytes each as long as they lie close together, else in eight.
 */
final class LongColumn {

    static final int OBJECT_BYTES = Footprint.object(Long.BYTES + Integer.BYTES + 2 * Footprint.REFERENCE);

    private static final int[] NONE = {};

    /** Without room while every number is the base. */
    private int[] narrow;
    private long[] wide;
    /** A narrow number is the base plus 2^shift times what is stored. */
    private long base;
    private int shift;

    /** Empty, with room for so many numbers. */
    LongColumn(int capacity) {
        narrow = capacity == 0 ? NONE : new int[capacity];
    }

    long get(int index) {
        if (wide != null) {
            return wide[index];
        }
        return narrow.length == 0 ? base : base + ((long) narrow[index] << shift);
    }

    /** Appends a number to the {@code count} there are. */
    void append(int count, long number) {
        long units = number - base >> shift;
        if (count > 0 && count < narrow.length && units == (int) units && base + (units << shift) == number) {
            narrow[count] = (int) units;
        } else {
            insert(count, count, number);
        }
    }

    /** Inserts a number before those from an index on, of {@code count} there are. */
    void insert(int index, int count, long number) {
        if (count == 0) {
            base = number;
            shift = Math.min(Integer.SIZE - 1, Long.numberOfTrailingZeros(number));
            wide = null;
        }
        if (isFlat()) {
            if (number == base) {
                return;
            }
            narrow = new int[Math.max(count + (count & 1), 2)];
        }
        if (wide == null && !fits(number) && !refine(count, number)) {
            widen(count);
        }
        if (count == capacity()) {
            int capacity = capacityBeyond(count);
            if (wide == null) {
                narrow = Arrays.copyOf(narrow, capacity);
            } else {
                wide = Arrays.copyOf(wide, capacity);
            }
        }
        if (wide == null) {
            System.arraycopy(narrow, index, narrow, index + 1, count - index);
            narrow[index] = (int) (number - base >> shift);
        } else {
            System.arraycopy(wide, index, wide, index + 1, count - index);
            wide[index] = number;
        }
    }

    /** Gives back room for more than a quarter beyond the {@code count} there are, if that is most of it. */
    void trim(int count) {
        if (count < capacity() / 4) {
            int room = count + (count >> 2);
            narrow = wide == null ? Arrays.copyOf(narrow, room) : narrow;
            wide = wide == null ? null : Arrays.copyOf(wide, room);
        }
    }

    /** Puts the number at one index in the place of that at another. */
    void move(int from, int to) {
        if (isFlat()) {
            return;
        }
        if (wide == null) {
            narrow[to] = narrow[from];
        } else {
            wide[to] = wide[from];
        }
    }

    /** Removes the numbers from an index to an index (exclusive), of {@code count} there are. */
    void remove(int from, int to, int count) {
        if (isFlat()) {
            return;
        }
        Object numbers = wide == null ? narrow : wide;
        System.arraycopy(numbers, to, numbers, from, count - to);
        int left = count - (to - from);
        if (left < capacity() / 4 || left < capacity() / 2 && left < to - from) {
            int capacity = left + (left >> 2);
            narrow = wide == null ? Arrays.copyOf(narrow, capacity) : narrow;
            wide = wide == null ? null : Arrays.copyOf(wide, capacity);
        }
    }

    long retainedBytes() {
        return (long) OBJECT_BYTES + (wide != null ? Footprint.array(wide.length, Long.BYTES)
                : narrow.length == 0 ? 0 : Footprint.array(narrow.length, Integer.BYTES));
    }

    private boolean isFlat() {
        return wide == null && narrow.length == 0;
    }

    private static int capacityBeyond(int count) {
        return count < 16 ? count + 2 : Integer.highestOneBit(count) * 2;
    }

    private int capacity() {
        return wide == null ? narrow.length : wide.length;
    }

    private boolean fits(long number) {
        long units = number - base >> shift;
        return units == (int) units && base + (units << shift) == number;
    }

    /** Stores what there is in finer units in which the number fits as well; false if there are none. */
    private boolean refine(int count, long number) {
        int finer = Math.min(shift, Long.numberOfTrailingZeros(number - base));
        long units = number - base >> finer;
        boolean allFit = units == (int) units;
        for (int i = 0; i < count && allFit; i++) {
            allFit = (long) narrow[i] << shift - finer == narrow[i] << shift - finer;
        }
        for (int i = 0; i < count && allFit; i++) {
            narrow[i] <<= shift - finer;
        }
        shift = allFit ? finer : shift;
        return allFit;
    }

    private void widen(int count) {
        long[] numbers = new long[Math.max(narrow.length, 1)];
        for (int i = 0; i < count; i++) {
            numbers[i] = get(i);
        }
        wide = numbers;
        narrow = NONE;
    }
}
