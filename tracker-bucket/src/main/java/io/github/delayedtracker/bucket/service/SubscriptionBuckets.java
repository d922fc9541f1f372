/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.backend.StoredIndex;
import io.github.delayedtracker.bucket.BucketIndex;
import io.github.delayedtracker.bucket.LedgerSeals;
import io.github.delayedtracker.bucket.catalogue.CatalogueRecord;
import io.github.delayedtracker.bucket.jobs.CatalogueKeeper;
import io.github.delayedtracker.bucket.jobs.Leftovers;
import io.github.delayedtracker.bucket.jobs.Removal;
import io.github.delayedtracker.bucket.jobs.Retries;
import io.github.delayedtracker.bucket.jobs.StockProperties;
import io.github.delayedtracker.bucket.service.Figures.Figure;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/**
 * The buckets of one subscription. All that writes is done in <em>rounds</em>, one at a time in the order of the subscription's
 * tasks: settle the record, seal, merge, delete. Loads go their own way. After each round and each load an alarm is set for
 * whatever comes next; without anything to come there is none.
 */
public final class SubscriptionBuckets implements StoredIndex {

    private static final long SECOND_MILLIS = 1_000;
    /** The tail that is being filled, and two that are being sealed. */
    private static final int MOST_FROZEN = 2;

    private final Site site;
    private final RecordWork record;
    private final SealWork seals;
    private final LoadWork loads;
    private final MergeWork merges;
    private final TrashWork trash;
    private final ImportWork imports;
    private final RecoverWork recovery;
    private final MemoryWork memory;
    private final Alarm alarm;
    private final AtomicBoolean roundQueued = new AtomicBoolean();
    private volatile long retryMillis = Long.MAX_VALUE;

    /** Empty, and doing nothing before {@link #start}; for a cursor that never had snapshots of the stock tracker. */
    public SubscriptionBuckets(BucketServices services, BucketKey key, CatalogueStore catalogue) {
        this(services, key, catalogue, Optional.empty());
    }

    /** Empty, and doing nothing before {@link #start}. */
    public SubscriptionBuckets(BucketServices services, BucketKey key, CatalogueStore catalogue,
            Optional<StockSnapshots> stock) {
        BucketSettings settings = services.settings();
        site = new Site(services, key, catalogue, stock,
                new BucketIndex(services.newPart(), settings.sealPositions(), MOST_FROZEN));
        alarm = new Alarm(services.timer(), this::look);
        record = new RecordWork(site);
        seals = new SealWork(site, record);
        loads = new LoadWork(site, this::plan);
        merges = new MergeWork(site, record, this::queueRound);
        imports = new ImportWork(site, record, stock.filter(found -> !found.kept()));
        trash = new TrashWork(site, record, imports::held);
        recovery = new RecoverWork(site, trash, imports, this::queueRound);
        if (site.stockWriting.isPresent()) {
            LedgerSeals.begin(site.index);
        }
        memory = new MemoryWork(site, seals, this::queueRoundUnlessResting, this::plan);
        site.index.onTailGrown(settings.ageSealPositions(), () -> {
            seals.tailGrows();
            plan();
        });
    }

    /**
     * Deletes what is stored for a subscription that has no tracker here, after whatever its last tracker has still to do.
     * Answers well, in bounded time.
     */
    public static CompletableFuture<Void> removeAll(BucketServices services, BucketKey key, CatalogueStore catalogue,
            Optional<StockSnapshots> stock) {
        SnapshotOwner owner = new SnapshotOwner(key.topic(), key.cursor(), services.wallMillis().getAsLong());
        SnapshotStorage storage = Site.storage(services, owner, stock);
        Retries retries = new Retries(services.timer(), services.threads(), services.jitter(), services.limits());
        long withinMillis = services.settings().clearMillis();
        return services.executor().submitAlways(key, () -> new CatalogueKeeper(catalogue, storage, owner, retries,
                new Leftovers()).removeAll(withinMillis).thenCompose(removal -> stock.isEmpty() ? Futures.DONE
                        : new StockProperties(stock.get().properties(), retries).removeAll(storage, owner, withinMillis)
                                .<Void>thenApply(deletions -> null))).handle((removal, failure) -> null);
    }

    @Override
    public DelayIndex index() {
        return site.index;
    }

    @Override
    public void start(IndexHost host) {
        site.host(host);
        recovery.prepare();
        queueRound();
    }

    @Override
    public void look() {
        alarm.reset();
        queueRound();
    }

    private void queueRound() {
        if (!site.isClosed() && roundQueued.compareAndSet(false, true)) {
            Futures.whenDone(site.services.executor().submitAlways(site.key, () -> {
                roundQueued.set(false);
                return site.isClosed() ? Futures.DONE : round();
            }), (done, failure) -> {
                if (failure != null) {
                    roundQueued.set(false);
                    site.warn("A round of the buckets failed", failure);
                    retryMillis = site.restUntilMillis();
                }
                plan();
            });
        }
    }

    private void queueRoundUnlessResting() {
        if (retryMillis == Long.MAX_VALUE) {
            queueRound();
        }
    }

    private CompletableFuture<Void> round() {
        retryMillis = Long.MAX_VALUE;
        if (!recovery.isRecordRead()) {
            return recovery.isOver() ? Futures.DONE : recovery.readRecord().thenAccept(this::retryUnless);
        }
        return record.settle().thenCompose(settled -> {
            retryUnless(settled);
            return settled ? seals.run().thenCompose(sealed -> imports.removeProperties())
                    .thenCompose(removed -> mergeAndDelete()) : Futures.DONE;
        });
    }

    private CompletableFuture<Void> mergeAndDelete() {
        if (recovery.isOver()) {
            merges.begin();
        }
        return trash.run();
    }

    private void retryUnless(boolean done) {
        if (!done) {
            retryMillis = site.restUntilMillis();
        }
    }

    /** Begins the loads that are due and sets the alarm for what comes next. */
    private void plan() {
        if (site.isClosed()) {
            return;
        }
        loads.begin();
        long nowMillis = site.nowMillis();
        // Until what has failed is tried again no round could do anything else.
        long[] nextMillis = {retryMillis != Long.MAX_VALUE ? retryMillis
                : LongStream.of(seals.nextMillis(), merges.nextMillis(), trash.nextMillis(), imports.nextMillis()).min()
                        .orElseThrow()};
        boolean[] atOnce = {false};
        long[] bytes = {0};
        site.change(() -> {
            BucketIndex index = site.index;
            nextMillis[0] = Math.min(nextMillis[0], loads.nextMillis());
            if (index.lostPositions() > 0) {
                index.allowRereads(site.settings().rereadsASecond());
                nextMillis[0] = Math.min(nextMillis[0], nowMillis + SECOND_MILLIS);
            }
            atOnce[0] = index.sealWanted() && index.frozenTails() < MOST_FROZEN || LedgerSeals.isWanted(index);
            bytes[0] = index.memoryUse().bytes();
            publish(index);
        });
        memory.report(bytes[0]);
        if (atOnce[0] && seals.mayRun()) {
            queueRoundUnlessResting();
        }
        alarm.at(nextMillis[0], nowMillis);
    }

    private void publish(BucketIndex index) {
        site.figures.set(Figure.BUCKETS, index.liveBuckets());
        site.figures.set(Figure.SLEEPING_POSITIONS, index.sleepingPositions());
        site.figures.set(Figure.LOADED_POSITIONS, index.size() - index.sleepingPositions());
        site.figures.set(Figure.FROZEN_TAILS, index.frozenTails());
        site.figures.set(Figure.LOST_POSITIONS, index.lostPositions());
    }

    @Override
    public CompletableFuture<Void> clear() {
        seals.suspend();
        site.abandonSteps();
        CompletableFuture<Void> done = new CompletableFuture<>();
        WakeUpTimer.Armed deadline = site.services.timer().arm(site.settings().clearMillis(), () -> done.complete(null));
        Futures.whenDone(site.services.executor().submitAlways(site.key, this::clearNow), (removal, failure) -> {
            deadline.cancel();
            if (failure != null) {
                site.warn("Not everything stored was deleted", failure);
            }
            done.complete(null);
            plan();
        });
        return done;
    }

    private CompletableFuture<Void> clearNow() {
        record.giveUp();
        Set<Long> recorded = new HashSet<>(site.keeper.wish().orElse(CatalogueRecord.EMPTY).live());
        site.change(() -> recorded.forEach(ledgerId -> site.index.lose(ledgerId, "all that is stored is deleted")));
        return site.keeper.removeAll(site.settings().clearMillis()).thenAccept(this::removed)
                .thenCompose(removed -> imports.removeAll());
    }

    private void removed(Removal removal) {
        trash.forget(removal.ledgers());
        if (!removal.isComplete()) {
            site.info("Left in storage, to be found by the owner in its metadata: " + removal);
        }
    }

    @Override
    public void close() {
        site.close();
        alarm.close();
        memory.close();
        Futures.whenDone(site.services.executor().submitAlways(site.key,
                () -> site.keeper.close().thenCompose(closed -> imports.close())), (done, failure) -> {
            if (failure != null) {
                site.warn("Closing the record failed", failure);
            }
        });
    }

    @Override
    public Map<String, Long> figures() {
        Map<String, Long> all = site.figures.all();
        site.stockWriting.ifPresent(stock -> all.putAll(site.figures.inStockNames(
                site.figures.get(Figure.LOADED_POSITIONS), stock.ranges().snapshotBytes())));
        return all;
    }
}
