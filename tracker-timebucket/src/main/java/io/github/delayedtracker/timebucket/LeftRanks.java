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
 * The ranks of a segment that no position read so far has. While ranks leave in order nothing is stored but their first one, then
 * one bit for each. Not thread-safe.
 *
 * <p>Implementation note: nothing is counted across words. The due stream names the word of a rank and counts within it, or
 * counts from the rank before, which is near where groups are dense. So what leaves costs one word, and a look-up another one.
 */
final class LeftRanks {

    static final int OBJECT_BYTES = Footprint.object(2 * Integer.BYTES + Footprint.REFERENCE);

    private int ranks;
    /** All ranks below it have left; not kept up once there are marks. */
    private int front;
    /** Null while ranks leave in order. */
    private long[] marks;

    /** All ranks below a number, 1 or more. */
    LeftRanks(int ranks) {
        this.ranks = ranks;
    }

    /** A copy. */
    LeftRanks(LeftRanks other) {
        ranks = other.ranks;
        front = other.front;
        marks = other.marks == null ? null : other.marks.clone();
    }

    /** Puts back all ranks below a number, and keeps its memory where that is enough. */
    void reset(int all) {
        ranks = all;
        front = 0;
        if (marks == null || marks.length < words(all)) {
            marks = new long[words(all)];
        }
        fill();
    }

    /** The number of words that some ranks take. */
    static int words(int ranks) {
        return ranks + 63 >>> 6;
    }

    /** Whether a rank is left. */
    boolean has(int rank) {
        return marks == null ? rank >= front : (marks[rank >>> 6] & 1L << rank) != 0;
    }

    /** Takes out a rank that is left. */
    void remove(int rank) {
        if (marks == null) {
            if (rank == front) {
                front++;
                return;
            }
            marks = new long[words(ranks)];
            fill();
        }
        marks[rank >>> 6] &= ~(1L << rank);
    }

    /** One bit for each rank left of the 64 from {@code 64 word} on. */
    long bits(int word) {
        return marks == null ? bitsFromFront(word) : marks[word];
    }

    /** The rank behind another one, or from -1 the first, past some that are left; the number of all ranks if there is none. */
    int behind(int rank, long passed) {
        if (marks == null) {
            return (int) Math.min(ranks, Math.max(front, rank + 1) + passed);
        }
        int word = rank + 1 >>> 6;
        int end = words(ranks);
        if (passed < 0 || word == end) {
            return ranks;
        }
        long bits = marks[word] & -1L << rank + 1;
        long left = passed;
        int count = Long.bitCount(bits);
        while (left >= count) {
            left -= count;
            word++;
            if (word == end) {
                return ranks;
            }
            bits = marks[word];
            count = Long.bitCount(bits);
        }
        return word << 6 | Bits.select(bits, (int) left);
    }

    /** How many ranks are left from one on, below another one, which may be the number of all. */
    int count(int from, int to) {
        if (from >= to) {
            return 0;
        }
        if (marks == null) {
            return Math.max(front, to) - Math.max(front, from);
        }
        int last = to - 1 >>> 6;
        long bits = marks[from >>> 6] & -1L << from;
        int count = 0;
        for (int word = from >>> 6; word < last;) {
            count += Long.bitCount(bits);
            word++;
            bits = marks[word];
        }
        return count + Long.bitCount(bits & -1L >>> -to);
    }

    /** The bytes of its marks. */
    long arrayBytes() {
        return marks == null ? 0 : Footprint.array(marks.length, Long.BYTES);
    }

    private void fill() {
        int last = words(ranks) - 1;
        Arrays.fill(marks, 0, front >>> 6, 0);
        Arrays.fill(marks, front >>> 6, last + 1, -1L);
        marks[front >>> 6] = bitsFromFront(front >>> 6);
        marks[last] = bitsFromFront(last);
    }

    private long bitsFromFront(int word) {
        int from = Math.max(0, front - (word << 6));
        int to = Math.min(Long.SIZE, ranks - (word << 6));
        return from < to ? -1L << from & -1L >>> Long.SIZE - to : 0;
    }
}
