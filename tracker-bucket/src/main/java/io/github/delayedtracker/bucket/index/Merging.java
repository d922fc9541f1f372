/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The merging of several buckets into one. Their sets count until the merge is committed. Positions that leave them meanwhile are
 * noted, and taken out of the set of the new bucket, which somebody builds without the lock. One merge at a time. Not thread
 * safe.
 */
public final class Merging {

    private final BucketTable table;
    /** The merge under way; null if there is none. */
    private MergePlan open;

    Merging(BucketTable table) {
        this.table = table;
    }

    /** Whether there is something to merge, and no merge under way. */
    public boolean isWanted(MergeTiers tiers) {
        return open == null && !chosen(tiers).isEmpty();
    }

    /** Chooses buckets to merge, which are MERGING then; empty if there is nothing to merge or a merge is under way. */
    public Optional<MergePlan> begin(MergeTiers tiers) {
        List<Bucket> sources = open != null ? List.of() : chosen(tiers);
        if (sources.isEmpty()) {
            return Optional.empty();
        }
        MergePlan plan = new MergePlan(sources);
        for (Bucket source : sources) {
            table.become(source, BucketState.MERGING, "one of " + plan.sources());
            source.setMerge(plan);
        }
        open = plan;
        return Optional.of(plan);
    }

    private List<Bucket> chosen(MergeTiers tiers) {
        Stream<Bucket> sealed = table.buckets().stream()
                .filter(bucket -> bucket.state() == BucketState.SEALED && !bucket.sleeping().isEmpty());
        List<Bucket> candidates = (tiers.isOfNeighbours()
                ? sealed.sorted(Comparator.comparingLong(bucket -> bucket.range().lastLedgerId())) : sealed).toList();
        return tiers.choose(candidates.stream().map(bucket -> bucket.sleeping().size()).toList()).orElse(List.of()).stream()
                .map(candidates::get).toList();
    }

    /**
     * Sets the bits of the positions, from one index to before another, that still sleep in a source of a merge; returns how
     * many. There are none once the merge has ended.
     */
    public int live(MergePlan plan, long sourceLedgerId, SegmentColumns columns, int from, int to, BitSet into) {
        Bucket source = table.find(sourceLedgerId);
        int live = 0;
        for (int at = from; at < to && plan.isOpen() && source != null && source.merge() == plan; at++) {
            if (source.sleeping().contains(columns.ledgerId(at), columns.entryId(at))) {
                into.set(at);
                live++;
            }
        }
        return live;
    }

    /**
     * Takes positions that have left the sources out of the set for the new bucket; returns how many are left. Only once that set
     * has all positions that {@link #live} named: positions taken out here are not noted any longer.
     */
    public int drain(MergePlan plan, PositionSet merged, int budget) {
        return plan.drain(merged, budget);
    }

    /**
     * Commits a merge whose new bucket the record names instead of the sources: the sources are DELETING, the new bucket is
     * SEALED in the place of the oldest. Linear in the removals not drained. If the set still differs from the sets of the
     * sources, its surplus is dropped and the positions that it lacks are lost, linear in the sets. The merged set is handed
     * over: nobody else may use it any more.
     */
    public void commit(MergePlan plan, long ledgerId, List<SegmentEntry> segments, PositionSet merged) {
        checkIsOpen(plan);
        table.checkIsNew(ledgerId);
        plan.drain(merged, Integer.MAX_VALUE);
        long expected = plan.buckets().stream().mapToLong(source -> source.sleeping().size()).sum();
        PositionSet missing = merged.size() == expected && !plan.hasLostSource() ? new PositionSet()
                : reconcile(plan.buckets(), merged, expected);
        PositionRange range = new PositionRange();
        plan.buckets().forEach(source -> range.include(source.range()));
        Bucket bucket = Bucket.sealed(ledgerId, segments, merged, range);
        table.addBefore(plan.buckets().get(0), bucket);
        for (Bucket source : plan.buckets()) {
            source.setMerge(null);
            table.takeAll(source);
            table.become(source, BucketState.DELETING, "merged into ledger " + ledgerId);
        }
        plan.close();
        open = null;
        table.lost().add(missing, bucket.segments().notLoadedMillis());
        table.loseIfLoaded(bucket);
    }

    /** Drops the positions of a merged set that no source has; returns the positions that only the sources have. Linear. */
    private static PositionSet reconcile(List<Bucket> sources, PositionSet merged, long expected) {
        PositionSet missing = new PositionSet();
        for (Bucket source : sources) {
            source.sleeping().forEach((l, e) -> {
                if (!merged.contains(l, e)) {
                    missing.add(l, e);
                }
            });
        }
        if (merged.size() + missing.size() > expected) {
            PositionSet strange = new PositionSet();
            merged.forEach((l, e) -> {
                if (sources.stream().noneMatch(source -> source.sleeping().contains(l, e))) {
                    strange.add(l, e);
                }
            });
            strange.forEach(merged::remove);
        }
        return missing;
    }

    /** Gives up the merge that has a bucket as a source, if there is one and it is not being recorded. */
    void endFor(Bucket source, String reason) {
        MergePlan plan = source.merge();
        if (plan != null && !plan.isBeingRecorded()) {
            giveUp(plan, reason);
        }
    }

    /** Gives up a merge: its sources are SEALED again; sources found unreadable meanwhile are DELETING. */
    public void giveUp(MergePlan plan, String reason) {
        checkIsOpen(plan);
        List<Bucket> sources = new ArrayList<>(plan.buckets());
        plan.close();
        open = null;
        for (Bucket source : sources) {
            source.setMerge(null);
            table.becomeSealed(source, reason);
        }
    }

    private static void checkIsOpen(MergePlan plan) {
        if (!plan.isOpen()) {
            throw new IllegalStateException("a merge ends once; that of " + plan.sources() + " has ended already");
        }
    }

    long retainedBytes() {
        return open == null ? 0 : open.retainedBytes();
    }
}
