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
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import java.util.List;

/**
 * Positions that came out of order, in time buckets: an AVL map from due time to Roaring bitmaps of entry ids, by ledger.
 * The position set alone knows which positions are contained; the buckets know their due times.
 *
 * <p>So forgetting is lazy: the position leaves the set at once, and its bucket when it is handed out or swept. A position
 * that a bucket still has but the set has not is dead. A position forgotten and added again may be in two buckets; the
 * earlier one wins and the other copy is dead from then on.
 */
final class OpenBuckets implements DelayIndex {

    private static final int SHELL_BYTES = 32 + Sweeper.SHELL_BYTES;

    private final PositionSet contained = new PositionSet();
    private final BucketMap buckets;
    private final Sweeper sweeper;
    /** A lower bound of the ledger ids of contained positions; cells of smaller ones are dead as a whole. */
    private long deadBelowLedgerId;

    OpenBuckets() {
        this(new Long2ObjectAVLTreeMap<>());
    }

    /** Takes over an empty map. */
    OpenBuckets(Long2ObjectAVLTreeMap<Object> map) {
        buckets = new BucketMap(map);
        sweeper = new Sweeper(buckets, contained);
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        if (!contained.add(ledgerId, entryId)) {
            return false;
        }
        if (ledgerId < deadBelowLedgerId) {
            deadBelowLedgerId = ledgerId;
        }
        buckets.add(dueMillis, ledgerId, entryId);
        return true;
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        if (limit <= 0 || contained.size() == 0) {
            return 0;
        }
        HandOut handOut = HandOut.to(sink, limit, contained);
        buckets.consume(untilMillis, handOut, deadBelowLedgerId);
        clearIfEmpty();
        return handOut.taken();
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return contained.contains(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        if (contained.size() == 0) {
            return NEVER;
        }
        if (buckets.positions() > contained.size()) {
            buckets.consume(Long.MAX_VALUE, HandOut.ofDeadOnly(contained), deadBelowLedgerId);
        }
        return buckets.firstDueMillis();
    }

    /** Sets the head to the first position there is; it does not exist while many dead ones are in its way. */
    void look(Head head) {
        head.exists = false;
        if (contained.size() > 0) {
            HandOut look = HandOut.ofDeadOnly(contained);
            buckets.consume(Long.MAX_VALUE, look, deadBelowLedgerId);
            if (look.taken() > 0) {
                head.set(buckets.firstDueMillis(), look.foundLedgerId(), look.foundEntryId());
            }
        }
    }

    /** Appends every position to the scratch, in ascending order. */
    void copyTo(Scratch scratch) {
        int from = scratch.count;
        contained.forEach((ledgerId, entryId) -> scratch.append(ledgerId, entryId, NEVER));
        for (Long2ObjectMap.Entry<Object> bucket : buckets.entries()) {
            long dueMillis = bucket.getLongKey();
            BucketForms.forEach(bucket.getValue(),
                    (ledgerId, entryId) -> scratch.lowerDueMillis(from, ledgerId, entryId, dueMillis));
        }
    }

    @Override
    public long size() {
        return contained.size();
    }

    @Override
    public long retainedBytes() {
        return SHELL_BYTES + contained.retainedBytes() + buckets.retainedBytes();
    }

    @Override
    public long positionSetBytes() {
        return contained.retainedBytes();
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        boolean forgotten = contained.remove(ledgerId, entryId);
        clearIfEmpty();
        return forgotten;
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        long forgotten = contained.removeUpTo(ledgerId, entryId);
        deadBelowLedgerId = Math.max(deadBelowLedgerId, ledgerId);
        clearIfEmpty();
        return forgotten;
    }

    @Override
    public PositionWalk walk() {
        return contained.walk();
    }

    @Override
    public void clear() {
        contained.clear();
        clearIfEmpty();
    }

    @Override
    public boolean tidy(int budget) {
        return sweeper.run(budget, deadBelowLedgerId);
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        buckets.histogram().countDueBy(untilMillis, counts);
    }

    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        DueRows rows = new DueRows(fromMillis, untilMillis);
        for (Long2ObjectMap.Entry<Object> bucket : buckets.entries()) {
            long dueMillis = bucket.getLongKey();
            if (dueMillis > untilMillis) {
                break;
            }
            if (dueMillis >= fromMillis) {
                BucketForms.forEach(bucket.getValue(), (ledgerId, entryId) -> rows.add(dueMillis, ledgerId, entryId));
            }
        }
        return List.of(rows);
    }

    @Override
    public void validate() {
        contained.validate();
        buckets.validate(contained);
    }

    private void clearIfEmpty() {
        if (contained.size() == 0 && buckets.positions() > 0) {
            buckets.clear();
            sweeper.reset();
        }
    }
}
