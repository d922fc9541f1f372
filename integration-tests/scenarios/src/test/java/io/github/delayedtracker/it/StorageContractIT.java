/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import io.github.delayedtracker.bucket.BrokerMetadata;
import io.github.delayedtracker.bucket.storage.Awaiting;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage.LedgerSettings;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.CatalogueStoreContractTest;
import io.github.delayedtracker.bucket.storage.CursorCatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorageContractTest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.delayed.InMemoryDelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of the storage interfaces on a real bookie and on cursors of a real topic, in a broker inside this JVM. */
class StorageContractIT {

    private static final long ANSWER_SECONDS = 60;
    private static final int FIRST_UPDATES = 10;
    private static final ExecutorService BLOCKING = Executors.newSingleThreadExecutor();

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
        fixture = BrokerFixture.start(new InProcessBroker("pulsar-4.0-storage", BrokerSettings.stockMemory(false, 1000)
                .with("delayedDeliveryTrackerFactoryClassName", RememberingFactory.class.getName())));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
        BLOCKING.shutdownNow();
    }

    private static final Awaiting REAL_TIME = new Awaiting() {
        @Override
        public <T> T get(CompletableFuture<T> answer) throws Exception {
            try {
                return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
            }
        }
    };

    private static LedgerSettings ledgerSettings() {
        ServiceConfiguration conf = pulsar.getConfiguration();
        return new LedgerSettings(conf.getManagedLedgerDefaultEnsembleSize(), conf.getManagedLedgerDefaultWriteQuorum(),
                conf.getManagedLedgerDefaultAckQuorum(), conf.getManagedLedgerDigestType(), conf.getClusterName(),
                conf.getMaxMessageSize());
    }

    @Nested
    class Snapshots extends SnapshotStorageContractTest {

        @Override
        protected SnapshotStorage newStorage() {
            return new BookKeeperSnapshotStorage(() -> pulsar.getBookKeeperClientFactory().create(pulsar.getConfiguration(),
                    pulsar.getLocalMetadataStore(), pulsar.getIoEventLoopGroup(), Optional.empty(), null),
                    ledgerSettings(), () -> CompletableFuture.completedFuture(Optional.of("id")), BLOCKING);
        }

        @Override
        protected long foreignLedger() throws Exception {
            try (WriteHandle ledger = pulsar.getBookKeeperClient().newCreateLedgerOp().withEnsembleSize(1)
                    .withWriteQuorumSize(1).withAckQuorumSize(1).withPassword(new byte[0]).execute().get()) {
                return ledger.getId();
            }
        }

        @Override
        protected Awaiting awaiting() {
            return REAL_TIME;
        }
    }

    @Nested
    class Catalogues extends CatalogueStoreContractTest {

        private String topic;

        @Override
        protected CatalogueStore newCursor() throws Exception {
            topic = fixture.scene("catalogue").topic();
            fixture.admin().topics().createNonPartitionedTopic(topic);
            fixture.admin().topics().createSubscription(topic, "sub", MessageId.earliest);
            return new CursorCatalogueStore(cursor(), BrokerMetadata.cursorRecords(pulsar));
        }

        private ManagedCursor cursor() throws Exception {
            Topic loaded = pulsar.getBrokerService().getTopic(topic, false).get().orElseThrow();
            return ((PersistentSubscription) loaded.getSubscription("sub")).getCursor();
        }

        @Override
        protected CatalogueStore reload() throws Exception {
            fixture.admin().topics().unload(topic);
            return new CursorCatalogueStore(cursor(), BrokerMetadata.cursorRecords(pulsar));
        }

        @Override
        protected void putForeign(String key, String value) throws Exception {
            cursor().putCursorProperty(key, value).get();
        }

        @Override
        protected Map<String, String> durable() throws Exception {
            reload();
            return cursor().getCursorProperties();
        }

        @Test
        void updatesLetTheFirstAcknowledgementOfACursorPass() throws Exception {
            for (int i = 0; i < FIRST_UPDATES; i++) {
                CatalogueStore store = newCursor();
                ManagedCursor cursor = cursor();
                Position last = cursor.getManagedLedger().getLastConfirmedEntry();
                CompletableFuture<Void> acknowledged = new CompletableFuture<>();
                cursor.asyncMarkDelete(last, new MarkDeleteCallback() {
                    @Override
                    public void markDeleteComplete(Object context) {
                        acknowledged.complete(null);
                    }

                    @Override
                    public void markDeleteFailed(ManagedLedgerException failure, Object context) {
                        acknowledged.completeExceptionally(failure);
                    }
                }, null);
                do {
                    REAL_TIME.get(store.put("index", "value " + i));
                } while (!acknowledged.isDone());
                REAL_TIME.get(acknowledged);
            }
        }

        @Override
        protected Awaiting awaiting() {
            return REAL_TIME;
        }
    }
}
