/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DueRows;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.LatestDue;
import io.github.delayedtracker.index.PositionWalk;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A full, worn or idle part on its way into a segment, which may be made on another thread. The columns do not change any
 * more, so that thread reads them without a lock. Removals meanwhile are noted beside them and applied to the segment when
 * it is there.
 * {@link #run} may be called from any thread, all else is for the holder of the index.
 */
final class PackingTail implements Runnable {

    /** Calls of {@link #isReady} after which work that was taken, but has not ended, is done here. */
    private static final int MOST_WAITS = 1 << 12;
    /** Positions removed meanwhile, each of which is looked up in the segment. */
    private static final int MOST_REMOVED = 500;
    private static final int OBJECT_BYTES =
            Footprint.object(Long.BYTES + 4 * Integer.BYTES + 1 + 5 * Footprint.REFERENCE) + 2 * 16;

    /** The positions as they came, where they were not in order; else null. */
    private final LooseRows loose;
    /** Null while they are not in order. */
    private Tail tail;
    /** The positions there were when it was frozen. */
    private final int positions;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicReference<Segment> sealed = new AtomicReference<>();
    private int size;
    /** The earliest due time, or an earlier one after that position was removed. */
    private long firstDueMillis;
    /** The index below which all positions were removed. */
    private int removedBelow;
    /** A bit for each position that was removed; null while none was. */
    private long[] removed;
    /** Whether it was taken to be sealed. */
    boolean taken;
    /** How often {@link #isReady} was asked. */
    private int waits;

    /** Takes over a tail that has positions. */
    PackingTail(Tail tail) {
        this(null, tail, tail.count(), tail.firstDueAtEarliest());
    }

    /** Takes over positions that are in no order; who makes the segment sorts them. */
    PackingTail(LooseRows loose) {
        this(loose, null, loose.count(), loose.firstDueMillis());
    }

    private PackingTail(LooseRows loose, Tail tail, int positions, long firstDueMillis) {
        this.loose = loose;
        this.tail = tail;
        this.positions = positions;
        this.size = positions;
        this.firstDueMillis = firstDueMillis;
    }

    /** The positions in ascending order, sorted here when first asked for in it, in some 0.5 ms. */
    private Tail tail() {
        if (tail == null) {
            tail = loose.sorted();
        }
        return tail;
    }

    /** The positions in any order, by which those that were removed have their bits. */
    private Tail rows() {
        return tail == null ? loose.rows() : tail;
    }

    /** Makes the segment, unless another call has begun to. */
    @Override
    public void run() {
        if (!begun.getAndSet(true)) {
            sealed.set(seal());
        }
    }

    /** Whether a thread makes the segment, or has made it. */
    boolean isBegun() {
        return begun.get();
    }

    boolean isSealed() {
        return sealed.getAcquire() != null;
    }

    /** Whether it should be taken over. Who has taken it is waited for; what nobody takes is ready in the second call. */
    boolean isReady() {
        waits++;
        return isSealed() || waits > (taken ? MOST_WAITS : 1);
    }

    /**
     * The segment of the positions that were not removed. Made here if it is not there yet, even if another thread is about
     * to: waiting for it could take longer than doing it again.
     */
    Segment segment() {
        run();
        Segment segment = sealed.getAcquire();
        if (segment == null) {
            segment = seal();
        }
        if (removed != null) {
            for (int i = 0; i < positions; i++) {
                if (isRemoved(i)) {
                    segment.remove(tail.ledgerId(i), tail.entryId(i));
                }
            }
        }
        return segment;
    }

    int size() {
        return size;
    }

    /** The positions there were when it was frozen. */
    int positions() {
        return positions;
    }

    /** The earliest due time, or an earlier one after that position was removed. O(1). */
    long firstDueMillis() {
        return firstDueMillis;
    }

    /** Whether so many were removed that it is better packed anew than taken over. */
    boolean isWorn() {
        return positions - size > MOST_REMOVED;
    }

    /** The positions that were not removed, in a tail of their own; some must have been. Linear, some ns a position. */
    Tail rest() {
        return tail.without(removed, positions - size);
    }

    /** Takes out the earliest of the positions due at a time or before, about as many as given. Linear, some ns a position. */
    Scratch moveDue(long untilMillis, int most) {
        DueShare due = tail().dueShare(untilMillis, most, removed);
        Scratch moved = Scratch.borrow(due.count());
        tail.copyTo(moved, due);
        due.forEach(this::remove);
        firstDueMillis = removed == null ? tail.firstDueMillis() : tail.firstDueMillis(removed);
        return moved;
    }

    boolean contains(long ledgerId, long entryId) {
        if (tail == null) {
            return !loose.endsBefore(ledgerId, entryId) && loose.contains(ledgerId, entryId);
        }
        int at = tail.indexOf(ledgerId, entryId);
        return at >= 0 && !isRemoved(at);
    }

    /** Removes a position; true if it was here. */
    boolean remove(long ledgerId, long entryId) {
        int at = tail().indexOf(ledgerId, entryId);
        return at >= 0 && remove(at);
    }

    /** Removes every position up to the given one; returns their number. */
    int removeUpTo(long ledgerId, long entryId) {
        int before = size;
        while (removedBelow < positions && !tail().isAfter(removedBelow, ledgerId, entryId)) {
            remove(removedBelow);
            removedBelow++;
        }
        return before - size;
    }

    /** Leaves all that was here out of what is noted. */
    void leaveOutOf(RecentPositions notes) {
        if (tail == null) {
            loose.leaveOutOf(notes);
        } else {
            notes.leaveOut(tail);
        }
    }

    /** A walk through all positions that were here when it was frozen. */
    PositionWalk walk() {
        return tail().walk();
    }

    /** Counts the positions that were not removed. */
    void countDueBy(long[] untilMillis, long[] counts) {
        rows().countDueBy(untilMillis, counts, removed);
    }

    /** Takes in the latest of the positions that were not removed. */
    void noteLatest(LatestDue latest) {
        Tail rows = rows();
        for (int i = removedBelow; i < positions; i++) {
            if (latest.isReached(rows.dueMillis(i)) && !isRemoved(i)) {
                latest.note(rows.dueMillis(i), rows.ledgerId(i), rows.entryId(i));
            }
        }
    }

    /** Adds the positions that were not removed to rows. */
    void copyTo(DueRows due) {
        Tail rows = rows();
        for (int i = removedBelow; i < positions; i++) {
            if (!isRemoved(i)) {
                due.add(rows.dueMillis(i), rows.ledgerId(i), rows.entryId(i));
            }
        }
    }

    long retainedBytes() {
        Segment segment = sealed.getAcquire();
        return OBJECT_BYTES + (loose == null ? 0 : loose.retainedBytes()) + (tail == null ? 0 : tail.retainedBytes())
                + (segment == null ? 0 : segment.retainedBytes())
                + (removed == null ? 0 : Footprint.array(removed.length, Long.BYTES));
    }

    void validate() {
        if (tail != null) {
            tail.validate();
        }
        int counted = 0;
        for (int i = 0; i < positions; i++) {
            counted += isRemoved(i) ? 0 : 1;
        }
        if (counted != size) {
            throw new IllegalStateException("frozen tail: its size is the number not removed: " + size + " for " + counted);
        }
    }

    private boolean remove(int at) {
        if (isRemoved(at)) {
            return false;
        }
        if (removed == null) {
            removed = new long[positions + 63 >>> 6];
        }
        removed[at >>> 6] |= 1L << at;
        size--;
        return true;
    }

    private boolean isRemoved(int at) {
        return removed != null && (removed[at >>> 6] & 1L << at) != 0;
    }

    private Segment seal() {
        Scratch scratch;
        if (loose == null) {
            scratch = Scratch.borrow(positions);
            tail.copyTo(scratch);
        } else {
            scratch = loose.sortedCopy();
        }
        Segment segment = Segment.of(scratch);
        Scratch.giveBack(scratch);
        return segment;
    }
}
