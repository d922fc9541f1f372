/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;
import java.util.Arrays;

/**
 * Positions by the time bucket they are due in, close to the fewest bytes that can say so. A position is in one of three
 * parts: it comes to the flat {@link Tail} if it is the largest so far or the tail is short, else to the
 * {@link OpenBuckets}; a full part is sealed into a segment of the {@link SegmentList}, where it stays until it is handed
 * out or forgotten.
 *
 * <p>Hand-out takes from whichever part has the earliest position. A tail of more than {@link PartSizes#shortTail} positions is
 * sealed before anything is taken from it, since finding the earliest in it is linear; so is one left alone for a while.
 */
final class TimeBucketIndex implements DelayIndex {

    private static final int SHELL_BYTES =
            Footprint.object(6 * Footprint.REFERENCE + Integer.BYTES) + 2 * Footprint.object(3 * Long.BYTES + 1);

    private final PartSizes sizes;
    private Tail tail = new Tail();
    /** A tail that took nothing between two calls of {@link #tidy} is sealed. */
    private int tailAtLastTidy;
    private final Head head = new Head();
    private final Head other = new Head();
    /** Null while nothing came out of order. */
    private OpenBuckets open;
    /** Null while nothing is sealed. */
    private SegmentList segments;

    TimeBucketIndex() {
        this(PartSizes.USUAL);
    }

    TimeBucketIndex(PartSizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        boolean last = tail.endsBefore(ledgerId, entryId);
        boolean mayBeKnown = !last || open != null || segments != null && segments.reaches(ledgerId, entryId);
        if (mayBeKnown && contains(ledgerId, entryId)) {
            return false;
        }
        if (last) {
            tail.append(dueMillis, ledgerId, entryId);
            if (tail.count() >= sizes.segment()) {
                sealTail();
            }
            return true;
        }
        if (tail.count() < sizes.shortTail()) {
            tail.insert(dueMillis, ledgerId, entryId);
            return true;
        }
        if (open == null) {
            open = new OpenBuckets();
        }
        open.add(dueMillis, ledgerId, entryId);
        if (open.size() >= sizes.open()) {
            sealOpen();
        }
        return true;
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        int taken = 0;
        boolean more = limit > 0;
        while (more && taken < limit) {
            if (tail.count() > sizes.shortTail() && tail.firstDueMillis() <= untilMillis) {
                sealTail();
            }
            int before = taken;
            taken += takeRow(untilMillis, limit - taken, sink);
            more = taken > before;
        }
        dropEmptyParts();
        return taken;
    }

    /** Takes from the part that has the earliest position as long as it has it; one at a time except from segments. */
    private int takeRow(long untilMillis, int limit, PositionSink sink) {
        head.exists = false;
        if (tail.count() <= sizes.shortTail() && tail.firstDueMillis() <= untilMillis) {
            tail.look(head);
        }
        boolean fromTail = head.exists;
        if (open != null && open.size() > 0) {
            open.look(other);
            if (!other.exists) {
                return 0;
            }
            if (!head.isBefore(other.dueMillis, other.ledgerId, other.entryId)) {
                head.set(other.dueMillis, other.ledgerId, other.entryId);
                fromTail = false;
            }
        }
        int taken = segments == null ? 0 : segments.take(untilMillis, limit, head, sink);
        if (taken > 0 || !head.exists || head.dueMillis > untilMillis) {
            return taken;
        }
        if (fromTail) {
            tail.takeFirst(sink);
            return 1;
        }
        return open.takeDue(untilMillis, 1, sink);
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return tail.contains(ledgerId, entryId) || segments != null && segments.contains(ledgerId, entryId)
                || open != null && open.contains(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        long next = tail.firstDueMillis();
        if (open != null) {
            next = Math.min(next, open.nextDueMillis());
        }
        if (segments != null) {
            next = Math.min(next, segments.nextDueMillis());
        }
        return next;
    }

    @Override
    public long size() {
        return tail.count() + (open == null ? 0 : open.size()) + (segments == null ? 0 : segments.size());
    }

    @Override
    public long retainedBytes() {
        return SHELL_BYTES + tail.retainedBytes() + (open == null ? 0 : open.retainedBytes())
                + (segments == null ? 0 : segments.retainedBytes());
    }

    @Override
    public long positionSetBytes() {
        return (open == null ? 0 : open.positionSetBytes()) + (segments == null ? 0 : segments.positionSetBytes());
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        boolean forgotten = tail.remove(ledgerId, entryId)
                || segments != null && segments.remove(ledgerId, entryId)
                || open != null && open.forget(ledgerId, entryId);
        dropEmptyParts();
        return forgotten;
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        long forgotten = tail.removeUpTo(ledgerId, entryId);
        forgotten += segments == null ? 0 : segments.removeUpTo(ledgerId, entryId);
        forgotten += open == null ? 0 : open.forgetUpTo(ledgerId, entryId);
        dropEmptyParts();
        return forgotten;
    }

    @Override
    public void clear() {
        tail = new Tail();
        open = null;
        segments = null;
    }

    @Override
    public boolean tidy(int budget) {
        if (tail.count() > sizes.shortTail() && tail.count() == tailAtLastTidy) {
            sealTail();
        }
        tailAtLastTidy = tail.count();
        boolean more = open != null && open.tidy(budget);
        return segments != null && segments.tidy(budget) || more;
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        Arrays.fill(counts, 0);
        if (open != null) {
            open.countDueBy(untilMillis, counts);
        }
        tail.countDueBy(untilMillis, counts);
        if (segments != null) {
            segments.countDueBy(untilMillis, counts);
        }
    }

    @Override
    public void validate() {
        tail.validate();
        if (open != null) {
            open.validate();
        }
        if (segments != null) {
            segments.validate();
        }
    }

    private void dropEmptyParts() {
        if (open != null && open.size() == 0) {
            open = null;
        }
        if (segments != null && segments.isEmpty()) {
            segments = null;
        }
        if (tail.count() == 0 && size() == 0) {
            tail = new Tail();
        }
    }

    private void sealTail() {
        Scratch scratch = Scratch.borrow(sizes.segment());
        tail.copyTo(scratch);
        tail = new Tail();
        seal(scratch);
    }

    private void sealOpen() {
        Scratch scratch = Scratch.borrow(sizes.segment());
        open.copyTo(scratch);
        open = null;
        seal(scratch);
    }

    private void seal(Scratch scratch) {
        if (segments == null) {
            segments = new SegmentList(sizes.segment());
        }
        segments.seal(scratch);
        Scratch.giveBack(scratch);
    }
}
