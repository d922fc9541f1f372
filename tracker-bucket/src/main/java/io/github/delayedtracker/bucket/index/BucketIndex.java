/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * An index whose positions mostly sleep in sealed buckets: their due times are in storage, only their membership is in memory. It
 * does no I/O: a driver moves positions by the calls below, which tell it what to write and read, and take the results.
 *
 * <p>A position is in one of these parts: the tail or its overflow, a frozen tail, <em>near</em> (loaded segments and other
 * positions due soon), the <em>sleeping</em> set of a bucket, the lost positions. Positions in memory are handed out in (time,
 * ledger, entry) order. A sleeping position is handed out once its segment is loaded: a driver loads ahead of
 * {@link SegmentLoading#nextMillis}. Lost positions come first, before their time, to be read again.
 *
 * <p>A call costs as much as the index of a part, for a few parts, or is linear in its slice; calls that cost more say so. The
 * index is guarded by one lock with everything else of its subscription, as any index; nothing is safe without the lock unless
 * said.
 */
public final class BucketIndex implements DelayIndex {

    private static final int OBJECT_BYTES = Footprint.object(7 * Footprint.REFERENCE + 2 * Long.BYTES);
    /** The bytes of sealing, loading, merging, and the maker of parts. */
    private static final int HELPER_BYTES = Footprint.object(3 * Footprint.REFERENCE + Long.BYTES + 4 * Integer.BYTES)
            + Footprint.object(4 * Footprint.REFERENCE) + 2 * Footprint.object(2 * Footprint.REFERENCE);

    private final MemoryParts memory;
    private final LostPositions lost = new LostPositions();
    private final BucketTable table = new BucketTable(lost);
    private final Recovery recovery = new Recovery();
    private final Sealing sealing;
    private final SegmentLoading loading;
    private final Merging merging;
    /** The last position that was here; no part is asked for a position behind it. */
    private long lastLedgerId = -1;
    private long lastEntryId = -1;

    /**
     * An empty index.
     *
     * @param newPart makes tails
     * @param sealPositions the most positions of a seal
     * @param maxFrozen the most frozen tails; positions that come while there are as many are sealed later
     */
    public BucketIndex(Supplier<DelayIndex> newPart, int sealPositions, int maxFrozen) {
        if (sealPositions < 1 || maxFrozen < 1) {
            throw new IllegalArgumentException("sealPositions and maxFrozen are 1 or more: " + sealPositions + ", " + maxFrozen);
        }
        memory = new MemoryParts(newPart, sealPositions);
        sealing = new Sealing(memory, table, sealPositions, maxFrozen);
        loading = new SegmentLoading(table, memory, recovery);
        merging = new Merging(table);
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        boolean wasLost = false;
        if (!isBehindAll(ledgerId, entryId)) {
            if (memory.isBesideTail(ledgerId, entryId) || table.contains(ledgerId, entryId)) {
                return false;
            }
            wasLost = lost.remove(ledgerId, entryId);
        }
        if (!memory.add(dueMillis, ledgerId, entryId)) {
            return false;
        }
        reachTo(ledgerId, entryId);
        recovery.give(ledgerId, entryId);
        return !wasLost;
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        int taken = untilMillis >= 0 ? lost.take(limit, sink) : 0;
        return taken + memory.takeDue(untilMillis, limit - taken, sink);
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        boolean contained = holds(ledgerId, entryId);
        if (!contained) {
            recovery.give(ledgerId, entryId);
        }
        return contained;
    }

    @Override
    public boolean holds(long ledgerId, long entryId) {
        return !isBehindAll(ledgerId, entryId) && (memory.contains(ledgerId, entryId)
                || table.contains(ledgerId, entryId) || lost.contains(ledgerId, entryId));
    }

    /**
     * The earliest time in memory; 0 while lost positions may be handed out. {@link SegmentLoading#nextMillis} says when to load.
     */
    @Override
    public long nextDueMillis() {
        return lost.mayHandOut() ? 0 : memory.nextDueMillis();
    }

    /**
     * The latest time in memory; {@link SegmentLoading#lastAsleepMillis} says it of what sleeps. That of lost positions is not
     * known.
     */
    @Override
    public long lastDueMillis() {
        return memory.all().stream().mapToLong(DelayIndex::lastDueMillis).max().orElse(NO_TIME);
    }

    @Override
    public long size() {
        return memory.size() + table.positions() + lost.size();
    }

    @Override
    public long retainedBytes() {
        return OBJECT_BYTES + HELPER_BYTES + memory.retainedBytes() + table.retainedBytes() + lost.retainedBytes()
                + recovery.retainedBytes() + merging.retainedBytes() + loading.retainedBytes();
    }

    @Override
    public long positionSetBytes() {
        return memory.positionSetBytes() + table.setBytes() + lost.setBytes();
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        recovery.give(ledgerId, entryId);
        return !isBehindAll(ledgerId, entryId) && (memory.forget(ledgerId, entryId) || table.remove(ledgerId, entryId)
                || lost.remove(ledgerId, entryId));
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        recovery.giveUpTo(ledgerId, entryId);
        return memory.forgetUpTo(ledgerId, entryId) + table.removeUpTo(ledgerId, entryId) + lost.removeUpTo(ledgerId, entryId);
    }

    @Override
    public PositionWalk walk() {
        return table.walk(memory.all().stream().map(DelayIndex::walk).toList());
    }

    /**
     * Forgets all positions. Buckets stay {@link #doomed} until they are {@link #deleted}; seals and merges under way, and a
     * recovery, go on.
     */
    @Override
    public void clear() {
        memory.clear();
        table.clear();
        lost.clear();
        lastLedgerId = -1;
        lastEntryId = -1;
    }

    @Override
    public boolean tidy(int budget) {
        return memory.tidy(budget);
    }

    @Override
    public Optional<Runnable> takeWork() {
        Optional<Runnable> work = memory.takeWork();
        return work.or(sealing::takeWork).or(lost::takeWork);
    }

    /** Counts sleeping positions by whole segments, and lost positions as due always. */
    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        Arrays.fill(counts, lost.size());
        memory.addDueBy(untilMillis, counts);
        table.addDueBy(untilMillis, counts);
    }

    /** Of the positions in memory. Where the others sleep, only their segments know their times. */
    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        return memory.all().stream().flatMap(part -> part.runs(fromMillis, untilMillis).stream()).toList();
    }

    @Override
    public void validate() {
        IndexCheck.validate(memory, table, lost, this::isBehindAll);
    }

    /** The way from the tail to a sealed bucket. */
    public Sealing seals() {
        return sealing;
    }

    /** The way from a sealed bucket back to memory. */
    public SegmentLoading loads() {
        return loading;
    }

    /** The way from several buckets to one. */
    public Merging merges() {
        return merging;
    }

    /** The positions in memory, and the way to make them fewer. */
    public MemoryUse memoryUse() {
        return new MemoryUse(memory, table);
    }

    /** Dooms the SEALED buckets in which nothing sleeps any more; returns their ledgers. */
    public List<Long> exhausted() {
        return table.exhausted("nothing sleeps in it");
    }

    /** The ledgers of all buckets that are DELETING. */
    public List<Long> doomed() {
        return table.doomed();
    }

    /** Forgets the bucket of a doomed ledger that is deleted. */
    public void deleted(long ledgerId) {
        table.deleted(ledgerId);
    }

    /**
     * Loses a bucket that cannot be read: its sleeping positions are lost, and it is DELETING. A bucket that merges is DELETING
     * when the merge has ended. A bucket that settles is lost when it is SEALED.
     */
    public void lose(long ledgerId, String reason) {
        Optional.ofNullable(table.find(ledgerId)).ifPresent(bucket -> table.lose(bucket, reason));
    }

    /** The positions that cannot be read, and the way to read them again. */
    public Losses losses() {
        return new Losses(table, lost, merging);
    }

    /**
     * Begins a recovery, in which buckets are registered: from now on every position that is answered false for, offered or
     * forgotten is remembered, in a bit or so each. Only while the index is empty.
     */
    public void beginRecovery() {
        if (size() > 0) {
            throw new IllegalStateException("recovery begins before anything else, but " + size() + " positions are here");
        }
        recovery.begin();
    }

    /**
     * Adds a recovered bucket, less the positions that are in another part, or remembered; returns how many it brought. Linear in
     * the lost positions, and in the smaller of two sets: its own, and each of the remembered positions and of buckets whose
     * range overlaps with its own. Where two buckets have a position the bucket registered first keeps it, so the youngest is to
     * come first.
     */
    public long register(RecoveredBucket recovered) {
        reachTo(recovered.range.lastLedgerId(), recovered.range.lastEntryId());
        return recovery.register(recovered, table);
    }

    /** Ends the recovery: every bucket of the record is registered or given up, and nothing is remembered any longer. */
    public void endRecovery() {
        recovery.end();
    }

    /** The number of positions remembered for buckets still to be registered; empty if no bucket is to come. */
    public OptionalLong given() {
        return recovery.given();
    }

    /** All buckets, in the order of sealing. Linear in their segments. */
    public List<BucketSummary> summaries() {
        return table.buckets().stream().map(Bucket::summary).toList();
    }

    /** The state of the bucket of a ledger; GONE if there is none. */
    public BucketState state(long ledgerId) {
        return table.state(ledgerId);
    }

    /** The number of positions that sleep in buckets. */
    public long sleepingPositions() {
        return table.positions();
    }

    /** The number of buckets that are SEALED or MERGING. */
    public int liveBuckets() {
        return (int) table.buckets().stream().filter(Bucket::isLive).count();
    }

    private boolean isBehindAll(long ledgerId, long entryId) {
        return ledgerId > lastLedgerId || ledgerId == lastLedgerId && entryId > lastEntryId;
    }

    private void reachTo(long ledgerId, long entryId) {
        lastEntryId = isBehindAll(ledgerId, entryId) ? entryId : lastEntryId;
        lastLedgerId = Math.max(lastLedgerId, ledgerId);
    }

    /** A bucket as found in storage, prepared without the lock so that {@link BucketIndex#register} has little left to do. */
    public static final class RecoveredBucket {

        final long ledgerId;
        final List<SegmentEntry> segments;
        final PositionSet sleeping;
        final PositionRange range;
        final long pastMillis;

        private RecoveredBucket(long ledgerId, List<SegmentEntry> segments, PositionSet sleeping, long pastMillis) {
            this.ledgerId = ledgerId;
            this.segments = segments;
            this.sleeping = sleeping;
            this.range = PositionRange.of(sleeping);
            this.pastMillis = pastMillis;
        }

        /**
         * Prepares a bucket. Linear in the set.
         *
         * @param ledgerId the ledger of its snapshot
         * @param segments by first due time
         * @param sleeping the positions that still wait in its segments, without past ones and without any that mark-delete has
         *     passed. Handed over: nobody else may use the set any more
         * @param pastMillis the time by which segments wholly due hold nothing of the set and are never loaded; -1 if there are
         *     none
         */
        public static RecoveredBucket of(long ledgerId, List<SegmentEntry> segments, PositionSet sleeping, long pastMillis) {
            return new RecoveredBucket(ledgerId, segments, sleeping, pastMillis);
        }

        /** From the first to the last position that sleeps in the bucket. */
        public PositionRange range() {
            return range;
        }
    }
}
