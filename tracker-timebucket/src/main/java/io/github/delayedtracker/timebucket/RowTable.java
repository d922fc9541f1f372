/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * Numbers of rows by a hash of what is in them: a look-up reads about one of them. 2.7 to 5.3 bytes a row, for 49,152
 * rows at most.
 *
 * <p>Implementation note: open addressing with linear steps, filled to three quarters at most.
 */
final class RowTable {

    private static final int LEAST_SLOTS = 64;
    private static final long SPREAD_LEDGERS = 0x9E37_79B9_7F4A_7C15L;
    private static final long SPREAD = 0xBF58_476D_1CE4_E5B9L;
    private static final int OBJECT_BYTES = Footprint.object(2 * Integer.BYTES + Footprint.REFERENCE);

    /** The number of a row and one more; 0 where there is none. */
    private final char[] slots;
    private final int shift;
    private int count;

    /** An empty table for a number of rows. */
    RowTable(int rows) {
        int least = Math.max(LEAST_SLOTS, rows + rows / 3);
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(least - 1);
        slots = new char[1 << bits];
        shift = Integer.SIZE - bits;
    }

    /** The hash of a row with a position. */
    static int hash(long ledgerId, long entryId) {
        long mixed = (ledgerId * SPREAD_LEDGERS + entryId) * SPREAD;
        return (int) (mixed >>> Integer.SIZE);
    }

    /** The number of rows added. */
    int count() {
        return count;
    }

    boolean isFull() {
        return count >= slots.length / 4 * 3;
    }

    /** Adds the next row under its hash. */
    void add(int hash) {
        int slot = first(hash);
        while (slots[slot] != 0) {
            slot = next(slot);
        }
        count++;
        slots[slot] = (char) count;
    }

    /** The first slot at which rows of a hash may stand; others may follow up to the first that has none. */
    int first(int hash) {
        return hash >>> shift;
    }

    int next(int slot) {
        return slot + 1 & slots.length - 1;
    }

    /** The row at a slot; -1 if there is none. */
    int row(int slot) {
        return slots[slot] - 1;
    }

    long retainedBytes() {
        return (long) OBJECT_BYTES + Footprint.array(slots.length, Character.BYTES);
    }
}
