/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import java.util.List;

/**
 * One bucket: its life, the exact set of its <em>sleeping</em> positions (those in segments that are not loaded), and the table
 * of its segments. A position leaves the set when its segment is loaded, or when it is forgotten. Not thread safe.
 */
final class Bucket {

    /** Bytes of the object itself. */
    static final int SHELL_BYTES = Footprint.object(Long.BYTES + 6 * Footprint.REFERENCE);

    private static final SegmentTable NO_SEGMENTS = new SegmentTable(List.of());
    private static final PositionSet NO_POSITIONS = new PositionSet();
    private static final PositionRange NO_RANGE = new PositionRange();

    private BucketState state;
    private long ledgerId = -1;
    private PositionSet sleeping = NO_POSITIONS;
    private PositionRange range = NO_RANGE;
    private SegmentTable segments = NO_SEGMENTS;
    /** Null unless a merge under way has it as a source. */
    private MergePlan merge;
    /** Why it is DELETING, with all that sleeps in it then, as soon as it is SEALED; else null. */
    private String lossReason;

    /** OPEN, without a ledger. */
    Bucket() {
        state = BucketState.OPEN;
    }

    private Bucket(BucketState state) {
        this.state = state;
    }

    /** A bucket that is in storage already. */
    static Bucket sealed(long ledgerId, List<SegmentEntry> segments, PositionSet sleeping, PositionRange range) {
        Bucket bucket = new Bucket(BucketState.SEALED);
        bucket.stored(ledgerId, segments, sleeping, range);
        return bucket;
    }

    /** Gives it its ledger. */
    void stored(long ledger, List<SegmentEntry> entries, PositionSet set, PositionRange reach) {
        ledgerId = ledger;
        segments = new SegmentTable(entries);
        sleeping = set;
        range = reach;
    }

    /** The one place that changes the state; returns the one before. {@link BucketTable#become} is to be called instead. */
    BucketState become(BucketState to, String reason) {
        BucketState from = state;
        if (!to.predecessors().contains(state)) {
            throw new IllegalStateException("bucket of ledger " + ledgerId + " may not go from " + state + " to " + to + ": "
                    + reason);
        }
        state = to;
        return from;
    }

    BucketState state() {
        return state;
    }

    /** Whether its segments may be read: SEALED or MERGING. */
    boolean isLive() {
        return state == BucketState.SEALED || state == BucketState.MERGING;
    }

    long ledgerId() {
        return ledgerId;
    }

    PositionSet sleeping() {
        return sleeping;
    }

    PositionRange range() {
        return range;
    }

    SegmentTable segments() {
        return segments;
    }

    MergePlan merge() {
        return merge;
    }

    void setMerge(MergePlan plan) {
        merge = plan;
    }

    String lossReason() {
        return lossReason;
    }

    void setLossReason(String reason) {
        lossReason = reason;
    }

    /** Whether there is a segment to load for the sake of a position. */
    boolean mayLoad() {
        return isLive() && lossReason == null && !sleeping.isEmpty();
    }

    /** Gives its set away or drops it. */
    PositionSet takeSleeping() {
        PositionSet all = sleeping;
        sleeping = NO_POSITIONS;
        return all;
    }

    /** Gives its set and table away or drops them; the ledger id stays. */
    PositionSet takeAll() {
        PositionSet all = takeSleeping();
        range = NO_RANGE;
        segments = NO_SEGMENTS;
        return all;
    }

    /** Bytes of the set. */
    long setBytes() {
        return sleeping == NO_POSITIONS ? 0 : sleeping.retainedBytes();
    }

    /** Bytes of everything else. */
    long otherBytes() {
        return SHELL_BYTES + (range == NO_RANGE ? 0 : PositionRange.RETAINED_BYTES)
                + (segments == NO_SEGMENTS ? 0 : segments.retainedBytes());
    }
}
