/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import java.util.Arrays;

/** Segments in a binary heap by their heads, in (time, ledger, entry) order. Each segment knows its place in it. */
final class DueHeap {

    private static final int FIRST_CAPACITY = 4;
    static final int OBJECT_BYTES = Footprint.object(Integer.BYTES + Footprint.REFERENCE);

    private Segment[] heap = new Segment[FIRST_CAPACITY];
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
        return isBefore(heap[1], heap[2]) ? heap[1] : heap[2];
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
            heap = Arrays.copyOf(heap, count + (count >> 1));
        }
        count++;
        put(segment, count - 1);
        up(segment);
    }

    void remove(Segment segment) {
        int at = segment.heapIndex;
        count--;
        Segment last = heap[count];
        heap[count] = null;
        if (last != segment) {
            put(last, at);
            up(last);
            down(last);
        }
        if (count >= FIRST_CAPACITY && count <= heap.length / 4) {
            heap = Arrays.copyOf(heap, count * 2);
        }
    }

    /** Finds the place of a segment whose head has moved on. */
    void down(Segment segment) {
        int at = segment.heapIndex;
        while (2 * at + 1 < count) {
            int child = 2 * at + 1;
            if (child + 1 < count && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], segment)) {
                break;
            }
            put(heap[child], at);
            at = child;
        }
        put(segment, at);
    }

    long retainedBytes() {
        return (long) OBJECT_BYTES + Footprint.array(heap.length, Footprint.REFERENCE);
    }

    void validate() {
        for (int i = 0; i < count; i++) {
            if (heap[i].heapIndex != i || i > 0 && isBefore(heap[i], heap[(i - 1) / 2])) {
                throw new IllegalStateException("due heap: no child is before its parent, but the one at " + i + " is");
            }
        }
    }

    private void up(Segment segment) {
        int at = segment.heapIndex;
        while (at > 0 && isBefore(segment, heap[(at - 1) / 2])) {
            put(heap[(at - 1) / 2], at);
            at = (at - 1) / 2;
        }
        put(segment, at);
    }

    private void put(Segment segment, int at) {
        heap[at] = segment;
        segment.heapIndex = at;
    }
}
