/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.BucketState.BucketWatcher;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The way from the tail to a SEALED bucket. A tail is frozen, and once a ledger holds its positions they <em>settle</em>, slice
 * by slice: each position that is still there moves to the set of the new bucket, or to memory if it is due soon. Not thread
 * safe.
 */
public final class Sealing {

    /** The most frozen tails here, more than by number of positions: the end of a ledger that is missed does not come again. */
    private static final int MOST_FROZEN_AT_LEDGERS = 16;

    private final MemoryParts memory;
    private final BucketTable table;
    private final int sealPositions;
    private final int maxFrozen;
    /** The work to pass on; null until somebody has given it. */
    private Runnable work;
    /** The number of positions from which a tail is worth a first look. */
    private int earlyPositions;
    /** The tail for which the work was passed on last, and for how many positions. */
    private long workedTail = -1;
    private int workedPositions;

    Sealing(MemoryParts memory, BucketTable table, int sealPositions, int maxFrozen) {
        this.memory = memory;
        this.table = table;
        this.sealPositions = sealPositions;
        this.maxFrozen = maxFrozen;
    }

    /**
     * Gives the work that is passed on once a tail has some positions, so that age may count, and once it has as many as a seal.
     */
    public void onGrown(int newEarlyPositions, Runnable newWork) {
        earlyPositions = Math.min(newEarlyPositions, sealPositions);
        work = newWork;
    }

    /** Sets the one watcher that hears of the changes of state of all buckets from now on. */
    public void watch(BucketWatcher watcher) {
        table.watch(watcher);
    }

    /**
     * Has a tail with as many positions as a seal frozen when the first position of a later ledger comes, and in no other place:
     * {@link #sealAgain} gives it then, {@link #freeze} gives none. To be called before the first add.
     */
    public void sealAtLedgers() {
        memory.endAtLedgers(sealPositions, Math.max(maxFrozen, MOST_FROZEN_AT_LEDGERS));
    }

    /** Whether a tail that ended with its ledger waits for its seal. */
    public boolean waits() {
        return memory.endsAtLedgers() && memory.frozen().stream().anyMatch(frozen -> frozen.state() == BucketState.OPEN);
    }

    /** Whether as many positions as a seal has are in no frozen tail or bucket. */
    public boolean isWanted() {
        return !memory.endsAtLedgers() && memory.tailPositions() >= sealPositions;
    }

    /** The work that was given, once for each tail that is worth a look, and once when the tail is long enough. */
    Optional<Runnable> takeWork() {
        int reached = memory.endsAtLedgers() ? memory.frozen().size()
                : isWanted() ? sealPositions : memory.tailPositions() >= earlyPositions ? earlyPositions : 0;
        if (work == null || reached == 0 || workedTail == memory.tailNumber() && workedPositions >= reached) {
            return Optional.empty();
        }
        workedTail = memory.tailNumber();
        workedPositions = reached;
        return Optional.of(work);
    }

    /** Passes the work on for the tail again, with its next position if it is long enough. */
    public void forgetWork() {
        workedTail = -1;
    }

    /**
     * Fills the tail, before it is frozen, with some positions that came while it could not be frozen; true if there are more.
     */
    public boolean refill(int budget) {
        return memory.refill(budget);
    }

    /** The number of positions in the tail, with the positions that came while it could not be frozen. */
    public long tailPositions() {
        return memory.tailPositions();
    }

    /** The number of frozen tails: being sealed, settling, or waiting for {@link #sealAgain}. */
    public int frozenTails() {
        return memory.frozen().size();
    }

    /** Freezes the tail, which is SEALING then; empty if it has no positions or there are frozen tails enough. O(1). */
    public Optional<FrozenTail> freeze(SealReason reason) {
        if (memory.endsAtLedgers() || memory.tailPositions() == 0 || memory.frozen().size() >= maxFrozen) {
            return Optional.empty();
        }
        FrozenTail frozen = memory.freeze();
        table.become(frozen.bucket(), BucketState.SEALING, reason.name());
        return Optional.of(frozen);
    }

    /** The oldest frozen tail that ended with its ledger or whose seal was given up, SEALING from now on. */
    public Optional<FrozenTail> sealAgain() {
        for (FrozenTail frozen : memory.frozen()) {
            if (frozen.state() == BucketState.OPEN) {
                table.become(frozen.bucket(), BucketState.SEALING, SealReason.AGAIN.name());
                return Optional.of(frozen);
            }
        }
        return Optional.empty();
    }

    /** Sets the bits of the {@link FrozenTail#columns} in a range that are still in the frozen tail; returns how many. */
    public int live(FrozenTail frozen, int from, int to, BitSet into) {
        SegmentColumns columns = frozen.columns();
        DelayIndex index = frozen.index();
        int live = 0;
        for (int at = from; at < Math.min(to, columns.count()); at++) {
            if (index.contains(columns.ledgerId(at), columns.entryId(at))) {
                into.set(at);
                live++;
            }
        }
        return live;
    }

    /**
     * Begins to settle a frozen tail, to the end: the record names the ledger of its positions. Segments are by first due time.
     */
    public void beginSettling(FrozenTail frozen, long ledgerId, List<SegmentEntry> segments) {
        checkIsSealing(frozen, false);
        table.checkIsNew(ledgerId);
        PositionRange range = new PositionRange();
        SegmentColumns columns = frozen.columns();
        if (columns.count() > 0) {
            range.include(columns.ledgerId(0), columns.entryId(0));
            range.include(columns.ledgerId(columns.count() - 1), columns.entryId(columns.count() - 1));
        }
        frozen.bucket().stored(ledgerId, segments, new PositionSet(), range);
        table.add(frozen.bucket());
    }

    /**
     * Settles some more positions of a frozen tail. Positions that have settled cannot be loaded before all have, so go on soon.
     *
     * @param loadUntilMillis the time by which due positions stay in memory, and segments wholly due count as loaded
     * @param budget the number of positions to look at, 1 or more
     * @return true if all have settled: the bucket is SEALED and the frozen tail no longer exists
     */
    public boolean settle(FrozenTail frozen, long loadUntilMillis, int budget) {
        checkIsSealing(frozen, true);
        SegmentColumns columns = frozen.columns();
        int end = (int) Math.min(columns.count(), (long) frozen.settled() + budget);
        if (frozen.positions() > 0) {
            SegmentColumns.Filler soon = new SegmentColumns.Filler(end - frozen.settled());
            for (int at = frozen.settled(); at < end; at++) {
                settle(frozen, columns, at, loadUntilMillis, soon);
            }
            memory.near().addRun(soon.columns().byTime());
            frozen.settledTo(end, loadUntilMillis);
        }
        if (frozen.positions() > 0) {
            return false;
        }
        Bucket bucket = frozen.bucket();
        bucket.segments().loadedUntil(frozen.loadedUntilMillis());
        memory.drop(frozen);
        table.becomeSealed(bucket, "its positions have settled");
        return true;
    }

    private void settle(FrozenTail frozen, SegmentColumns columns, int at, long loadUntilMillis,
            SegmentColumns.Filler soon) {
        long ledgerId = columns.ledgerId(at);
        long entryId = columns.entryId(at);
        if (!frozen.index().contains(ledgerId, entryId)) {
            return;
        }
        if (columns.dueMillis(at) <= loadUntilMillis || ledgerId < frozen.storedFromLedgerId()) {
            soon.accept(columns.dueMillis(at), ledgerId, entryId);
        } else {
            table.add(frozen.bucket(), ledgerId, entryId);
        }
    }

    /** Moves the rest of a frozen tail to near, unsealed. */
    private void keepInMemory(FrozenTail frozen) {
        SegmentColumns columns = frozen.columns();
        BitSet live = new BitSet(columns.count());
        live(frozen, 0, columns.count(), live);
        memory.near().addRun(columns.selected(live).byTime());
        frozen.clear();
    }

    /**
     * Gives up a seal that failed before the record named its ledger: the positions stay in memory, OPEN, for {@link #sealAgain}.
     */
    public void giveUp(FrozenTail frozen, String reason) {
        checkIsSealing(frozen, false);
        table.become(frozen.bucket(), BucketState.OPEN, reason);
        if (frozen.storedFromLedgerId() == Long.MAX_VALUE) {
            keepInMemory(frozen);
        }
        frozen.dropColumns();
        if (frozen.positions() == 0) {
            memory.drop(frozen);
        }
    }

    /** Whether a frozen tail is SEALING, and settling or not. */
    public boolean isSealing(FrozenTail frozen, boolean settling) {
        return frozen.state() == BucketState.SEALING && frozen.bucket().ledgerId() >= 0 == settling;
    }

    private void checkIsSealing(FrozenTail frozen, boolean settling) {
        if (!isSealing(frozen, settling)) {
            throw new IllegalStateException("frozen tail " + frozen.id() + " is to be SEALING, " + (settling ? "" : "not ")
                    + "settling, but it is " + frozen.state() + " with ledger " + frozen.bucket().ledgerId());
        }
    }

    /** The reason why a tail is sealed, for statistics and messages. */
    public enum SealReason {
        /** The tail holds as many positions as a seal has. */
        COUNT,
        /** The first position of the tail has waited long. */
        AGE,
        /** Memory is short. */
        MEMORY,
        /** A ledger of the topic has ended. */
        LEDGER_END,
        /** The last seal of the tail failed, or the tail ended with its ledger. */
        AGAIN
    }
}
