/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Room for the positions of one segment while it is put together: their ids and due times in ascending order of positions,
 * and their ranks in order of time. One scratch is kept for reuse by all indexes. {@link #borrow} and {@link #giveBack} may
 * be called from any thread, all else is for the borrower.
 */
final class Scratch {

    private static final AtomicReference<Scratch> SPARE = new AtomicReference<>();
    private static final int DIGIT_BITS = 12;
    private static final long LOWER_HALF = 0xffff_ffffL;

    final long[] ledgerIds;
    final long[] entryIds;
    final long[] dueMillis;
    final int[] order;
    /** Offsets of the positions in the order of their times. */
    final int[] numbers;
    final int[] between;
    final long[] ascending;
    final long[] ofLedgers;
    final BitWriter writer = new BitWriter();
    final RiceFit gaps = new RiceFit();
    final RiceFit sizes = new RiceFit();
    final LeftRanks left = new LeftRanks(1);
    int count;

    private final int[] digits = new int[1 << DIGIT_BITS];

    private Scratch(int capacity) {
        ledgerIds = new long[capacity];
        entryIds = new long[capacity];
        dueMillis = new long[capacity];
        ascending = new long[capacity];
        ofLedgers = new long[capacity];
        order = new int[capacity];
        numbers = new int[capacity];
        between = new int[capacity];
    }

    /** An empty scratch with room for {@code positions} positions at least. */
    static Scratch borrow(int positions) {
        Scratch scratch = SPARE.getAndSet(null);
        if (scratch == null || scratch.ledgerIds.length < positions) {
            scratch = new Scratch(positions);
        }
        scratch.count = 0;
        return scratch;
    }

    /** Keeps a scratch for {@link #borrow}, unless there is a larger one. */
    static void giveBack(Scratch scratch) {
        Scratch spare = SPARE.get();
        if (spare == null || spare.ledgerIds.length <= scratch.ledgerIds.length) {
            SPARE.set(scratch);
        }
    }

    /** Appends a position, which must lie behind the last one. */
    void append(long ledgerId, long entryId, long due) {
        ledgerIds[count] = ledgerId;
        entryIds[count] = entryId;
        dueMillis[count] = due;
        count++;
    }

    /** Whether the position lies behind the one at an index. */
    boolean isAfter(int index, long ledgerId, long entryId) {
        return ledgerId > ledgerIds[index] || ledgerId == ledgerIds[index] && entryId > entryIds[index];
    }

    /** Merges the positions from an index on, which ascend, with the positions before it, which ascend as well. */
    void mergeFrom(int middle) {
        if (middle == 0 || middle == count || isAfter(middle - 1, ledgerIds[middle], entryIds[middle])) {
            return;
        }
        System.arraycopy(ledgerIds, 0, ascending, 0, middle);
        System.arraycopy(entryIds, 0, ofLedgers, 0, middle);
        long[] dueOfFirst = Arrays.copyOf(dueMillis, middle);
        int second = middle;
        int to = 0;
        for (int first = 0; first < middle;) {
            if (second == count || !isAfter(second, ascending[first], ofLedgers[first])) {
                ledgerIds[to] = ascending[first];
                entryIds[to] = ofLedgers[first];
                dueMillis[to] = dueOfFirst[first];
                first++;
            } else {
                ledgerIds[to] = ledgerIds[second];
                entryIds[to] = entryIds[second];
                dueMillis[to] = dueMillis[second];
                second++;
            }
            to++;
        }
    }

    /**
     * Puts the ranks into order of (due time, rank), and the due times in that order into {@link #ascending}. Linear: a radix
     * sort over the bits in which the times differ.
     *
     * @return the lowest bit in which any two times differ, 0 if they are all equal
     */
    int sortByTime() {
        long least = dueMillis[0];
        long most = least;
        long differing = 0;
        boolean ascends = true;
        for (int i = 0; i < count; i++) {
            long due = dueMillis[i];
            ascends &= i == 0 || dueMillis[i - 1] <= due;
            differing |= due ^ dueMillis[0];
            least = Math.min(least, due);
            most = Math.max(most, due);
        }
        int lowest = differing == 0 ? 0 : Long.numberOfTrailingZeros(differing);
        int rankBits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
        int bits = Long.SIZE - Long.numberOfLeadingZeros(most - least >>> lowest);
        if (ascends) {
            for (int i = 0; i < count; i++) {
                order[i] = i;
            }
            System.arraycopy(dueMillis, 0, ascending, 0, count);
        } else if (bits + rankBits < Long.SIZE) {
            sortKeys(least, lowest, bits, rankBits);
        } else {
            sortWide(least, lowest, bits, rankBits);
        }
        return lowest;
    }

    /** Puts positions that were taken in any order into ascending order. Linear: a radix sort over the bits of their ids. */
    void sortByPosition() {
        long leastLedgerId = Long.MAX_VALUE;
        long leastEntryId = Long.MAX_VALUE;
        long mostLedgerId = Long.MIN_VALUE;
        long mostEntryId = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            leastLedgerId = Math.min(leastLedgerId, ledgerIds[i]);
            mostLedgerId = Math.max(mostLedgerId, ledgerIds[i]);
            leastEntryId = Math.min(leastEntryId, entryIds[i]);
            mostEntryId = Math.max(mostEntryId, entryIds[i]);
        }
        int rankBits = bits(count);
        int entryBits = bits(mostEntryId - leastEntryId);
        int ledgerBits = bits(mostLedgerId - leastLedgerId);
        if (rankBits + entryBits + ledgerBits >= Long.SIZE) {
            sortByWideIds(leastLedgerId, ledgerBits, leastEntryId, entryBits);
            return;
        }
        for (int i = 0; i < count; i++) {
            ascending[i] = (ledgerIds[i] - leastLedgerId << entryBits | entryIds[i] - leastEntryId) << rankBits | i;
        }
        long[] sorted = entryBits + ledgerBits == 0 ? ascending : sorted(entryBits + ledgerBits, rankBits);
        long[] dues = sorted == ascending ? ofLedgers : ascending;
        for (int i = 0; i < count; i++) {
            long key = sorted[i];
            dues[i] = dueMillis[(int) key & (1 << rankBits) - 1];
            entryIds[i] = (key >>> rankBits & (1L << entryBits) - 1) + leastEntryId;
            ledgerIds[i] = (key >>> rankBits >>> entryBits) + leastLedgerId;
        }
        System.arraycopy(dues, 0, dueMillis, 0, count);
    }

    /** The sort by entry and then by ledger, where these and a rank do not fit into one number. */
    private void sortByWideIds(long leastLedgerId, int ledgerBits, long leastEntryId, int entryBits) {
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        sortOrderBy(entryIds, leastEntryId, entryBits);
        sortOrderBy(ledgerIds, leastLedgerId, ledgerBits);
        putInOrder(ledgerIds);
        putInOrder(entryIds);
        putInOrder(dueMillis);
    }

    /** Sorts the ranks of {@link #order} by a number of each, by as many of its bits at a time as fit beside a rank. Stable. */
    private void sortOrderBy(long[] of, long least, int bits) {
        int rankBits = bits(count);
        int most = Long.SIZE - 1 - rankBits;
        for (int from = 0; from < bits; from += most) {
            int width = Math.min(most, bits - from);
            for (int i = 0; i < count; i++) {
                ascending[i] = (of[order[i]] - least >>> from & -1L >>> Long.SIZE - width) << rankBits | i;
            }
            long[] sorted = sorted(width, rankBits);
            System.arraycopy(order, 0, between, 0, count);
            for (int i = 0; i < count; i++) {
                order[i] = between[(int) sorted[i] & (1 << rankBits) - 1];
            }
        }
    }

    private void putInOrder(long[] of) {
        System.arraycopy(of, 0, ascending, 0, count);
        for (int i = 0; i < count; i++) {
            of[i] = ascending[order[i]];
        }
    }

    private static int bits(long number) {
        return Long.SIZE - Long.numberOfLeadingZeros(number);
    }

    /** The sort where time and rank fit into one number. */
    private void sortKeys(long least, int lowest, int bits, int rankBits) {
        for (int i = 0; i < count; i++) {
            ascending[i] = dueMillis[i] - least >>> lowest << rankBits | i;
        }
        long[] sorted = sorted(bits, rankBits);
        long mask = (1L << rankBits) - 1;
        for (int i = 0; i < count; i++) {
            long key = sorted[i];
            order[i] = (int) (key & mask);
            ascending[i] = (key >>> rankBits << lowest) + least;
        }
    }

    /** The sort in two steps, by the lower half of the time and by the rest, where time and rank do not fit. */
    private void sortWide(long least, int lowest, int bits, int rankBits) {
        long mask = (1L << rankBits) - 1;
        for (int i = 0; i < count; i++) {
            ascending[i] = (dueMillis[i] - least >>> lowest & LOWER_HALF) << rankBits | i;
        }
        long[] byLower = sorted(Integer.SIZE, rankBits);
        int[] ranks = new int[count];
        for (int i = 0; i < count; i++) {
            ranks[i] = (int) (byLower[i] & mask);
        }
        for (int i = 0; i < count; i++) {
            ascending[i] = dueMillis[ranks[i]] - least >>> lowest >>> Integer.SIZE << rankBits | i;
        }
        long[] sorted = sorted(bits - Integer.SIZE, rankBits);
        for (int i = 0; i < count; i++) {
            order[i] = ranks[(int) (sorted[i] & mask)];
        }
        for (int i = 0; i < count; i++) {
            ascending[i] = dueMillis[order[i]];
        }
    }

    /** Sorts the numbers of {@link #ascending} by a range of bits; the sort is stable. */
    private long[] sorted(int bits, int fromBit) {
        long[] from = ascending;
        long[] to = ofLedgers;
        int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
        int width = (bits + passes - 1) / passes;
        for (int pass = 0; pass < passes; pass++) {
            sortByDigit(from, to, fromBit + pass * width, (1 << width) - 1);
            long[] sorted = to;
            to = from;
            from = sorted;
        }
        return from;
    }

    private void sortByDigit(long[] from, long[] to, int shift, int mask) {
        Arrays.fill(digits, 0, mask + 1, 0);
        for (int i = 0; i < count; i++) {
            digits[(int) (from[i] >>> shift) & mask]++;
        }
        int at = 0;
        for (int digit = 0; digit <= mask; digit++) {
            int in = digits[digit];
            digits[digit] = at;
            at += in;
        }
        for (int i = 0; i < count; i++) {
            int digit = (int) (from[i] >>> shift) & mask;
            to[digits[digit]] = from[i];
            digits[digit]++;
        }
    }
}
