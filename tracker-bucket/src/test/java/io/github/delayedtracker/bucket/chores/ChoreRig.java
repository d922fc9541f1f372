/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.DeleteChore.HoldLimit;
import io.github.delayedtracker.bucket.chores.SnapshotForm.OwnForm;
import io.github.delayedtracker.bucket.chores.Warnings.WarningLines;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.DurableRecord;
import io.github.delayedtracker.bucket.record.StockProperties;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.RecoveredSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps;
import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.MapCatalogue;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** The parts a single chore is made of, on virtual time: an index that counts its locks, a record in memory, no storage. */
final class ChoreRig extends QuietHost {

    static final int SEAL = 100;
    static final int SLICE = 30;
    static final long PAUSE_MILLIS = 60_000;
    static final long FAR_MILLIS = 10_000_000;
    static final long LEDGER = 7;
    static final BucketSettings SETTINGS = new SomeSettings().seal(SEAL).ageSeal(SEAL / 2).slice(SLICE)
            .pauseMillis(PAUSE_MILLIS).make();
    private static final BucketKey KEY = new BucketKey("topic", "cursor", BucketKey.WHOLE);
    private static final SnapshotOwner OWNER = new SnapshotOwner("topic", "cursor", 0);
    private static final long NANOS_A_MILLI = 1_000_000;

    final JobTime time = new JobTime(1);
    final BucketIndex buckets = Chores.newIndex(new TimeBucketIndexProvider()::newIndex, SETTINGS);
    final GuardedIndex index = new GuardedIndex(this, buckets, SLICE);
    final ChoreClock clock = new ChoreClock(time::nowMillis, bound -> bound / 2, PAUSE_MILLIS);
    final ChoreLog log = new ChoreLog(KEY, new WarningLines(time::nowMillis));
    final BucketFigures figures = new BucketFigures();
    final ChoreTasks tasks =
            new ChoreTasks(new KeyOrderedExecutor<>(time, () -> time.nowMillis() * NANOS_A_MILLI), time, time, KEY, log);
    final MemoryBudget budget = new MemoryBudget(0, time, time, time::nowMillis, PAUSE_MILLIS);
    final HoldLimit holds = new HoldLimit(time::nowMillis);
    final AgeSeals ages = new AgeSeals(time, time, 500);
    final Leftovers leftovers = new Leftovers();
    final Map<String, String> properties = new HashMap<>();
    /** Those of the stock tracker. */
    final Map<String, String> stockProperties = new HashMap<>();
    final List<Long> deleted = new ArrayList<>();
    private final Retries retries = time.retries(bound -> bound / 2,
            new SomeLimits().timeoutMillis(1_000).backOffMillis(1, 1).mostAttempts(1).appendsUnderWay(1).make());
    final CatalogueKeeper keeper;
    final DurableRecord record;
    final ChoreReport report;
    /** What was written, by ledger; each is one segment. */
    final Map<Long, SegmentColumns> snapshots = new HashMap<>();
    /** Whether the record cannot be written. */
    boolean recordFails;
    /** What the next calls of storage fail with; null if they succeed. */
    Kind fails;
    /** Where positions came back. */
    final List<PositionRange> recovered = new ArrayList<>();
    int reads;
    int changes;
    long[] markDelete = {-1, -1};
    private long nextLedgerId = 100;
    private long nextEntry;

    ChoreRig() throws Exception {
        this(Map.of(), Map.of());
        time.get(keeper.load());
    }

    private ChoreRig(ChoreRig before) {
        this(before.properties, before.snapshots);
    }

    private ChoreRig(Map<String, String> stored, Map<Long, SegmentColumns> written) {
        properties.putAll(stored);
        snapshots.putAll(written);
        SnapshotStorage storage = storage();
        keeper = new CatalogueKeeper(kept(properties), storage, OWNER, retries, leftovers);
        record = new DurableRecord(keeper, new NotWatched());
        report = new ChoreReport(log, figures, OwnForm.of(kept(properties), SETTINGS), clock, new StorageWork());
    }

    private static final class NotWatched implements DurableRecord.Watcher {

        @Override
        public void failed(Throwable failure, long timesInARow) {
            // The test knows.
        }

        @Override
        public void followingFailed(Throwable failure) {
            throw new AssertionError("what followed on an update has failed", failure);
        }
    }

    /** Every ledger is the subscription's, and can be deleted. */
    private SnapshotStorage storage() {
        return Answering.with(SnapshotStorage.class, (name, arguments) -> switch (name) {
            case "ownerOf" -> CompletableFuture.completedFuture(Optional.of(OWNER));
            case "delete" -> {
                deleted.add((Long) arguments[0]);
                yield CompletableFuture.completedFuture(null);
            }
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private CatalogueStore kept(Map<String, String> in) {
        return new MapCatalogue(in, () -> recordFails
                ? Optional.of(new StorageException(Kind.UNAVAILABLE, "the record is not written")) : Optional.empty());
    }

    @Override
    public <T> T change(Function<PositionSink, T> change) {
        changes++;
        return super.change(change);
    }

    @Override
    public <T> T read(Supplier<T> look) {
        reads++;
        return super.read(look);
    }

    @Override
    public void recovered(PositionRange range) {
        recovered.add(range);
    }

    @Override
    public void markDelete(PositionSink sink) {
        sink.accept(markDelete[0], markDelete[1]);
    }

    /** Adds positions that are due one after the other, a millisecond apart. */
    void add(int count, long fromMillis) {
        for (int i = 0; i < count; i++) {
            buckets.add(fromMillis + i, LEDGER, nextEntry++);
            buckets.takeWork().ifPresent(Runnable::run);
        }
    }

    CompletableFuture<WrittenSnapshot> write(SegmentColumns live) {
        return fails != null ? failed() : CompletableFuture.completedFuture(written(live));
    }

    WrittenSnapshot written(SegmentColumns live) {
        long ledgerId = nextLedgerId++;
        SegmentColumns byTime = live.byTime();
        snapshots.put(ledgerId, byTime);
        leftovers.made(ledgerId);
        PositionSet positions = new PositionSet();
        for (int i = 0; i < live.count(); i++) {
            positions.add(live.ledgerId(i), live.entryId(i));
        }
        return new WrittenSnapshot(ledgerId, table(ledgerId), positions, SegmentEntry.LEAST_BYTES);
    }

    List<SegmentEntry> table(long ledgerId) {
        SegmentColumns all = snapshots.get(ledgerId);
        return List.of(new SegmentEntry(all.dueMillis(0), all.dueMillis(all.count() - 1), all.count(), SegmentEntry.LEAST_BYTES));
    }

    CompletableFuture<SegmentColumns> load(long ledgerId, List<SegmentEntry> table, int number) {
        return fails != null ? failed() : CompletableFuture.completedFuture(snapshots.get(ledgerId));
    }

    <T> CompletableFuture<T> failed() {
        return CompletableFuture.failedFuture(new StorageException(fails, "on purpose"));
    }

    SealChore seals(Runnable whenSealed) {
        return new SealChore(index, record, this::write, report.form().seals(), clock, report, SETTINGS, budget, ages,
                () -> { }, whenSealed);
    }

    DeleteChore deletes() {
        return new DeleteChore(index, record, leftovers, Set::of, holds, clock, report, SETTINGS);
    }

    ImportChore imports() {
        return new ImportChore(this, tasks, record, leftovers, this::importStock,
                Optional.of(new StockProperties(kept(stockProperties), retries)), clock, report);
    }

    private CompletableFuture<Optional<WrittenSnapshot>> importStock(long ledgerId, SnapshotSteps.Keep keep,
            SnapshotSteps.Pause pause) {
        if (fails != null) {
            return failed();
        }
        SegmentColumns all = snapshots.get(ledgerId);
        SegmentColumns kept = all.selected(keep.keep(0, all).join());
        return CompletableFuture.completedFuture(kept.count() == 0 ? Optional.empty() : Optional.of(written(kept)));
    }

    CompletableFuture<RecoveredSnapshot> recover(long ledgerId, long nowMillis, long markDeleteLedgerId, long markDeleteEntryId) {
        if (fails != null) {
            return failed();
        }
        SegmentColumns all = snapshots.get(ledgerId);
        PositionSet sleeping = new PositionSet();
        for (int i = 0; i < all.count(); i++) {
            sleeping.add(all.ledgerId(i), all.entryId(i));
        }
        sleeping.removeUpTo(markDeleteLedgerId, markDeleteEntryId);
        return CompletableFuture.completedFuture(new RecoveredSnapshot(ledgerId, table(ledgerId), sleeping, nowMillis));
    }

    /** The same subscription, loaded again: nothing in memory, the record and the snapshots as they are. */
    ChoreRig reloaded() {
        ChoreRig again = new ChoreRig(this);
        again.time.runUntil(time.nowMillis());
        return again;
    }

    /** Has a number of buckets of one seal each stored, due from a time on. */
    List<Long> seal(int count, long fromMillis) {
        SealChore seals = seals(() -> { });
        for (int i = 0; i < count; i++) {
            add(SEAL, fromMillis + (long) i * SEAL);
            run(seals.run());
        }
        return live();
    }

    List<Long> live() {
        return keeper.wish().orElse(CatalogueRecord.EMPTY).live();
    }

    long figure(BucketFigures.Figure figure) {
        return figures.get(figure);
    }

    /** Goes on until nothing happens at this moment any more; the future has answered well by then. */
    <T> T run(CompletableFuture<T> future) {
        runFor(0);
        return future.join();
    }

    void runFor(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }
}
