/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import io.github.delayedtracker.backend.BackendServices;
import io.github.delayedtracker.backend.BrokerStore;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.backend.StoredOrphans;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.bucket.chores.BucketKey;
import io.github.delayedtracker.bucket.chores.BucketOrigin.StockSnapshots;
import io.github.delayedtracker.bucket.chores.BucketOrigin;
import io.github.delayedtracker.bucket.chores.BucketServices.BrokerLimits;
import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.BucketSettings;
import io.github.delayedtracker.bucket.chores.SubscriptionBuckets;
import io.github.delayedtracker.bucket.orphans.ClusterIdentity;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.orphans.SweepSchedule;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.StockKey;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage.LedgerSettings;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage;
import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.CursorCatalogueStore;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.config.SnapshotFormat;
import io.github.delayedtracker.config.SnapshotSettings;
import io.github.delayedtracker.config.UpkeepSettings;
import io.github.delayedtracker.executor.DaemonThreads;
import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.timebucket.CutRule;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LeaderElectionService;
import org.apache.pulsar.common.allocator.PulsarByteBufAllocator;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.util.Codec;

/** The buckets of one broker: its own BookKeeper client, made when first needed, and the threads that work for all of them. */
final class BrokerBuckets implements BrokerStore {

    private static final long MEBIBYTE = 1 << 20;
    private static final int WORKING_THREADS = 4;

    private final BucketServices services;
    private final StockLedgers stockLedgers;
    private final CursorRecords records;
    private final boolean keepsStockForm;
    private final BrokerJournals journals;
    private final ClusterIdentity identity;
    private final SweepSchedule sweeper;
    /** They work for the buckets and never wait. */
    private final ExecutorService working = DaemonThreads.pool("delayed-index-storage", WORKING_THREADS);
    /** May wait for BookKeeper. */
    private final ExecutorService blocking = DaemonThreads.pool("delayed-index-storage-blocking", 1);

    BrokerBuckets(BackendServices broker, Supplier<DelayIndex> newPart) {
        PulsarService pulsar = broker.pulsar();
        ServiceConfiguration configuration = pulsar.getConfiguration();
        LedgerSettings ledgers = new LedgerSettings(configuration.getManagedLedgerDefaultEnsembleSize(),
                configuration.getManagedLedgerDefaultWriteQuorum(), configuration.getManagedLedgerDefaultAckQuorum(),
                configuration.getManagedLedgerDigestType(), configuration.getClusterName(),
                configuration.getMaxMessageSize());
        MetadataStoreValues shared = new MetadataStoreValues(pulsar);
        LongUnaryOperator jitter = bound -> ThreadLocalRandom.current().nextLong(bound);
        SnapshotSettings configured = broker.settings().snapshots();
        LongSupplier monotonicMillis = () -> TimeUnit.NANOSECONDS.toMillis(broker.nanoClock().getAsLong());
        Retries retries = new Retries(broker.timer(), working, jitter, JobLimits.DEFAULT, broker.wallMillis(),
                monotonicMillis);
        identity = new ClusterIdentity(shared, working, broker.timer(), jitter, retries, UUID::randomUUID);
        BookKeeperSnapshotStorage storage = new BookKeeperSnapshotStorage(() -> pulsar.getBookKeeperClientFactory()
                .create(configuration, pulsar.getLocalMetadataStore(), pulsar.getIoEventLoopGroup(), Optional.empty(), null),
                ledgers, identity::forLabel, blocking);
        stockLedgers = storage.stockLedgers();
        records = new MetaStoreCursorRecords(pulsar);
        UpkeepSettings upkeep = configured.upkeep();
        keepsStockForm = configured.format() == SnapshotFormat.PIP195;
        BucketSettings settings = settings(configured, configuration.getMetadataStoreSessionTimeoutMillis());
        services = new BucketServices(storage, new KeyOrderedExecutor<>(working, broker.nanoClock()),
                working, broker.timer(), broker.wallMillis(), jitter,
                PulsarByteBufAllocator.DEFAULT, newPart, retries, settings, BrokerLimits.usual(broker.timer(), working,
                        broker.wallMillis(), monotonicMillis, upkeep.maxMemoryMb() * MEBIBYTE, settings.pauseMillis()));
        journals = new BrokerJournals(storage, records, retries, broker.wallMillis(), this::begin);
        sweeper = new SweepSchedule(new SweepServices(storage, storage, shared, records, working,
                broker.timer(), broker.wallMillis(), jitter, retries, SweepSettings.of(upkeep.sweepIntervalMinutes(),
                        upkeep.sweepMinAgeMinutes(), upkeep.sweepDryRun())), () -> leads(pulsar));
        if (broker.settings().backend().equals(BucketBackend.NAME)) {
            begin();
        }
    }

    /** The parts that are not needed until a ledger may be written. */
    private void begin() {
        identity.begin();
        sweeper.begin();
    }

    /** Whether this is the one broker of its cluster that does what is to be done once; not while there is a doubt. */
    private static boolean leads(PulsarService pulsar) {
        try {
            LeaderElectionService election = pulsar.getLeaderElectionService();
            return election != null && election.isLeader();
        } catch (RuntimeException | Error e) {
            return false;
        }
    }

    private static BucketSettings settings(SnapshotSettings configured, long sessionMillis) {
        CutRule segments = CutRule.usual((int) Math.min(configured.segmentPositions(), SegmentEntry.MOST_POSITIONS),
                configured.segmentMillis());
        BucketSettings own = BucketSettings.of(configured.sealPositions(), configured.loadAheadMillis(), segments)
                .withSessions(sessionMillis);
        return configured.format() == SnapshotFormat.PIP195 ? own.sealedAtLedgers(configured.sealPositions()) : own;
    }

    @Override
    public SubscriptionStore open(ManagedCursor cursor) {
        begin();
        return new SubscriptionBuckets(services, new Origin(this, cursor));
    }

    /** All that a subscription at rest has of its cursor. */
    private record Origin(BrokerBuckets broker, ManagedCursor cursor) implements BucketOrigin {

        @Override
        public BucketKey key() {
            return new BucketKey(cursor.getManagedLedger().getName(), cursor.getName(), BucketKey.WHOLE);
        }

        @Override
        public CatalogueStore catalogue() {
            return new CursorCatalogueStore(cursor, broker.records);
        }

        @Override
        public Optional<StockSnapshots> stock() {
            return broker.stock(cursor);
        }
    }

    @Override
    public CompletableFuture<Void> removeAll(ManagedCursor cursor) {
        if (cursor.getCursorProperties().keySet().stream().noneMatch(BrokerBuckets::namesSnapshots)) {
            return CompletableFuture.completedFuture(null);
        }
        return SubscriptionBuckets.removeAll(services, new Origin(this, cursor));
    }

    private static boolean namesSnapshots(String property) {
        return property.equals(CatalogueStore.PROPERTY_PREFIX + CatalogueKeeper.PROPERTY) || property.startsWith(StockKey.PREFIX);
    }

    /** Empty for a managed ledger that is no topic's: stock has nothing there. */
    private Optional<StockSnapshots> stock(ManagedCursor cursor) {
        try {
            String topic = TopicName.fromPersistenceNamingEncoding(cursor.getManagedLedger().getName());
            return Optional.of(new StockSnapshots(stockLedgers, new StockOwner(topic, Codec.decode(cursor.getName())),
                    new CursorCatalogueStore(cursor, records, StockKey.PREFIX), keepsStockForm));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<JournalStore> journals() {
        return Optional.of(journals);
    }

    @Override
    public Optional<CompletableFuture<StoredOrphans>> orphans(long afterLedgerId) {
        return Optional.of(sweeper.look(afterLedgerId));
    }

    @Override
    public Samples samples() {
        return services.samples().putAll(sweeper.samples());
    }

    @Override
    public CompletableFuture<Void> close() {
        sweeper.close();
        identity.close();
        return services.executor().close().handle((ended, failure) -> null)
                .thenCompose(ended -> services.storage().close())
                .whenComplete((closed, failure) -> {
                    working.shutdown();
                    blocking.shutdown();
                });
    }
}
