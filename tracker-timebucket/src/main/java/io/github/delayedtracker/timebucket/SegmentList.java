/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;
import java.util.Arrays;

/**
 * All sealed segments, by position and by due time. Segments may overlap; where positions come in order they do not, and a
 * look-up reads one of them.
 *
 * <p>Small segments are merged with their neighbours: at once where a new one is about as large as the one before it, so
 * that each position is written anew O(log n) times at most; in {@link #tidy} where most of a segment is gone.
 */
final class SegmentList {

    private static final int OBJECT_BYTES =
            Footprint.object(2 * Long.BYTES + 4 * Integer.BYTES + 2 * Footprint.REFERENCE);
    private static final int FIRST_CAPACITY = 4;
    /** A segment is looked at each time it has lost this many positions, as a power of two. */
    private static final int THIN_CHECK_SHIFT = 6;

    private final int capacity;
    private Segment[] segments = new Segment[FIRST_CAPACITY];
    private final DueHeap heap = new DueHeap();
    private int count;
    private long size;
    private long segmentBytes;
    private int thin;
    private int tidied;

    /** Empty; a segment has so many positions at most. */
    SegmentList(int capacity) {
        this.capacity = capacity;
    }

    boolean isEmpty() {
        return count == 0;
    }

    long size() {
        return size;
    }

    long retainedBytes() {
        return OBJECT_BYTES + heap.retainedBytes() + Footprint.array(segments.length, Footprint.REFERENCE) + segmentBytes;
    }

    /** The part of it that tells which positions are contained. Linear in the segments. */
    long positionSetBytes() {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += segments[i].positionSetBytes();
        }
        return bytes;
    }

    /** Makes a segment of the positions in the scratch. */
    void seal(Scratch scratch) {
        Segment segment = insert(scratch);
        boolean merged = true;
        while (merged) {
            int at = indexOf(segment);
            merged = false;
            for (int other = at - 1; other <= at + 1 && !merged; other += 2) {
                if (other >= 0 && other < count && segments[other].size() < 2 * segment.size()
                        && segments[other].size() + segment.size() <= capacity) {
                    segment = merge(Math.min(at, other), Math.max(at, other), scratch);
                    merged = true;
                }
            }
        }
    }

    boolean contains(long ledgerId, long entryId) {
        for (int i = floor(ledgerId, entryId); i >= 0 && reaches(segments[i], ledgerId, entryId); i--) {
            if (ends(segments[i], ledgerId, entryId) && segments[i].contains(ledgerId, entryId)) {
                return true;
            }
        }
        return false;
    }

    /** Removes a position; true if it was contained. */
    boolean remove(long ledgerId, long entryId) {
        for (int i = floor(ledgerId, entryId); i >= 0 && reaches(segments[i], ledgerId, entryId); i--) {
            Segment segment = segments[i];
            if (ends(segment, ledgerId, entryId)) {
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
        int reached = floor(ledgerId, entryId);
        int kept = 0;
        for (int i = 0; i <= reached; i++) {
            Segment segment = segments[i];
            discount(segment);
            if (ends(segment, ledgerId, entryId)) {
                size -= segment.removeUpTo(ledgerId, entryId);
            } else {
                size -= segment.size();
                segment.clear();
            }
            if (segment.size() == 0) {
                heap.remove(segment);
                continue;
            }
            count(segment);
            segments[kept] = segment;
            kept++;
        }
        int dropped = reached + 1 - kept;
        if (dropped > 0) {
            System.arraycopy(segments, reached + 1, segments, kept, count - reached - 1);
            shrinkTo(count - dropped);
            updateReach(0, count);
        }
        return before - size;
    }

    /** Whether a position may be here: none is beyond the largest. */
    boolean reaches(long ledgerId, long entryId) {
        return count > 0 && reaches(segments[count - 1], ledgerId, entryId);
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
        while (taken < limit && count > 0) {
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
            tidied = tidied + 1 < count ? tidied + 1 : 0;
            if (segments[tidied].counted) {
                int from = tidied;
                long together = segments[from].size();
                while (from > 0 && isSmall(segments[from - 1]) && together + segments[from - 1].size() <= capacity / 2) {
                    from--;
                    together += segments[from].size();
                }
                int to = tidied;
                while (to + 1 < count && isSmall(segments[to + 1]) && together + segments[to + 1].size() <= capacity / 2) {
                    to++;
                    together += segments[to].size();
                }
                Scratch scratch = Scratch.borrow(capacity);
                merge(from, to, scratch);
                Scratch.giveBack(scratch);
                return thin > 0;
            }
        }
        return thin > 0;
    }

    /** Adds to each count how many positions are due by the time, as coarsely as {@link Segment#countDueBy} says. */
    void countDueBy(long[] untilMillis, long[] counts) {
        for (int i = 0; i < count; i++) {
            segments[i].countDueBy(untilMillis, counts);
        }
    }

    void validate() {
        long positions = 0;
        long bytes = 0;
        int counted = 0;
        for (int i = 0; i < count; i++) {
            Segment segment = segments[i];
            segment.validate();
            positions += segment.size();
            bytes += segment.retainedBytes();
            counted += segment.counted ? 1 : 0;
            check(segment.size() > 0, "no segment is empty", i);
            check(i == 0 || isAfter(segment, segments[i - 1].firstLedgerId, segments[i - 1].firstEntryId)
                    || segment.firstLedgerId == segments[i - 1].firstLedgerId
                    && segment.firstEntryId == segments[i - 1].firstEntryId, "first positions ascend", i);
            check(reaches(segment, segment.lastLedgerId, segment.lastEntryId), "a segment reaches its last position", i);
        }
        check(positions == size, "size is the sum of the segments: " + size, positions);
        check(bytes == segmentBytes, "bytes are those of the segments: " + segmentBytes, bytes);
        check(counted == thin, "thin segments are counted: " + thin, counted);
        heap.validate();
    }

    private static void check(boolean holds, String invariant, long found) {
        if (!holds) {
            throw new IllegalStateException("segments: " + invariant + ", found " + found);
        }
    }

    private boolean isSmall(Segment segment) {
        return segment.size() <= capacity / 4;
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
            segments[i].copyTo(scratch);
            scratch.mergeFrom(middle);
        }
        for (int i = from; i <= to; i++) {
            discount(segments[i]);
            size -= segments[i].size();
            heap.remove(segments[i]);
        }
        System.arraycopy(segments, to + 1, segments, from, count - to - 1);
        shrinkTo(count - (to + 1 - from));
        Segment merged = insert(scratch);
        updateReach(from, count);
        return merged;
    }

    private Segment insert(Scratch scratch) {
        Segment segment = Segment.of(scratch);
        if (count == segments.length) {
            segments = Arrays.copyOf(segments, count + (count >> 2) + 1);
        }
        int at = floor(segment.firstLedgerId, segment.firstEntryId) + 1;
        System.arraycopy(segments, at, segments, at + 1, count - at);
        segments[at] = segment;
        count++;
        size += segment.size();
        count(segment);
        heap.add(segment);
        updateReach(at, count);
        return segment;
    }

    private boolean dropIfEmpty(Segment segment) {
        if (segment.size() > 0) {
            return false;
        }
        int at = indexOf(segment);
        discount(segment);
        heap.remove(segment);
        System.arraycopy(segments, at + 1, segments, at, count - at - 1);
        shrinkTo(count - 1);
        updateReach(at, count);
        return true;
    }

    private void shrinkTo(int left) {
        Arrays.fill(segments, left, count, null);
        count = left;
        if (count >= FIRST_CAPACITY && count <= segments.length / 4) {
            segments = Arrays.copyOf(segments, count * 2);
        }
    }

    private int indexOf(Segment segment) {
        int at = floor(segment.firstLedgerId, segment.firstEntryId);
        while (segments[at] != segment) {
            at--;
        }
        return at;
    }

    /** The last segment that begins at a position or before, or -1. */
    private int floor(long ledgerId, long entryId) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            Segment segment = segments[middle];
            if (segment.firstLedgerId < ledgerId || segment.firstLedgerId == ledgerId && segment.firstEntryId <= entryId) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private void updateReach(int from, int to) {
        for (int i = from; i < to; i++) {
            Segment segment = segments[i];
            Segment before = i == 0 ? segment : segments[i - 1];
            boolean further = i > 0 && isAfter(before.reachLedgerId, before.reachEntryId, segment);
            segment.reachLedgerId = further ? before.reachLedgerId : segment.lastLedgerId;
            segment.reachEntryId = further ? before.reachEntryId : segment.lastEntryId;
        }
    }

    private static boolean isAfter(long ledgerId, long entryId, Segment segment) {
        return ledgerId > segment.lastLedgerId || ledgerId == segment.lastLedgerId && entryId > segment.lastEntryId;
    }

    private static boolean isAfter(Segment segment, long ledgerId, long entryId) {
        return segment.firstLedgerId > ledgerId || segment.firstLedgerId == ledgerId && segment.firstEntryId > entryId;
    }

    /** Whether this segment or one before it may hold the position. */
    private static boolean reaches(Segment segment, long ledgerId, long entryId) {
        return segment.reachLedgerId > ledgerId || segment.reachLedgerId == ledgerId && segment.reachEntryId >= entryId;
    }

    /** Whether the segment ends at the position or behind it. */
    private static boolean ends(Segment segment, long ledgerId, long entryId) {
        return segment.lastLedgerId > ledgerId || segment.lastLedgerId == ledgerId && segment.lastEntryId >= entryId;
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
