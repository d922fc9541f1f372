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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.common.policies.data.SubscriptionStats;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** I20: a random half of the messages of a real broker is cancelled over HTTP; the others come, and nothing else. */
class CancelIT {

    private static final int SENT = Integer.getInteger("cancel.messages", 2_000);
    private static final long DUE_FROM_MILLIS = 40_000L + SENT / 2;
    /** A container takes longer to come back. */
    private static final long LATER_MILLIS = 100_000;
    private static final long COUNT_MILLIS = 20_000L + SENT / 4;
    private static final int RACED = 10_000;
    private static final int RACED_AT_A_TIME = 250;
    private static final long DUE_WITHIN_MILLIS = 5_000;

    @Test
    void theOthersComeThroughAnUnloadAndAKill() throws Exception {
        cancelHalf("4.0", "timebucket", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameWithTheBackendThatStores() throws Exception {
        cancelHalf("4.0", "bucket", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe42Line() throws Exception {
        cancelHalf("4.2", "heap", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe50Line() throws Exception {
        Optional<Path> home = Harness.javaHome(21);
        assumeTrue(home.isPresent(), () -> OnABroker.skipped("CancelIT", "no JDK 21 or later"));
        cancelHalf("5.0", "timebucket", home.orElseThrow());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnTheDistribution() throws Exception {
        cancelHalf("4.0.8", "bucket", DistributionBroker.of("cancel-distribution", settings("bucket")), DUE_FROM_MILLIS);
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameInAContainer() throws Exception {
        assumeTrue(ContainerBroker.engineAnswers(), () -> OnABroker.skipped("CancelIT", "no Docker Engine answers"));
        cancelHalf("container", "timebucket", new ContainerBroker("cancel-container", settings("timebucket")),
                DUE_FROM_MILLIS + LATER_MILLIS);
    }

    @Test
    void aRaceWithTheHandOutHasOneWinnerForEachMessage() throws Exception {
        BrokerSettings settings = BrokerSettings.of("timebucket", true, 100).withDefaultLimits().withCommands();
        ForkedBroker broker = ForkedBroker.of("cancel-race", settings);
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("race")) {
            scene.receive(Shared, Receiver.Options.usual());
            long nowMillis = System.currentTimeMillis();
            List<Sent> sent = scene.send(RACED, i -> nowMillis + 15_000 + i - System.currentTimeMillis());
            scene.awaitDelayed(RACED);
            CommandClient commands = new CommandClient(broker.adminUrl());
            Map<String, String> answers = new TreeMap<>();
            for (int from = 0; from < RACED; from += RACED_AT_A_TIME) {
                List<Sent> next = sent.subList(from, from + RACED_AT_A_TIME);
                long dueMillis = next.get(RACED_AT_A_TIME / 2).deliverAtMillis();
                Await.until(60_000, () -> "the due time", () -> System.currentTimeMillis() >= dueMillis);
                answers.putAll(commands.cancel(scene.topic(), next));
            }
            List<Sent> cancelled = new ArrayList<>();
            List<Sent> others = new ArrayList<>();
            for (Sent message : sent) {
                String answer = answers.get(CommandClient.text(message.messageId()));
                (answer.equals("cancelled") ? cancelled : others).add(message);
            }
            System.out.println("RACED " + RACED + ": " + cancelled.size() + " cancelled, answers "
                    + new TreeSet<>(answers.values()));
            scene.verify(others);
            scene.arrivals().mustBeTimes(cancelled, 0);
            assertTrue(cancelled.size() > RACED / 10 && others.size() > RACED / 10, () -> cancelled.size() + " cancelled");
        } finally {
            fixture.close();
        }
    }

    private static BrokerSettings settings(String backend) {
        // On 5.0.0-M1 there is no journal with compressed records.
        return BrokerSettings.of(backend, true, 1_000).withDefaultLimits().withCommands()
                .with("managedCursorInfoCompressionType", "NONE");
    }

    private static void cancelHalf(String line, String backend, Path javaHome) throws Exception {
        cancelHalf(line, backend, ForkedBroker.ofLine(line, "cancel-" + line + "-" + backend, settings(backend), javaHome),
                DUE_FROM_MILLIS);
    }

    private static void cancelHalf(String line, String backend, Broker broker, long dueFromMillis) throws Exception {
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("cancel")) {
            scene.receive(Shared, Receiver.Options.usual().with(builder -> builder.isAckReceiptEnabled(true)));
            List<Sent> sent = scene.send(SENT, i -> dueFromMillis + i * DUE_WITHIN_MILLIS / SENT);
            scene.awaitDelayed(SENT);
            List<Sent> shuffled = new ArrayList<>(sent);
            Collections.shuffle(shuffled, new Random(20));
            List<Sent> cancelled = shuffled.subList(0, SENT / 2);
            List<Sent> others = shuffled.subList(SENT / 2, SENT);
            CommandClient commands = new CommandClient(broker.adminUrl());

            Map<String, String> answers = commands.cancel(scene.topic(), cancelled);
            assertEquals(Set.of("cancelled"), new TreeSet<>(answers.values()));
            assertEquals(cancelled.size(), answers.size());
            mustCountOthers(scene);
            assertEquals(Set.of("already acknowledged"), new TreeSet<>(commands.cancel(scene.topic(), cancelled).values()));

            scene.admin().topics().unload(scene.topic());
            mustCountOthers(scene);
            broker.kill();
            broker.start();
            mustCountOthers(scene);

            scene.verify(others);
            scene.arrivals().mustBeTimes(cancelled, 0);
            System.out.println("CANCELLED " + line + " " + backend + ": " + cancelled.size() + " of " + SENT);
        } finally {
            fixture.close();
        }
    }

    /** After a restart the others are counted before the acknowledgements of the journal, which come in slices. */
    private static void mustCountOthers(Scene scene) throws Exception {
        AtomicReference<String> last = new AtomicReference<>("");
        Await.until(COUNT_MILLIS, () -> SENT / 2 + " scheduled messages, and no other backlog: " + last, () -> {
            SubscriptionStats stats = scene.stats(Scene.SUB);
            last.set(stats.getMsgDelayed() + " of " + stats.getMsgBacklog());
            return stats.getMsgDelayed() == SENT / 2 && stats.getMsgBacklog() == SENT / 2;
        });
    }
}
