/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The loading of segments: the choice of the next ones, and the way of their positions. Positions that still sleep move to near;
 * all others in the segment are stale. Not thread safe.
 */
public final class SegmentLoading {

    private static final int LOAD_BYTES = Footprint.object(2 * Footprint.REFERENCE + Integer.BYTES)
            + Footprint.object(Long.BYTES + Integer.BYTES) + Footprint.object(3 * Footprint.REFERENCE + Integer.BYTES);

    private final BucketTable table;
    private final MemoryParts memory;
    private final Recovery recovery;
    private Map<SegmentRef, Load> loads = Map.of();

    /** A segment some of whose positions have come. */
    private static final class Load {
        private final NearRuns near;
        private final NearRun run;
        private int end;

        private Load(NearRuns near, SegmentRef ref, SegmentColumns columns) {
            this.near = near;
            this.run = near.open(columns, ref);
        }
    }

    SegmentLoading(BucketTable table, MemoryParts memory, Recovery recovery) {
        this.table = table;
        this.memory = memory;
        this.recovery = recovery;
    }

    /** Chooses segments that begin by a time, one of each bucket; each ends with {@link #end} or {@link #failed}. */
    public List<SegmentRef> begin(long untilMillis) {
        List<SegmentRef> chosen = new ArrayList<>(0);
        for (Bucket bucket = earliest(untilMillis); bucket != null; bucket = earliest(untilMillis)) {
            int number = bucket.segments().firstAsleep();
            bucket.segments().beginLoading(number);
            chosen.add(new SegmentRef(bucket.ledgerId(), number));
        }
        return chosen;
    }

    /** When the earliest segment begins that waits in a bucket with none being loaded, or {@link DelayIndex#NEVER}. */
    public long nextMillis() {
        Bucket earliest = earliest(DelayIndex.NEVER);
        return earliest == null ? DelayIndex.NEVER : earliest.segments().nextLoadMillis();
    }

    private Bucket earliest(long untilMillis) {
        Bucket earliest = null;
        long earliestMillis = untilMillis;
        for (Bucket bucket : table.buckets()) {
            if (bucket.mayLoad() && !bucket.segments().isBusy() && bucket.segments().firstAsleep() >= 0) {
                long next = bucket.segments().nextLoadMillis();
                if (next < earliestMillis || next == earliestMillis && earliest == null) {
                    earliest = bucket;
                    earliestMillis = next;
                }
            }
        }
        return earliest;
    }

    /** When the earliest segment begins that is not in memory whole, or {@link DelayIndex#NEVER}. Linear in all segments. */
    public long nextAsleepMillis() {
        long next = DelayIndex.NEVER;
        for (Bucket bucket : table.buckets()) {
            if (!bucket.sleeping().isEmpty()) {
                next = Math.min(next, bucket.segments().notLoadedMillis());
            }
        }
        return next;
    }

    /**
     * When the latest segment ends that is not in memory whole and may have a position, or {@link DelayIndex#NO_TIME}. Linear
     * in all segments.
     */
    public long lastAsleepMillis() {
        long last = DelayIndex.NO_TIME;
        for (Bucket bucket : table.buckets()) {
            if (!bucket.sleeping().isEmpty()) {
                last = Math.max(last, bucket.segments().lastNotLoadedMillis());
            }
        }
        return last;
    }

    /** The segments not in memory that may have positions due in a time, both ends inclusive. Linear in all segments. */
    public List<AsleepSegment> asleep(long fromMillis, long untilMillis) {
        List<AsleepSegment> found = new ArrayList<>();
        for (Bucket bucket : table.buckets()) {
            if (!bucket.sleeping().isEmpty()) {
                bucket.segments().forEachAsleep(fromMillis, untilMillis, number -> found.add(new AsleepSegment(
                        new SegmentRef(bucket.ledgerId(), number), bucket.segments().entry(number), bucket.segments().count())));
            }
        }
        return found;
    }

    /** The entry of a segment in the head of a bucket that is SEALED or MERGING; empty if the bucket is gone. */
    public Optional<SegmentEntry> segment(SegmentRef ref) {
        Bucket bucket = table.find(ref.ledgerId());
        return bucket == null || !bucket.isLive() ? Optional.empty() : Optional.of(bucket.segments().entry(ref.number()));
    }

    /** The number of segments of a bucket that is SEALED or MERGING; 0 if there is no such bucket. */
    public int segmentCount(long ledgerId) {
        Bucket bucket = table.find(ledgerId);
        return bucket == null || !bucket.isLive() ? 0 : bucket.segments().count();
    }

    /**
     * Takes positions of a segment that is being loaded, in ascending slices of the same columns. Positions that sleep are in
     * memory then; returns how many. Nothing happens if the bucket is gone.
     */
    public int loaded(SegmentRef ref, SegmentColumns columns, int from, int to) {
        Bucket bucket = loading(ref);
        if (bucket == null) {
            return 0;
        }
        Load load = load(ref, columns);
        if (load.run.rows().wide() != columns || from < load.end) {
            throw new IllegalArgumentException("slices of one segment come from the same columns and ascend; that from " + from
                    + " came after " + load.end + " for " + ref);
        }
        load.end = to;
        int moved = 0;
        for (int at = from; at < to; at++) {
            long ledgerId = columns.ledgerId(at);
            long entryId = columns.entryId(at);
            if (table.remove(bucket, ledgerId, entryId)) {
                recovery.give(ledgerId, entryId);
                load.near.take(load.run, at);
                moved++;
            }
        }
        load.near.filled(load.run);
        return moved;
    }

    private Load load(SegmentRef ref, SegmentColumns columns) {
        Load load = loads.get(ref);
        if (load == null) {
            load = new Load(memory.near(), ref, columns);
            loads = loads.isEmpty() ? new HashMap<>() : loads;
            loads.put(ref, load);
        }
        return load;
    }

    /**
     * Ends the load of a segment that was wholly passed to {@link #loaded}. Positions that sleep when no segment is left are
     * lost.
     */
    public void end(SegmentRef ref) {
        Bucket bucket = loading(ref);
        complete(ref);
        if (bucket != null) {
            bucket.segments().endLoading(ref.number());
            table.loseIfLoaded(bucket);
        }
    }

    /**
     * Ends the load of a segment that was not read. It may be chosen again; positions passed to {@link #loaded} stay in memory.
     */
    public void failed(SegmentRef ref) {
        Bucket bucket = loading(ref);
        complete(ref);
        if (bucket != null) {
            bucket.segments().loadFailed(ref.number());
        }
    }

    /** The segment is going to be read again from its beginning; positions passed to {@link #loaded} stay in memory. */
    public void readAgain(SegmentRef ref) {
        complete(ref);
    }

    private void complete(SegmentRef ref) {
        Load load = loads.isEmpty() ? null : loads.remove(ref);
        if (load != null) {
            load.near.complete(load.run);
            memory.dropEmptyParts();
            loads = loads.isEmpty() ? Map.of() : loads;
        }
    }

    /** The bucket of a segment that is being loaded; null if the bucket was merged, lost or forgotten meanwhile. */
    private Bucket loading(SegmentRef ref) {
        Bucket bucket = table.find(ref.ledgerId());
        if (bucket == null || !bucket.isLive()) {
            return null;
        }
        if (!bucket.segments().isLoading(ref.number())) {
            throw new IllegalStateException("positions come from a segment that is being loaded, but came from " + ref);
        }
        return bucket;
    }

    long retainedBytes() {
        return (long) loads.size() * LOAD_BYTES;
    }

    /**
     * One segment of one bucket.
     *
     * @param ledgerId the ledger of the bucket's snapshot
     * @param number its place in the list of segments, from 0
     */
    public record SegmentRef(long ledgerId, int number) {
    }

    /**
     * A segment that is not in memory.
     *
     * @param segments the number of segments of its bucket
     */
    public record AsleepSegment(SegmentRef ref, SegmentEntry entry, int segments) {

        /** The rows of its columns that are due in a time, both ends inclusive, whether or not they still wait in it. */
        public static DueRun run(SegmentColumns columns, long fromMillis, long untilMillis) {
            return new NearRowsRun(NearRows.of(columns), null, -1, fromMillis, untilMillis);
        }
    }
}
