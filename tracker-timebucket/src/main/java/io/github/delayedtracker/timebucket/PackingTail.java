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
            Footprint.object(Long.BYTES + 3 * Integer.BYTES + 2 + 4 * Footprint.REFERENCE) + 2 * 16;

    private final Tail tail;
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
    /** Whether its positions came behind larger ones. */
    boolean wasLate;
    /** How often {@link #isReady} was asked. */
    private int waits;

    /** Takes over a tail that has positions. */
    PackingTail(Tail tail) {
        this.tail = tail;
        this.size = tail.count();
        this.firstDueMillis = tail.firstDueAtEarliest();
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
            for (int i = 0; i < tail.count(); i++) {
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
        return tail.count();
    }

    /** The earliest due time, or an earlier one after that position was removed. O(1). */
    long firstDueMillis() {
        return firstDueMillis;
    }

    /** Whether so many were removed that it is better packed anew than taken over. */
    boolean isWorn() {
        return tail.count() - size > MOST_REMOVED;
    }

    /** The positions that were not removed, in a tail of their own; some must have been. Linear, some ns a position. */
    Tail rest() {
        return tail.without(removed, tail.count() - size);
    }

    /** Takes out the earliest of the positions due at a time or before, about as many as given. Linear, some ns a position. */
    Scratch moveDue(long untilMillis, int most) {
        DueShare due = tail.dueShare(untilMillis, most, removed);
        Scratch moved = Scratch.borrow(due.count());
        tail.copyTo(moved, due);
        due.forEach(this::remove);
        firstDueMillis = removed == null ? tail.firstDueMillis() : tail.firstDueMillis(removed);
        return moved;
    }

    boolean endsBefore(long ledgerId, long entryId) {
        return tail.endsBefore(ledgerId, entryId);
    }

    boolean contains(long ledgerId, long entryId) {
        int at = tail.indexOf(ledgerId, entryId);
        return at >= 0 && !isRemoved(at);
    }

    /** Removes a position; true if it was here. */
    boolean remove(long ledgerId, long entryId) {
        int at = tail.indexOf(ledgerId, entryId);
        return at >= 0 && remove(at);
    }

    /** Removes every position up to the given one; returns their number. */
    int removeUpTo(long ledgerId, long entryId) {
        int before = size;
        while (removedBelow < tail.count() && !tail.isAfter(removedBelow, ledgerId, entryId)) {
            remove(removedBelow);
            removedBelow++;
        }
        return before - size;
    }

    /** Leaves all that was here out of what is noted. */
    void leaveOutOf(RecentPositions notes) {
        notes.leaveOut(tail);
    }

    /** Notes all that was here. */
    void noteAll(RecentPositions notes) {
        notes.noteAll(tail);
    }

    /** A walk through all positions that were here when it was frozen. */
    PositionWalk walk() {
        return tail.walk();
    }

    void countDueBy(long[] untilMillis, long[] counts) {
        tail.countDueBy(untilMillis, counts);
    }

    /** Takes in the latest of the positions that were not removed. */
    void noteLatest(LatestDue latest) {
        for (int i = removedBelow; i < tail.count(); i++) {
            if (latest.isReached(tail.dueMillis(i)) && !isRemoved(i)) {
                latest.note(tail.dueMillis(i), tail.ledgerId(i), tail.entryId(i));
            }
        }
    }

    /** Adds the positions that were not removed to rows. */
    void copyTo(DueRows rows) {
        for (int i = removedBelow; i < tail.count(); i++) {
            if (!isRemoved(i)) {
                rows.add(tail.dueMillis(i), tail.ledgerId(i), tail.entryId(i));
            }
        }
    }

    long retainedBytes() {
        Segment segment = sealed.getAcquire();
        return OBJECT_BYTES + tail.retainedBytes() + (segment == null ? 0 : segment.retainedBytes())
                + (removed == null ? 0 : Footprint.array(removed.length, Long.BYTES));
    }

    void validate() {
        tail.validate();
        int counted = 0;
        for (int i = 0; i < tail.count(); i++) {
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
            removed = new long[tail.count() + 63 >>> 6];
        }
        removed[at >>> 6] |= 1L << at;
        size--;
        return true;
    }

    private boolean isRemoved(int at) {
        return removed != null && (removed[at >>> 6] & 1L << at) != 0;
    }

    private Segment seal() {
        Scratch scratch = Scratch.borrow(tail.count());
        tail.copyTo(scratch);
        Segment segment = Segment.of(scratch);
        Scratch.giveBack(scratch);
        return segment;
    }
}
