/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;

/**
 * The positions of an index that are in memory with their due times, and the way to make them fewer. A loaded segment goes back
 * to sleep, its positions into the set of their bucket, and is loaded again when it is about to be due. Guarded by the lock of
 * the index.
 */
public final class MemoryUse {

    private final MemoryParts memory;
    private final BucketTable table;

    MemoryUse(MemoryParts memory, BucketTable table) {
        this.memory = memory;
        this.table = table;
    }

    /** The bytes of the tail, the overflow, the frozen tails and near. O(frozen tails). */
    public long bytes() {
        return memory.retainedBytes();
    }

    /**
     * Unloads the latest of the loaded segments that begin after a time; none is half loaded. Linear in the segment. Ask again
     * after this when to load next.
     *
     * @return the number of positions that went back to sleep, or -1 if there is no such segment
     */
    public long unloadLatest(long afterMillis) {
        NearRun run = memory.near().latest(source -> mayUnload(source, afterMillis));
        long unloaded = -1;
        if (run != null) {
            Bucket bucket = table.find(run.source().ledgerId());
            long before = bucket.sleeping().size();
            memory.near().giveUp(run, (ledgerId, entryId) -> table.add(bucket, ledgerId, entryId));
            bucket.segments().unloaded(run.source().number());
            unloaded = bucket.sleeping().size() - before;
        }
        memory.dropEmptyParts();
        return unloaded;
    }

    /**
     * Whether a segment may go: only of a bucket that nobody works on. A merge has noted what was loaded; a load keeps others
     * waiting.
     */
    private boolean mayUnload(SegmentRef source, long afterMillis) {
        Bucket bucket = table.find(source.ledgerId());
        return bucket != null && bucket.state() == BucketState.SEALED && !bucket.segments().isBusy()
                && bucket.segments().isLoaded(source.number())
                && bucket.segments().firstDueMillis(source.number()) > afterMillis;
    }
}
