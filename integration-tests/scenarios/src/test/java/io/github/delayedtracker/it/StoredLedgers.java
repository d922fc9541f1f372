/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import io.github.delayedtracker.bucket.BrokerMetadata;
import io.github.delayedtracker.bucket.chores.TaskFailures;
import io.github.delayedtracker.bucket.orphans.SharedValues;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepServices;
import io.github.delayedtracker.bucket.orphans.SweepSchedule.SweepSettings;
import io.github.delayedtracker.bucket.orphans.SweepSchedule;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage.LedgerSettings;
import io.github.delayedtracker.bucket.storage.BookKeeperSnapshotStorage;
import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.CursorCatalogueStore;
import io.github.delayedtracker.bucket.storage.LedgerLabel.LedgerLabels;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.BookKeeper.DigestType;
import org.apache.bookkeeper.client.LedgerEntry;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.common.naming.TopicName;

/** What the bucket backend has stored in the broker of this JVM, seen past its trackers: every ledger, and cursors' records. */
final class StoredLedgers {

    private static final long ANSWER_SECONDS = 60;
    private static final int ALL = 1_000_000;
    private static final long OLD_MILLIS = 600_000;
    private static final SweepSettings EVERY_LEDGER_OF_A_MINUTE = new SweepSettings(50, 60_000, false, 10_000, 1_000, 100, 100);

    private static final byte[] NO_PASSWORD = {};

    private static PulsarService pulsar;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SharedValues values = BrokerMetadata.sharedValues(pulsar);
    private final BookKeeperSnapshotStorage storage = storage(pulsar.getConfiguration().getClusterName(), this::idInTheStore);
    private final SnapshotStorage elsewhere = storage("another", this::idInTheStore);
    private final SnapshotStorage twin = storage(pulsar.getConfiguration().getClusterName(),
            () -> CompletableFuture.completedFuture(Optional.of("another id")));
    private final SnapshotStorage older = storage(pulsar.getConfiguration().getClusterName(),
            () -> CompletableFuture.completedFuture(Optional.empty()));
    private final CursorRecords records = BrokerMetadata.cursorRecords(pulsar);

    /** Remembers the broker it is loaded by. */
    public static final class RememberingFactory extends PluggableDelayedDeliveryTrackerFactory {
        @Override
        public void initialize(PulsarService service) throws Exception {
            pulsar = service;
            super.initialize(service);
        }
    }

    private CompletableFuture<Optional<String>> idInTheStore() {
        return values.get("cluster-id").thenApply(found -> found.map(value -> value.text().split(" ")[1]));
    }

    private BookKeeperSnapshotStorage storage(String cluster, Supplier<CompletableFuture<Optional<String>>> clusterId) {
        ServiceConfiguration conf = pulsar.getConfiguration();
        return new BookKeeperSnapshotStorage(() -> pulsar.getBookKeeperClientFactory().create(conf,
                pulsar.getLocalMetadataStore(), pulsar.getIoEventLoopGroup(), Optional.empty(), null),
                new LedgerSettings(conf.getManagedLedgerDefaultEnsembleSize(), conf.getManagedLedgerDefaultWriteQuorum(),
                        conf.getManagedLedgerDefaultAckQuorum(), conf.getManagedLedgerDigestType(), cluster,
                        conf.getMaxMessageSize()), clusterId, threads);
    }

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }

    /** The commands of the broker. */
    static DelayedCommands commands() {
        return ((PluggableDelayedDeliveryTrackerFactory) pulsar.getBrokerService().getDelayedDeliveryTrackerFactory()).commands();
    }

    private static String managedLedger(String topic) {
        return TopicName.get(topic).getPersistenceNamingEncoding();
    }

    /** Every ledger there is. */
    List<Long> all() throws Exception {
        return get(storage.list(-1, ALL));
    }

    /** The ledgers of a topic's subscriptions. */
    List<Long> of(String topic) throws Exception {
        List<Long> found = new ArrayList<>();
        for (long ledgerId : all()) {
            Optional<SnapshotOwner> owner = get(storage.ownerOf(ledgerId).exceptionally(failure -> unlessGone(failure)));
            if (owner.filter(known -> known.topic().equals(managedLedger(topic))).isPresent()) {
                found.add(ledgerId);
            }
        }
        return found;
    }

    /** Nothing is stored of a topic's subscription: no ledger, and no name in the record of the usual one's cursor. */
    void mustBeEmpty(String topic) throws Exception {
        assertEquals(List.of(), of(topic));
        assertEquals(Map.of(), recordOf(topic, Scene.SUB));
    }

    /** Deletes every ledger of a topic's subscriptions, behind the back of their tracker; returns how many. */
    int loseAll(String topic) throws Exception {
        List<Long> found = of(topic);
        for (long ledgerId : found) {
            get(storage.delete(ledgerId));
        }
        return found.size();
    }

    /** Takes the last entry of a ledger away: the ledger is made anew with the others, behind the back of its owner. */
    void shorten(long ledgerId) throws Exception {
        BookKeeper client = pulsar.getBookKeeperClient();
        DigestType digest = DigestType.fromApiDigestType(pulsar.getConfiguration().getManagedLedgerDigestType());
        List<byte[]> entries = new ArrayList<>();
        Map<String, byte[]> labels;
        try (LedgerHandle ledger = client.openLedger(ledgerId, digest, NO_PASSWORD)) {
            labels = ledger.getCustomMetadata();
            Enumeration<LedgerEntry> read = ledger.readEntries(0, ledger.getLastAddConfirmed() - 1);
            while (read.hasMoreElements()) {
                entries.add(read.nextElement().getEntry());
            }
        }
        client.deleteLedger(ledgerId);
        try (LedgerHandle ledger = client.createLedgerAdv(ledgerId, 1, 1, 1, digest, NO_PASSWORD, labels)) {
            for (int i = 0; i < entries.size(); i++) {
                ledger.addEntry(i, entries.get(i));
            }
        }
    }

    private static Optional<SnapshotOwner> unlessGone(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof StorageException known && known.kind() == StorageException.Kind.NO_SUCH_LEDGER) {
            return Optional.empty();
        }
        throw new CompletionException(cause);
    }

    /** The plugin's properties in the durable record of a cursor; none if there is no such cursor. */
    Map<String, String> recordOf(String topic, String subscription) throws Exception {
        Map<String, String> ours = new HashMap<>(get(records.propertiesOf(managedLedger(topic), subscription)));
        ours.keySet().removeIf(key -> !key.startsWith(CatalogueStore.PROPERTY_PREFIX));
        return ours;
    }

    /** An old ledger with the metadata of a subscription's, sealed or as a crash leaves it. */
    long write(String topic, String subscription, boolean sealed) throws Exception {
        return write(storage, topic, subscription, sealed);
    }

    /** The same by another cluster on the same bookie. */
    long writeElsewhere(String topic, String subscription) throws Exception {
        return write(elsewhere, topic, subscription, true);
    }

    /** The same by a cluster of the same name with its own metadata store. */
    long writeByATwin(String topic, String subscription) throws Exception {
        return write(twin, topic, subscription, true);
    }

    /** The same by a version that knows no ids. */
    long writeByAnOlderVersion(String topic, String subscription) throws Exception {
        return write(older, topic, subscription, true);
    }

    /** What the metadata store of the cluster has under a name. */
    String shared(String name) throws Exception {
        return get(values.get(name)).orElseThrow().text();
    }

    /** The last sweep of the cluster was stopped after a ledger. */
    void stoppedAfter(long ledgerId) throws Exception {
        String text = "1 " + ledgerId + " 1700000000000 somebody ";
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(UTF_8));
        SharedValues.Versioned before = get(values.get("sweep-place")).orElseThrow();
        get(values.put("sweep-place", text + String.format("%08x", crc.getValue()), OptionalLong.of(before.version())));
    }

    /** The ids of clusters in the labels of a topic's ledgers. */
    Set<Optional<String>> idsOf(String topic) throws Exception {
        Set<Optional<String>> ids = new HashSet<>();
        for (long ledgerId : of(topic)) {
            ids.add(get(storage.labelOf(ledgerId)).orElseThrow().clusterId());
        }
        return ids;
    }

    private static long write(SnapshotStorage to, String topic, String subscription, boolean sealed) throws Exception {
        SnapshotWriter writer = get(to.create(new SnapshotOwner(managedLedger(topic), subscription,
                System.currentTimeMillis() - OLD_MILLIS)));
        if (sealed) {
            get(writer.close());
        }
        return writer.ledgerId();
    }

    /** Lets the record of a subscription name a ledger. */
    void record(String topic, String subscription, long ledgerId) throws Exception {
        Topic loaded = pulsar.getBrokerService().getTopic(topic, false).get().orElseThrow();
        CatalogueStore store = new CursorCatalogueStore(
                ((PersistentSubscription) loaded.getSubscription(subscription)).getCursor(), records);
        get(store.put(CatalogueKeeper.PROPERTY, new CatalogueRecord(1, List.of(ledgerId), List.of()).encode()));
    }

    /** Sweeps the ledgers of one topic, at a time when all of them are old; the orphans that a look has found before. */
    Set<Long> sweep(String topic) throws Exception {
        Set<Long> orphans = new HashSet<>();
        TaskFailures failures = new TaskFailures();
        WheelTimer timer = new WheelTimer("sweep", 1, System::nanoTime, failures);
        try {
            long sinceMillis = System.currentTimeMillis();
            AtomicReference<SweepSchedule> once = new AtomicReference<>();
            // Others use the same bookie: it sees the ledgers of one topic.
            LedgerLabels labels = ledgerId -> storage.labelOf(ledgerId)
                    .thenApply(label -> label.filter(known -> known.owner().topic().equals(managedLedger(topic))));
            LongSupplier wallMillis = () -> System.currentTimeMillis() + OLD_MILLIS;
            Retries retries = new Retries(timer, threads, bound -> 0, JobLimits.DEFAULT, wallMillis,
                    () -> System.nanoTime() / 1_000_000);
            SweepSchedule sweeper = new SweepSchedule(new SweepServices(storage, labels, values, records, threads, timer,
                    wallMillis, bound -> 0, retries, EVERY_LEDGER_OF_A_MINUTE),
                    () -> once.get().samples().get("bucket_sweeps_total") == 0);
            get(sweeper.look(-1)).orphans().forEach(orphan -> orphans.add(orphan.ledgerId()));
            once.set(sweeper);
            sweeper.begin();
            Await.until(30_000, () -> "a sweep since " + sinceMillis + ": " + sweeper.samples(),
                    () -> sweeper.samples().get("bucket_sweeps_total") > 0);
            sweeper.close();
            if (sweeper.samples().get("bucket_sweep_failures_total") != 0) {
                throw new AssertionError("the sweep failed: " + sweeper.samples());
            }
        } finally {
            timer.close();
        }
        failures.mustBeNone();
        return orphans;
    }

    void close() throws Exception {
        get(storage.close());
        get(elsewhere.close());
        get(twin.close());
        get(older.close());
        threads.shutdownNow();
    }
}
