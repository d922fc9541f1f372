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
 * The chunks of a {@link LatePart}: tails of up to some hundred positions each, one behind the other.
 *
 * <p>Implementation note: each chunk has a fence, at or below its first position and above the last one of the chunk before. A
 * full chunk is split in the middle, so that adds in any order leave it half full at least; where they ascend it stays full.
 */
abstract class LateChunks {

    /** The most positions in a chunk. */
    final int chunkSize;
    Tail[] chunks = new Tail[1];
    long[] fenceLedgerIds = new long[1];
    long[] fenceEntryIds = new long[1];
    int chunkCount;
    long chunkBytes;

    LateChunks(int chunkSize) {
        this.chunkSize = chunkSize;
    }

    /** The bytes of the chunks and of what they are found by, without the object itself. */
    final long bytesOfChunks() {
        return chunkBytes + Footprint.array(chunks.length, Footprint.REFERENCE)
                + 2L * Footprint.array(chunks.length, Long.BYTES);
    }

    /** The last chunk whose fence is not behind the position; -1 if all are. */
    final int chunkOf(long ledgerId, long entryId) {
        int low = -1;
        int high = chunkCount - 1;
        if (high >= 0 && !isBelowFence(high, ledgerId, entryId)) {
            return high;
        }
        while (low < high) {
            int middle = low + high + 1 >> 1;
            if (isBelowFence(middle, ledgerId, entryId)) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** Whether a position lies below the fence of a chunk. */
    final boolean isBelowFence(int at, long ledgerId, long entryId) {
        return ledgerId < fenceLedgerIds[at] || ledgerId == fenceLedgerIds[at] && entryId < fenceEntryIds[at];
    }

    /** Drops a chunk that has become empty, or joins it with a neighbour with which it fills no more than half of one. */
    final void closeGap(int at) {
        if (chunks[at].count() == 0) {
            removeChunks(at, at + 1);
        } else if (!joinWithNext(at) && at > 0) {
            joinWithNext(at - 1);
        }
    }

    private boolean joinWithNext(int at) {
        if (at + 1 >= chunkCount || chunks[at].count() + chunks[at + 1].count() > chunkSize / 2) {
            return false;
        }
        chunkBytes -= chunks[at].retainedBytes();
        chunks[at + 1].appendTo(chunks[at]);
        chunkBytes += chunks[at].retainedBytes();
        removeChunks(at + 1, at + 2);
        return true;
    }

    /** Puts a chunk at an index, with its fence. */
    final void insertChunk(int at, Tail chunk, long ledgerId, long entryId) {
        if (chunkCount == chunks.length) {
            resize(chunkCount + (chunkCount >> 2) + 1);
        }
        System.arraycopy(chunks, at, chunks, at + 1, chunkCount - at);
        System.arraycopy(fenceLedgerIds, at, fenceLedgerIds, at + 1, chunkCount - at);
        System.arraycopy(fenceEntryIds, at, fenceEntryIds, at + 1, chunkCount - at);
        chunks[at] = chunk;
        fenceLedgerIds[at] = ledgerId;
        fenceEntryIds[at] = entryId;
        chunkBytes += chunk.retainedBytes();
        chunkCount++;
    }

    /** Removes the chunks from an index to an index (exclusive). */
    final void removeChunks(int from, int to) {
        for (int i = from; i < to; i++) {
            chunkBytes -= chunks[i].retainedBytes();
        }
        System.arraycopy(chunks, to, chunks, from, chunkCount - to);
        System.arraycopy(fenceLedgerIds, to, fenceLedgerIds, from, chunkCount - to);
        System.arraycopy(fenceEntryIds, to, fenceEntryIds, from, chunkCount - to);
        int left = chunkCount - (to - from);
        Arrays.fill(chunks, left, chunkCount, null);
        chunkCount = left;
        if (chunkCount < chunks.length / 4) {
            resize(Math.max(1, chunkCount * 2));
        }
    }

    private void resize(int capacity) {
        long[] ledgerIds = Arrays.copyOf(fenceLedgerIds, capacity);
        long[] entryIds = Arrays.copyOf(fenceEntryIds, capacity);
        chunks = Arrays.copyOf(chunks, capacity);
        fenceLedgerIds = ledgerIds;
        fenceEntryIds = entryIds;
    }
}
