/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.index.BucketWatcher;
import io.github.delayedtracker.bucket.index.LedgerSeals;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.Removal;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * The works of one subscription. All that writes is done in <em>rounds</em>, one at a time in the order of the subscription's
 * tasks: settle the record, seal, merge, delete. Loads go their own way. After each round and each load an alarm is set for
 * whatever comes next; without anything to come there is none. A round that leaves nothing stored and nothing to do asks
 * whether the works are needed any longer.
 */
final class Chores {

    /** The tail that is being filled, and two that are being sealed. */
    private static final int MOST_FROZEN = 2;

    private final Site site;
    private final RecordWork record;
    private final SealChore seals;
    private final LoadChore loads;
    private final Rereading rereads;
    private final MergeChore merges;
    private final DeleteChore trash;
    private final ImportChore imports;
    private final RecoverChore recovery;
    private final MemoryRelief memory;
    private final Alarm alarm;
    /** Apart, since a round may wait for storage. */
    private final Alarm loadAlarm;
    private final Supplier<CompletableFuture<Void>> whenSpare;
    private final AtomicBoolean roundQueued = new AtomicBoolean();
    private volatile long retryMillis = Long.MAX_VALUE;
    /** A dispatcher that takes another's place does not wait for its tracker; whoever closes the cursor then does. */
    private volatile CompletableFuture<Void> before = Futures.DONE;

    /**
     * Doing nothing before {@link #look}; and first of all {@link #recover} or {@link #goOn}.
     *
     * @param whenSpare asked at the end of a round, in the subscription's order, that leaves nothing stored and nothing to do
     */
    Chores(BucketServices services, BucketOrigin origin, IndexHost host, BucketIndex index, BucketFigures figures,
            Supplier<CompletableFuture<Void>> whenSpare) {
        this.whenSpare = whenSpare;
        Optional<StockSnapshots> stock = origin.stock();
        site = new Site(services, origin, stock, host, index, figures);
        alarm = new Alarm(services.timer(), this::look);
        loadAlarm = new Alarm(services.timer(), this::planLoadsSoon);
        record = new RecordWork(site);
        seals = new SealChore(site, record, this::planLoadsSoon);
        imports = new ImportChore(site, record, stock.filter(found -> !found.kept()));
        trash = new DeleteChore(site, record, imports::held);
        loads = new LoadChore(site, trash, this::plan);
        rereads = new Rereading(site, loads::giveUp);
        merges = new MergeChore(site, record, trash, this::loadsAndRound);
        recovery = new RecoverChore(site, trash, imports, this::loadsAndRound);
        memory = new MemoryRelief(site, seals, this::queueRoundUnlessResting, this::plan);
        site.change(this::prepare);
    }

    /** An empty index of a subscription. */
    static BucketIndex newIndex(Supplier<DelayIndex> newPart, BucketSettings settings) {
        return new BucketIndex(newPart, settings.sealPositions(), MOST_FROZEN);
    }

    private void prepare() {
        BucketWatcher.watch(site.index, site);
        if (site.stockWriting.isPresent()) {
            LedgerSeals.begin(site.index);
        }
        site.index.onTailGrown(site.settings().ageSealPositions(), () -> {
            seals.tailGrows();
            plan();
        });
    }

    /**
     * Is to recover what is stored, into an index that is empty.
     *
     * @param other done when the tracker before, if there was one, writes the record no more, or has waited for that for as long
     *     as one call may take
     */
    void recover(CompletableFuture<Void> other) {
        before = other;
        recovery.prepare();
    }

    /** Is to go on with an index of which nothing is stored: recovers nothing. */
    void goOn() {
        recovery.skip();
        if (site.locked(site.index::tailPositions) >= site.settings().ageSealPositions()) {
            seals.tailGrows();
        }
    }

    /** Begins a round; to be called now and then, since the clock may have been set. */
    void look() {
        alarm.reset();
        loadAlarm.reset();
        loadsAndRound();
    }

    /** There are other buckets: what is due soon in them waits for no round, which may wait for storage. */
    private void loadsAndRound() {
        planLoadsSoon();
        queueRound();
    }

    private void planLoadsSoon() {
        site.soon(this::planLoads);
    }

    private void queueRound() {
        if (!site.isClosed() && roundQueued.compareAndSet(false, true)) {
            Futures.whenDone(Futures.begun(() -> site.services.executor().submit(site.key, () -> {
                roundQueued.set(false);
                return site.isClosed() ? Futures.DONE : round();
            })), (done, failure) -> {
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
            return recovery.isRecordNewer() ? Futures.DONE : recovery.readRecord().thenAccept(this::recordRead);
        }
        return record.settle().thenCompose(settled -> {
            retryUnless(settled);
            return settled ? seals.run().thenCompose(sealed -> imports.removeProperties())
                    .thenCompose(removed -> mergeAndDelete()) : Futures.DONE;
        });
    }

    private void recordRead(boolean known) {
        retryUnless(known);
        seals.forbid(recovery.isRecordNewer());
    }

    private CompletableFuture<Void> mergeAndDelete() {
        if (recovery.mayMerge()) {
            merges.begin();
        }
        return trash.run().thenCompose(deleted -> isSpare() ? whenSpare.get() : Futures.DONE);
    }

    /** Whether nothing is stored or named anywhere, and nothing under way that might store something. */
    private boolean isSpare() {
        return recovery.isOver() && retryMillis == Long.MAX_VALUE && record.isEmpty() && site.leftovers.all().isEmpty()
                && merges.isIdle() && trash.isIdle() && imports.isIdle() && site.stockWriting.isEmpty();
    }

    private void retryUnless(boolean done) {
        if (!done) {
            retryMillis = record.retryMillis();
        }
    }

    /** Begins the loads that are due, and reads again what is lost, waiting for no round. */
    private void planLoads() {
        if (site.isClosed()) {
            return;
        }
        loads.begin();
        loadAlarm.at(site.locked(loads::nextMillis), site.nowMillis());
        loads.giveUp();
        rereads.look();
    }

    /** Begins the loads that are due and sets the alarm for what comes next; for another plan, if this one fails. */
    void plan() {
        if (site.isClosed()) {
            return;
        }
        try {
            planNext();
        } catch (Throwable e) {
            site.warn("What is to be done next could not be told; it is looked at again", e);
            alarm.at(site.restUntilMillis(), site.nowMillis());
        }
    }

    private void planNext() {
        planLoads();
        long nowMillis = site.nowMillis();
        // Until what has failed is tried again no round could do anything else.
        long nextMillis = retryMillis != Long.MAX_VALUE ? retryMillis
                : LongStream.of(seals.nextMillis(), merges.nextMillis(), trash.nextMillis(), imports.nextMillis(),
                        recovery.nextMillis()).min().orElseThrow();
        boolean[] atOnce = {false};
        long[] bytes = {0};
        site.change(() -> {
            BucketIndex index = site.index;
            atOnce[0] = index.sealWanted() && index.frozenTails() < MOST_FROZEN || LedgerSeals.isWanted(index);
            bytes[0] = index.memoryUse().bytes();
            publish(index);
        });
        memory.report(bytes[0]);
        if (atOnce[0] && seals.mayRun()) {
            queueRoundUnlessResting();
        }
        alarm.at(nextMillis, nowMillis);
    }

    private void publishRecord() {
        site.figures.set(Figure.RECORD_DAMAGED, site.keeper.isReplacing() ? 1 : 0);
    }

    private void publish(BucketIndex index) {
        publishRecord();
        site.figures.set(Figure.BUCKETS, index.liveBuckets());
        site.figures.set(Figure.SLEEPING_POSITIONS, index.sleepingPositions());
        site.figures.set(Figure.LOADED_POSITIONS, index.size() - index.sleepingPositions());
        site.figures.set(Figure.FROZEN_TAILS, index.frozenTails());
        site.figures.set(Figure.LOST_POSITIONS, index.losses().positions());
    }

    /** Everything stored is about to be deleted: gives up what is under way. */
    void beginClear() {
        seals.suspend();
        site.abandonSteps();
    }

    /** Deletes everything stored; in the subscription's order. */
    CompletableFuture<Void> clear() {
        record.giveUp();
        Set<Long> recorded = new HashSet<>(site.keeper.wish().orElse(CatalogueRecord.EMPTY).live());
        site.change(() -> recorded.forEach(ledgerId -> site.index.lose(ledgerId, "all that is stored is deleted")));
        return site.keeper.removeAll(site.settings().clearMillis()).thenAccept(this::removed)
                .thenCompose(removed -> imports.removeAll());
    }

    private void removed(Removal removal) {
        trash.forget(removal.ledgers());
        trash.end();
        recovery.removed();
        seals.forbid(recovery.isRecordNewer());
        publishRecord();
        if (!removal.isComplete()) {
            site.info("Left in storage, to be found by the owner in its metadata: " + removal);
        }
    }

    /**
     * Nothing is begun any more, no update of the record above all; what is under way ends. From any thread.
     *
     * @return when the broker has answered the updates of the record that were under way here or in the tracker before, perhaps
     *     never
     */
    CompletableFuture<Void> stop() {
        site.close();
        alarm.close();
        loadAlarm.close();
        loads.close();
        rereads.close();
        memory.close();
        return CompletableFuture.allOf(before, site.keeper.close(), imports.close());
    }

    /** After {@link #stop}, in the subscription's order: nothing is deleted by the record any more either. */
    void end() {
        trash.end();
        site.keeper.end();
    }

    /** What is to be told when these works are no more; null for nothing. */
    BucketFigures counted() {
        site.change(() -> publish(site.index));
        return site.figures.hasTotals() ? site.figures : null;
    }

    Samples figures() {
        Samples all = site.figures.all();
        site.stockFigures.ifPresent(stock -> all.putAll(stock.all(site.stockWriting.get().ranges().snapshotBytes())));
        return all;
    }
}
