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
 * Segments in a binary heap by their heads, in (time, ledger, entry) order. Each segment knows its place in it. The due times
 * of the heads lie beside, so that a segment is looked at only where two are equal.
 */
final class DueHeap {

    private static final int FIRST_CAPACITY = 4;
    static final int OBJECT_BYTES = Footprint.object(Integer.BYTES + 2 * Footprint.REFERENCE);

    private Segment[] heap = new Segment[FIRST_CAPACITY];
    private long[] dueMillis = new long[FIRST_CAPACITY];
    private int count;

    /** The segment with the earliest head; null if there is none. */
    Segment first() {
        return heap[0];
    }

    /** The segment with the earliest head but one; null if there is none. */
    Segment second() {
        if (count < 3) {
            return count < 2 ? null : heap[1];
        }
        return heap[earlier(1)];
    }

    static boolean isBefore(Segment a, Segment b) {
        if (a.headDueMillis() != b.headDueMillis()) {
            return a.headDueMillis() < b.headDueMillis();
        }
        if (a.headLedgerId() != b.headLedgerId()) {
            return a.headLedgerId() < b.headLedgerId();
        }
        return a.headEntryId() < b.headEntryId();
    }

    void add(Segment segment) {
        if (count == heap.length) {
            resize(count + (count >> 1));
        }
        count++;
        up(segment, count - 1);
    }

    void remove(Segment segment) {
        int at = segment.heapIndex;
        count--;
        Segment last = heap[count];
        heap[count] = null;
        if (last != segment) {
            up(last, at);
            down(last);
        }
        if (count >= FIRST_CAPACITY && count <= heap.length / 4) {
            resize(count * 2);
        }
    }

    /** Finds the place of a segment whose head has moved on. */
    void down(Segment segment) {
        int at = segment.heapIndex;
        // To the bottom without a look at the segment, and up again: it mostly belongs there, and no branch is guessed wrong.
        while (2 * at + 2 < count) {
            int child = earlier(2 * at + 1);
            put(heap[child], dueMillis[child], at);
            at = child;
        }
        if (2 * at + 1 < count) {
            put(heap[2 * at + 1], dueMillis[2 * at + 1], at);
            at = 2 * at + 1;
        }
        up(segment, at);
    }

    /** The index of the earlier of two neighbours. */
    private int earlier(int at) {
        long distance = dueMillis[at + 1] - dueMillis[at];
        if (distance == 0) {
            return isBefore(heap[at + 1], heap[at]) ? at + 1 : at;
        }
        return at + (int) (distance >>> Long.SIZE - 1);
    }

    long retainedBytes() {
        return (long) OBJECT_BYTES + Footprint.array(heap.length, Footprint.REFERENCE)
                + Footprint.array(dueMillis.length, Long.BYTES);
    }

    void validate() {
        for (int i = 0; i < count; i++) {
            boolean isHere = heap[i].heapIndex == i && heap[i].headDueMillis() == dueMillis[i];
            if (!isHere || i > 0 && isBefore(heap[i], heap[(i - 1) / 2])) {
                throw new IllegalStateException("due heap: no child is before its parent, but the one at " + i + " is");
            }
        }
    }

    private void up(Segment segment, int from) {
        int at = from;
        long due = segment.headDueMillis();
        while (at > 0) {
            int parent = (at - 1) / 2;
            if (due > dueMillis[parent] || due == dueMillis[parent] && !isBefore(segment, heap[parent])) {
                break;
            }
            put(heap[parent], dueMillis[parent], at);
            at = parent;
        }
        put(segment, due, at);
    }

    private void put(Segment segment, long due, int at) {
        heap[at] = segment;
        dueMillis[at] = due;
        segment.heapIndex = at;
    }

    private void resize(int capacity) {
        long[] times = Arrays.copyOf(dueMillis, capacity);
        heap = Arrays.copyOf(heap, capacity);
        dueMillis = times;
    }
}
