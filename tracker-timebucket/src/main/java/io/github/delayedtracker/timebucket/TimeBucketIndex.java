/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.LatestDue;
import io.github.delayedtracker.index.PositionSink;
import java.util.Optional;

/**
 * An index of positions by the time bucket they are due in, close to the fewest bytes possible. A position is in one part. A
 * few are in the {@link Tail}, up to {@link PartSizes#few} in the {@link LatePart}; of more the largest so far comes to the
 * tail, any other to the late part. A full part is sealed into a segment of the {@link SegmentList}, where it stays until it
 * is handed out or forgotten. It waits for that as {@link PackingTail}, so that another thread can seal it.
 *
 * <p>Hand-out takes from the part that has the earliest position. In a tail of more than {@link PartSizes#shortTail} positions
 * the positions due soon are sealed before any is taken, since finding the earliest in it is linear. A tail or late part that
 * takes nothing and gives nothing while {@link #tidy} is called is sealed whole.
 */
final class TimeBucketIndex extends NotedParts {

    private static final long SOON_MILLIS = 1_000;
    /** The budget of tidying after which unchanged parts are sealed, as a multiple of their size. */
    private static final int IDLE_FACTOR = 2;
    static final int MOST_IDLE = 1 << 29;

    /** The budget allowed for tidying since a position was added to the tail or taken from it. */
    private int idle;

    TimeBucketIndex() {
        this(PartSizes.SEGMENT);
    }

    /** An index with segments of another size, for tests. */
    TimeBucketIndex(int segment) {
        super(segment);
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        takeOverSealed();
        boolean toTail = tail.endsBefore(ledgerId, entryId) && (!isSmall() || isLong(tail));
        boolean toLate = !toTail && (late != null || tail.count() >= PartSizes.shortTail(segment));
        boolean isUnknown = noteAdd(ledgerId, entryId);
        if (!isUnknown && isElsewhere(ledgerId, entryId, toTail, toLate)) {
            return false;
        }
        boolean isNew = toLate ? addToLate(dueMillis, ledgerId, entryId, isUnknown)
                : addToTail(dueMillis, ledgerId, entryId, toTail);
        if (isNew) {
            note(dueMillis, ledgerId, entryId);
        }
        return isNew;
    }

    /** Whether a position is in a part that it is not about to be added to. */
    private boolean isElsewhere(long ledgerId, long entryId, boolean toTail, boolean toLate) {
        return frozen != null && frozen.contains(ledgerId, entryId)
                || segments != null && segments.reaches(ledgerId, entryId) && segments.contains(ledgerId, entryId)
                || toTail && late != null && late.contains(ledgerId, entryId)
                || toLate && tail.contains(ledgerId, entryId);
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
        // The next due time is exact after a hand-out; to look for it in a long tail would take long.
        long unused = Math.min(isLong(tail) ? NEVER : tail.firstDueMillis(), late == null ? NEVER : late.firstDueMillis());
        return taken;
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        if (notesAdds() && recent.isUnknown(ledgerId, entryId)) {
            return false;
        }
        return tail.contains(ledgerId, entryId)
                || frozen != null && frozen.contains(ledgerId, entryId)
                || segments != null && segments.contains(ledgerId, entryId)
                || late != null && late.contains(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        long next = tail.firstDueAtEarliest();
        if (frozen != null) {
            next = Math.min(next, frozen.firstDueMillis());
        }
        if (late != null) {
            next = Math.min(next, late.firstDueAtEarliest());
        }
        if (segments != null) {
            next = Math.min(next, segments.nextDueMillis());
        }
        return next;
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        if (notesAdds() && recent.isUnknown(ledgerId, entryId)) {
            return false;
        }
        boolean forgotten = tail.remove(ledgerId, entryId)
                || frozen != null && frozen.remove(ledgerId, entryId)
                || segments != null && segments.remove(ledgerId, entryId)
                || late != null && late.remove(ledgerId, entryId);
        dropEmptyParts();
        return forgotten;
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        long forgotten = tail.removeUpTo(ledgerId, entryId);
        forgotten += frozen == null ? 0 : frozen.removeUpTo(ledgerId, entryId);
        forgotten += segments == null ? 0 : segments.removeUpTo(ledgerId, entryId);
        forgotten += late == null ? 0 : late.removeUpTo(ledgerId, entryId);
        dropEmptyParts();
        return forgotten;
    }

    @Override
    public void clear() {
        tail = new Tail();
        frozen = null;
        late = null;
        segments = null;
        latest = null;
        recent = null;
    }

    @Override
    public boolean tidy(int budget) {
        if (frozen != null && frozen.isReady()) {
            takeOverFrozen();
        }
        if (idle > 0) {
            tail.trim();
        }
        idle = Math.min(idle, MOST_IDLE) + Math.min(budget, MOST_IDLE);
        boolean lateIsIdle = late != null && late.idleFor(budget) >= IDLE_FACTOR * late.count();
        if (frozen == null && isLong(tail) && idle >= IDLE_FACTOR * tail.count()) {
            freezeTail();
        } else if (frozen == null && lateIsIdle && late.count() > PartSizes.shortTail(segment)) {
            freezeLate();
        }
        if (idle >= IDLE_FACTOR * segment) {
            noteNoMore();
        }
        noteSize();
        long unused = Math.min(tail.firstDueMillis(), late == null ? NEVER : late.firstDueMillis());
        boolean more = segments != null && segments.tidy(budget) || frozen != null;
        return !findLatest() || more;
    }

    /** Adds to the tail, false if it is there. */
    private boolean addToTail(long dueMillis, long ledgerId, long entryId, boolean isBehind) {
        boolean isNew = true;
        if (isBehind) {
            long unused = tail.append(dueMillis, ledgerId, entryId);
        } else {
            isNew = tail.add(dueMillis, ledgerId, entryId);
        }
        idle = isNew ? 0 : idle;
        if (tail.count() >= segment) {
            freezeTail();
        }
        return isNew;
    }

    /** Adds to the late part, false if it is there. It takes over a short tail that is all there is; a long one is the tail. */
    private boolean addToLate(long dueMillis, long ledgerId, long entryId, boolean isUnknown) {
        if (late == null) {
            late = new LatePart(PartSizes.shortTail(segment));
            if (isSmall() && !isLong(tail)) {
                late.adopt(tail);
                tail = new Tail();
            }
        }
        boolean isNew = true;
        if (isUnknown) {
            late.addUnknown(dueMillis, ledgerId, entryId);
        } else if (notesAdds()) {
            isNew = late.addLoose(dueMillis, ledgerId, entryId);
        } else {
            isNew = late.add(dueMillis, ledgerId, entryId);
        }
        if (!isSmall() || tail.count() > 0) {
            if (!notesAdds() && late.count() >= PartSizes.manyLate(segment) && (isSmall() || segments != null)) {
                noteRecent();
            }
            if (late.count() >= PartSizes.late(segment)) {
                freezeLate();
            }
        } else if (late.count() >= PartSizes.few(segment)) {
            tail = late.flat();
            late = null;
        }
        return isNew;
    }

    /** Takes from the part that has the earliest position as long as it has it; one at a time except from segments. */
    private int takeRow(long untilMillis, int limit, PositionSink sink) {
        Head head = new Head();
        if (!isLong(tail) && tail.firstDueMillis() <= untilMillis) {
            tail.look(head);
        }
        boolean fromLate = false;
        if (late != null && late.firstDueMillis() <= untilMillis) {
            Head other = new Head();
            late.look(other);
            fromLate = other.exists && !head.isBefore(other.dueMillis, other.ledgerId, other.entryId);
            head = fromLate ? other : head;
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
        if (fromLate) {
            late.takeFirst(sink);
        } else {
            idle = 0;
            tail.takeFirst(sink);
        }
        return 1;
    }

    /**
     * Freezes a full tail, to be sealed by the work of {@link #takeWork}. While the frozen part before still waits this tail
     * grows by a half; then one of them is sealed here, the one that no other thread works on.
     */
    private void freezeTail() {
        if (frozen != null && tail.count() < PartSizes.longest(segment)) {
            return;
        }
        noteNoMore();
        // The tail itself stays as it is for the walks through it.
        freeze(new PackingTail(tail));
        tail = new Tail();
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
            noteSize();
        }
    }

    /** Freezes a full late part like a full tail. */
    private void freezeLate() {
        if (frozen != null && late.count() < PartSizes.longest(PartSizes.late(segment))) {
            return;
        }
        freeze(late.freeze());
        late = null;
    }

    private void freeze(PackingTail next) {
        if (frozen != null && !frozen.isBegun()) {
            takeOverFrozen();
        }
        if (frozen == null) {
            frozen = next;
        } else {
            sealedParts().add(next.segment());
            noteSize();
        }
    }

    /** Takes an added position in for the latest due time, once there are too many to look at all. */
    private void note(long dueMillis, long ledgerId, long entryId) {
        if (latest != null) {
            latest.note(dueMillis, ledgerId, entryId);
        } else if (size() > PartSizes.shortTail(segment)) {
            latest = new LatestDue();
            boolean unused = findLatest();
        }
    }

    private boolean isLong(Tail part) {
        return part.count() > PartSizes.shortTail(segment);
    }

    private boolean hasUnsealed() {
        return isLong(tail) || frozen != null && frozen.size() > 0;
    }

    /** When the first position is due of a long tail or a frozen part, from which nothing is handed out. */
    private long firstUnsealedMillis() {
        return Math.min(isLong(tail) ? tail.firstDueMillis() : NEVER, frozen == null ? NEVER : frozen.firstDueMillis());
    }

    /**
     * Seals some of the positions of a long tail or a frozen part that are due or about to be, so that it is not searched for
     * each bucket. A worn tail is frozen, so that it is not searched for ever either.
     */
    private void sealDue(long untilMillis) {
        Scratch scratch;
        long soonMillis = untilMillis + Math.min(SOON_MILLIS, Long.MAX_VALUE - untilMillis);
        int most = PartSizes.dueShare(segment);
        if (frozen != null && frozen.size() > 0 && (!isLong(tail) || frozen.firstDueMillis() <= tail.firstDueMillis())) {
            scratch = frozen.moveDue(soonMillis, most);
        } else {
            scratch = tail.moveDue(soonMillis, most);
            if (tail.isWorn() && frozen == null && isLong(tail)) {
                freezeTail();
            }
        }
        if (scratch.count > 0) {
            sealedParts().seal(scratch);
        }
        Scratch.giveBack(scratch);
    }

    private void dropEmptyParts() {
        if (frozen != null && frozen.size() == 0) {
            frozen = null;
        }
        if (late != null && late.count() == 0) {
            late = null;
        }
        if (segments != null && segments.isEmpty()) {
            segments = null;
            noteSize();
        }
        if (tail.count() == 0 && size() == 0) {
            tail = new Tail();
            latest = null;
            recent = null;
        }
    }
}
