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
 * The few positions of a segment that are not due in the order they lie in, while all others have their times on a
 * {@link DueLine}. They come before the codes of the line: their number, a Rice parameter, then of each, in the order of
 * (due time, rank), the rank and the units since the one before, of the first since the first due time.
 *
 * <p>Implementation note: as few as possible are chosen, by the longest chain of times that ascend (Fredman, On computing the
 * length of longest increasing subsequences, 1975).
 */
final class LineExceptions {

    static final LineExceptions NONE = new LineExceptions(new int[0], new long[0], 0, 0);
    /** At most one position in 2^{@value} is an exception: with more of them groups are shorter. */
    static final int MOST_SHIFT = 5;

    private static final int COUNT_BITS = 16;
    private static final int PARAMETER_BITS = 6;
    private static final int KEPT = -2;

    /** In the order of (due time, rank). */
    private final int[] ranks;
    private final long[] dueMillis;
    private final int[] ascendingRanks;
    private final int riceBits;
    private final long bits;

    /** @param bits the number of bits that they are written in */
    private LineExceptions(int[] ranks, long[] dueMillis, int riceBits, long bits) {
        this.ranks = ranks;
        this.dueMillis = dueMillis;
        this.riceBits = riceBits;
        this.bits = bits;
        ascendingRanks = ranks.clone();
        Arrays.sort(ascendingRanks);
    }

    /**
     * The fewest positions without which those in the scratch, which are sorted by time, are due in the order they lie in; null
     * if they are too many. O(n) where times ascend or hardly do, else O(n log n).
     */
    static LineExceptions of(Scratch scratch, int unitShift) {
        int most = scratch.count >>> MOST_SHIFT;
        int descents = 0;
        for (int i = 1; i < scratch.count && descents <= most; i++) {
            descents += scratch.dueMillis[i] < scratch.dueMillis[i - 1] ? 1 : 0;
        }
        if (descents == 0) {
            return NONE;
        }
        return descents > most ? null : besideTheLongestChain(scratch, unitShift, most);
    }

    private static LineExceptions besideTheLongestChain(Scratch scratch, int unitShift, int most) {
        int[] before = scratch.between;
        int length = linkChains(scratch, scratch.numbers, before);
        int exceptions = scratch.count - length;
        if (exceptions > most) {
            return null;
        }
        for (int rank = scratch.numbers[length - 1]; rank >= 0;) {
            int next = before[rank];
            before[rank] = KEPT;
            rank = next;
        }
        int[] ranks = new int[exceptions];
        long[] dueMillis = new long[exceptions];
        for (int i = 0, to = 0; to < exceptions; i++) {
            int rank = scratch.order[i];
            if (before[rank] != KEPT) {
                ranks[to] = rank;
                dueMillis[to] = scratch.dueMillis[rank];
                to++;
            }
        }
        RiceFit fit = scratch.gaps;
        fit.reset();
        for (int i = 0; i < exceptions; i++) {
            fit.add(units(scratch, dueMillis, i, unitShift));
        }
        int riceBits = fit.best();
        long bits = COUNT_BITS + PARAMETER_BITS + (long) exceptions * SegmentFormat.rankBits(scratch.count);
        for (int i = 0; i < exceptions; i++) {
            bits += Bits.riceLength(units(scratch, dueMillis, i, unitShift), riceBits);
        }
        return new LineExceptions(ranks, dueMillis, riceBits, bits);
    }

    private static long units(Scratch scratch, long[] dueMillis, int at, int unitShift) {
        return dueMillis[at] - (at == 0 ? scratch.dueMillis[scratch.order[0]] : dueMillis[at - 1]) >>> unitShift;
    }

    /** Links each rank to the one before it in the longest chain that ends with it. Answers the longest length. */
    private static int linkChains(Scratch scratch, int[] ends, int[] before) {
        long[] due = scratch.dueMillis;
        int length = 0;
        for (int rank = 0; rank < scratch.count; rank++) {
            int low = length;
            if (length > 0 && due[ends[length - 1]] > due[rank]) {
                low = 0;
                for (int high = length - 1; low < high;) {
                    int middle = low + high >>> 1;
                    if (due[ends[middle]] > due[rank]) {
                        high = middle;
                    } else {
                        low = middle + 1;
                    }
                }
            }
            before[rank] = low == 0 ? -1 : ends[low - 1];
            ends[low] = rank;
            length = Math.max(length, low + 1);
        }
        return length;
    }

    /** Those of a segment, as many of them as begin before its end. The words may have others behind them. */
    static LineExceptions read(SegmentFormat header, long[] words) {
        if (!header.has(SegmentFormat.BESIDE_THE_LINE)) {
            return NONE;
        }
        long from = (long) header.dueStartWord() << 6;
        int[] ranks = new int[(int) Math.min(header.positions(), Bits.read(words, from, COUNT_BITS))];
        int riceBits = (int) Bits.read(words, from + COUNT_BITS, PARAMETER_BITS);
        long[] dueMillis = new long[ranks.length];
        int rankBits = SegmentFormat.rankBits(header.positions());
        long due = header.firstDueMillis();
        long bit = from + COUNT_BITS + PARAMETER_BITS;
        int count = 0;
        while (count < ranks.length && bit < header.endBit()) {
            ranks[count] = (int) Bits.read(words, bit, rankBits);
            long units = Bits.rice(words, bit + rankBits, riceBits);
            due += units << header.unitShift();
            dueMillis[count] = due;
            bit += rankBits + Bits.riceLength(units, riceBits);
            count++;
        }
        return new LineExceptions(Arrays.copyOf(ranks, count), Arrays.copyOf(dueMillis, count), riceBits, bit - from);
    }

    /** Checks that they leave something on the line, and that each is a position of its own of the segment. */
    void check(SegmentFormat header) throws CorruptSegmentException {
        boolean some = ranks.length > 0 && ranks.length < header.positions();
        SegmentFormat.check(some == header.has(SegmentFormat.BESIDE_THE_LINE), "1 exception to one for each position but one",
                ranks.length);
        int before = -1;
        for (int rank : ascendingRanks) {
            SegmentFormat.check(rank > before && rank < header.positions(), "each exception is a position of its own", rank);
            before = rank;
        }
    }

    int count() {
        return ranks.length;
    }

    /** Whether a rank is one of them. */
    boolean has(int rank) {
        return ranks.length > 0 && Arrays.binarySearch(ascendingRanks, rank) >= 0;
    }

    /** The rank of the n-th in the order of (due time, rank). */
    int rank(int n) {
        return ranks[n];
    }

    long dueMillis(int n) {
        return dueMillis[n];
    }

    /** Whether the n-th comes before a position in the order of (due time, rank). */
    boolean isBefore(int n, long due, int rank) {
        return dueMillis[n] < due || dueMillis[n] == due && ranks[n] < rank;
    }

    /** The number of bits that {@link #write} writes. */
    long bits() {
        return bits;
    }

    /** The number of bits that they take beside the segment while it is in memory. */
    long unpackedBits() {
        return (2L * Integer.SIZE + Long.SIZE) * ranks.length;
    }

    void write(Scratch scratch, int unitShift) {
        if (ranks.length == 0) {
            return;
        }
        scratch.writer.write(ranks.length, COUNT_BITS);
        scratch.writer.write(riceBits, PARAMETER_BITS);
        for (int i = 0; i < ranks.length; i++) {
            scratch.writer.write(ranks[i], SegmentFormat.rankBits(scratch.count));
            scratch.writer.writeRice(units(scratch, dueMillis, i, unitShift), riceBits);
        }
    }

    /** The bytes of the object, 0 for {@link #NONE}. */
    long retainedBytes() {
        return this == NONE ? 0 : Footprint.object(Long.BYTES + Integer.BYTES + 3 * Footprint.REFERENCE)
                + 2 * Footprint.array(ranks.length, Integer.BYTES) + Footprint.array(ranks.length, Long.BYTES);
    }
}
