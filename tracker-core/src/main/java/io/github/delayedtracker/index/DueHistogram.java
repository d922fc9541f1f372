/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.Arrays;

/**
 * A coarse histogram of due times: counts of positions by slots of equal width, kept in step with the index.
 *
 * <p>Slots start 65.5 s wide. Whenever more than {@link #MAX_SLOTS} slots hold something, their width doubles and neighbours are
 * added up, so the size is bounded whatever the times. An empty histogram starts again with narrow slots. Adding to and removing
 * from the slot used last is O(1), from another one O(log {@link #MAX_SLOTS}). Not thread safe.
 */
public final class DueHistogram {

    private static final int MAX_SLOTS = 64;
    private static final int FIRST_SHIFT = 16;
    private static final long[] NONE = {};
    private static final int OBJECT_BYTES = Footprint.object(4 * Integer.BYTES + 2 * Footprint.REFERENCE);

    private long[] slots = NONE;
    private long[] counts = NONE;
    private int slotCount;
    private int shift = FIRST_SHIFT;
    private int last;

    /** Adds positions to the count at a due time. */
    public void add(long dueMillis, int positions) {
        if (!find(dueMillis >> shift)) {
            insert(dueMillis >> shift);
            while (slotCount > MAX_SLOTS) {
                widen();
                find(dueMillis >> shift);
            }
        }
        counts[last] += positions;
    }

    /** Takes positions off the count at a due time; they must have been added. */
    public void remove(long dueMillis, int positions) {
        if (!find(dueMillis >> shift) || counts[last] < positions) {
            throw new IllegalStateException("no " + positions + " positions were counted at " + dueMillis);
        }
        counts[last] -= positions;
        if (counts[last] == 0) {
            System.arraycopy(slots, last + 1, slots, last, slotCount - last - 1);
            System.arraycopy(counts, last + 1, counts, last, slotCount - last - 1);
            slotCount--;
            if (slotCount == 0) {
                clear();
            }
        }
    }

    /** Adds up the positions due by each of the given ascending times; each slot counts from its start. */
    public void countDueBy(long[] untilMillis, long[] totals) {
        int slot = 0;
        long total = 0;
        for (int i = 0; i < untilMillis.length; i++) {
            while (slot < slotCount && slots[slot] <= untilMillis[i] >> shift) {
                total += counts[slot];
                slot++;
            }
            totals[i] = total;
        }
    }

    /** Forgets everything. */
    public void clear() {
        slots = NONE;
        counts = NONE;
        slotCount = 0;
        shift = FIRST_SHIFT;
        last = 0;
    }

    /** Bytes of heap kept alive, this object included. */
    public long retainedBytes() {
        return OBJECT_BYTES + (slots.length == 0 ? 0 : 2L * Footprint.array(slots.length, Long.BYTES));
    }

    /** Checks every invariant, for tests; the positions counted must be as many as given. */
    public void validate(long positions) {
        long total = 0;
        for (int i = 0; i < slotCount; i++) {
            if (counts[i] < 1 || i > 0 && slots[i - 1] >= slots[i]) {
                throw new IllegalStateException("histogram: slots ascend and hold something, slot " + i + " is "
                        + slots[i] + " with " + counts[i]);
            }
            total += counts[i];
        }
        if (total != positions || slotCount > MAX_SLOTS) {
            throw new IllegalStateException("histogram: " + total + " counted in " + slotCount + " slots, expected "
                    + positions + " in at most " + MAX_SLOTS);
        }
    }

    private boolean find(long slot) {
        if (last < slotCount && slots[last] == slot) {
            return true;
        }
        int found = Arrays.binarySearch(slots, 0, slotCount, slot);
        last = found >= 0 ? found : -1 - found;
        return found >= 0;
    }

    private void insert(long slot) {
        if (slotCount == slots.length) {
            int capacity = Math.min(MAX_SLOTS + 1, Math.max(1, slotCount * 2));
            slots = Arrays.copyOf(slots, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
        System.arraycopy(slots, last, slots, last + 1, slotCount - last);
        System.arraycopy(counts, last, counts, last + 1, slotCount - last);
        slots[last] = slot;
        counts[last] = 0;
        slotCount++;
    }

    private void widen() {
        shift++;
        int into = -1;
        for (int i = 0; i < slotCount; i++) {
            long slot = slots[i] >> 1;
            if (into >= 0 && slots[into] == slot) {
                counts[into] += counts[i];
            } else {
                into++;
                slots[into] = slot;
                counts[into] = counts[i];
            }
        }
        slotCount = into + 1;
    }
}
