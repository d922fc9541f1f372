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
 * and their ranks in order of time. One of them is kept for reuse by all indexes; {@link #borrow} and {@link #giveBack} may
 * be called from any thread, all else is for the borrower.
 */
final class Scratch {

    private static final AtomicReference<Scratch> SPARE = new AtomicReference<>();
    private static final int DIGIT_BITS = 11;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;

    final long[] ledgerIds;
    final long[] entryIds;
    final long[] dueMillis;
    int[] order;
    final long[] ascending;
    final long[] ofLedgers;
    final BitWriter writer = new BitWriter();
    int count;

    private int[] orderToo;
    private final int[] digits = new int[1 << DIGIT_BITS];

    private Scratch(int capacity) {
        ledgerIds = new long[capacity];
        entryIds = new long[capacity];
        dueMillis = new long[capacity];
        ascending = new long[capacity];
        ofLedgers = new long[capacity];
        order = new int[capacity];
        orderToo = new int[capacity];
    }

    /** An empty one with room for that many positions at least. */
    static Scratch borrow(int positions) {
        Scratch scratch = SPARE.getAndSet(null);
        if (scratch == null || scratch.ledgerIds.length < positions) {
            scratch = new Scratch(positions);
        }
        scratch.count = 0;
        return scratch;
    }

    static void giveBack(Scratch scratch) {
        SPARE.set(scratch);
    }

    /** Whether a segment of that many positions can be copied to it. */
    boolean fits(int positions) {
        return positions <= ledgerIds.length;
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

    /** Says that a position, if it is among those from an index on, is due no later than that. */
    void lowerDueMillis(int from, long ledgerId, long entryId, long due) {
        int low = from;
        int high = count - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (isAfter(middle, ledgerId, entryId)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low < count && ledgerIds[low] == ledgerId && entryIds[low] == entryId) {
            dueMillis[low] = Math.min(dueMillis[low], due);
        }
    }

    /** Brings positions from an index on, which ascend, together with those before it, which ascend as well. */
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
     * Puts the ranks into order of (due time, rank). Linear: a radix sort over the bits in which the times differ.
     *
     * @return the lowest bit in which any two times differ, 0 if they are all equal
     */
    int sortByTime() {
        long first = dueMillis[0];
        long differing = 0;
        boolean ascends = true;
        for (int i = 0; i < count; i++) {
            order[i] = i;
            differing |= dueMillis[i] ^ first;
            ascends &= i == 0 || dueMillis[i - 1] <= dueMillis[i];
        }
        int lowest = differing == 0 ? 0 : Long.numberOfTrailingZeros(differing);
        if (!ascends) {
            int bits = Long.SIZE - Long.numberOfLeadingZeros(differing);
            for (int shift = lowest; shift < bits; shift += DIGIT_BITS) {
                sortByDigit(shift);
            }
        }
        return lowest;
    }

    private void sortByDigit(int shift) {
        Arrays.fill(digits, 0);
        for (int i = 0; i < count; i++) {
            digits[(int) (dueMillis[i] >>> shift) & DIGIT_MASK]++;
        }
        int from = 0;
        for (int digit = 0; digit <= DIGIT_MASK; digit++) {
            int in = digits[digit];
            digits[digit] = from;
            from += in;
        }
        for (int i = 0; i < count; i++) {
            int rank = order[i];
            int digit = (int) (dueMillis[rank] >>> shift) & DIGIT_MASK;
            orderToo[digits[digit]] = rank;
            digits[digit]++;
        }
        int[] sorted = orderToo;
        orderToo = order;
        order = sorted;
    }
}
