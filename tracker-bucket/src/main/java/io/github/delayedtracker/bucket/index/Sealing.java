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
import io.github.delayedtracker.index.PositionSet;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * From the tail to a SEALED bucket: a tail is frozen, and once a ledger holds its positions they <em>settle</em>, slice by slice:
 * each one that is still there moves to the set of the new bucket, or to memory if it is due soon. Not thread safe.
 */
public final class Sealing {

    /** More than by number of positions: the end of a ledger that is missed here does not come again. */
    private static final int MOST_FROZEN_AT_LEDGERS = 16;

    private final MemoryParts memory;
    private final BucketTable table;
    private final int sealPositions;
    private final int maxFrozen;
    /** Null until somebody has given it. */
    private Runnable work;
    /** A tail of so many positions is worth a first look. */
    private int earlyPositions;
    /** The tail for which it was passed on last, and for how many positions. */
    private long workedTail = -1;
    private int workedPositions;

    Sealing(MemoryParts memory, BucketTable table, int sealPositions, int maxFrozen) {
        this.memory = memory;
        this.table = table;
        this.sealPositions = sealPositions;
        this.maxFrozen = maxFrozen;
    }

    /** Gives the work that is passed on once a tail has some positions, so that age may count, and once it has a seal's. */
    public void onGrown(int newEarlyPositions, Runnable newWork) {
        earlyPositions = Math.min(newEarlyPositions, sealPositions);
        work = newWork;
    }

    /** Has a watcher be told of the changes of state of all buckets from now on, and nobody else. */
    public void watch(BucketWatcher watcher) {
        table.watch(watcher);
    }

    /**
     * From now on a tail with as many positions as a seal is frozen when the first position of a later ledger comes, and in no
     * other place: {@link #sealAgain} gives it then, {@link #freeze} gives none. Before the first add.
     */
    public void sealAtLedgers() {
        memory.endAtLedgers(sealPositions, Math.max(maxFrozen, MOST_FROZEN_AT_LEDGERS));
    }

    /** Whether a tail that ended with its ledger waits for its seal. */
    public boolean waits() {
        return memory.endsAtLedgers() && memory.frozen().stream().anyMatch(frozen -> frozen.state() == BucketState.OPEN);
    }

    /** Whether there are as many positions as a seal has that are in no frozen tail or bucket. */
    public boolean isWanted() {
        return !memory.endsAtLedgers() && memory.tailPositions() >= sealPositions;
    }

    /** The work that was given, once for each tail that is worth a look, and once when it is long enough. */
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

    /** Fills the tail, before it is frozen, with some of what came while it could not be frozen; whether to go on with that. */
    public boolean refill(int budget) {
        return memory.refill(budget);
    }

    /** How many positions the tail holds, with those that came while it could not be frozen. */
    public long tailPositions() {
        return memory.tailPositions();
    }

    /** How many frozen tails there are: being sealed, settling, or waiting for {@link #sealAgain}. */
    public int frozenTails() {
        return memory.frozen().size();
    }

    /** Freezes the tail, O(1), SEALING; empty if it has no positions or there are frozen tails enough. */
    public Optional<FrozenTail> freeze(SealReason reason) {
        if (memory.endsAtLedgers() || memory.tailPositions() == 0 || memory.frozen().size() >= maxFrozen) {
            return Optional.empty();
        }
        FrozenTail frozen = memory.freeze();
        table.become(frozen.bucket(), BucketState.SEALING, reason.name());
        return Optional.of(frozen);
    }

    /** The oldest frozen tail whose seal was given up, SEALING again. */
    public Optional<FrozenTail> sealAgain() {
        for (FrozenTail frozen : memory.frozen()) {
            if (frozen.state() == BucketState.OPEN) {
                table.become(frozen.bucket(), BucketState.SEALING, SealReason.AGAIN.name());
                return Optional.of(frozen);
            }
        }
        return Optional.empty();
    }

    /** Sets the bits of those of some {@link FrozenTail#columns} that are still in the frozen tail; returns how many. */
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

    /** The record names the ledger that the positions of a frozen tail are in, by first due time: it settles now, to the end. */
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
     * Settles some more positions of a frozen tail. What has settled cannot be loaded before all has, so go on soon.
     *
     * @param loadUntilMillis positions due by then stay in memory, and segments wholly due by then count as loaded
     * @param budget how many positions to look at, 1 or more
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

    /** The rest of a frozen tail goes near and is not sealed. */
    private void keepInMemory(FrozenTail frozen) {
        SegmentColumns columns = frozen.columns();
        BitSet live = new BitSet(columns.count());
        live(frozen, 0, columns.count(), live);
        memory.near().addRun(columns.selected(live).byTime());
        frozen.clear();
    }

    /** The seal has failed before the record named its ledger: the positions stay in memory, OPEN, for {@link #sealAgain}. */
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

    private static void checkIsSealing(FrozenTail frozen, boolean settling) {
        boolean settles = frozen.bucket().ledgerId() >= 0;
        if (frozen.state() != BucketState.SEALING || settles != settling) {
            throw new IllegalStateException("frozen tail " + frozen.id() + " is to be SEALING, " + (settling ? "" : "not ")
                    + "settling, but it is " + frozen.state() + (settles ? " with ledger " + frozen.bucket().ledgerId() : ""));
        }
    }

    /** Why a tail is sealed; for statistics and messages. */
    public enum SealReason {
        /** It holds as many positions as a seal has. */
        COUNT,
        /** Its first position has not been recorded for long. */
        AGE,
        /** Memory is short. */
        MEMORY,
        /** A ledger of the topic has ended. */
        LEDGER_END,
        /** The last seal of it failed. */
        AGAIN
    }
}
