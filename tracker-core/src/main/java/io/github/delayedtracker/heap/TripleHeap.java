/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import io.github.delayedtracker.index.Footprint;
import java.util.Arrays;

/**
 * A min-heap of (time, ledger id, entry id) triples of 24 bytes, in chunks of {@link #CHUNK_TRIPLES} triples.
 *
 * <p>The first chunk grows geometrically from one triple. Further chunks are added and taken away whole, one at a time, so
 * nothing large is ever copied. The last chunk goes when the chunk before it is half empty, and an only chunk shrinks with its
 * heap. So at most one and a half chunks are unused. Adding and removing the head are O(log n), and an add is constant on
 * average.
 *
 * <p>Implementation note: a node has four children rather than two, since a level costs a cache miss and a node's children lie
 * side by side. Sifting moves a hole, so a triple is written once.
 *
 * <p>Not thread safe.
 */
final class TripleHeap {

    static final int CHUNK_BITS = 10;
    static final int CHUNK_TRIPLES = 1 << CHUNK_BITS;

    static final int CHUNK_MASK = CHUNK_TRIPLES - 1;
    private static final int FIRST_TRIPLES = 1;
    static final int TRIPLE_LONGS = 3;
    static final int ARITY = 4;
    private static final int OBJECT_BYTES = Footprint.object(2 * Integer.BYTES + Long.BYTES + 3 * Footprint.REFERENCE);

    private long[][] chunks = new long[1][];
    private int chunkCount;
    private int size;
    private long chunkBytes;
    /** The last view while it is read; null if there is none. */
    private HeapView view;
    /** Which chunks it reads too, so that they are copied before they are written. */
    private boolean[] viewed;

    int size() {
        return size;
    }

    long retainedBytes() {
        return OBJECT_BYTES + Footprint.array(chunks.length, Footprint.REFERENCE) + chunkBytes
                + (viewed == null ? 0 : Footprint.array(viewed.length, 1));
    }

    /**
     * The triples as they are now, to be read by any thread: chunks are copied when they are next written, until the last view is
     * closed. O(chunks).
     */
    HeapView view() {
        viewed = new boolean[chunkCount];
        Arrays.fill(viewed, true);
        view = new HeapView(Arrays.copyOf(chunks, chunkCount), size, view == null || view.isClosed() ? null : view);
        return view;
    }

    long headTime() {
        return chunks[0][0];
    }

    long headLedgerId() {
        return chunks[0][1];
    }

    long headEntryId() {
        return chunks[0][2];
    }

    long time(int node) {
        return chunks[node >>> CHUNK_BITS][(node & CHUNK_MASK) * TRIPLE_LONGS];
    }

    long ledgerId(int node) {
        return chunks[node >>> CHUNK_BITS][(node & CHUNK_MASK) * TRIPLE_LONGS + 1];
    }

    long entryId(int node) {
        return chunks[node >>> CHUNK_BITS][(node & CHUNK_MASK) * TRIPLE_LONGS + 2];
    }

    long lastTime() {
        return time(size - 1);
    }

    long lastLedgerId() {
        return ledgerId(size - 1);
    }

    long lastEntryId() {
        return entryId(size - 1);
    }

    void add(long time, long ledgerId, long entryId) {
        makeRoom();
        int hole = size;
        size++;
        while (hole > 0) {
            int parent = (hole - 1) / ARITY;
            if (compare(parent, time, ledgerId, entryId) <= 0) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, time, ledgerId, entryId);
    }

    /** Removes the least triple. */
    void removeHead() {
        long time = lastTime();
        long ledgerId = lastLedgerId();
        long entryId = lastEntryId();
        removeLast();
        if (size == 0) {
            return;
        }
        int hole = 0;
        while (true) {
            int child = leastChild(hole);
            if (child < 0 || compare(child, time, ledgerId, entryId) >= 0) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, time, ledgerId, entryId);
    }

    /** Removes the triple that stands last in the array, which leaves a heap. O(1). */
    void removeLast() {
        size--;
        if (size == 0) {
            clear();
        } else if (chunkCount > 1) {
            giveBackLastChunk();
        } else if (size * TRIPLE_LONGS <= chunks[0].length / 4) {
            resizeFirstChunk(size * 2);
        }
    }

    private void giveBackLastChunk() {
        if (size > (long) (chunkCount - 2) * CHUNK_TRIPLES + CHUNK_TRIPLES / 2) {
            return;
        }
        chunkCount--;
        chunkBytes -= bytes(chunks[chunkCount]);
        chunks[chunkCount] = null;
        isOwn(chunkCount);
        if (chunkCount <= chunks.length / 4) {
            chunks = Arrays.copyOf(chunks, chunks.length / 2);
        }
    }

    void clear() {
        chunks = new long[1][];
        chunkCount = 0;
        chunkBytes = 0;
        size = 0;
        forgetView();
    }

    /** Passes on every triple, in no order. */
    void forEach(TripleSink sink) {
        for (int i = 0; i < size; i++) {
            long[] chunk = chunks[i >>> CHUNK_BITS];
            int at = (i & CHUNK_MASK) * TRIPLE_LONGS;
            sink.accept(chunk[at], chunk[at + 1], chunk[at + 2]);
        }
    }

    void validate() {
        for (int i = 1; i < size; i++) {
            long[] chunk = chunks[i >>> CHUNK_BITS];
            int at = (i & CHUNK_MASK) * TRIPLE_LONGS;
            if (compare((i - 1) / ARITY, chunk[at], chunk[at + 1], chunk[at + 2]) > 0) {
                throw new IllegalStateException("heap: no child is below its parent, triple " + i + " is");
            }
        }
    }

    @FunctionalInterface
    interface TripleSink {
        void accept(long time, long ledgerId, long entryId);
    }

    // The least of up to four children; negative if there is none.
    private int leastChild(int node) {
        long first = (long) node * ARITY + 1;
        if (first >= size) {
            return -1;
        }
        int least = (int) first;
        int end = (int) Math.min(size, first + ARITY);
        for (int child = least + 1; child < end; child++) {
            long[] chunk = chunks[child >>> CHUNK_BITS];
            int at = (child & CHUNK_MASK) * TRIPLE_LONGS;
            if (compare(least, chunk[at], chunk[at + 1], chunk[at + 2]) > 0) {
                least = child;
            }
        }
        return least;
    }

    private int compare(int node, long time, long ledgerId, long entryId) {
        long[] chunk = chunks[node >>> CHUNK_BITS];
        int at = (node & CHUNK_MASK) * TRIPLE_LONGS;
        if (chunk[at] != time) {
            return chunk[at] < time ? -1 : 1;
        }
        if (chunk[at + 1] != ledgerId) {
            return chunk[at + 1] < ledgerId ? -1 : 1;
        }
        return Long.compare(chunk[at + 2], entryId);
    }

    private void move(int from, int to) {
        System.arraycopy(chunks[from >>> CHUNK_BITS], (from & CHUNK_MASK) * TRIPLE_LONGS,
                written(to >>> CHUNK_BITS), (to & CHUNK_MASK) * TRIPLE_LONGS, TRIPLE_LONGS);
    }

    /** A chunk that is about to be written. */
    private long[] written(int chunk) {
        if (view != null && view.isClosed()) {
            forgetView();
        }
        if (view != null && chunk < viewed.length && viewed[chunk]) {
            chunks[chunk] = chunks[chunk].clone();
            isOwn(chunk);
        }
        return chunks[chunk];
    }

    private void forgetView() {
        view = null;
        viewed = null;
    }

    private void isOwn(int chunk) {
        if (view != null && chunk < viewed.length) {
            viewed[chunk] = false;
        }
    }

    private void put(int node, long time, long ledgerId, long entryId) {
        long[] chunk = written(node >>> CHUNK_BITS);
        int at = (node & CHUNK_MASK) * TRIPLE_LONGS;
        chunk[at] = time;
        chunk[at + 1] = ledgerId;
        chunk[at + 2] = entryId;
    }

    /** Has room for one triple more, so that the next add needs no memory. */
    void makeRoom() {
        int chunk = size >>> CHUNK_BITS;
        if (chunk == 0) {
            growFirstChunk();
        } else if (chunk == chunkCount) {
            if (chunk == chunks.length) {
                chunks = Arrays.copyOf(chunks, chunk + (chunk >> 1) + 1);
            }
            chunks[chunk] = new long[CHUNK_TRIPLES * TRIPLE_LONGS];
            chunkBytes += bytes(chunks[chunk]);
            chunkCount++;
        }
    }

    private void growFirstChunk() {
        if (chunkCount == 0) {
            chunks[0] = new long[FIRST_TRIPLES * TRIPLE_LONGS];
            chunkCount = 1;
            chunkBytes = bytes(chunks[0]);
        } else if (size * TRIPLE_LONGS == chunks[0].length) {
            resizeFirstChunk(Math.min(CHUNK_TRIPLES, size + (size >> 1) + 1));
        }
    }

    private void resizeFirstChunk(int triples) {
        chunkBytes -= bytes(chunks[0]);
        chunks[0] = Arrays.copyOf(chunks[0], triples * TRIPLE_LONGS);
        isOwn(0);
        chunkBytes += bytes(chunks[0]);
    }

    private static int bytes(long[] chunk) {
        return Footprint.array(chunk.length, Long.BYTES);
    }
}
