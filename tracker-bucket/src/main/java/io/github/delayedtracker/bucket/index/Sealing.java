/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

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
final class Sealing {

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

    void onGrown(int newEarlyPositions, Runnable newWork) {
        earlyPositions = Math.min(newEarlyPositions, sealPositions);
        work = newWork;
    }

    void watch(BucketWatcher watcher) {
        table.watch(watcher);
    }

    /** From now on tails end where ledgers do, and in no other place. */
    void sealAtLedgers() {
        memory.endAtLedgers(sealPositions, Math.max(maxFrozen, MOST_FROZEN_AT_LEDGERS));
    }

    /** Whether a tail that ended with its ledger waits for its seal. */
    boolean waits() {
        return memory.endsAtLedgers() && memory.frozen().stream().anyMatch(frozen -> frozen.state() == BucketState.OPEN);
    }

    boolean isWanted() {
        return !memory.endsAtLedgers() && memory.tailPositions() >= sealPositions;
    }

    /** What was given, once for each tail that is worth a look, and once when it is long enough. */
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

    boolean refill(int budget) {
        return memory.refill(budget);
    }

    Optional<FrozenTail> freeze(SealReason reason) {
        if (memory.endsAtLedgers() || memory.tailPositions() == 0 || memory.frozen().size() >= maxFrozen) {
            return Optional.empty();
        }
        FrozenTail frozen = memory.freeze();
        table.become(frozen.bucket(), BucketState.SEALING, reason.name());
        return Optional.of(frozen);
    }

    Optional<FrozenTail> sealAgain() {
        for (FrozenTail frozen : memory.frozen()) {
            if (frozen.state() == BucketState.OPEN) {
                table.become(frozen.bucket(), BucketState.SEALING, SealReason.AGAIN.name());
                return Optional.of(frozen);
            }
        }
        return Optional.empty();
    }

    int live(FrozenTail frozen, int from, int to, BitSet into) {
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

    void beginSettling(FrozenTail frozen, long ledgerId, List<SegmentEntry> segments) {
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

    boolean settle(FrozenTail frozen, long loadUntilMillis, int budget) {
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

    /** What is left in a frozen tail goes near and is not sealed. */
    private void keepInMemory(FrozenTail frozen) {
        SegmentColumns columns = frozen.columns();
        BitSet live = new BitSet(columns.count());
        live(frozen, 0, columns.count(), live);
        memory.near().addRun(columns.selected(live).byTime());
        frozen.clear();
    }

    void giveUp(FrozenTail frozen, String reason) {
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
}
