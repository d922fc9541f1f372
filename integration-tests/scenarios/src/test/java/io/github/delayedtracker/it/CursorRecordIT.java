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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** H1: however many acknowledgements lie above mark-delete, no unload of a topic costs a broker its connection to ZooKeeper. */
class CursorRecordIT {

    private static final int UNLOADS = 3;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final int SENT_AT_ONCE = 20_000;
    private static final long MOST_MILLIS = 20_000;
    private static final long LOAD_MILLIS = 30_000;

    /** Limits as operators raise them who read that acknowledgements get lost. */
    private static BrokerSettings raised(BrokerSettings settings) {
        return settings.withDefaultLimits().with("managedLedgerMaxUnackedRangesToPersist", "10000000");
    }

    /** The defaults of 5.0. */
    private static BrokerSettings of50(BrokerSettings settings) {
        return settings.withDefaultLimits().with("managedLedgerMaxUnackedRangesToPersist", "200000")
                .with("managedLedgerMaxUnackedRangesToPersistInMetadataStore", "200000")
                .with("managedLedgerPersistIndividualAckAsLongArray", "true").with("managedCursorInfoCompressionType", "LZ4");
    }

    @Test
    void theRecordOfACursorStaysBelowWhatZooKeeperTakesThoughTheLimitWasRaised() throws Exception {
        Outcome outcome = unloads("4.0", "cursor-record-4.0", raised(BrokerSettings.of("timebucket", false, 1_000)), 200_000,
                Harness.ownJavaHome());
        outcome.isHarmless();
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theRecordOfACursorStaysBelowWhatZooKeeperTakesAtTheDefaultsOf50() throws Exception {
        unloads("5.0", "cursor-record-5.0", of50(BrokerSettings.of("timebucket", false, 1_000)), 600_000, java25()).isHarmless();
    }

    /** The scenario shows the danger: without the plugin the connection is lost. */
    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void withTheStockTrackerTheFirstUnloadAtTheDefaultsOf50LosesTheConnection() throws Exception {
        Outcome outcome =
                unloads("5.0", "cursor-record-stock", of50(BrokerSettings.stockMemory(false, 1_000)), 600_000, java25());
        assertTrue(outcome.tooLargeRequests > 0, outcome.toString());
    }

    private static Path java25() {
        Optional<Path> home = Harness.javaHome(21);
        assumeTrue(home.isPresent(), () -> OnABroker.skipped("CursorRecordIT", "no JDK 21 or later"));
        return home.orElseThrow();
    }

    /**
     * The scenario's end.
     *
     * @param millis how long each unload took; the first follows acknowledgements, the others find an idle topic
     */
    private record Outcome(List<Long> millis, long tooLargeRequests) {

        void isHarmless() {
            assertEquals(0, tooLargeRequests, toString());
            assertTrue(millis.stream().allMatch(took -> took < MOST_MILLIS), toString());
        }
    }

    private static Outcome unloads(String line, String name, BrokerSettings settings, int messages, Path javaHome)
            throws Exception {
        try (ZooKeeperProcess zooKeeper = ZooKeeperProcess.start(line, name + "-zookeeper")) {
            BrokerFixture fixture = BrokerFixture.start(
                    ForkedBroker.ofLine(line, name, settings, javaHome).withMetadataAt(zooKeeper.url()));
            try (Scene scene = fixture.scene("record")) {
                acknowledgeHalf(scene, messages);
                List<Long> millis = new ArrayList<>();
                for (int i = 0; i < UNLOADS; i++) {
                    millis.add(unload(scene));
                    if (millis.get(i) < MOST_MILLIS) {
                        Await.until(LOAD_MILLIS, () -> "the topic again", () -> scene.stats(Scene.SUB) != null);
                    }
                }
                Outcome outcome = new Outcome(millis, zooKeeper.tooLargeRequests());
                System.out.println("UNLOADS " + line + " " + settings.tracker() + ", " + messages + " messages: " + outcome);
                return outcome;
            } finally {
                fixture.close();
            }
        }
    }

    private static void acknowledgeHalf(Scene scene, int messages) throws Exception {
        Receiver receiver = scene.receive(Shared);
        Random random = new Random(3);
        int sent = 0;
        while (sent < messages) {
            List<MessageId> acknowledged = scene.send(SENT_AT_ONCE, i -> HOUR_MILLIS).stream()
                    .filter(message -> random.nextBoolean()).map(Sent::messageId).toList();
            sent += SENT_AT_ONCE;
            int soFar = sent;
            Await.until(LOAD_MILLIS, () -> soFar + " messages seen", () -> scene.stats(Scene.SUB).getMsgBacklog() > 0);
            receiver.consumer().acknowledge(acknowledged);
        }
        receiver.close();
    }

    private static long unload(Scene scene) throws Exception {
        long begin = System.nanoTime();
        CompletableFuture<Void> unloaded = scene.admin().topics().unloadAsync(scene.topic());
        try {
            unloaded.get(MOST_MILLIS, TimeUnit.MILLISECONDS);
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        } catch (TimeoutException e) {
            return MOST_MILLIS;
        }
    }
}
