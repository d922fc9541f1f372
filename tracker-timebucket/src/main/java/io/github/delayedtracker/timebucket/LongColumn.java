/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.Arrays;

/**
 * A growing column of numbers of 0 or more, in as few bytes each as their range allows: in none at all while each lies the
 * same step behind the one before, else in two, four or eight.
 *
 * <p>Implementation note: a stored number is the distance from a base below all of them, in units of a power of two. A number
 * that does not fit makes the column choose anew, with room on both sides of its numbers, so that it does so rarely. A unit is
 * small enough for the largest stored number to stay within 64 bits: a distance rotated right by the shift has the bits below the
 * unit on top then, above those that are stored, and one compare tells whether it fits.
 */
final class LongColumn extends StoredColumn {

    /** The count below which a column grows by the least there is. */
    private static final int FEW = 16;

    /** Appends a number to the {@code count} there are, if it fits into the present form. */
    boolean append(int count, long number) {
        long units = Long.rotateRight(number - base, shift);
        if (bytes == TWO) {
            char[] two = (char[]) numbers;
            if (units >>> Character.SIZE == 0 && count < two.length) {
                two[count] = (char) units;
                return true;
            }
        } else if (bytes == FOUR) {
            int[] four = (int[]) numbers;
            if (units >>> Integer.SIZE == 0 && count < four.length) {
                four[count] = (int) units;
                return true;
            }
        } else if (bytes == NONE) {
            return number == base + (long) step * count && count > 0;
        }
        return false;
    }

    /** Whether a number at this distance from the last one takes no bytes. */
    boolean goesOnBy(int distance) {
        return bytes == NONE && step == distance;
    }

    /** Inserts a number at an index, one of {@code count} numbers; answers the bytes that the column takes more than before. */
    long insert(int index, int count, long number) {
        long grown = makeRoom(index, count, number);
        // Copied by its type: an array that could be of any is copied in several times the time.
        switch (bytes) {
            case NONE -> { }
            case TWO -> {
                char[] two = (char[]) numbers;
                System.arraycopy(two, index, two, index + 1, count - index);
                two[index] = (char) Long.rotateRight(number - base, shift);
            }
            case FOUR -> {
                int[] four = (int[]) numbers;
                System.arraycopy(four, index, four, index + 1, count - index);
                four[index] = (int) Long.rotateRight(number - base, shift);
            }
            default -> {
                long[] eight = (long[]) numbers;
                System.arraycopy(eight, index, eight, index + 1, count - index);
                eight[index] = number;
            }
        }
        return grown;
    }

    /** Chooses a form that has room for one more number; where it takes no bytes that is all there is to do. */
    private long makeRoom(int index, int count, long number) {
        boolean fits = bytes == EIGHT || bytes != NONE && Long.rotateRight(number - base, shift) >>> Byte.SIZE * bytes == 0;
        if (fits && count > 0 && count < capacity()) {
            return 0;
        }
        long before = retainedBytes();
        if (bytes == NONE || count == 0) {
            if (!extend(index, count, number)) {
                choose(count, number);
            }
        } else if (!fits) {
            choose(count, number);
        }
        if (bytes != NONE && count == capacity()) {
            resize(capacityFor(count < FEW ? count + 1 : 2 * Integer.highestOneBit(count)));
        }
        return retainedBytes() - before;
    }

    /** A column of the numbers from an index to an index (exclusive), at least one. Linear in them. */
    LongColumn rows(int from, int to) {
        LongColumn rows = new LongColumn();
        rows.base = get(from);
        rows.step = to - from > 1 ? (int) (get(from + 1) - rows.base) : 0;
        int inStep = 1;
        while (from + inStep < to && get(from + inStep) == rows.get(inStep)) {
            inStep++;
        }
        if (from + inStep < to) {
            rows.copy(this, from, to);
        }
        return rows;
    }

    private void copy(LongColumn other, int from, int to) {
        base = other.base;
        bytes = other.bytes;
        shift = other.shift;
        int end = from + capacityFor(to - from);
        switch (bytes) {
            case TWO -> numbers = Arrays.copyOfRange((char[]) other.numbers, from, end);
            case FOUR -> numbers = Arrays.copyOfRange((int[]) other.numbers, from, end);
            default -> numbers = Arrays.copyOfRange((long[]) other.numbers, from, end);
        }
        if (bytes != TWO) {
            choose(to - from, get(0));
        }
    }

    /** Inserts a number without storing it, if that is possible. */
    private boolean extend(int index, int count, long number) {
        if (count == 0) {
            numbers = null;
            bytes = NONE;
            base = number;
            step = 0;
            return true;
        }
        if (count == 1) {
            long distance = index == 1 ? number - base : base - number;
            base = index == 1 ? base : number;
            step = (int) distance;
            if (step == distance) {
                return true;
            }
            base = index == 1 ? base : number + distance;
            step = 0;
        }
        return index == count && number == get(count) || step == 0 && number == base;
    }

    /** Gives back room for more than a quarter beyond the {@code count} there are, if that is most of it. */
    void trim(int count) {
        if (count < capacity() / 4) {
            resize(capacityFor(count + (count >> 2)));
        }
    }

    /** Removes the numbers from an index to an index (exclusive), of {@code count} there are. */
    void remove(int from, int to, int count) {
        if (bytes == NONE) {
            if (from == 0) {
                base += (long) step * to;
            }
            if (from == 0 || to == count || step == 0) {
                return;
            }
            choose(count, base);
        }
        System.arraycopy(numbers, to, numbers, from, count - to);
        resizeFor(count - (to - from), count);
    }

    /** Gives back room after some numbers were removed, if that is most of it. */
    private void resizeFor(int left, int before) {
        if (left < capacity() / 4 || left < capacity() / 2 && left < before - left) {
            resize(capacityFor(left + (left >> 2)));
        }
    }

    /** Removes the numbers with a bit, of {@code count} there are, of which {@code left} stay. */
    void removeMarked(long[] marks, int count, int left) {
        if (bytes == NONE) {
            if (step == 0) {
                return;
            }
            choose(count, base);
        }
        int to = 0;
        for (int from = 0; from < count; from += Long.SIZE) {
            long word = marks[from >>> 6];
            int end = Math.min(Long.SIZE, count - from);
            if (word == 0) {
                System.arraycopy(numbers, from, numbers, to, end);
                to += end;
            } else {
                to = keep(from, ~word & -1L >>> Long.SIZE - end, to);
            }
        }
        resizeFor(left, count);
    }

    /** Moves some of 64 numbers to an index before them; returns the index behind. */
    private int keep(int from, long kept, int index) {
        int to = index;
        for (long bits = kept; bits != 0; bits &= bits - 1) {
            int at = from + Long.numberOfTrailingZeros(bits);
            switch (bytes) {
                case TWO -> ((char[]) numbers)[to] = ((char[]) numbers)[at];
                case FOUR -> ((int[]) numbers)[to] = ((int[]) numbers)[at];
                default -> ((long[]) numbers)[to] = ((long[]) numbers)[at];
            }
            to++;
        }
        return to;
    }

    /** A column of the same numbers. */
    LongColumn copy(int count) {
        LongColumn copy = new LongColumn();
        copy.numbers = numbers;
        copy.base = base;
        copy.step = step;
        copy.bytes = bytes;
        copy.shift = shift;
        copy.resize(copy.capacityFor(count));
        return copy;
    }

    /** Stores the numbers there are in the fewest bytes in which they and one more fit. */
    private void choose(int count, long another) {
        long least = Math.min(another, bytes == NONE ? Math.min(base, get(count - 1)) : least(count));
        long most = Math.max(another, bytes == NONE ? Math.max(base, get(count - 1)) : most(count));
        long differing = another - least | (bytes == NONE ? base - least | step : differing(count, least));
        int commonZeros = differing == 0 ? 0 : Long.numberOfTrailingZeros(differing);
        int newBytes = fit(most - least, commonZeros, TWO) ? TWO : fit(most - least, commonZeros, FOUR) ? FOUR : EIGHT;
        int newShift = shift(commonZeros, newBytes);
        long range = most - least >>> newShift;
        long[] all = new long[count];
        copyTo(all, 0, count);
        int room = capacityFor(Math.max(count + 1, capacity()), newBytes);
        numbers = newBytes == TWO ? new char[room] : newBytes == FOUR ? new int[room] : new long[room];
        bytes = (byte) newBytes;
        shift = (byte) newShift;
        long spare = (newBytes == TWO ? Character.MAX_VALUE : FOUR_BYTES) - range;
        base = newBytes == EIGHT ? 0 : least - (spare / 2 << newShift);
        for (int i = 0; i < count; i++) {
            set(i, all[i]);
        }
    }

    /** Whether numbers that are multiples of a power of two, but for the least, fit into a width in bytes. */
    private static boolean fit(long range, int commonZeros, int bytes) {
        return range >>> shift(commonZeros, bytes) >>> Byte.SIZE * bytes == 0;
    }

    private static int shift(int commonZeros, int bytes) {
        return Math.min(commonZeros, Long.SIZE - Byte.SIZE * bytes);
    }

    private void set(int index, long number) {
        if (bytes == EIGHT) {
            ((long[]) numbers)[index] = number;
            return;
        }
        long units = Long.rotateRight(number - base, shift);
        if (bytes == TWO) {
            ((char[]) numbers)[index] = (char) units;
        } else {
            ((int[]) numbers)[index] = (int) units;
        }
    }

    private int capacityFor(int count) {
        return bytes == NONE ? 0 : capacityFor(count, bytes);
    }

    /** The count, rounded up to fill the words that the heap allots. */
    private static int capacityFor(int count, int bytes) {
        int inWord = Long.BYTES / bytes;
        return count + inWord - 1 & -inWord;
    }

    private void resize(int capacity) {
        switch (bytes) {
            case NONE -> { }
            case TWO -> numbers = Arrays.copyOf((char[]) numbers, capacity);
            case FOUR -> numbers = Arrays.copyOf((int[]) numbers, capacity);
            default -> numbers = Arrays.copyOf((long[]) numbers, capacity);
        }
    }
}
