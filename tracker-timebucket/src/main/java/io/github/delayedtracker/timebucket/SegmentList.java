/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.LatestDue;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.List;
import java.util.Optional;

/**
 * All sealed segments, by position and by due time. Segments may overlap; where positions come in order they do not, and a
 * look-up reads one of them.
 *
 * <p>Segments are written anew as a {@link RewritePlan} says, one {@link Rewrite} at a time, which is passed on as work and taken
 * over in {@link #tidy}.
 */
final class SegmentList {

    private static final int OBJECT_BYTES =
            Footprint.object(2 * Long.BYTES + 3 * Integer.BYTES + 1 + 4 * Footprint.REFERENCE)
                    + RewritePlan.OBJECT_BYTES;
    /** The number of lost positions after which a segment is looked at, as a power of two. */
    private static final int THIN_CHECK_SHIFT = 6;
    /** The largest number of gone heads that one call goes past. */
    private static final int MAX_PASSES = 64;

    private final int capacity;
    private final SegmentOrder segments = new SegmentOrder();
    private final DueHeap heap = new DueHeap();
    private long size;
    private long segmentBytes;
    private int thin;
    private final RewritePlan plan;
    /** Null while none is under way. */
    private Rewrite rewrite;
    /** The number of gone heads that the call under way has gone past. */
    private int passes;
    /** Whether the read part of a segment was given up since the last call began that hands out. */
    private boolean hasCut;

    /** An empty list of segments with a limit of positions. */
    SegmentList(int capacity) {
        this.capacity = capacity;
        plan = new RewritePlan(segments, capacity);
    }

    boolean isEmpty() {
        return segments.count() == 0;
    }

    long size() {
        return size;
    }

    long retainedBytes() {
        return OBJECT_BYTES + heap.retainedBytes() + segments.retainedBytes() + segmentBytes
                + (rewrite == null ? 0 : rewrite.retainedBytes());
    }

    /** Leaves all that is here out of what is noted. */
    void leaveOutOf(RecentPositions notes) {
        if (segments.count() > 0) {
            Segment last = segments.get(segments.count() - 1);
            notes.leaveOut(last.reachLedgerId, last.reachEntryId);
        }
    }

    /** The bytes of the part that tells which positions are contained. Linear in the segments. */
    long positionSetBytes() {
        long bytes = 0;
        for (int i = 0; i < segments.count(); i++) {
            bytes += segments.get(i).positionSetBytes();
        }
        return bytes;
    }

    /** Makes a segment of the positions in the scratch, which is written anew with its neighbours if they are as small. */
    void seal(Scratch scratch) {
        Segment segment = Segment.of(scratch);
        insertNew(segment);
    }

    private void insertNew(Segment segment) {
        insert(segment);
        segment.isNew = true;
        plan.hasNew = true;
        if (rewrite == null) {
            begin(plan.aroundNew());
        }
    }

    private boolean begin(Optional<SegmentRange> range) {
        if (range.isEmpty()) {
            return false;
        }
        rewrite = new Rewrite(segments, range.get(), capacity);
        return true;
    }

    /** Work that is better done outside the lock; each piece is passed on once. */
    Optional<Runnable> takeWork() {
        return rewrite != null && rewrite.take() ? Optional.of(rewrite) : Optional.empty();
    }

    /** Takes over a segment made elsewhere, unless it is empty. */
    void add(Segment segment) {
        if (segment.size() > 0) {
            insertNew(segment);
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

    /** Removes every position up to the given one; returns their number. */
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

    /** Adds walks through the segments there are now. */
    void addWalks(List<PositionWalk> walks) {
        for (int i = 0; i < segments.count(); i++) {
            walks.add(segments.get(i).walk());
        }
    }

    /** Adds a run of each segment that may have positions due in a time. */
    void addRuns(long fromMillis, long untilMillis, List<DueRun> runs) {
        for (int i = 0; i < segments.count(); i++) {
            segments.get(i).addRun(fromMillis, untilMillis, runs);
        }
    }

    /** As {@link SegmentOrder#noteLatest}. */
    boolean noteLatest(LatestDue latest) {
        return segments.noteLatest(latest);
    }

    /** Whether a position may be here: none is beyond the largest. */
    boolean reaches(long ledgerId, long entryId) {
        return segments.count() > 0 && segments.get(segments.count() - 1).reaches(ledgerId, entryId);
    }

    /** The due time of the first position; there must be one. */
    long nextDueMillis() {
        settle();
        return heap.first().headDueMillis();
    }

    /**
     * Hands out positions due at a time or before, in (time, ledger, entry) order.
     *
     * @param bound the position elsewhere in the index to stop at, if it exists
     */
    int take(long untilMillis, int limit, Head bound, PositionSink sink) {
        int taken = 0;
        hasCut = false;
        settle();
        passes = 0;
        while (taken < limit && passes < MAX_PASSES && segments.count() > 0) {
            Segment first = heap.first();
            if (first.headDueMillis() > untilMillis
                    || bound.isBefore(first.headDueMillis(), first.headLedgerId(), first.headEntryId())) {
                break;
            }
            long bytesBefore = first.retainedBytes();
            int sizeBefore = first.size();
            try {
                taken += takeRow(first, untilMillis, limit - taken, bound, sink);
            } finally {
                hasTaken(first, sizeBefore, bytesBefore);
            }
        }
        return taken;
    }

    /** Takes note of all that has left a segment, the sink having failed on the way perhaps. */
    private void hasTaken(Segment from, int sizeBefore, long bytesBefore) {
        size -= sizeBefore - from.size();
        cutOff(from);
        segmentBytes += from.retainedBytes() - bytesBefore;
        if (!dropIfEmpty(from)) {
            heap.down(from);
            if (sizeBefore >>> THIN_CHECK_SHIFT != from.size() >>> THIN_CHECK_SHIFT) {
                checkThin(from);
            }
        }
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
                passes++;
            }
        } while (from.size() > 0 && taken < limit && passes < MAX_PASSES && from.headDueMillis() <= untilMillis
                && (second == null || DueHeap.isBefore(from, second))
                && !bound.isBefore(from.headDueMillis(), from.headLedgerId(), from.headEntryId()));
        return taken;
    }

    /** Whether a position before the bound may be here that {@link #take} has not come to. */
    boolean hidesBefore(Head bound) {
        Segment first = heap.first();
        return first != null && !first.headIsContained()
                && !bound.isBefore(first.headDueMillis(), first.headLedgerId(), first.headEntryId());
    }

    /**
     * Takes over what was written anew, or begins to write a segment anew that has lost most of its positions; if nothing has
     * changed for a while, one that has lost fewer; else moves removed heads out of the way. Answers whether another call may
     * find more to do.
     */
    boolean tidy(int budget) {
        if (rewrite != null) {
            if (rewrite.isReady() && (!rewrite.isUseful() || rewrite.catchUp())) {
                takeOver();
            }
            return true;
        }
        return begin(plan.aroundNew()) || begin(thin > 0 ? plan.thin(budget) : plan.loose(budget, size)) || thin > 0
                || headIsGone();
    }

    private boolean headIsGone() {
        settle();
        Segment first = heap.first();
        return first != null && !first.headIsContained();
    }

    private void takeOver() {
        Rewrite ended = rewrite;
        rewrite = null;
        if (!ended.isUseful()) {
            for (Segment source : ended.sources()) {
                source.isNew = true;
            }
            plan.hasNew = true;
            return;
        }
        Segment segment = ended.segment();
        for (Segment source : ended.sources()) {
            if (source.size() > 0) {
                size -= source.size();
                drop(source);
            }
        }
        if (segment.size() > 0) {
            insertNew(segment);
        }
    }

    /** Adds to each count the number of positions due by the time, as coarsely as {@link Segment#countDueBy} says. */
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

    /** Moves removed heads out of the way, {@link #MAX_PASSES} of them at most. */
    private void settle() {
        Segment first = heap.first();
        for (int passes = 0; passes < MAX_PASSES && first != null && !first.headIsContained(); passes++) {
            discount(first);
            first.advance();
            cutOff(first);
            count(first);
            heap.down(first);
            first = heap.first();
        }
    }

    /** Gives up what was read of a segment, of one a call: each costs a copy, and the next call is soon enough. */
    private void cutOff(Segment segment) {
        hasCut = hasCut || segment.cutOff();
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
        drop(segment);
        return true;
    }

    private void drop(Segment segment) {
        int at = segments.indexOf(segment);
        discount(segment);
        heap.remove(segment);
        segments.remove(at, at + 1);
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
        segment.counted = segment.size() > 0 && RewritePlan.isThin(segment);
        thin += segment.counted ? 1 : 0;
    }
}
