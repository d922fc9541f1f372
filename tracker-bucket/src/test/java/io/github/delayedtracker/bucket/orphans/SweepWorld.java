/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.orphans.ClusterIdentity.ClusterId;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.steps.JobWorld;
import io.github.delayedtracker.bucket.steps.SnapshotSteps;
import io.github.delayedtracker.bucket.storage.LedgerLabel;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.ModelValues;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Brokers that write snapshots and crash, and a sweeper that comes after them, in virtual time on a storage with faults. */
final class SweepWorld {

    static final long DAY = 86_400_000;
    static final String TOPIC = "topic";
    static final UUID ID = new UUID(1, 2);

    final JobTime time;
    final FaultyStorage faulty;
    /** The metadata store of the cluster. */
    final ModelValues values;
    /** Ids that labels have, if not the one of the cluster. */
    final Map<Long, Optional<String>> otherIds = new HashMap<>();
    /** Ledgers whose labels were asked for, in that order. */
    final List<Long> lookedAt = new ArrayList<>();
    /** What cursors say that no broker has written. */
    final Map<String, Map<String, String>> oddProperties = new HashMap<>();
    StorageLife life;
    int askedTwice;
    private final SplittableRandom random;
    private int recordFailuresOf1000;
    private boolean recordsHang;
    private String lastAsked = "";

    SweepWorld(long seed, FaultRates rates) {
        time = new JobTime(seed);
        faulty = new FaultyStorage(seed, rates, time);
        random = new SplittableRandom(seed);
        values = new ModelValues(time, new SplittableRandom(seed));
        values.set(ClusterId.NAME, new ClusterId(ID).encode());
        life = faulty.newLife();
    }

    /** Ledgers that nothing names, each made for a cursor, and a day without a fault since. */
    static SweepWorld aDayAfterOrphansOf(String... cursors) throws Exception {
        SweepWorld world = new SweepWorld(1, FaultRates.none());
        for (String cursor : cursors) {
            world.orphan(cursor);
        }
        world.time.runUntil(DAY + 1);
        return world;
    }

    List<Long> ledgerIds() {
        return faulty.world().ledgerIds();
    }

    void addForeignLedgers(int count) {
        for (int i = 0; i < count; i++) {
            faulty.world().addForeignLedger();
        }
    }

    /** The next broker; the one before dies, its calls under way take effect or not. */
    void crash() {
        life.crash();
        life = faulty.newLife();
    }

    private Retries retries() {
        return time.retries(random::nextLong, JobLimits.DEFAULT);
    }

    /** Begins what a seal does: write a ledger, name it in the record. */
    CompletableFuture<CatalogueRecord> seal(String cursor, int positions) {
        SnapshotOwner owner = new SnapshotOwner(TOPIC, cursor, time.nowMillis());
        Leftovers leftovers = new Leftovers();
        CatalogueKeeper keeper = new CatalogueKeeper(life.catalogue(TOPIC, cursor), life.storage(), owner, retries(), leftovers);
        SnapshotSteps steps = new SnapshotSteps(life.storage(), owner, JobWorld.RULE, leftovers, UnpooledByteBufAllocator.DEFAULT,
                time::nowMillis, retries(), retries(), Optional.empty());
        return keeper.load().thenCompose(read -> steps.write(columns(positions)))
                .thenCompose(written -> keeper.update(record -> record.sealed(written.ledgerId())));
    }

    private static SegmentColumns columns(int count) {
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            dueMillis[i] = 1_000_000 + i * 1_000L;
            ledgerIds[i] = 7;
            entryIds[i] = i;
        }
        return new SegmentColumns(count, dueMillis, ledgerIds, entryIds);
    }

    /** An orphan, made now. */
    long orphan(String cursor) throws Exception {
        return time.get(life.storage().create(new SnapshotOwner(TOPIC, cursor, time.nowMillis()))).ledgerId();
    }

    /** What the durable records name. */
    Set<Long> named(String... cursors) throws Exception {
        Set<Long> named = new HashSet<>();
        for (String cursor : cursors) {
            CatalogueRecord record = CatalogueRecord.in(faulty.world().propertiesOf(TOPIC, cursor));
            named.addAll(record.live());
            named.addAll(record.doomed());
        }
        return named;
    }

    /** From now on so many of a thousand questions about a cursor fail. */
    void recordsFail(int of1000) {
        recordFailuresOf1000 = of1000;
    }

    /** From now on no question about a cursor is answered. */
    void recordsHang() {
        recordsHang = true;
    }

    SweepServices services(SweepSettings settings) {
        return new SweepServices(life.storage(), this::labelOf, values, this::propertiesOf, time, time, time::nowMillis,
                random::nextLong, time.retries(random::nextLong, JobLimits.DEFAULT), settings);
    }

    private CompletableFuture<Optional<LedgerLabel>> labelOf(long ledgerId) {
        lookedAt.add(ledgerId);
        return life.storage().ownerOf(ledgerId).thenApply(found -> found.map(owner -> new LedgerLabel(owner,
                otherIds.getOrDefault(ledgerId, Optional.of(ID.toString())))));
    }

    /** A look from the place that the cluster knows to the last ledger, unless it ends early. */
    OrphanSweep newSweep(SweepSettings settings, BooleanSupplier goesOn) {
        return new OrphanSweep(services(settings), goesOn, reached -> { });
    }

    private CompletableFuture<Map<String, String>> propertiesOf(String topic, String cursor) {
        askedTwice += lastAsked.equals(cursor) ? 1 : 0;
        lastAsked = cursor;
        CompletableFuture<Map<String, String>> answer = new CompletableFuture<>();
        if (recordsHang) {
            return answer;
        }
        boolean fails = random.nextInt(1_000) < recordFailuresOf1000;
        time.after(random.nextLong(20), () -> {
            if (fails) {
                answer.completeExceptionally(new StorageException(StorageException.Kind.UNAVAILABLE, "no metadata store"));
            } else {
                answer.complete(oddProperties.getOrDefault(cursor, faulty.world().allPropertiesOf(topic, cursor)));
            }
        });
        return answer;
    }

    SweepReport sweep(SweepSettings settings) throws Exception {
        return time.get(newSweep(settings, () -> true).run());
    }
}
