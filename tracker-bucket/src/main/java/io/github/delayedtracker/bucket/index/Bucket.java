/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import java.util.List;

/**
 * One bucket: its state, the exact set of its <em>sleeping</em> positions (in segments that are not loaded), and the table of its
 * segments. A position leaves the set when its segment is loaded, or when it is forgotten. Not thread safe.
 */
final class Bucket {

    /** The bytes of the object itself. */
    static final int SHELL_BYTES = Footprint.object(Long.BYTES + 6 * Footprint.REFERENCE);

    private static final SegmentTable NO_SEGMENTS = new SegmentTable(List.of());
    private static final PositionSet NO_POSITIONS = new PositionSet();
    private static final PositionRange NO_RANGE = new PositionRange();

    private BucketState state;
    private long ledgerId = -1;
    private PositionSet sleeping = NO_POSITIONS;
    private PositionRange range = NO_RANGE;
    private SegmentTable segments = NO_SEGMENTS;
    /** The merge under way that has it as a source; null if there is none. */
    private MergePlan merge;
    /** The reason why the bucket is DELETING, with all positions that sleep in it then, as soon as it is SEALED; else null. */
    private String lossReason;

    /** A bucket that is OPEN, without a ledger. */
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

    /** Gives the bucket its ledger. */
    void stored(long ledger, List<SegmentEntry> entries, PositionSet set, PositionRange reach) {
        ledgerId = ledger;
        segments = new SegmentTable(entries);
        sleeping = set;
        range = reach;
    }

    /** Changes the state, and nothing else does; returns the state before. {@link BucketTable#become} is to be called instead. */
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

    /** Whether the segments may be read: SEALED or MERGING. */
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

    /** Whether a position may need a segment to be loaded. */
    boolean mayLoad() {
        return isLive() && lossReason == null && !sleeping.isEmpty();
    }

    /** Gives the set of sleeping positions away or drops it. */
    PositionSet takeSleeping() {
        PositionSet all = sleeping;
        sleeping = NO_POSITIONS;
        return all;
    }

    /** Gives the set of sleeping positions away, and drops range and table; the ledger id stays. */
    PositionSet takeAll() {
        PositionSet all = takeSleeping();
        range = NO_RANGE;
        segments = NO_SEGMENTS;
        return all;
    }

    /** The bucket as a look at what is stored shows it. */
    BucketSummary summary() {
        return segments.summary(ledgerId, state, isLive(), sleeping.size());
    }

    /** The bytes of the set. */
    long setBytes() {
        return sleeping == NO_POSITIONS ? 0 : sleeping.retainedBytes();
    }

    /** The bytes of everything else. */
    long otherBytes() {
        return SHELL_BYTES + (range == NO_RANGE ? 0 : PositionRange.RETAINED_BYTES)
                + (segments == NO_SEGMENTS ? 0 : segments.retainedBytes());
    }
}
