/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.StockFigures.Operation;
import io.github.delayedtracker.bucket.index.MergeNeighbours;
import io.github.delayedtracker.bucket.index.MergePlan;
import io.github.delayedtracker.bucket.index.MergeTiers;
import io.github.delayedtracker.bucket.index.SegmentRef;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.SegmentSource;
import io.github.delayedtracker.bucket.steps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Merges buckets of a size class, one merge at a time: writes what still sleeps in them as one, in an order of tasks of its own,
 * so that seals do not wait; then has it recorded in the subscription's order, and lets the sources go. A merge that fails leaves
 * the sources as they were. {@link #begin} is called in the subscription's order.
 */
final class MergeChore {

    /** What a position takes in the metadata of a stock snapshot, about. */
    private static final int BYTES_A_POSITION = 4;
    /** A record with so many ledgers that are to be deleted is long enough, some 5 kB: merging waits until they are. */
    static final int MOST_DOOMED = 1_000;

    /** A bucket of which one of these is true is no more. */
    private static final Set<Verdict> UNREADABLE = EnumSet.of(Verdict.LOST, Verdict.FOREIGN, Verdict.NEWER);

    private final Site site;
    private final RecordWork record;
    private final DeleteChore trash;
    private final Runnable whenOver;
    private volatile MergeTiers tiers;
    /** Of a merge into the stock form, whose metadata are one entry; halved when they were longer. */
    private volatile long mostPositions;
    private volatile boolean underWay;
    private volatile long begunMillis;
    private volatile long restsUntilMillis;
    private volatile boolean waitsForRoom;

    MergeChore(Site site, RecordWork record, DeleteChore trash, Runnable whenOver) {
        this.site = site;
        this.trash = trash;
        this.record = record;
        this.whenOver = whenOver;
        this.mostPositions = site.storage.maxEntryBytes() / BYTES_A_POSITION;
        this.tiers = site.stockWriting.isPresent() ? new MergeNeighbours(site.settings().sealPositions(), mostPositions)
                : new MergeTiers(site.settings().sealPositions());
    }

    /** When to look again though nothing happens, or never. */
    long nextMillis() {
        long nowMillis = site.nowMillis();
        return waitsForRoom ? nowMillis + site.settings().pauseMillis() / 10
                : nowMillis < restsUntilMillis ? restsUntilMillis : Long.MAX_VALUE;
    }

    /** Whether none is under way. */
    boolean isIdle() {
        return !underWay;
    }

    /** Begins a merge if there is something to merge and none is under way. */
    void begin() {
        if (underWay || site.nowMillis() < restsUntilMillis || hasBothForms()) {
            return;
        }
        waitsForRoom = holdsTooMany() || !site.services.gate().enter();
        if (waitsForRoom) {
            return;
        }
        Optional<MergePlan> plan = Optional.empty();
        try {
            plan = site.locked(() -> site.index.beginMerge(tiers));
        } finally {
            if (plan.isEmpty()) {
                site.services.gate().leave();
            }
        }
        if (plan.isPresent()) {
            underWay = true;
            begunMillis = site.nowMillis();
            merge(plan.get());
        }
    }

    private boolean holdsTooMany() {
        return site.services.holds().isReached() || site.keeper.doomed().size() >= MOST_DOOMED;
    }

    /** Whether there are buckets of the plugin's own form besides those of the stock form: no merge then. */
    private boolean hasBothForms() {
        return site.stockWriting.isPresent() && !site.stockWriting.get().ranges()
                .containsAll(site.keeper.wish().orElse(CatalogueRecord.EMPTY).live());
    }

    private void merge(MergePlan plan) {
        List<SegmentSource> sources = new ArrayList<>();
        CompletableFuture<Optional<WrittenSnapshot>> task = Futures.begun(() ->
                site.services.executor().submit(site.key.of(BucketKey.MERGES), () -> write(plan, sources)));
        Futures.whenDone(task, (written, failure) -> {
            site.services.gate().leave();
            if (failure != null) {
                giveUp(plan, sources, failure);
            } else if (written.isEmpty()) {
                end(plan, () -> site.index.giveUpMerge(plan, "nothing sleeps in the sources any more"));
            } else {
                record(plan, written.get());
            }
        });
    }

    private CompletableFuture<Optional<WrittenSnapshot>> write(MergePlan plan, List<SegmentSource> sources) {
        for (long ledgerId : plan.sources()) {
            sources.add(site.steps().read().segments(ledgerId, table(ledgerId)));
        }
        return site.steps().merge().merge(sources, (source, columns) -> CompletableFuture.completedFuture(site.chosen(columns,
                        (from, to, into) -> site.index.live(plan, sources.get(source).ledgerId(), columns, from, to, into))),
                this::pause).thenApply(written -> {
                    written.ifPresent(merged -> drain(plan, merged));
                    return written;
                });
    }

    /** Goes on upon the threads: the gate answers upon the timer's, where every wake-up of the broker would wait for a merge. */
    private CompletableFuture<Void> pause(long bytes) {
        CompletableFuture<Void> over = site.services.gate().pause(bytes);
        return over.isDone() ? over : over.thenRunAsync(() -> { }, site.services.threads());
    }

    private void drain(MergePlan plan, WrittenSnapshot written) {
        int slice = site.settings().slice();
        int left = Integer.MAX_VALUE;
        while (left > slice) {
            left = site.locked(() -> site.index.drainRemovals(plan, written.positions(), slice));
        }
    }

    private void record(MergePlan plan, WrittenSnapshot written) {
        Futures.whenDone(Futures.begun(() ->
                site.services.executor().submit(site.key, () -> recordNow(plan, written))), (done, failure) -> {
            if (failure != null) {
                site.leftovers.unwanted(written.ledgerId());
                giveUp(plan, List.of(), failure);
            }
        });
    }

    private CompletableFuture<Boolean> recordNow(MergePlan plan, WrittenSnapshot written) {
        boolean live = site.keeper.wish().map(wish -> wish.live().containsAll(plan.sources())).orElse(false)
                && site.locked(plan::beginRecording);
        if (!live) {
            // Everything was deleted meanwhile, or a source given up.
            site.leftovers.unwanted(written.ledgerId());
            end(plan, () -> site.index.giveUpMerge(plan, "its sources are not live any more"));
            return CompletableFuture.completedFuture(false);
        }
        return record.update(before -> before.merged(plan.sources(), written.ledgerId()), () -> {
            end(plan, () -> site.index.commitMerge(plan, written.ledgerId(), written.segments(), written.positions()));
            site.figures.add(Figure.MERGES_TOTAL, 1);
            site.took(Operation.MERGE, begunMillis);
            site.debug("Merged ledgers {} into {}: {} positions in {} segments, {} bytes, {} ms", plan.sources(),
                    written.ledgerId(), written.positions().size(), written.segments().size(), written.bytes(),
                    site.nowMillis() - begunMillis);
        }, () -> end(plan, () -> site.index.giveUpMerge(plan, "its ledger is removed with all others")));
    }

    private void end(MergePlan plan, Runnable how) {
        try {
            site.change(() -> {
                // Or it has ended with a source that was given up.
                if (plan.isOpen()) {
                    how.run();
                }
            });
        } finally {
            underWay = false;
            whenOver.run();
        }
    }

    private List<SegmentEntry> table(long ledgerId) {
        int count = site.locked(() -> site.index.segmentCount(ledgerId));
        List<SegmentEntry> table = new ArrayList<>(count);
        site.inSlices(count, (from, to) -> {
            for (int number = from; number < to; number++) {
                table.add(site.index.segment(new SegmentRef(ledgerId, number)).orElseThrow());
            }
        });
        return table;
    }

    private void giveUp(MergePlan plan, List<SegmentSource> sources, Throwable failure) {
        site.figures.add(Figure.MERGE_FAILURES_TOTAL, 1);
        site.warn("Merging ledgers " + plan.sources() + " failed; they stay as they are", failure);
        restsUntilMillis = site.restUntilMillis();
        if (site.stockWriting.isPresent() && Futures.cause(failure) instanceof StorageException known
                && known.kind() == StorageException.Kind.TOO_LARGE) {
            mostPositions /= 2;
            tiers = new MergeNeighbours(site.settings().sealPositions(), mostPositions);
        }
        end(plan, () -> site.index.giveUpMerge(plan, Futures.cause(failure).toString()));
        for (SegmentSource source : sources) {
            source.failure().filter(known -> UNREADABLE.contains(Verdict.of(known)))
                    .ifPresent(known -> {
                        if (Verdict.of(known) == Verdict.NEWER) {
                            trash.keep(source.ledgerId());
                        }
                        site.figures.add(Figure.LOST_BUCKETS_TOTAL, 1);
                        site.change(() -> site.index.lose(source.ledgerId(), known.toString()));
                    });
        }
    }
}
