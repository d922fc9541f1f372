/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.DocCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Schema;
import org.junit.jupiter.api.Test;

/**
 * The alarms and dashboards of docs/monitoring on a real Prometheus and a broker in states made on purpose: each state rings its
 * alarm, nothing else rings, and each expression of a dashboard has data. Alarms of which time alone makes the state are cases of
 * alerts-test.yml.
 */
class MonitoringIT {

    private static final Path DOCS = Harness.module().resolve("../../docs/monitoring").normalize();
    /** An alarm waits a minute for what is overdue, or for a seal to be tried again; the rest is for a busy machine. */
    private static final long RINGS_MILLIS = 240_000;
    private static final long FOR_A_LONG_TIME_MILLIS = 3_600_000;
    private static final int SEAL = 100;
    /** With due times far apart they take 0.2 MB in a subscription that stores nothing, where the budget is 1 MiB for all. */
    private static final int MANY = 90 * SEAL;
    private static final int FAR_APART_DOUBLINGS = 22;
    private static final int MORE_SUBSCRIPTIONS = 7;
    private static final Pattern RECORD = Pattern.compile("create-subscription .*-p '(.+)=(.+)'");

    private InProcessBroker broker;
    private BrokerFixture fixture;
    private Consumer<String> stuckConsumer;
    private PrometheusProcess prometheus;
    private StoredLedgers ledgers;

    private static Path programs() throws Exception {
        Optional<Path> programs = PrometheusProcess.programs();
        assumeTrue(programs.isPresent(), () -> OnABroker.skipped("MonitoringIT", "Debian's package prometheus cannot be had"));
        return programs.orElseThrow();
    }

    /** The rules as they are, but for how long a state has to last, and how long no snapshot was written. */
    private static String rules() throws IOException {
        return Files.readString(DOCS.resolve("alerts.yml")).replaceAll("(?m)^( +for:) .*$", "$1 2s").replace("[5m]", "[10s]");
    }

    /** While a consumer comes, what is due may look not taken, or late, for longer than the two seconds of these rules. */
    private static Set<String> withWhatMendingMayRing(Set<String> all) {
        Set<String> allowed = new TreeSet<>(all);
        for (String alarm : List.of("DelayedMessagesNotTaken", "DelayedHandOutBehindSchedule")) {
            allowed.add(alarm + " gone");
            allowed.add(alarm + " stuck");
        }
        return allowed;
    }

    /** A small broker with a small budget, whose sweeper looks each minute and deletes nothing. */
    private static BrokerSettings settings() {
        return BrokerSettings.of("bucket", true, 500)
                .with("delayedDeliveryTrackerFactoryClassName", StoredLedgers.RememberingFactory.class.getName())
                .with("delayedDeliveryMinIndexCountPerBucket", Integer.toString(SEAL))
                .with("delayedDeliveryIndexMaxMemoryMb", "1")
                .with("delayedDeliveryIndexSweepIntervalMinutes", "1").with("delayedDeliveryIndexSweepMinAgeMinutes", "9")
                .with("delayedDeliveryIndexSweepDryRun", "true")
                .with("managedLedgerMaxUnackedRangesToPersist", "100").with("bookkeeperClientTimeoutInSeconds", "3");
    }

    private static String promtool(Path programs, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(programs.resolve("promtool").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).directory(DOCS.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> command + ": " + output);
        return output;
    }

    /** With {@code promtool test rules alerts-test.yml}, as docs/monitoring/README.md has it. */
    @Test
    void theRulesAndTheirCasesPassPromtool() throws Exception {
        Path programs = programs();
        assertTrue(promtool(programs, "check", "rules", "alerts.yml").contains("SUCCESS"));
        assertTrue(promtool(programs, "test", "rules", "alerts-test.yml").contains("SUCCESS"));
    }

    @Test
    void eachStateRingsItsAlarmAndNoOther() throws Exception {
        Path programs = programs();
        broker = new InProcessBroker("monitoring", settings());
        fixture = BrokerFixture.start(broker);
        ledgers = new StoredLedgers();
        try (PrometheusProcess started = PrometheusProcess.start(programs, "prometheus", broker.adminUrl(), rules());
                Scene healthy = fixture.scene("healthy"); Scene gone = fixture.scene("gone");
                Scene stuck = fixture.scene("stuck"); Scene acked = fixture.scene("acked");
                Scene expiring = fixture.scene("expiring"); Scene unreadable = fixture.scene("unreadable")) {
            prometheus = started;
            healthy.receive(Shared);
            healthy.send(2 * SEAL, i -> i % 2 == 0 ? FOR_A_LONG_TIME_MILLIS : 2_000);
            hasData("dashboard-subscription.json", healthy.topic());
            awaitRinging(Set.of(), Set.of());
            String deleted = healthy.topic() + "-deleted";
            aLedgerIsLeftBehind(healthy, deleted);
            consumerLeaves(gone);
            consumerTakesNothing(stuck);
            manyAreAcknowledged(acked);
            messagesExpire(expiring);
            recordsAreOfANewerVersion(unreadable);
            unreadable.send(MANY, i -> FOR_A_LONG_TIME_MILLIS << i % FAR_APART_DOUBLINGS);
            Set<String> all = Set.of("DelayedMessagesWithoutConsumer gone", "DelayedMessagesNotTaken stuck",
                    "AcknowledgementsLostOnRestart acked", "DelayedMessagesExpireFirst expiring",
                    "DelayedIndexRecordUnreadable unreadable", "DelayedIndexOverBudget", "DelayedIndexOrphans");
            awaitRinging(all, all);
            hasData("dashboard-broker.json", healthy.topic());
            gone.receive(Shared);
            stuck.receive(Shared);
            stuckConsumer.close();
            acked.admin().topics().skipAllMessages(acked.topic(), Scene.SUB);
            expiring.admin().namespaces().removeNamespaceMessageTTL(expiring.namespace());
            unreadable.admin().topics().delete(unreadable.topic(), true);
            assertEquals(1, ledgers.loseAll(deleted));
            awaitRinging(Set.of(), withWhatMendingMayRing(all));
            healthy.send(50 * SEAL, i -> FOR_A_LONG_TIME_MILLIS);
            broker.stopBookie();
            // The cursor, which takes the names of snapshots, writes to the same bookie.
            awaitRinging(Set.of("DelayedIndexNotSealed healthy"),
                    Set.of("DelayedIndexNotSealed healthy", "DelayedIndexNotRecorded healthy"));
        } finally {
            try {
                ledgers.close();
            } finally {
                fixture.close();
            }
        }
    }

    private void hasData(String dashboard, String topic) throws Exception {
        JsonNode panels = new ObjectMapper().readTree(DOCS.resolve(dashboard).toFile());
        for (JsonNode expression : panels.findValues("expr")) {
            String filled = expression.asText().replace("$topic", topic).replace("$subscription", Scene.SUB)
                    .replace("$__rate_interval", "10s");
            Await.until(Scene.READ_MILLIS, () -> dashboard + " has data for " + filled,
                    () -> !prometheus.query(filled).isEmpty());
        }
    }

    private static void consumerLeaves(Scene scene) throws Exception {
        Receiver receiver = scene.receive(Shared);
        scene.send(10, i -> Scene.LATER_MILLIS);
        scene.awaitDelayed(10);
        receiver.close();
    }

    /** One is sent to the consumer, and fills its queue. */
    private void consumerTakesNothing(Scene scene) throws Exception {
        stuckConsumer = fixture.client().newConsumer(Schema.STRING).topic(scene.topic()).subscriptionName(Scene.SUB)
                .subscriptionType(Shared).receiverQueueSize(1).subscribe();
        scene.send(10, i -> 2_000);
    }

    /** More ranges than the broker keeps, and no journal. */
    private static void manyAreAcknowledged(Scene scene) throws Exception {
        scene.receive(Shared, Receiver.Options.usual().with(consumer ->
                consumer.subscriptionProperties(Map.of("delayedDeliveryIndexAckJournal", "off"))));
        List<Sent> sent = scene.send(3_000, i -> i % 4 == 0 ? FOR_A_LONG_TIME_MILLIS : 0);
        scene.awaitAcked(IntStream.range(0, sent.size()).filter(i -> i % 4 > 0).mapToObj(sent::get).toList());
    }

    private static void messagesExpire(Scene scene) throws Exception {
        scene.admin().namespaces().setNamespaceMessageTTL(scene.namespace(), 600);
        scene.receive(Shared);
        scene.send(5, i -> FOR_A_LONG_TIME_MILLIS);
    }

    /** As a crash may leave it, of a topic that is deleted, and older than any ledger of this test. */
    private void aLedgerIsLeftBehind(Scene healthy, String topic) throws Exception {
        // By then the cluster has an id for ledgers to bear.
        awaitSeal(healthy);
        ledgers.write(topic, Scene.SUB, true);
    }

    private static void awaitSeal(Scene scene) throws Exception {
        Await.until(Scene.READ_MILLIS, () -> "a seal", () -> scene.pluginStat("bucket_seals_total") > 0);
    }

    /** A subscription that has stored something before, and some that have not; nothing more is stored of any. */
    private void recordsAreOfANewerVersion(Scene scene) throws Exception {
        scene.receive(Shared);
        scene.send(2 * SEAL, i -> FOR_A_LONG_TIME_MILLIS);
        awaitSeal(scene);
        scene.closeProducer();
        ManagedCursor cursor = broker.cursor(scene.topic(), Scene.SUB);
        Map.Entry<String, String> newer = newerRecord();
        assertTrue(cursor.getCursorProperties().containsKey(newer.getKey()), cursor.getCursorProperties().keySet()::toString);
        cursor.putCursorProperty(newer.getKey(), newer.getValue()).get(10, TimeUnit.SECONDS);
        for (int i = 0; i < MORE_SUBSCRIPTIONS; i++) {
            scene.admin().topics().createSubscription(scene.topic(), "more-" + i, MessageId.latest, false, Map.ofEntries(newer));
        }
        scene.admin().topics().unload(scene.topic());
        for (int i = 0; i < MORE_SUBSCRIPTIONS; i++) {
            scene.receive("more-" + i, Shared, Receiver.Options.usual());
        }
    }

    /** The property that the command of docs/monitoring/README.md gives to a subscription. */
    private static Map.Entry<String, String> newerRecord() throws IOException {
        return DocCommands.of("docs/monitoring/README.md").stream().flatMap(command -> RECORD.matcher(command).results())
                .map(property -> Map.entry(property.group(1), property.group(2))).findFirst().orElseThrow();
    }

    /** Waits until these alarms ring and no other; meanwhile none may ring that is not allowed. */
    private void awaitRinging(Set<String> expected, Set<String> allowed) throws Exception {
        AtomicReference<Set<String>> ringing = new AtomicReference<>();
        Await.until(RINGS_MILLIS, () -> "alarms " + new TreeSet<>(expected) + ", ringing are " + ringing.get(), () -> {
            ringing.set(prometheus.ringing());
            assertTrue(allowed.containsAll(ringing.get()), () -> ringing.get() + " ring, of which may " + allowed);
            return ringing.get().containsAll(expected) && (!expected.isEmpty() || ringing.get().isEmpty());
        });
    }
}
