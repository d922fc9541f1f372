/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.delayed.BucketDelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * From the stock bucket tracker to the plugin, and back, on two brokers of the 4.0 line inside this JVM at a time. The second
 * message of the topic is plain and nobody acknowledges it: a consumer that takes one message at a time stops the dispatcher
 * there, so what is tracked then without having been read was recovered.
 */
class StockSnapshotsIT {

    private static final String STOCK_PREFIX = "#pulsar.internal.delayed.bucket_";
    private static final int DELAYED = 600;
    private static final long DELAY_MILLIS = 40_000;
    private static final BrokerSettings SETTINGS = BrokerSettings.of("bucket", true, 500)
            .with("managedLedgerMaxEntriesPerLedger", "100")
            .with("delayedDeliveryMinIndexCountPerBucket", "50")
            .with("delayedDeliveryMaxTimeStepPerBucketSnapshotSegmentSeconds", "1")
            .with("delayedDeliveryMaxIndexesPerBucketSnapshotSegment", "30");
    private static final BrokerSettings STOCK = SETTINGS.with("delayedDeliveryTrackerFactoryClassName", Stock.class.getName());
    private static final BrokerSettings PLUGIN = SETTINGS.with("delayedDeliveryTrackerFactoryClassName", Plugin.class.getName())
            .with("delayedDeliveryIndexLoadAheadMillis", "2000")
            // What is doomed is held back for five times that.
            .with("metadataStoreSessionTimeoutMillis", "1000");

    /** The brokers in this JVM, by the port of their web service. */
    private static final Map<Integer, PulsarService> BROKERS = new ConcurrentHashMap<>();

    private InProcessBroker broker;
    private BrokerFixture fixture;

    /** The stock factory; remembers its broker. */
    public static final class Stock extends BucketDelayedDeliveryTrackerFactory {
        @Override
        public void initialize(PulsarService service) throws Exception {
            remember(service);
            super.initialize(service);
        }
    }

    /** The plugin's factory; remembers its broker. */
    public static final class Plugin extends PluggableDelayedDeliveryTrackerFactory {
        @Override
        public void initialize(PulsarService service) throws Exception {
            remember(service);
            super.initialize(service);
        }
    }

    private static void remember(PulsarService service) {
        BROKERS.put(service.getConfiguration().getWebServicePort().orElseThrow(), service);
    }

    private PulsarService pulsar() {
        return BROKERS.get(URI.create(broker.adminUrl()).getPort());
    }

    private void start(String name, BrokerSettings settings) throws Exception {
        broker = new InProcessBroker(name, settings);
        fixture = BrokerFixture.start(broker);
    }

    private void restart(BrokerSettings settings) throws Exception {
        broker.stop();
        broker.reconfigure(settings);
        broker.start();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    private Consumer<String> consumer(Scene scene, int queue) throws Exception {
        return fixture.client().newConsumer(Schema.STRING).topic(scene.topic()).subscriptionName(Scene.SUB)
                .subscriptionType(SubscriptionType.Shared).subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .receiverQueueSize(queue).subscribe();
    }

    /** A delayed message, a plain one, and the rest. */
    private List<Sent> send(Scene scene) throws Exception {
        long dueMillis = System.currentTimeMillis() + DELAY_MILLIS;
        return scene.send(DELAYED + 1, i -> i == 1 ? 0 : dueMillis - System.currentTimeMillis() + i * 5L);
    }

    private ManagedCursor cursor(Scene scene) throws Exception {
        Topic topic = pulsar().getBrokerService().getTopic(scene.topic(), false).get().orElseThrow();
        return ((PersistentSubscription) topic.getSubscription(Scene.SUB)).getCursor();
    }

    private Map<String, Long> stockProperties(Scene scene) throws Exception {
        Map<String, Long> stock = new TreeMap<>();
        cursor(scene).getCursorProperties().forEach((name, value) -> {
            if (name.startsWith(STOCK_PREFIX)) {
                stock.put(name, Long.valueOf(value));
            }
        });
        return stock;
    }

    private boolean isThere(long ledgerId) throws Exception {
        try {
            pulsar().getBookKeeperClient().getLedgerMetadata(ledgerId).get();
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** How many delayed messages lie in the ledgers between those that the names of the properties give. */
    private static long covered(List<Sent> sent, Map<String, Long> properties) {
        return sent.stream().filter(message -> message.id().startsWith("delayed")).map(StockSnapshotsIT::ledgerId)
                .filter(ledgerId -> properties.keySet().stream().anyMatch(name -> covers(name, ledgerId))).count();
    }

    /** Stock seals what lies in ledgers that are complete: all but the last. */
    private static long sealedByStock(List<Sent> sent) {
        long lastLedgerId = sent.stream().mapToLong(StockSnapshotsIT::ledgerId).max().orElseThrow();
        return sent.stream().filter(message -> message.id().startsWith("delayed") && ledgerId(message) < lastLedgerId).count();
    }

    private static long ledgerId(Sent message) {
        return ((MessageIdImpl) message.messageId()).getLedgerId();
    }

    private static boolean covers(String property, long ledgerId) {
        String[] range = property.substring(STOCK_PREFIX.length()).split("_");
        return Long.parseLong(range[0]) <= ledgerId && ledgerId <= Long.parseLong(range[1]);
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void whatTheStockTrackerHasSealedIsImportedWithoutReadingTheTopicAgain() throws Exception {
        start("pulsar-4.0-from-stock", STOCK);
        try (Scene scene = fixture.scene("from-stock")) {
            Consumer<String> first = consumer(scene, 1_000);
            List<Sent> sent = send(scene);
            scene.awaitDelayed(DELAYED);
            Await.until(20_000, () -> "a seal of each complete ledger by the stock tracker",
                    () -> covered(sent, stockProperties(scene)) == sealedByStock(sent));
            Map<String, Long> properties = stockProperties(scene);
            long sealed = covered(sent, properties);
            first.close();
            restart(PLUGIN);

            Consumer<String> second = consumer(scene, 1);
            Await.until(20_000, () -> "the import", () -> scene.pluginStat("bucket_imports_total") == properties.size()
                    && scene.pluginStat("bucket_recovering") == 0);
            scene.awaitDelayed(sealed);
            assertTrue(sealed >= DELAYED * 3 / 4, "sealed by stock: " + sealed);
            assertTrue(scene.pluginStat("offers_total") <= 3, "read: " + scene.pluginStat("offers_total"));
            Await.until(10_000, () -> "no stock property is left", () -> stockProperties(scene).isEmpty());
            for (long ledgerId : properties.values()) {
                Await.until(20_000, () -> "stock ledger " + ledgerId + " is deleted", () -> !isThere(ledgerId));
            }

            scene.receive(SubscriptionType.Shared);
            scene.awaitDelayed(DELAYED);
            assertTrue(scene.pluginStat("offers_total") <= DELAYED - sealed + 10, "read: " + scene.pluginStat("offers_total"));
            second.close();
            assertFalse(cursor(scene).getCursorProperties().isEmpty());
            scene.awaitAcked(sent);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeExactlyOnce(sent);
            scene.arrivals().mustBeInTime(sent.stream().filter(message -> message.id().startsWith("delayed")).toList(), 0,
                    scene.latestMillis());
            assertEquals(Map.of(), stockProperties(scene));
        }
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void whatIsKeptInTheStockFormIsRecoveredByTheStockTrackerWithoutReadingTheTopicAgain() throws Exception {
        start("pulsar-4.0-to-stock", PLUGIN.with("delayedDeliveryIndexSnapshotFormat", "pip195"));
        try (Scene scene = fixture.scene("to-stock")) {
            Consumer<String> first = consumer(scene, 1_000);
            List<Sent> sent = send(scene);
            scene.awaitDelayed(DELAYED);
            Await.until(10_000, () -> "seals in the stock form",
                    () -> covered(sent, stockProperties(scene)) >= DELAYED * 3 / 4);
            scene.awaitRecorded();
            Await.until(30_000, () -> "stock keys and no others", () ->
                    cursor(scene).getCursorProperties().keySet().equals(stockProperties(scene).keySet()));
            Map<String, Long> properties = stockProperties(scene);
            long sealed = covered(sent, properties);
            assertTrue(Net.get(broker.adminUrl() + "/metrics/").lines().anyMatch(line ->
                    line.startsWith("pulsar_delayed_message_index_bucket_total{") && line.contains(scene.topic())
                            && line.endsWith(" " + (properties.size() + 1) + ".0")), "stock metric names");
            first.close();
            restart(STOCK);

            Consumer<String> second = consumer(scene, 1);
            scene.awaitDelayed(sealed);
            assertEquals(properties, stockProperties(scene));

            scene.receive(SubscriptionType.Shared);
            scene.awaitDelayed(DELAYED);
            second.close();
            scene.awaitAcked(sent);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeExactlyOnce(sent);
            scene.arrivals().mustBeInTime(sent.stream().filter(message -> message.id().startsWith("delayed")).toList(), 0,
                    scene.latestMillis());
        }
    }
}
