/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.LatestDue;
import io.github.delayedtracker.index.PositionSet;

/**
 * The latest due time of a heap, and the search for it once the position that had it has left: from the end of the array to its
 * front, some triples at a time, while others come and go.
 *
 * <p>Implementation note: whatever leaves the heap moves others towards the front, where the search is still to come. An add
 * moves its ancestors away from it, one of them past the place of the search; that one is looked at before.
 */
final class LatestTriple {

    private static final int OBJECT_BYTES = Footprint.object(2 * Footprint.REFERENCE + Integer.BYTES);

    private LatestDue latest = new LatestDue();
    /** The latest that the search has come across; null while there is none. */
    private LatestDue found;
    /** Where the search has come to: all triples from here on were looked at. */
    private int from;

    /** The time of the latest contained position, or a later one after that has left. */
    long dueMillis() {
        return latest.dueMillis();
    }

    /** Takes a position in that was added. */
    void note(long dueMillis, long ledgerId, long entryId) {
        latest.note(dueMillis, ledgerId, entryId);
        if (found != null) {
            found.note(dueMillis, ledgerId, entryId);
        }
    }

    /** To be called before a triple is added. */
    void beforeAdd(TripleHeap heap, PositionSet contained) {
        if (found != null) {
            int node = heap.size();
            while (node >= from && node > 0) {
                node = (node - 1) / TripleHeap.ARITY;
            }
            look(heap, node, contained);
        }
    }

    /** Ends a search, since the heap is about to be another one. */
    void stop() {
        found = null;
    }

    /** Goes on with the search, if there is one; true if the time is exact. */
    boolean find(TripleHeap heap, PositionSet contained, int budget) {
        if (latest.isIn(contained::contains)) {
            found = null;
            return true;
        }
        if (found == null) {
            found = new LatestDue();
            from = heap.size();
        }
        from = Math.min(from, heap.size());
        for (int end = Math.max(0, from - budget); from > end;) {
            from--;
            look(heap, from, contained);
        }
        if (from > 0) {
            return false;
        }
        latest = found;
        found = null;
        return latest.isIn(contained::contains);
    }

    private void look(TripleHeap heap, int node, PositionSet contained) {
        if (node < heap.size() && found.isReached(heap.time(node))
                && contained.contains(heap.ledgerId(node), heap.entryId(node))) {
            found.note(heap.time(node), heap.ledgerId(node), heap.entryId(node));
        }
    }

    long retainedBytes() {
        return (long) OBJECT_BYTES + LatestDue.BYTES + (found == null ? 0 : LatestDue.BYTES);
    }
}
