/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.Footprint;

/**
 * A tail that takes no more positions, on its way to become a bucket. Due positions are handed out of it until its positions have
 * moved to the bucket.
 *
 * <p>Guarded by the lock of the index, except {@link #id}, {@link #logged} and {@link #columns}.
 */
public final class FrozenTail {

    private static final int OBJECT_BYTES =
            Footprint.object(4 * Footprint.REFERENCE + 3 * Long.BYTES + 2 * Integer.BYTES);

    private final long id;
    private final int logged;
    private final DelayIndex index;
    private final Bucket bucket = new Bucket();
    private volatile SealLog log;
    private volatile SegmentColumns columns;
    /** The index of the first of the columns whose position has not moved. */
    private int settled;
    /** The first ledger of the topic whose positions are in the snapshot. */
    private volatile long storedFromLedgerId = -1;
    /** The time by which segments wholly due have moved to memory. */
    private long loadedUntilMillis = Long.MAX_VALUE;

    FrozenTail(long id, DelayIndex index, SealLog log) {
        this.id = id;
        this.index = index;
        this.log = log;
        this.logged = log.count();
    }

    /** The id, which grows from one frozen tail of an index to the next. */
    public long id() {
        return id;
    }

    /** The number of positions that were added to the tail, more or less: some that are gone again are counted. */
    public int logged() {
        return logged;
    }

    /**
     * Every position that was added and may still be there, strictly ascending, with its last time. The first call makes the
     * columns, with a sort where positions came out of order: make it on the thread that encodes, without the lock, before
     * anything else.
     */
    public SegmentColumns columns() {
        SegmentColumns made = columns;
        if (made == null) {
            made = log.columns().ascending();
            columns = made;
        }
        return made;
    }

    /** SEALING, or OPEN while it is not being sealed; later the state of its bucket. */
    public BucketState state() {
        return bucket.state();
    }

    /** The number of positions still in the tail. */
    public long positions() {
        return index.size();
    }

    /**
     * Limits the snapshot to positions of this ledger of the topic and later ones; the rest stays in memory. To be called before
     * the tail settles; with Long.MAX_VALUE before its seal is given up, if nothing of it is ever to be sealed.
     */
    public void storedFrom(long ledgerId) {
        storedFromLedgerId = ledgerId;
    }

    long storedFromLedgerId() {
        return storedFromLedgerId;
    }

    DelayIndex index() {
        return index;
    }

    Bucket bucket() {
        return bucket;
    }

    /** The index of the first of the columns that has not moved yet. */
    int settled() {
        return settled;
    }

    /** Notes that every position before an index has moved, positions due by a time to memory. */
    void settledTo(int end, long untilMillis) {
        if (end > settled) {
            SegmentColumns all = columns();
            index.forgetUpTo(all.ledgerId(end - 1), all.entryId(end - 1));
            settled = end;
        }
        loadedUntilMillis = Math.min(loadedUntilMillis, untilMillis);
    }

    long loadedUntilMillis() {
        return loadedUntilMillis;
    }

    /** Lets go of the columns, which only a seal under way needs. */
    void dropColumns() {
        columns = null;
    }

    /** Forgets every position. */
    void clear() {
        index.clear();
        log = new SealLog();
        columns = SegmentColumns.empty();
    }

    /** Bytes of heap kept alive, the bucket's set and table left out. */
    long retainedBytes() {
        SegmentColumns made = columns;
        return OBJECT_BYTES + Bucket.SHELL_BYTES + index.retainedBytes() + log.retainedBytes()
                + (made == null ? 0 : made.retainedBytes());
    }
}
