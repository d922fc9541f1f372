/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.LatestDue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Segments in ascending order of their first positions. They may overlap: each one knows its <em>reach</em>, the largest
 * last position of itself and all before it, so that a look-up going backwards knows when to stop.
 */
final class SegmentOrder {

    static final int OBJECT_BYTES = Footprint.object(Integer.BYTES + Footprint.REFERENCE);

    private static final int FIRST_CAPACITY = 4;

    private Segment[] segments = new Segment[FIRST_CAPACITY];
    private int count;

    int count() {
        return count;
    }

    Segment get(int index) {
        return segments[index];
    }

    /** The index of the last segment that begins at a position or before, or -1. */
    int floor(long ledgerId, long entryId) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (segments[middle].beginsUpTo(ledgerId, entryId)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    int indexOf(Segment segment) {
        int at = floor(segment.firstLedgerId, segment.firstEntryId);
        while (segments[at] != segment) {
            at--;
        }
        return at;
    }

    void insert(Segment segment) {
        if (count == segments.length) {
            segments = Arrays.copyOf(segments, count + (count >> 2) + 1);
        }
        int at = floor(segment.firstLedgerId, segment.firstEntryId) + 1;
        System.arraycopy(segments, at, segments, at + 1, count - at);
        segments[at] = segment;
        count++;
        updateReach(at);
    }

    /** Removes the segments from an index to an index (exclusive). */
    void remove(int from, int to) {
        System.arraycopy(segments, to, segments, from, count - to);
        shrinkBy(to - from);
        updateReach(from);
    }

    /** Removes empty segments from the front. */
    void removeEmpty(int end) {
        int kept = 0;
        for (int i = 0; i < end; i++) {
            if (segments[i].size() > 0) {
                segments[kept] = segments[i];
                kept++;
            }
        }
        if (kept < end) {
            System.arraycopy(segments, end, segments, kept, count - end);
            shrinkBy(end - kept);
            updateReach(0);
        }
    }

    /**
     * Takes in the position of all segments that is due last, if none is noted that is due as late. It looks through one segment,
     * the one that may have it, which is known from then on not to be due later than it is.
     *
     * @return whether that is the latest; else a time is noted that none is due after, and another call looks on
     */
    boolean noteLatest(LatestDue latest) {
        DueSamples last = null;
        Segment holder = null;
        for (int i = 0; i < count; i++) {
            if (last == null || segments[i].samples.lastMillis() > last.lastMillis()) {
                holder = segments[i];
                last = holder.samples;
            }
        }
        if (holder == null || last.lastMillis() <= latest.dueMillis()) {
            return true;
        }
        List<SegmentRun> runs = new ArrayList<>(1);
        holder.addRun(0, Long.MAX_VALUE, runs);
        last.endAt(runs.get(0).noteLast(latest));
        long boundMillis = latest.dueMillis();
        for (int i = 0; i < count; i++) {
            boundMillis = Math.max(boundMillis, segments[i].samples.lastMillis());
        }
        boolean isExact = boundMillis == latest.dueMillis();
        if (!isExact) {
            latest.noteBound(boundMillis);
        }
        return isExact;
    }

    long retainedBytes() {
        return (long) OBJECT_BYTES + Footprint.array(segments.length, Footprint.REFERENCE);
    }

    void validate() {
        for (int i = 0; i < count; i++) {
            Segment segment = segments[i];
            if (i > 0 && !segments[i - 1].beginsUpTo(segment.firstLedgerId, segment.firstEntryId)) {
                throw new IllegalStateException("segments: first positions ascend, but not at " + i);
            }
            if (!segment.reaches(segment.lastLedgerId, segment.lastEntryId)
                    || i > 0 && !segment.reaches(segments[i - 1].reachLedgerId, segments[i - 1].reachEntryId)) {
                throw new IllegalStateException("segments: one reaches its last position and all before, but not " + i);
            }
        }
    }

    private void shrinkBy(int removed) {
        Arrays.fill(segments, count - removed, count, null);
        count -= removed;
        if (count >= FIRST_CAPACITY && count <= segments.length / 4) {
            segments = Arrays.copyOf(segments, count * 2);
        }
    }

    private void updateReach(int from) {
        for (int i = from; i < count; i++) {
            Segment segment = segments[i];
            segment.reachLedgerId = segment.lastLedgerId;
            segment.reachEntryId = segment.lastEntryId;
            if (i > 0 && !segment.endsFrom(segments[i - 1].reachLedgerId, segments[i - 1].reachEntryId)) {
                segment.reachLedgerId = segments[i - 1].reachLedgerId;
                segment.reachEntryId = segments[i - 1].reachEntryId;
            }
        }
    }
}
