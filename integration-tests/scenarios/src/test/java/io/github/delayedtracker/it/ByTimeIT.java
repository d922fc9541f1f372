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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Over HTTP a schedule is listed, and changed by due time, wherever the backend keeps it. */
class ByTimeIT {

    private static final int SENT = 12_000;
    private static final long DUE_FROM_MILLIS = 600_000;
    private static final long DUE_WITHIN_MILLIS = 3_600_000;
    /** Longer than it takes to send them. */
    private static final long GAP_MILLIS = 300_000;

    @Test
    void aScheduleThatSleepsInStorageIsListedAndChanged() throws Exception {
        listAndChange("4.0", "bucket", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameInMemory() throws Exception {
        listAndChange("4.0", "timebucket", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameWithTheHeap() throws Exception {
        listAndChange("4.0", "heap", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe42Line() throws Exception {
        listAndChange("4.2", "bucket", Harness.ownJavaHome());
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void theSameOnThe50Line() throws Exception {
        Optional<Path> home = Harness.javaHome(21);
        assumeTrue(home.isPresent(), () -> OnABroker.skipped("ByTimeIT", "no JDK 21 or later"));
        listAndChange("5.0", "bucket", home.orElseThrow());
    }

    private static void listAndChange(String line, String backend, Path javaHome) throws Exception {
        BrokerSettings settings = BrokerSettings.of(backend, true, 1_000).withDefaultLimits().withCommands()
                .with("managedCursorInfoCompressionType", "NONE");
        ForkedBroker broker = ForkedBroker.ofLine(line, "by-time-" + line + "-" + backend, settings, javaHome);
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("by-time")) {
            scene.receive(Shared);
            List<Sent> sent = scene.send(SENT, i -> delayMillis(i * 7_919L % SENT));
            scene.awaitDelayed(SENT);
            CommandClient commands = new CommandClient(broker.adminUrl());
            mustBeListed(commands.list(scene.topic(), 1_000), sent);
            if (backend.equals("bucket")) {
                Await.until(60_000, () -> "a snapshot", () -> snapshots(commands, scene).size() > 0);
            } else {
                assertEquals(0, snapshots(commands, scene).size());
            }

            List<Sent> byTime = new ArrayList<>(sent);
            byTime.sort((one, other) -> Long.compare(one.deliverAtMillis(), other.deliverAtMillis()));
            long middleMillis = byTime.get(SENT / 2).deliverAtMillis() - GAP_MILLIS / 4;
            List<Sent> early = byTime.stream().filter(message -> message.deliverAtMillis() < middleMillis).toList();
            List<Sent> late = byTime.stream().filter(message -> message.deliverAtMillis() >= middleMillis).toList();
            String ofEarly = "dueBefore=" + middleMillis;
            assertEquals(Map.of("scheduled", (long) early.size()),
                    commands.changeTime(scene.topic(), "cancel?dryRun=true&" + ofEarly));
            String unconfirmed = "cancel?subscription=" + Scene.SUB + "&" + ofEarly;
            assertEquals(409, commands.post(scene.topic(), unconfirmed, List.of()).status());
            assertEquals(Map.of("cancelled", (long) early.size()),
                    commands.changeTime(scene.topic(), "cancel?yes=true&" + ofEarly));
            scene.awaitDelayed(late.size());
            mustBeListed(commands.list(scene.topic(), 777), late);
            assertEquals(late.size(), commands.sumOfLedgers(scene.topic(), "holding", "scheduled"));
            assertEquals(late.size(), commands.get(scene.topic(), "holding").json().path("subscriptions").path(0)
                    .path("ledgers").path(0).path("messages").asLong(), "nothing else waits in the only ledger");
            mustBeAsItHasToBe(commands, scene, late.size());
            scene.admin().topicPolicies().setMessageTTL(scene.topic(), 1_200);
            Await.until(60_000, () -> "messages that expire before they are due", () ->
                    commands.sumOfLedgers(scene.topic(), "expiring", "expiring") == late.size());
            scene.admin().topicPolicies().removeMessageTTL(scene.topic());

            broker.kill();
            broker.start();
            // A standalone broker that was killed may register its bookie over and over at first, and stores nothing meanwhile.
            Await.until(180_000, () -> "the broker stores", () -> Net.stores(broker.adminUrl()));
            scene.awaitDelayed(late.size());
            mustBeListed(commands.list(scene.topic(), 10_000), late);
            assertEquals(Map.of("moved", (long) late.size()),
                    commands.changeTime(scene.topic(), "deliver-now?yes=true&all=true"));
            Await.until(60_000, () -> "all moved ones: " + scene.arrivals(),
                    () -> scene.arrivals().ackedCount() == late.size());
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeTimes(late, 1);
            scene.arrivals().mustBeTimes(early, 0);
            System.out.println("BY TIME " + line + " " + backend + ": " + early.size() + " cancelled, " + late.size()
                    + " delivered now");
        } finally {
            fixture.close();
        }
    }

    private static JsonNode snapshots(CommandClient commands, Scene scene) throws Exception {
        return commands.get(scene.topic(), "snapshots").json().path("subscriptions").path(0).path("snapshots");
    }

    private static void mustBeAsItHasToBe(CommandClient commands, Scene scene, int count) throws Exception {
        JsonNode verified = commands.get(scene.topic(), "verify?subscription=" + Scene.SUB).json().path("subscriptions").path(0);
        assertEquals(count, verified.path("scheduled").asInt());
        assertEquals(0, verified.path("acknowledged").asInt());
        assertTrue(verified.path("delayed").asInt() > 100, verified::toString);
        for (String difference : List.of("missing", "onlyInRecord", "onlyInIndex")) {
            assertEquals(0, verified.path(difference).size(), verified::toString);
        }
    }

    /** In the middle nothing is due for some time, so that rounding moves no message over it. */
    private static long delayMillis(long place) {
        return DUE_FROM_MILLIS + place * DUE_WITHIN_MILLIS / SENT + (place < SENT / 2 ? 0 : GAP_MILLIS);
    }

    /** Each once, in order, at its time but for its rounding. */
    private static void mustBeListed(Map<String, Long> listed, List<Sent> expected) {
        List<String> ids = expected.stream().map(message -> CommandClient.text(message.messageId())).toList();
        assertEquals(new TreeSet<>(ids), new TreeSet<>(listed.keySet()));
        List<Long> times = new ArrayList<>(listed.values());
        assertEquals(times.stream().sorted().toList(), times);
        for (Sent message : expected) {
            long listedMillis = listed.get(CommandClient.text(message.messageId()));
            assertTrue(Math.abs(listedMillis - message.deliverAtMillis()) < 1_024,
                    () -> listedMillis + " for " + message.deliverAtMillis());
        }
    }
}
