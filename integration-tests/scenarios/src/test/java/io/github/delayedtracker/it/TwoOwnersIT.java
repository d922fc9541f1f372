/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.BrokerMetadata;
import io.github.delayedtracker.bucket.chores.BucketKey;
import io.github.delayedtracker.bucket.chores.BucketOrigin;
import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.SomeServices;
import io.github.delayedtracker.bucket.chores.SomeSettings;
import io.github.delayedtracker.bucket.chores.SubscriptionBuckets;
import io.github.delayedtracker.bucket.chores.TaskFailures;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage.LedgerSettings;
import io.github.delayedtracker.bucket.storage.CursorCatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerFactoryImpl;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.delayed.InMemoryDelayedDeliveryTrackerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * S10 on a real bookie and metadata store: two owners of one managed ledger, each with a factory, a cursor, a client and threads
 * of its own, as two brokers have them. The former one has not heard that it is one.
 */
class TwoOwnersIT {

    private static final String LEDGER = "public/default/persistent/two-owners-";
    private static final String CURSOR = "sub";
    private static final int SEAL = 1_000;
    private static final long FAR_MILLIS = 3_600_000;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long LONG_HOLD_MILLIS = 600_000;
    private static final long SHORT_HOLD_MILLIS = 15_000;

    private static BrokerFixture fixture;
    private static PulsarService pulsar;

    /** Remembers the broker it is loaded by. */
    public static final class RememberingFactory extends InMemoryDelayedDeliveryTrackerFactory {
        @Override
        public void initialize(PulsarService service) {
            pulsar = service;
            super.initialize(service);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        fixture = BrokerFixture.start(new InProcessBroker("pulsar-4.0-two-owners", BrokerSettings.stockMemory(false, 1000)
                .with("delayedDeliveryTrackerFactoryClassName", RememberingFactory.class.getName())));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    /** What one broker has of the topic. */
    private static final class Owner implements IndexHost, AutoCloseable {
        private final String topic;
        private final ExecutorService threads = Executors.newFixedThreadPool(2);
        private final ExecutorService blocking = Executors.newSingleThreadExecutor();
        private final TaskFailures failures = new TaskFailures();
        private final WheelTimer timer = new WheelTimer("two-owners", 1, System::nanoTime, failures);
        private final SnapshotStorage storage;
        private final ManagedLedgerFactoryImpl factory;
        private final ManagedCursor cursor;
        private final BucketServices services;
        private SubscriptionBuckets buckets;

        /** Loads the topic: the cursor reads its record. */
        Owner(String topic, long holdMillis) throws Exception {
            this.topic = topic;
            ServiceConfiguration conf = pulsar.getConfiguration();
            storage = new BookKeeperSnapshotStorage(() -> pulsar.getBookKeeperClientFactory().create(conf,
                    pulsar.getLocalMetadataStore(), pulsar.getIoEventLoopGroup(), Optional.empty(), null),
                    new LedgerSettings(1, 1, 1, conf.getManagedLedgerDigestType(), conf.getClusterName(),
                            conf.getMaxMessageSize()),
                    () -> CompletableFuture.completedFuture(Optional.of("an id")), blocking);
            factory = new ManagedLedgerFactoryImpl(pulsar.getLocalMetadataStore(), pulsar.getBookKeeperClient());
            ManagedLedger ledger = factory.open(topic, new ManagedLedgerConfig().setEnsembleSize(1).setWriteQuorumSize(1)
                    .setAckQuorumSize(1));
            cursor = ledger.openCursor(CURSOR);
            services = SomeServices.on(threads, timer, storage).allocator(PooledByteBufAllocator.DEFAULT)
                    .settings(new SomeSettings(SomeSettings.sealing(SEAL)).prefetchMillis(2_000).holdMillis(holdMillis).make())
                    .make();
        }

        /** The first consumer is there. */
        void begin() throws Exception {
            buckets = new SubscriptionBuckets(services, BucketOrigin.of(new BucketKey(topic, CURSOR, BucketKey.WHOLE),
                    () -> new CursorCatalogueStore(cursor, BrokerMetadata.cursorRecords(pulsar))));
            buckets.start(this);
            await("recovering", 0);
        }

        /** Adds the positions of one seal and waits until it is recorded. */
        void seal(long ledgerId) throws Exception {
            long seals = figure("seals_total");
            change(sink -> {
                for (int entry = 0; entry < SEAL; entry++) {
                    buckets.index().add(System.currentTimeMillis() + FAR_MILLIS + entry, ledgerId, entry);
                    buckets.index().takeWork().ifPresent(Runnable::run);
                }
                return null;
            });
            buckets.sweep();
            await("seals_total", seals + 1);
        }

        void await(String figure, long wanted) throws Exception {
            Await.until(PATIENCE_MILLIS, () -> figure + " to be " + wanted + ": " + buckets.samples(),
                    () -> figure(figure) == wanted);
        }

        long figure(String name) {
            return buckets.samples().get("bucket_" + name);
        }

        @Override
        public synchronized <T> T change(Function<PositionSink, T> change) {
            return change.apply((ledgerId, entryId) -> { });
        }

        @Override
        public synchronized <T> T read(Supplier<T> look) {
            return look.get();
        }

        @Override
        public void askAlways(boolean always) {
            // Nothing is read.
        }

        @Override
        public void markDelete(PositionSink sink) {
            // Nothing is acknowledged.
        }

        @Override
        public void close() throws Exception {
            if (buckets != null) {
                buckets.close().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
            storage.close().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            timer.close();
            threads.shutdownNow();
            blocking.shutdownNow();
            factory.shutdown();
            failures.mustBeNone();
        }
    }

    @Test
    @DisplayName("S10: the next owner finds every bucket of the record it has read, though the former one has merged them since")
    void whatAFormerOwnerMergesAwayIsThereForTheNextOne() throws Exception {
        String topic = LEDGER + "merged";
        try (Owner former = new Owner(topic, LONG_HOLD_MILLIS)) {
            former.begin();
            former.seal(1);
            former.seal(2);
            try (Owner next = new Owner(topic, LONG_HOLD_MILLIS)) {
                former.seal(3);
                former.seal(4);
                former.await("merges_total", 1);
                former.buckets.sweep();
                next.begin();
                next.await("sleeping_positions", 2L * SEAL);
                assertEquals(0, next.figure("lost_buckets_total"));
                assertEquals(0, former.figure("deleted_ledgers_total"));
            }
        }
    }

    @Test
    @DisplayName("S10: a former owner that reads another record than its own deletes nothing; the next one does")
    void aFormerOwnerLeavesWhatItHasDoomedToTheNextOne() throws Exception {
        String topic = LEDGER + "written";
        try (Owner former = new Owner(topic, SHORT_HOLD_MILLIS)) {
            former.begin();
            for (int seal = 1; seal <= 4; seal++) {
                former.seal(seal);
            }
            former.await("merges_total", 1);
            long mergedNanos = System.nanoTime();
            try (Owner next = new Owner(topic, LONG_HOLD_MILLIS)) {
                next.begin();
                next.seal(5);
                next.await("deleted_ledgers_total", 4);
                Await.until(PATIENCE_MILLIS, () -> "the hold to be over", () ->
                        System.nanoTime() - mergedNanos > TimeUnit.MILLISECONDS.toNanos(SHORT_HOLD_MILLIS + 2_000));
                former.buckets.sweep();
                assertEquals(0, former.figure("deleted_ledgers_total"));
                assertEquals(5L * SEAL, next.figure("sleeping_positions"));
                assertEquals(0, next.figure("lost_buckets_total"));
            }
        }
    }

    @Test
    @DisplayName("S10: an owner that nobody has followed deletes what it has merged away after the hold")
    void anOwnerThatNobodyHasFollowedDeletes() throws Exception {
        try (Owner only = new Owner(LEDGER + "only", 3_000)) {
            only.begin();
            for (int seal = 1; seal <= 4; seal++) {
                only.seal(seal);
            }
            only.await("deleted_ledgers_total", 4);
            assertEquals(4L * SEAL, only.figure("sleeping_positions"));
        }
    }
}
