/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;

/**
 * All sealed segments, by position and by due time. Segments may overlap; where positions come in order they do not, and a
 * look-up reads one of them.
 *
 * <p>Small segments are merged with their neighbours: at once where a new one is about as large as the one before it, so
 * that each position is written anew O(log n) times at most; in {@link #tidy} where most of a segment is gone.
 */
final class SegmentList {

    private static final int OBJECT_BYTES =
            Footprint.object(2 * Long.BYTES + 3 * Integer.BYTES + 2 * Footprint.REFERENCE);
    /** A segment is looked at each time it has lost this many positions, as a power of two. */
    private static final int THIN_CHECK_SHIFT = 6;

    private final int capacity;
    private final SegmentOrder segments = new SegmentOrder();
    private final DueHeap heap = new DueHeap();
    private long size;
    private long segmentBytes;
    private int thin;
    private int tidied;

    /** Empty; a segment has so many positions at most. */
    SegmentList(int capacity) {
        this.capacity = capacity;
    }

    boolean isEmpty() {
        return segments.count() == 0;
    }

    long size() {
        return size;
    }

    long retainedBytes() {
        return OBJECT_BYTES + heap.retainedBytes() + segments.retainedBytes() + segmentBytes;
    }

    /** The part of it that tells which positions are contained. Linear in the segments. */
    long positionSetBytes() {
        long bytes = 0;
        for (int i = 0; i < segments.count(); i++) {
            bytes += segments.get(i).positionSetBytes();
        }
        return bytes;
    }

    /** Makes a segment of the positions in the scratch, and merges it with its neighbours if they are as small. */
    void seal(Scratch scratch) {
        Segment segment = Segment.of(scratch);
        insert(segment);
        boolean merged = true;
        while (merged) {
            int at = segments.indexOf(segment);
            merged = false;
            for (int other = at - 1; other <= at + 1 && !merged; other += 2) {
                if (other >= 0 && other < segments.count() && isAsSmall(segments.get(other), segment, scratch)) {
                    segment = merge(Math.min(at, other), Math.max(at, other), scratch);
                    merged = true;
                }
            }
        }
    }

    private boolean isAsSmall(Segment other, Segment segment, Scratch scratch) {
        return other.size() < 2 * segment.size() && other.size() + segment.size() <= capacity
                && scratch.fits(other.positions());
    }

    /** Takes over a segment made elsewhere, unless it is empty. */
    void add(Segment segment) {
        if (segment.size() > 0) {
            insert(segment);
        }
    }

    boolean contains(long ledgerId, long entryId) {
        for (int i = segments.floor(ledgerId, entryId); i >= 0 && segments.get(i).reaches(ledgerId, entryId); i--) {
            if (segments.get(i).endsFrom(ledgerId, entryId) && segments.get(i).contains(ledgerId, entryId)) {
                return true;
            }
        }
        return false;
    }

    /** Removes a position; true if it was contained. */
    boolean remove(long ledgerId, long entryId) {
        for (int i = segments.floor(ledgerId, entryId); i >= 0 && segments.get(i).reaches(ledgerId, entryId); i--) {
            Segment segment = segments.get(i);
            if (segment.endsFrom(ledgerId, entryId)) {
                discount(segment);
                boolean removed = segment.remove(ledgerId, entryId);
                count(segment);
                if (removed) {
                    size--;
                    dropIfEmpty(segment);
                    return true;
                }
            }
        }
        return false;
    }

    /** Removes every position up to the given one; returns how many. */
    long removeUpTo(long ledgerId, long entryId) {
        long before = size;
        int end = segments.floor(ledgerId, entryId) + 1;
        for (int i = 0; i < end; i++) {
            Segment segment = segments.get(i);
            discount(segment);
            if (segment.endsFrom(ledgerId, entryId)) {
                size -= segment.removeUpTo(ledgerId, entryId);
            } else {
                size -= segment.size();
                segment.clear();
            }
            if (segment.size() == 0) {
                heap.remove(segment);
            } else {
                count(segment);
            }
        }
        segments.removeEmpty(end);
        return before - size;
    }

    /** Whether a position may be here: none is beyond the largest. */
    boolean reaches(long ledgerId, long entryId) {
        return segments.count() > 0 && segments.get(segments.count() - 1).reaches(ledgerId, entryId);
    }

    /** When the first position there is is due; there must be one. */
    long nextDueMillis() {
        settle();
        return heap.first().headDueMillis();
    }

    /**
     * Hands out positions due at a time or before, in (time, ledger, entry) order.
     *
     * @param bound where to stop, if it exists: a position elsewhere in the index
     */
    int take(long untilMillis, int limit, Head bound, PositionSink sink) {
        int taken = 0;
        settle();
        while (taken < limit && segments.count() > 0) {
            Segment first = heap.first();
            if (first.headDueMillis() > untilMillis
                    || bound.isBefore(first.headDueMillis(), first.headLedgerId(), first.headEntryId())) {
                break;
            }
            long bytesBefore = first.retainedBytes();
            int sizeBefore = first.size();
            int fromFirst = takeRow(first, untilMillis, limit - taken, bound, sink);
            taken += fromFirst;
            size -= fromFirst;
            first.cutOff();
            segmentBytes += first.retainedBytes() - bytesBefore;
            if (!dropIfEmpty(first)) {
                heap.down(first);
                if (sizeBefore >>> THIN_CHECK_SHIFT != first.size() >>> THIN_CHECK_SHIFT) {
                    checkThin(first);
                }
            }
        }
        return taken;
    }

    /** Takes from one segment as long as it comes first. */
    private int takeRow(Segment from, long untilMillis, int limit, Head bound, PositionSink sink) {
        Segment second = heap.second();
        int taken = 0;
        do {
            if (from.headIsContained()) {
                sink.accept(from.headLedgerId(), from.headEntryId());
                from.takeHead();
                taken++;
            } else {
                from.advance();
            }
        } while (from.size() > 0 && taken < limit && from.headDueMillis() <= untilMillis
                && (second == null || DueHeap.isBefore(from, second))
                && !bound.isBefore(from.headDueMillis(), from.headLedgerId(), from.headEntryId()));
        return taken;
    }

    /** Writes one segment anew that has lost most of its positions, with its neighbours if they are small. */
    boolean tidy(int budget) {
        for (int visited = 0; thin > 0 && visited <= budget; visited++) {
            tidied = tidied + 1 < segments.count() ? tidied + 1 : 0;
            if (segments.get(tidied).counted) {
                writeAnew(tidied);
                return thin > 0;
            }
        }
        return thin > 0;
    }

    private void writeAnew(int at) {
        int from = at;
        int to = at;
        int together = segments.get(at).size();
        int largest = Math.max(capacity, segments.get(at).positions());
        while (from > 0 && fitsBeside(segments.get(from - 1), together)) {
            from--;
            together += segments.get(from).size();
            largest = Math.max(largest, segments.get(from).positions());
        }
        while (to + 1 < segments.count() && fitsBeside(segments.get(to + 1), together)) {
            to++;
            together += segments.get(to).size();
            largest = Math.max(largest, segments.get(to).positions());
        }
        Scratch scratch = Scratch.borrow(largest);
        merge(from, to, scratch);
        Scratch.giveBack(scratch);
    }

    private boolean fitsBeside(Segment segment, int positions) {
        return segment.size() <= capacity / 4 && positions + segment.size() <= capacity / 2;
    }

    /** Adds to each count how many positions are due by the time, as coarsely as {@link Segment#countDueBy} says. */
    void countDueBy(long[] untilMillis, long[] counts) {
        for (int i = 0; i < segments.count(); i++) {
            segments.get(i).countDueBy(untilMillis, counts);
        }
    }

    void validate() {
        long positions = 0;
        long bytes = 0;
        int counted = 0;
        for (int i = 0; i < segments.count(); i++) {
            Segment segment = segments.get(i);
            segment.validate();
            positions += segment.size();
            bytes += segment.retainedBytes();
            counted += segment.counted ? 1 : 0;
            check(segment.size() > 0, "no segment is empty", i);
        }
        check(positions == size, "size is the sum of the segments: " + size, positions);
        check(bytes == segmentBytes, "bytes are those of the segments: " + segmentBytes, bytes);
        check(counted == thin, "thin segments are counted: " + thin, counted);
        segments.validate();
        heap.validate();
    }

    private static void check(boolean holds, String invariant, long found) {
        if (!holds) {
            throw new IllegalStateException("segments: " + invariant + ", found " + found);
        }
    }

    /** Moves heads that were removed out of the way; a few each time, as segments may have lost all but their last. */
    private void settle() {
        for (Segment first = heap.first(); first != null && !first.headIsContained(); first = heap.first()) {
            discount(first);
            first.advance();
            first.cutOff();
            count(first);
            heap.down(first);
        }
    }

    private Segment merge(int from, int to, Scratch scratch) {
        scratch.count = 0;
        for (int i = from; i <= to; i++) {
            int middle = scratch.count;
            segments.get(i).copyTo(scratch);
            scratch.mergeFrom(middle);
        }
        for (int i = from; i <= to; i++) {
            discount(segments.get(i));
            size -= segments.get(i).size();
            heap.remove(segments.get(i));
        }
        segments.remove(from, to + 1);
        Segment merged = Segment.of(scratch);
        insert(merged);
        return merged;
    }

    private void insert(Segment segment) {
        segments.insert(segment);
        heap.add(segment);
        size += segment.size();
        count(segment);
    }

    private boolean dropIfEmpty(Segment segment) {
        if (segment.size() > 0) {
            return false;
        }
        int at = segments.indexOf(segment);
        discount(segment);
        heap.remove(segment);
        segments.remove(at, at + 1);
        return true;
    }

    /** Takes a segment out of the sums before it changes. */
    private void discount(Segment segment) {
        segmentBytes -= segment.retainedBytes();
        thin -= segment.counted ? 1 : 0;
        segment.counted = false;
    }

    private void count(Segment segment) {
        segmentBytes += segment.retainedBytes();
        checkThin(segment);
    }

    private void checkThin(Segment segment) {
        thin -= segment.counted ? 1 : 0;
        segment.counted = segment.size() > 0 && segment.isThin();
        thin += segment.counted ? 1 : 0;
    }
}
