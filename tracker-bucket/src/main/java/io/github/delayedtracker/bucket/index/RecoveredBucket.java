/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import java.util.List;

/** A bucket as found in storage, prepared without the lock so that {@link BucketIndex#register} has little left to do. */
public final class RecoveredBucket {

    final long ledgerId;
    final List<SegmentEntry> segments;
    final PositionSet sleeping;
    final PositionRange range;
    final long pastMillis;

    private RecoveredBucket(long ledgerId, List<SegmentEntry> segments, PositionSet sleeping, long pastMillis) {
        this.ledgerId = ledgerId;
        this.segments = segments;
        this.sleeping = sleeping;
        this.range = PositionRange.of(sleeping);
        this.pastMillis = pastMillis;
    }

    /**
     * Prepares a bucket. Linear in the set.
     *
     * @param ledgerId the ledger of its snapshot
     * @param segments by first due time
     * @param sleeping the positions that still wait in its segments: no past ones, none that mark-delete has passed. Handed
     *     over: nobody else may use the set any more
     * @param pastMillis segments wholly due by then hold nothing of the set and are never loaded; -1 if there are none
     */
    public static RecoveredBucket of(long ledgerId, List<SegmentEntry> segments, PositionSet sleeping, long pastMillis) {
        return new RecoveredBucket(ledgerId, segments, sleeping, pastMillis);
    }

    /** Passes on the first and the last position that may sleep in it; nothing if there is none. */
    public void range(PositionSink sink) {
        range.passOn(sink);
    }
}
