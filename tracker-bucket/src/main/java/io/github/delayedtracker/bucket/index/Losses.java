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
 * The losses of an index: the choice of the unreadable bucket to give up, and the number of lost positions to hand out so that
 * they are read again. Guarded by the lock of the index.
 *
 * <p>One bucket is given up at a time, the bucket whose unreadable segment was due first. None is given up while positions of a
 * bucket that was due no later wait to be read again, since the storage may give the others before it is their turn.
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
     * Gives up the bucket of the segment that is due first of some that cannot be read, if the segment is due by now and its turn
     * has come: its sleeping positions are lost, and it is DELETING. A merge of the bucket ends for that, unless it is being
     * recorded; then the bucket is DELETING when the merge has ended.
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

    /**
     * The time at which a segment that is being loaded begins; Long.MAX_VALUE if it no longer is, or its bucket is lost or gone.
     */
    public long dueMillis(SegmentRef ref) {
        Bucket bucket = table.find(ref.ledgerId());
        boolean isWanted = bucket != null && bucket.isLive() && bucket.lossReason() == null
                && bucket.segments().isLoading(ref.number());
        return isWanted ? bucket.segments().firstDueMillis(ref.number()) : Long.MAX_VALUE;
    }

    /** The number of lost positions that wait to be read again. */
    public long positions() {
        return lost.size();
    }

    /** Gives the work that {@link BucketIndex#takeWork} passes on once most of the positions allowed last have come back. */
    public void onBack(Runnable work) {
        lost.onBack(work);
    }

    /**
     * Sets how many lost positions may be handed out until the next call, at most 100 in one hand-out. Positions that were handed
     * out before and have not come back are no longer awaited.
     */
    public void allow(int positions) {
        lost.allow(positions);
    }

    /** The number of positions handed out since more were allowed. */
    public int handedOut() {
        return lost.handedOut();
    }

    /** The number of these positions that have been neither offered again, nor acknowledged, nor read otherwise. */
    public long awaited() {
        return lost.awaited();
    }

    /** Whether all allowed positions, or all there are, were handed out. */
    public boolean isHandedOut() {
        return lost.isHandedOut();
    }

    /** Whether all allowed positions, or all there are, were handed out, and three quarters of them have come back. */
    public boolean isBack() {
        return lost.isBack();
    }
}
