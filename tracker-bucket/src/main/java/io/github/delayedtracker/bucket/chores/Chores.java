/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.BucketOrigin.StockSnapshots;
import io.github.delayedtracker.bucket.chores.ChoreLog.StateLog;
import io.github.delayedtracker.bucket.chores.MemoryBudget.MemoryRelief;
import io.github.delayedtracker.bucket.chores.SnapshotForm.KeptStockForm;
import io.github.delayedtracker.bucket.chores.SnapshotForm.OwnForm;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.index.SegmentLoading.AsleepSegment;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueKeeper.Removal;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.DurableRecord;
import io.github.delayedtracker.bucket.record.StockProperties;
import io.github.delayedtracker.bucket.steps.SnapshotSteps;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The chores of one subscription. Everything that writes is done in <em>rounds</em>, one at a time in the order of the
 * subscription's tasks: settle the record, seal, merge, delete. Loads wait for no round. After each round and each load an alarm
 * is set for the next thing to do; if there is none, no alarm is set. A round that leaves nothing stored and nothing to do asks
 * whether the chores are needed any longer.
 */
final class Chores implements DurableRecord.Watcher {

    /** The most frozen tails: two may be being sealed while one is being filled. */
    private static final int MOST_FROZEN = 2;

    /** The most doublings of the rest after conflicts, which is then a quarter of an hour by default. */
    static final int MOST_DOUBLINGS = 4;

    /** The result of a look at the index, for the next thing to do. */
    private record Seen(long bytes, boolean isSealWanted) {
    }

    private final BucketSettings settings;
    private final SnapshotOwner owner;
    private final SnapshotStorage storage;
    private final SnapshotForm form;
    private final ChoreClock clock;
    private final ChoreLog log;
    private final BucketFigures figures;
    private final GuardedIndex index;
    private final ChoreTasks tasks;
    private final SnapshotSteps steps;
    private final Leftovers leftovers = new Leftovers();
    private final CatalogueKeeper keeper;
    private final DurableRecord record;
    private final SealChore seals;
    private final LoadChore loads;
    private final Rereading rereads;
    private final MergeChore merges;
    private final DeleteChore deletes;
    private final ImportChore imports;
    private final RecoverChore recovery;
    private final MemoryRelief memory;
    private final Alarm alarm;
    /** The alarm of the loads, apart since a round may wait for storage. */
    private final Alarm loadAlarm;
    private final Supplier<CompletableFuture<Void>> whenSpare;
    private final AtomicBoolean roundQueued = new AtomicBoolean();
    private volatile long retryMillis = Long.MAX_VALUE;
    /**
     * The end of the tracker before, which a dispatcher that replaces another does not wait for. The close of the cursor does.
     */
    private volatile CompletableFuture<Void> before = Futures.DONE;

    /**
     * Chores that do nothing before {@link #beginRound}. {@link #recover} or {@link #goOn} has to come first.
     *
     * @param whenSpare called in the subscription's order, at the end of a round that leaves nothing stored and nothing to do
     */
    Chores(BucketServices services, BucketOrigin origin, IndexHost host, BucketIndex buckets, BucketFigures figures,
            Supplier<CompletableFuture<Void>> whenSpare) {
        this.whenSpare = whenSpare;
        this.figures = figures;
        settings = services.settings();
        owner = new SnapshotOwner(origin.key().topic(), origin.key().cursor(), services.wallMillis().getAsLong());
        Optional<StockSnapshots> stock = origin.stock();
        storage = storage(services, owner, stock);
        form = form(services, origin, stock);
        clock = new ChoreClock(services.wallMillis(), services.jitter(), settings.pauseMillis());
        log = new ChoreLog(origin.key(), services.limits().warnings());
        index = new GuardedIndex(host, buckets, settings.slice());
        tasks = new ChoreTasks(services.executor(), services.threads(), services.timer(), origin.key(), log);
        alarm = tasks.alarm(this::beginRound);
        loadAlarm = tasks.alarm(this::planLoadsSoon);
        Retries retries = services.retries().fresh();
        steps = new SnapshotSteps(storage, owner, settings.segments(), leftovers, services.allocator(), services.wallMillis(),
                retries, retries.withBackOffUpTo(LoadChore.longestRestMillis(settings)), form.stock());
        keeper = new CatalogueKeeper(form.record(), storage, owner, retries, leftovers);
        record = new DurableRecord(keeper, this);
        ChoreReport report = new ChoreReport(log, figures, form, clock, services.limits().work());
        MemoryBudget budget = services.limits().memory();
        seals = new SealChore(index, record, steps::write, form.seals(), clock, report, settings, budget,
                services.limits().ages(), this::queueRound, this::planLoadsSoon);
        imports = new ImportChore(host, tasks, record, leftovers, steps::importStock, stock.filter(found -> !found.kept())
                .map(found -> new StockProperties(found.properties(), retries)), clock, report);
        deletes = new DeleteChore(index, record, leftovers, imports::held, services.limits().holds(), clock, report, settings);
        loads = new LoadChore(index, tasks, steps::load, deletes, clock, report, settings, budget, this::plan);
        rereads = new Rereading(host, index, tasks, services.limits().rereads(), clock, log, loads::giveUp);
        merges = new MergeChore(index, tasks, record, new MergeChore.Steps(steps::source, steps::merge), form.merges(),
                services.limits().merges(), services.limits().holds(), leftovers, deletes, clock, report, this::loadsAndRound);
        recovery = new RecoverChore(host, index, tasks, keeper, steps::recover, leftovers, deletes, imports, clock, report,
                this::loadsAndRound);
        memory = new MemoryRelief(index, tasks, seals, budget, clock, settings.prefetchMillis(), this::queueRoundUnlessResting,
                this::plan);
        StateLog states = new StateLog(index, tasks, log);
        index.change(known -> prepare(known, states));
    }

    private SnapshotForm form(BucketServices services, BucketOrigin origin, Optional<StockSnapshots> stock) {
        CatalogueStore own = services.limits().work().measured(origin.catalogue(), services.wallMillis());
        return stock.filter(StockSnapshots::kept).<SnapshotForm>map(kept ->
                new KeptStockForm(own, kept, settings, storage.maxEntryBytes(), figures))
                .orElseGet(() -> OwnForm.of(own, settings));
    }

    /** The storage in which the stock ledgers of a subscription are its own. */
    static SnapshotStorage storage(BucketServices services, SnapshotOwner owner, Optional<StockSnapshots> stock) {
        return stock.<SnapshotStorage>map(found -> new StockLedgers.WithStockLedgers(services.storage(), owner, found.ledgers(),
                found.owner())).orElse(services.storage());
    }

    /** An empty index of a subscription. */
    static BucketIndex newIndex(Supplier<DelayIndex> newPart, BucketSettings settings) {
        return new BucketIndex(newPart, settings.sealPositions(), MOST_FROZEN);
    }

    private void prepare(BucketIndex known, StateLog states) {
        known.seals().watch(states);
        form.prepare(known);
        known.seals().onGrown(settings.ageSealPositions(), () -> {
            seals.tailGrows();
            plan();
        });
    }

    /**
     * Prepares to recover the stored buckets, into an index that is empty.
     *
     * @param other done when the tracker before, if there was one, no longer writes the record, or has waited for that for as
     *     long as one call may take
     */
    void recover(CompletableFuture<Void> other) {
        before = other;
        recovery.prepare();
    }

    /** Prepares to go on with an index of which nothing is stored: recovers nothing. */
    void goOn() {
        recovery.skip();
        if (index.read(known -> known.seals().tailPositions()) >= settings.ageSealPositions()) {
            seals.tailGrows();
        }
    }

    /** Begins a round; to be called now and then, since the clock may have been set. */
    void beginRound() {
        alarm.reset();
        loadAlarm.reset();
        loadsAndRound();
    }

    /** Looks at changed buckets. Loads that are due soon do not wait for the round, which may wait for storage. */
    private void loadsAndRound() {
        planLoadsSoon();
        queueRound();
    }

    private void planLoadsSoon() {
        tasks.soon(this::planLoads);
    }

    private void queueRound() {
        if (!tasks.isClosed() && roundQueued.compareAndSet(false, true)) {
            Futures.whenDone(tasks.inOrder(() -> {
                roundQueued.set(false);
                return tasks.isClosed() ? Futures.DONE : round();
            }), (done, failure) -> {
                if (failure != null) {
                    roundQueued.set(false);
                    log.warn("A round of the buckets failed", failure);
                    retryMillis = clock.restUntilMillis();
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
            return (recovery.isRecordNewer() ? Futures.DONE : recovery.run()).thenRun(this::recordRead);
        }
        return record.settle().thenCompose(settled -> {
            retryUnless(settled);
            return settled ? seals.run().thenCompose(sealed -> imports.run()).thenCompose(removed -> mergeAndDelete())
                    : Futures.DONE;
        });
    }

    private void recordRead() {
        retryUnless(!recovery.isRecordLate());
        seals.forbid(recovery.isRecordNewer());
    }

    private CompletableFuture<Void> mergeAndDelete() {
        return (recovery.mayMerge() ? merges.run() : Futures.DONE).thenCompose(begun -> deletes.run())
                .thenCompose(deleted -> isSpare() ? whenSpare.get() : Futures.DONE);
    }

    /** Whether nothing is stored or named anywhere, and nothing is under way that might store something. */
    private boolean isSpare() {
        return form.mayRest() && retryMillis == Long.MAX_VALUE && record.isEmpty() && leftovers.all().isEmpty()
                && Stream.of(recovery, merges, deletes, imports, seals).allMatch(Chore::isIdle);
    }

    private void retryUnless(boolean done) {
        if (!done) {
            retryMillis = clock.restUntilMillis(Math.min(Math.max(0, record.conflictsInARow() - 1), MOST_DOUBLINGS));
        }
    }

    /** Begins the loads that are due, and reads again what is lost, waiting for no round. */
    private void planLoads() {
        if (tasks.isClosed()) {
            return;
        }
        LoadChore.Ahead ahead = loads.begin();
        loadAlarm.at(ahead.nextMillis(), clock.nowMillis());
        loads.giveUp();
        if (ahead.isAnyLost() || !rereads.isIdle()) {
            rereads.look();
        }
    }

    /** Begins the loads that are due and sets the alarm for the next thing to do, or for another plan if this one fails. */
    void plan() {
        if (tasks.isClosed()) {
            return;
        }
        try {
            planNext();
        } catch (Throwable e) {
            log.warn("What is to be done next could not be told; it is looked at again", e);
            alarm.at(clock.restUntilMillis(), clock.nowMillis());
        }
    }

    private void planNext() {
        planLoads();
        long nowMillis = clock.nowMillis();
        // No round could do anything else before the failed work is tried again.
        long nextMillis = retryMillis != Long.MAX_VALUE ? retryMillis
                : Stream.of(seals, merges, deletes, imports, recovery).mapToLong(Chore::nextMillis).min().orElseThrow();
        Seen seen = index.read(known -> {
            publish(known);
            return new Seen(known.memoryUse().bytes(),
                    known.seals().isWanted() && known.seals().frozenTails() < MOST_FROZEN || known.seals().waits());
        });
        memory.report(seen.bytes());
        if (seen.isSealWanted() && seals.mayRun()) {
            queueRoundUnlessResting();
        }
        alarm.at(nextMillis, nowMillis);
    }

    private BucketFigures publish(BucketIndex known) {
        figures.set(Figure.RECORD_DAMAGED, keeper.isReplacing() ? 1 : 0);
        figures.set(Figure.BUCKETS, known.liveBuckets());
        figures.set(Figure.SLEEPING_POSITIONS, known.sleepingPositions());
        figures.set(Figure.LOADED_POSITIONS, known.size() - known.sleepingPositions());
        figures.set(Figure.FROZEN_TAILS, known.seals().frozenTails());
        figures.set(Figure.LOST_POSITIONS, known.losses().positions());
        return figures;
    }

    /** Gives up the work under way, since everything stored is about to be deleted. */
    void beginClear() {
        seals.suspend();
        steps.giveUp();
    }

    /** Everything stored is deleted: a tail that was not forgotten whole is sealed once it grows. */
    void endClear() {
        index.change(known -> known.seals().forgetWork());
        plan();
    }

    /** Deletes everything stored; in the subscription's order. */
    CompletableFuture<Void> clear() {
        record.giveUp();
        Set<Long> recorded = new HashSet<>(keeper.wish().orElse(CatalogueRecord.EMPTY).live());
        index.change(known -> recorded.forEach(ledgerId -> known.lose(ledgerId, "all that is stored is deleted")));
        return keeper.removeAll(settings.clearMillis()).thenAccept(this::removed)
                .thenCompose(removed -> imports.removeAll(storage, owner, settings.clearMillis()));
    }

    private void removed(Removal removal) {
        deletes.forget(removal.ledgers());
        deletes.end();
        recovery.removed();
        seals.forbid(recovery.isRecordNewer());
        figures.set(Figure.RECORD_DAMAGED, keeper.isReplacing() ? 1 : 0);
        if (!removal.isComplete()) {
            log.info("Left in storage, to be found by the owner in its metadata: " + removal);
        }
    }

    /**
     * Stops the chores: nothing is begun any more, above all no update of the record. Work under way ends. From any thread.
     *
     * @return done when the broker has answered the updates of the record that were under way here or in the tracker before,
     *     perhaps never
     */
    CompletableFuture<Void> stop() {
        tasks.close();
        log.close();
        steps.close();
        alarm.close();
        loadAlarm.close();
        seals.close();
        loads.close();
        rereads.close();
        memory.close();
        return CompletableFuture.allOf(before, keeper.close(), imports.close());
    }

    /** Ends all deleting by the record as well. After {@link #stop}, in the subscription's order. */
    void end() {
        deletes.end();
        keeper.end();
    }

    /** The figures to keep when these chores are gone; null if nothing was counted. */
    BucketFigures counted() {
        BucketFigures now = index.read(this::publish);
        return now.hasTotals() ? now : null;
    }

    /** The look at some segments that are not in memory. Takes no lock. */
    StoredRuns storedRuns(List<AsleepSegment> asleep, long fromMillis, long untilMillis) {
        return recovery.isIdle() ? new StoredLook(steps::load, asleep, fromMillis, untilMillis) : StoredLook.UNKNOWN;
    }

    /** The live ledgers of the record, as it was written last. */
    List<Long> recorded() {
        return keeper.written().map(CatalogueRecord::live).orElse(List.of());
    }

    Samples samples() {
        return figures.all().putAll(form.samples());
    }

    @Override
    public void failed(Throwable failure, long timesInARow) {
        figures.add(Figure.RECORD_FAILURES_TOTAL, 1);
        if (Long.bitCount(timesInARow) == 1) {
            log.warn("The record of the buckets was not written (" + timesInARow
                    + " times in a row); both the old and the new ledgers are kept", failure);
        }
    }

    @Override
    public void followingFailed(Throwable failure) {
        log.warn("What was to follow on an earlier update of the record failed", failure);
    }
}
