/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRows;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An index of positions by the time bucket they are due in, close to the fewest bytes possible. A position is in one part:
 * it comes to the flat {@link Tail} if it is the largest so far or the tail is short, else to the {@link OpenBuckets}. A
 * full part is sealed into a segment of the {@link SegmentList}, where it stays until it is handed out or forgotten. A full
 * tail waits for that as {@link PackingTail}, so that another thread can seal it.
 *
 * <p>Hand-out takes from the part that has the earliest position. In a tail of more than {@link PartSizes#shortTail}
 * positions the positions due soon are sealed before any is taken, since finding the earliest in it is linear. A tail left
 * alone while {@link #tidy} is called is sealed whole.
 */
final class TimeBucketIndex implements DelayIndex {

    private static final int SHELL_BYTES =
            Footprint.object(4 * Footprint.REFERENCE + 3 * Integer.BYTES);

    private static final long SOON_MILLIS = 1_000;
    /** The budget of tidying after which an unchanged tail is sealed, as a multiple of its size. */
    private static final int IDLE_FACTOR = 2;
    private static final int MOST_SPENT = 1 << 30;

    /** Positions in a full segment. */
    private final int segment;
    private Tail tail = new Tail();
    /** Null unless a full tail waits to be sealed. */
    private PackingTail frozen;
    /** Null while nothing came out of order. */
    private OpenBuckets open;
    /** Null while nothing is sealed. */
    private SegmentList segments;

    private int tailAtLastTidy;
    /** The budget allowed for tidying since the tail last changed. */
    private int spentOnTail;

    TimeBucketIndex() {
        this(PartSizes.SEGMENT);
    }

    /** An index with segments of another size, for tests. */
    TimeBucketIndex(int segment) {
        this.segment = segment;
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        takeOverSealed();
        boolean last = tail.endsBefore(ledgerId, entryId);
        boolean mayBeKnown = !last || open != null || frozen != null && !frozen.endsBefore(ledgerId, entryId)
                || segments != null && segments.reaches(ledgerId, entryId);
        if (mayBeKnown && contains(ledgerId, entryId)) {
            return false;
        }
        if (last) {
            tail.append(dueMillis, ledgerId, entryId);
            if (tail.count() >= segment) {
                freezeTail();
            }
        } else if (tail.count() < PartSizes.shortTail(segment)) {
            tail.insert(dueMillis, ledgerId, entryId);
        } else {
            open = open == null ? new OpenBuckets() : open;
            open.add(dueMillis, ledgerId, entryId);
            if (open.size() >= PartSizes.open(segment)) {
                sealOpen();
            }
        }
        return true;
    }

    @Override
    public Optional<Runnable> takeWork() {
        if (frozen != null && !frozen.taken) {
            frozen.taken = true;
            return Optional.of(frozen);
        }
        return segments == null ? Optional.empty() : segments.takeWork();
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        takeOverSealed();
        int taken = 0;
        boolean more = limit > 0;
        while (more && taken < limit) {
            int row = takeRow(untilMillis, limit - taken, sink);
            taken += row;
            more = row > 0;
        }
        dropEmptyParts();
        return taken;
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return tail.contains(ledgerId, entryId)
                || frozen != null && frozen.contains(ledgerId, entryId)
                || segments != null && segments.contains(ledgerId, entryId)
                || open != null && open.contains(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        long next = tail.firstDueAtEarliest();
        if (frozen != null) {
            next = Math.min(next, frozen.firstDueMillis());
        }
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
        return tail.count() + (frozen == null ? 0 : frozen.size()) + (open == null ? 0 : open.size())
                + (segments == null ? 0 : segments.size());
    }

    @Override
    public long retainedBytes() {
        return SHELL_BYTES + tail.retainedBytes() + (frozen == null ? 0 : frozen.retainedBytes())
                + (open == null ? 0 : open.retainedBytes()) + (segments == null ? 0 : segments.retainedBytes());
    }

    @Override
    public long positionSetBytes() {
        return (open == null ? 0 : open.positionSetBytes()) + (segments == null ? 0 : segments.positionSetBytes());
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        boolean forgotten = tail.remove(ledgerId, entryId)
                || frozen != null && frozen.remove(ledgerId, entryId)
                || segments != null && segments.remove(ledgerId, entryId)
                || open != null && open.forget(ledgerId, entryId);
        dropEmptyParts();
        return forgotten;
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        long forgotten = tail.removeUpTo(ledgerId, entryId);
        forgotten += frozen == null ? 0 : frozen.removeUpTo(ledgerId, entryId);
        forgotten += segments == null ? 0 : segments.removeUpTo(ledgerId, entryId);
        forgotten += open == null ? 0 : open.forgetUpTo(ledgerId, entryId);
        dropEmptyParts();
        return forgotten;
    }

    @Override
    public PositionWalk walk() {
        List<PositionWalk> walks = new ArrayList<>();
        walks.add(tail.walk());
        if (frozen != null) {
            walks.add(frozen.walk());
        }
        if (open != null) {
            walks.add(open.walk());
        }
        if (segments != null) {
            segments.addWalks(walks);
        }
        return PositionWalk.through(walks);
    }

    @Override
    public void clear() {
        tail = new Tail();
        frozen = null;
        open = null;
        segments = null;
    }

    @Override
    public boolean tidy(int budget) {
        if (frozen != null && frozen.isReady()) {
            takeOverFrozen();
        }
        spentOnTail = tail.count() == tailAtLastTidy ? Math.min(spentOnTail, MOST_SPENT) + Math.min(budget, MOST_SPENT) : 0;
        if (frozen == null && isLong(tail) && spentOnTail >= IDLE_FACTOR * tail.count()) {
            freezeTail();
        }
        if (tail.count() == tailAtLastTidy) {
            tail.trim();
        }
        tailAtLastTidy = tail.count();
        boolean more = open != null && open.tidy(budget) || frozen != null;
        return segments != null && segments.tidy(budget) || more;
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        Arrays.fill(counts, 0);
        if (open != null) {
            open.countDueBy(untilMillis, counts);
        }
        tail.countDueBy(untilMillis, counts);
        if (frozen != null) {
            frozen.countDueBy(untilMillis, counts);
        }
        if (segments != null) {
            segments.countDueBy(untilMillis, counts);
        }
    }

    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        List<DueRun> runs = new ArrayList<>();
        DueRows rows = new DueRows(fromMillis, untilMillis);
        tail.copyTo(rows);
        if (frozen != null) {
            frozen.copyTo(rows);
        }
        runs.add(rows);
        if (open != null) {
            runs.addAll(open.runs(fromMillis, untilMillis));
        }
        if (segments != null) {
            segments.addRuns(fromMillis, untilMillis, runs);
        }
        return runs;
    }

    @Override
    public void validate() {
        tail.validate();
        if (frozen != null) {
            frozen.validate();
        }
        if (open != null) {
            open.validate();
        }
        if (segments != null) {
            segments.validate();
        }
    }

    /** Takes from the part that has the earliest position as long as it has it; one at a time except from segments. */
    private int takeRow(long untilMillis, int limit, PositionSink sink) {
        Head head = new Head();
        if (tail.count() <= PartSizes.shortTail(segment) && tail.firstDueMillis() <= untilMillis) {
            tail.look(head);
        }
        boolean fromTail = head.exists;
        if (open != null && open.size() > 0) {
            Head other = new Head();
            open.look(other);
            if (!other.exists) {
                return 0;
            }
            if (!head.isBefore(other.dueMillis, other.ledgerId, other.entryId)) {
                head.set(other.dueMillis, other.ledgerId, other.entryId);
                fromTail = false;
            }
        }
        long unsealedMillis = firstUnsealedMillis();
        boolean isUnsealed = unsealedMillis <= untilMillis && hasUnsealed() && !head.isBefore(unsealedMillis, -1, -1);
        if (isUnsealed) {
            head.set(unsealedMillis, -1, -1);
        }
        int taken = segments == null ? 0 : segments.take(untilMillis, limit, head, sink);
        if (taken > 0 || !head.exists || head.dueMillis > untilMillis || segments != null && segments.hidesBefore(head)) {
            return taken;
        }
        if (isUnsealed) {
            sealDue(untilMillis);
            return takeRow(untilMillis, limit, sink);
        }
        if (fromTail) {
            tail.takeFirst(sink);
            return 1;
        }
        return open.takeDue(untilMillis, 1, sink);
    }

    /**
     * Freezes a full tail, to be sealed by the work of {@link #takeWork}. While the last frozen one still waits this tail grows,
     * and in the end the frozen one is sealed here, so that both get done.
     */
    private void freezeTail() {
        if (frozen != null && tail.count() >= PartSizes.longestTail(segment)) {
            takeOverFrozen();
        }
        if (frozen == null) {
            // The tail itself stays as it is for the walks through it.
            boolean fits = tail.count() <= segment;
            frozen = new PackingTail(fits ? tail : tail.rows(0, segment));
            tail = fits ? new Tail() : tail.rows(segment, tail.count());
        }
    }

    private void takeOverSealed() {
        if (frozen != null && frozen.isSealed()) {
            takeOverFrozen();
        }
    }

    private void takeOverFrozen() {
        if (frozen.isWorn()) {
            frozen = new PackingTail(frozen.rest());
        } else {
            sealedParts().add(frozen.segment());
            frozen = null;
        }
    }

    private boolean isLong(Tail of) {
        return of.count() > PartSizes.shortTail(segment);
    }

    private boolean hasUnsealed() {
        return isLong(tail) || frozen != null && frozen.size() > 0;
    }

    /** When the first position is due of a long tail or a frozen one, from which nothing is handed out. */
    private long firstUnsealedMillis() {
        return Math.min(isLong(tail) ? tail.firstDueMillis() : NEVER, frozen == null ? NEVER : frozen.firstDueMillis());
    }

    /**
     * Seals some of the positions of a long tail or a frozen one that are due or about to be, so that it is not searched for each
     * bucket. A worn tail is frozen, so that it is not searched for ever either.
     */
    private void sealDue(long untilMillis) {
        Scratch scratch = Scratch.borrow(Math.max(longest(), segment));
        long soonMillis = untilMillis + Math.min(SOON_MILLIS, Long.MAX_VALUE - untilMillis);
        int most = PartSizes.dueShare(segment);
        if (frozen != null && (!isLong(tail) || frozen.firstDueMillis() <= tail.firstDueMillis())) {
            frozen.moveDue(soonMillis, most, scratch);
        } else {
            tail.moveDue(soonMillis, most, scratch);
            if (tail.isWorn() && frozen == null && isLong(tail)) {
                freezeTail();
            }
        }
        if (scratch.count > 0) {
            sealedParts().seal(scratch);
        }
        Scratch.giveBack(scratch);
    }

    private int longest() {
        return Math.max(tail.count(), frozen == null ? 0 : frozen.positions());
    }

    private void sealOpen() {
        Scratch scratch = Scratch.borrow(segment);
        open.copyTo(scratch);
        open = null;
        sealedParts().seal(scratch);
        Scratch.giveBack(scratch);
    }

    private SegmentList sealedParts() {
        segments = segments == null ? new SegmentList(segment) : segments;
        return segments;
    }

    private void dropEmptyParts() {
        if (frozen != null && frozen.size() == 0) {
            frozen = null;
        }
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
}
