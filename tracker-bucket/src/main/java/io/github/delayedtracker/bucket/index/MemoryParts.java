/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The positions in memory with their due times, each in one of several indexes: the tail, which takes the adds and logs them; the
 * frozen tails; the <em>overflow</em>, which takes the adds without a log while the tail holds a seal and cannot be frozen; and
 * <em>near</em>, with the positions due soon. Not thread safe.
 *
 * <p>Hand-out takes from the part that is due first, up to the time at which another part is. Where parts are due at the same
 * time the positions of that time are brought together in near, so that they come in order.
 */
final class MemoryParts {

    /** The most positions brought together in one hand-out. */
    private static final int MOVES_A_HAND_OUT = 1_024;
    /** How often a part may answer nothing though it said that something is due. */
    private static final int VAIN_ROUNDS = 8;
    private static final int LIST_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Integer.BYTES);
    private static final int OBJECT_BYTES = Footprint.object(6 * Footprint.REFERENCE + 3 * Long.BYTES + 2 * Integer.BYTES + 1);

    private final Supplier<DelayIndex> newPart;
    /** The most positions of a tail that does not end with its ledger. */
    private final int mostPositions;
    private List<FrozenTail> frozen = List.of();
    private DelayIndex tail;
    private SealLog log = new SealLog();
    /** The overflow; null while empty. */
    private DelayIndex overflow;
    /** The positions due soon; null while empty. */
    private NearRuns near;
    /** The number of tails before this one. */
    private long tailNumber;
    /** The number of positions from which a tail ends where a new ledger begins; 0: it does not. */
    private long endsAtLedgersFrom;
    private int maxFrozen;
    private long lastLedgerId = -1;
    private boolean tailEnded;

    MemoryParts(Supplier<DelayIndex> newPart, int mostPositions) {
        this.newPart = newPart;
        this.mostPositions = mostPositions;
        this.tail = newPart.get();
    }

    /**
     * Has a tail of a number of positions frozen where a new ledger begins. While there are frozen tails enough, later positions
     * go to the overflow and stay there: no snapshot may have a ledger in part.
     */
    void endAtLedgers(long positions, int mostFrozen) {
        endsAtLedgersFrom = positions;
        maxFrozen = mostFrozen;
    }

    boolean endsAtLedgers() {
        return endsAtLedgersFrom > 0;
    }

    boolean add(long dueMillis, long ledgerId, long entryId) {
        if (ledgerId > lastLedgerId) {
            lastLedgerId = ledgerId;
            tailEnded = endsAtLedgersFrom > 0 && tail.size() >= endsAtLedgersFrom;
            if (tailEnded && frozen.size() < maxFrozen) {
                freeze();
            }
        }
        if (endsAtLedgersFrom > 0 ? tailEnded : tail.size() >= mostPositions) {
            overflow = overflow == null ? newPart.get() : overflow;
            return !tail.contains(ledgerId, entryId) && overflow.add(dueMillis, ledgerId, entryId);
        }
        if (!tail.add(dueMillis, ledgerId, entryId)) {
            return false;
        }
        log.append(tail, dueMillis, ledgerId, entryId);
        return true;
    }

    /** Moves positions from the overflow to the tail while the tail has room; true if there are more to move. */
    boolean refill(int budget) {
        for (int looked = 0; looked < budget && mayRefill(); looked++) {
            long dueMillis = overflow.nextDueMillis();
            // One by one, since the sink is not told the due time.
            overflow.takeDue(dueMillis, 1, (ledgerId, entryId) -> {
                if (tail.add(dueMillis, ledgerId, entryId)) {
                    log.append(tail, dueMillis, ledgerId, entryId);
                }
            });
        }
        dropEmptyParts();
        return mayRefill();
    }

    private boolean mayRefill() {
        return overflow != null && overflow.size() > 0 && endsAtLedgersFrom == 0 && tail.size() < mostPositions;
    }

    /** The part for positions due soon. Not to be kept: another part takes its place when it is empty. */
    NearRuns near() {
        near = near == null ? new NearRuns() : near;
        return near;
    }

    int takeDue(long untilMillis, int limit, PositionSink sink) {
        int taken = 0;
        int moved = 0;
        int vain = 0;
        Look look = new Look();
        while (taken < limit && moved < MOVES_A_HAND_OUT && vain < VAIN_ROUNDS && look(look, untilMillis)) {
            int before = taken + moved;
            if (look.hasSecond && look.secondMillis == look.firstMillis) {
                moved += bringTogether(look.firstMillis, MOVES_A_HAND_OUT - moved);
            } else {
                long upToMillis = look.hasSecond ? Math.min(untilMillis, look.secondMillis - 1) : untilMillis;
                taken += look.first.takeDue(upToMillis, limit - taken, sink);
            }
            vain = taken + moved == before ? vain + 1 : 0;
        }
        dropEmptyParts();
        return taken;
    }

    /** The part that is due first, and the time at which the next one is. */
    private static final class Look {
        private DelayIndex first;
        private long firstMillis;
        private long secondMillis;
        private boolean hasSecond;
    }

    /** Looks at the parts; false if nothing is due by a time. */
    private boolean look(Look look, long untilMillis) {
        look.first = null;
        look.hasSecond = false;
        for (int i = 0; i < parts(); i++) {
            DelayIndex part = part(i);
            if (part != null && part.size() > 0) {
                long next = part.nextDueMillis();
                if (look.first == null || next < look.firstMillis) {
                    look.hasSecond = look.first != null;
                    look.secondMillis = look.firstMillis;
                    look.first = part;
                    look.firstMillis = next;
                } else if (!look.hasSecond || next < look.secondMillis) {
                    look.hasSecond = true;
                    look.secondMillis = next;
                }
            }
        }
        return look.first != null && look.firstMillis <= untilMillis;
    }

    private int bringTogether(long dueMillis, int most) {
        int moved = 0;
        for (int i = 0; i < parts() && moved < most; i++) {
            DelayIndex part = part(i);
            if (part != null && part != near && part.size() > 0 && part.nextDueMillis() == dueMillis) {
                SegmentColumns.Filler together = new SegmentColumns.Filler((int) Math.min(part.size(), most - moved));
                moved += part.takeDue(dueMillis, most - moved, (l, e) -> together.accept(dueMillis, l, e));
                near().addRun(together.columns());
            }
        }
        return moved;
    }

    private int parts() {
        return 3 + frozen.size();
    }

    /** A part: near, the tail, the overflow and the frozen tails; the first and the third may be null. */
    private DelayIndex part(int number) {
        return switch (number) {
            case 0 -> near;
            case 1 -> tail;
            case 2 -> overflow;
            default -> frozen.get(number - 3).index();
        };
    }

    /** Gives back empty parts. */
    void dropEmptyParts() {
        if (near != null && near.isIdle()) {
            near = null;
        }
        if (overflow != null && overflow.size() == 0) {
            overflow = null;
        }
        if (log.count() > 0 && tail.size() == 0) {
            log = new SealLog();
            tailNumber++;
        }
        for (int i = frozen.size() - 1; i >= 0; i--) {
            if (frozen.get(i).positions() == 0 && frozen.get(i).state() == BucketState.OPEN) {
                frozen.remove(i);
            }
        }
    }

    boolean contains(long ledgerId, long entryId) {
        return tail.contains(ledgerId, entryId) || isBesideTail(ledgerId, entryId);
    }

    /** Whether a position is in another part than the tail. */
    boolean isBesideTail(long ledgerId, long entryId) {
        if (isNear(ledgerId, entryId) || overflow != null && overflow.contains(ledgerId, entryId)) {
            return true;
        }
        for (int i = 0; i < frozen.size(); i++) {
            if (frozen.get(i).index().contains(ledgerId, entryId)) {
                return true;
            }
        }
        return false;
    }

    boolean isNear(long ledgerId, long entryId) {
        return near != null && near.contains(ledgerId, entryId);
    }

    boolean forget(long ledgerId, long entryId) {
        boolean forgotten = false;
        for (int i = 0; i < parts() && !forgotten; i++) {
            forgotten = part(i) != null && part(i).forget(ledgerId, entryId);
        }
        dropEmptyParts();
        return forgotten;
    }

    long forgetUpTo(long ledgerId, long entryId) {
        long forgotten = 0;
        for (int i = 0; i < parts(); i++) {
            forgotten += part(i) == null ? 0 : part(i).forgetUpTo(ledgerId, entryId);
        }
        dropEmptyParts();
        return forgotten;
    }

    /** The parts that are there. */
    List<DelayIndex> all() {
        List<DelayIndex> all = new ArrayList<>();
        for (int i = 0; i < parts(); i++) {
            if (part(i) != null) {
                all.add(part(i));
            }
        }
        return all;
    }

    /** Forgets everything; a seal under way goes on with nothing. */
    void clear() {
        tailNumber++;
        tail = newPart.get();
        log = new SealLog();
        overflow = null;
        near = null;
        frozen.forEach(FrozenTail::clear);
        dropEmptyParts();
    }

    /** Freezes the tail. O(1). */
    FrozenTail freeze() {
        FrozenTail ended = new FrozenTail(tailNumber, tail, log);
        frozen = new ArrayList<>(frozen);
        frozen.add(ended);
        tailNumber++;
        tail = newPart.get();
        log = new SealLog();
        tailEnded = false;
        return ended;
    }

    List<FrozenTail> frozen() {
        return frozen;
    }

    /** Takes out a frozen tail whose positions have moved, or whose seal was given up with none left. */
    void drop(FrozenTail ended) {
        frozen.remove(ended);
    }

    /** A number that differs for each tail, and after the tail was empty in between. */
    long tailNumber() {
        return tailNumber;
    }

    long tailPositions() {
        return tail.size() + (overflow == null ? 0 : overflow.size());
    }

    boolean tidy(int budget) {
        int share = Math.max(1, budget / (parts() + 1));
        boolean more = log.sweep(tail, share);
        for (int i = 0; i < parts(); i++) {
            more |= part(i) != null && part(i).tidy(share);
        }
        return more;
    }

    Optional<Runnable> takeWork() {
        for (int i = 0; i < parts(); i++) {
            Optional<Runnable> work = part(i) == null ? Optional.empty() : part(i).takeWork();
            if (work.isPresent()) {
                return work;
            }
        }
        return Optional.empty();
    }

    long nextDueMillis() {
        long next = DelayIndex.NEVER;
        for (int i = 0; i < parts(); i++) {
            next = part(i) == null ? next : Math.min(next, part(i).nextDueMillis());
        }
        return next;
    }

    long size() {
        long sum = 0;
        for (int i = 0; i < parts(); i++) {
            sum += part(i) == null ? 0 : part(i).size();
        }
        return sum;
    }

    long positionSetBytes() {
        long sum = 0;
        for (int i = 0; i < parts(); i++) {
            sum += part(i) == null ? 0 : part(i).positionSetBytes();
        }
        return sum;
    }

    void addDueBy(long[] untilMillis, long[] counts) {
        long[] some = new long[counts.length];
        for (int p = 0; p < parts(); p++) {
            if (part(p) != null) {
                part(p).countDueBy(untilMillis, some);
                for (int i = 0; i < counts.length; i++) {
                    counts[i] += some[i];
                }
            }
        }
    }

    long retainedBytes() {
        long sum = OBJECT_BYTES + tail.retainedBytes()
                + (frozen.isEmpty() ? 0 : LIST_BYTES + Footprint.array(frozen.size(), Footprint.REFERENCE))
                + log.retainedBytes() + (near == null ? 0 : near.retainedBytes())
                + (overflow == null ? 0 : overflow.retainedBytes());
        for (int i = 0; i < frozen.size(); i++) {
            sum += frozen.get(i).retainedBytes();
        }
        return sum;
    }

    /** Checks each part, and that the logs name the positions of the tails. Linear, or a sort. */
    void validate(PositionSet seen) {
        if (near != null) {
            near.validate();
        }
        if (overflow != null) {
            IndexCheck.validateUnlogged("overflow", overflow, seen);
        }
        validate("tail", tail, log.columns().ascending(), 0, seen);
        for (FrozenTail ended : frozen) {
            validate("frozen tail " + ended.id(), ended.index(), ended.columns(), ended.settled(), seen);
        }
    }

    private void validate(String name, DelayIndex index, SegmentColumns logged, int from, PositionSet seen) {
        index.validate();
        long found = 0;
        for (int at = from; at < logged.count(); at++) {
            if (index.contains(logged.ledgerId(at), logged.entryId(at))) {
                found++;
                if (!seen.add(logged.ledgerId(at), logged.entryId(at))) {
                    throw new IllegalStateException(name + ": a position is in one part, but not " + logged.ledgerId(at) + ":"
                            + logged.entryId(at));
                }
            }
        }
        if (found != index.size()) {
            throw new IllegalStateException(name + ": all " + index.size() + " positions are logged, found " + found);
        }
    }
}
