/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import java.util.Collection;
import java.util.Optional;

/**
 * What of an index cannot be read: which bucket is given up for it, and how many of the positions lost by that are handed out to
 * be read again. Guarded by the lock of the index.
 *
 * <p>One bucket is given up at a time, the one whose unreadable segment was due first: while positions of a bucket that was due
 * earlier wait to be read again, or no later, none is, since the storage may give the others before it is their turn.
 */
public final class Losses {

    private final BucketTable table;
    private final LostPositions lost;
    private final Merging merging;

    Losses(BucketTable table, LostPositions lost, Merging merging) {
        this.table = table;
        this.lost = lost;
        this.merging = merging;
    }

    /**
     * Gives up the bucket of the segment that is due first of some that cannot be read, if it is due by now and its turn has
     * come: what sleeps in it is lost, and it is DELETING. A merge of it ends for that, unless it is being recorded; then it is
     * DELETING when that has ended.
     *
     * @return its ledger; empty if nothing is given up now
     */
    public Optional<Long> giveUpOverdue(Collection<SegmentRef> unreadable, long nowMillis, String reason) {
        SegmentRef earliest = null;
        for (SegmentRef ref : unreadable) {
            if (dueMillis(ref) <= nowMillis && (earliest == null || dueMillis(ref) < dueMillis(earliest))) {
                earliest = ref;
            }
        }
        if (earliest == null || lost.firstDueMillis() <= dueMillis(earliest)) {
            return Optional.empty();
        }
        Bucket bucket = table.find(earliest.ledgerId());
        merging.endFor(bucket, reason);
        table.lose(bucket, reason);
        return Optional.of(earliest.ledgerId());
    }

    /** When a segment begins that is being loaded; Long.MAX_VALUE if it no longer is, or its bucket is lost or no more. */
    public long dueMillis(SegmentRef ref) {
        Bucket bucket = table.find(ref.ledgerId());
        boolean isWanted = bucket != null && bucket.isLive() && bucket.lossReason() == null
                && bucket.segments().isLoading(ref.number());
        return isWanted ? bucket.segments().firstDueMillis(ref.number()) : Long.MAX_VALUE;
    }

    /** How many lost positions wait to be read again. */
    public long positions() {
        return lost.size();
    }

    /** The work that {@link BucketIndex#takeWork} passes on once most of the positions allowed last have come back. */
    public void onBack(Runnable work) {
        lost.onBack(work);
    }

    /**
     * How many lost positions may be handed out until this is called again, at most 100 in one hand-out. What was handed out
     * before and has not come back is no longer awaited.
     */
    public void allow(int positions) {
        lost.allow(positions);
    }

    /** How many were handed out since more were allowed. */
    public int handedOut() {
        return lost.handedOut();
    }

    /** How many of those have been neither offered again, nor acknowledged, nor read otherwise. */
    public long awaited() {
        return lost.awaited();
    }

    /** Whether all that was allowed, or all there is, was handed out. */
    public boolean isHandedOut() {
        return lost.isHandedOut();
    }

    /** Whether all that was allowed, or all there is, was handed out, and three quarters of it have come back. */
    public boolean isBack() {
        return lost.isBack();
    }
}
