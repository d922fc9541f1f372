/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import io.github.delayedtracker.index.DueRun;
import java.util.Arrays;

/**
 * The triples of a heap as they were when the view was taken. They do not change before the view is closed; what its runs tell
 * after that means nothing.
 */
final class HeapView {

    /** Triples due before that are passed one by one. */
    private static final int MOST_PASSED = 20_000;

    private final long[][] chunks;
    private final int size;
    /** The view taken before, which is to be closed too; null if it was. */
    private final HeapView before;
    private volatile boolean closed;

    /** Of chunks that are not written before this and another view, if it is not null, are closed. */
    HeapView(long[][] chunks, int size, HeapView before) {
        this.chunks = chunks;
        this.size = size;
        this.before = before;
    }

    /**
     * The triples due in a time, both ends inclusive, in order. Where few are due before a row costs O(log of the rows that have
     * been next); else the first row, and some further ones, each four times as far apart, cost a look at each triple in turn.
     */
    DueRun run(long fromMillis, long untilMillis) {
        return new Run(fromMillis, untilMillis);
    }

    /** Whether neither this nor a view before is read any more. */
    boolean isClosed() {
        return closed && (before == null || before.isClosed());
    }

    private long part(int node, int number) {
        return chunks[node >>> TripleHeap.CHUNK_BITS][(node & TripleHeap.CHUNK_MASK) * TripleHeap.TRIPLE_LONGS + number];
    }

    // A node is ahead of its children: so the next is always among the children of those passed, the front. Where many are due
    // before, finding the front would jump from node to node: then the rows of one band of time after another are the front.
    private final class Run implements DueRun {

        private final long fromMillis;
        private final long untilMillis;
        /** A binary heap of nodes. */
        private int[] front = new int[TripleHeap.ARITY];
        private int count;
        private boolean isBegun;
        /** Null unless the rows come in bands. */
        private HeapBands bands;

        Run(long fromMillis, long untilMillis) {
            this.fromMillis = fromMillis;
            this.untilMillis = untilMillis;
        }

        @Override
        public boolean next() {
            if (isBegun) {
                goOn();
            } else {
                isBegun = true;
                begin();
            }
            while (count == 0 && bands != null && bands.next()) {
                pushAll(bands.fromMillis(), bands.untilMillis());
            }
            return count > 0;
        }

        /** Chunk by chunk, as they lie in memory. */
        private void pushAll(long from, long until) {
            for (int first = 0; first < size; first += TripleHeap.CHUNK_MASK + 1) {
                long[] chunk = chunks[first >>> TripleHeap.CHUNK_BITS];
                int end = Math.min(size - first, TripleHeap.CHUNK_MASK + 1);
                for (int i = 0; i < end; i++) {
                    long due = chunk[i * TripleHeap.TRIPLE_LONGS];
                    if (due >= from && due <= until) {
                        push(first + i);
                    }
                }
            }
        }

        /** Passes all triples that are due before the time. */
        private void begin() {
            int[] early = new int[TripleHeap.ARITY];
            int depth = 0;
            int passed = 0;
            if (size > 0) {
                early[depth++] = 0;
            }
            while (depth > 0) {
                int node = early[--depth];
                if (part(node, 0) >= fromMillis) {
                    push(node);
                    continue;
                }
                if (++passed > MOST_PASSED) {
                    count = 0;
                    bands = new HeapBands(size, each -> part(each, 0), fromMillis, untilMillis);
                    return;
                }
                long first = (long) node * TripleHeap.ARITY + 1;
                for (long child = first; child < Math.min(size, first + TripleHeap.ARITY); child++) {
                    early = depth < early.length ? early : Arrays.copyOf(early, 2 * depth);
                    early[depth++] = (int) child;
                }
            }
        }

        private void goOn() {
            if (count == 0) {
                return;
            }
            int passed = front[0];
            count--;
            sink(front[count]);
            if (bands != null) {
                return;
            }
            long first = (long) passed * TripleHeap.ARITY + 1;
            for (long child = first; child < Math.min(size, first + TripleHeap.ARITY); child++) {
                push((int) child);
            }
        }

        private void push(int node) {
            if (part(node, 0) > untilMillis) {
                return;
            }
            front = count < front.length ? front : Arrays.copyOf(front, 2 * count);
            int hole = count;
            count++;
            while (hole > 0 && isBefore(node, front[(hole - 1) / 2])) {
                front[hole] = front[(hole - 1) / 2];
                hole = (hole - 1) / 2;
            }
            front[hole] = node;
        }

        private void sink(int node) {
            int hole = 0;
            for (int child = 1; child < count; child = 2 * hole + 1) {
                child += child + 1 < count && isBefore(front[child + 1], front[child]) ? 1 : 0;
                if (!isBefore(front[child], node)) {
                    break;
                }
                front[hole] = front[child];
                hole = child;
            }
            front[hole] = node;
        }

        private boolean isBefore(int one, int other) {
            for (int number = 0; number < TripleHeap.TRIPLE_LONGS; number++) {
                if (part(one, number) != part(other, number)) {
                    return part(one, number) < part(other, number);
                }
            }
            return false;
        }

        @Override
        public DueRun unordered() {
            return new Sweep(fromMillis, untilMillis);
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public long dueMillis() {
            return part(front[0], 0);
        }

        @Override
        public long ledgerId() {
            return part(front[0], 1);
        }

        @Override
        public long entryId() {
            return part(front[0], 2);
        }
    }
    /** The triples due in a time as they lie in the heap, each looked at once. */
    private final class Sweep implements DueRun {

        private final long fromMillis;
        private final long untilMillis;
        private int node = -1;

        Sweep(long fromMillis, long untilMillis) {
            this.fromMillis = fromMillis;
            this.untilMillis = untilMillis;
        }

        @Override
        public boolean next() {
            while (node + 1 < size) {
                node++;
                if (part(node, 0) >= fromMillis && part(node, 0) <= untilMillis) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public long dueMillis() {
            return part(node, 0);
        }

        @Override
        public long ledgerId() {
            return part(node, 1);
        }

        @Override
        public long entryId() {
            return part(node, 2);
        }
    }
}
