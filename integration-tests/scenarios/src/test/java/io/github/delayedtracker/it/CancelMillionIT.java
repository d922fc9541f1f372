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

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** I20: a random million of two million scheduled messages is cancelled over HTTP: how long that takes, and what it leaves. */
@Tag(OnABroker.MATRIX_ONLY)
class CancelMillionIT {

    private static final int CANCELLED = Integer.getInteger("cancel.million", 1_000_000);
    private static final int SENT_AT_ONCE = 20_000;
    private static final long LATER_MILLIS = 7_200_000;
    private static final long MOST_MILLIS = 30_000;
    private static final long READ_MILLIS = 300_000;
    private static final double MOST_BYTES_EACH = 2;

    @Test
    void aMillionIsCancelledInThirtySecondsAndLeavesTwoBytesEachAtMost() throws Exception {
        BrokerSettings settings = BrokerSettings.of("timebucket", true, 1_000).withDefaultLimits().withCommands()
                .with("managedLedgerMinLedgerRolloverTimeMinutes", "0");
        ForkedBroker broker = ForkedBroker.of("cancel-million", settings);
        BrokerFixture fixture = BrokerFixture.start(broker);
        try (Scene scene = fixture.scene("million")) {
            scene.receive(Shared);
            List<String> ids = new ArrayList<>();
            while (ids.size() < 2 * CANCELLED) {
                scene.send(SENT_AT_ONCE, i -> LATER_MILLIS + i)
                        .forEach(message -> ids.add(CommandClient.text(message.messageId())));
            }
            awaitDelayed(scene, ids.size());
            scene.closeProducer();
            Collections.shuffle(ids, new Random(22));
            List<String> cancelled = new ArrayList<>(ids.subList(0, CANCELLED));
            CommandClient commands = new CommandClient(broker.adminUrl());
            cancelSome(fixture, commands);
            Map<String, Long> before = broker.liveBytes();
            long beginNanos = System.nanoTime();
            for (int from = 0; from < CANCELLED; from += CommandClient.MOST_IDS) {
                List<String> some = cancelled.subList(from, Math.min(CANCELLED, from + CommandClient.MOST_IDS));
                JsonNode counts = commands.post(scene.topic(), "cancel?yes=true&subscription=" + Scene.SUB, some).json()
                        .path("subscriptions").path(0).path("counts");
                assertEquals(some.size(), counts.path("cancelled").asInt(), counts::toString);
            }
            long millis = (System.nanoTime() - beginNanos) / 1_000_000;
            scene.awaitDelayed(ids.size() - CANCELLED);
            Map<String, Long> after = broker.liveBytes();
            Map<String, Long> grown = new TreeMap<>();
            after.forEach((name, bytes) -> grown.put(name, bytes - before.getOrDefault(name, 0L)));
            double heapEach = (double) grown.values().stream().mapToLong(Long::longValue).sum() / CANCELLED;
            // The bitmaps: those of the plugin, and the broker's own of what is acknowledged.
            double bytesEach = (double) grown.get("[J") / CANCELLED;
            System.out.printf("CANCELLED %,d of %,d over HTTP in %,d ms; the broker's heap has grown by %.2f bytes each,"
                    + " bitmaps by %.2f%n", CANCELLED, ids.size(), millis, heapEach, bytesEach);
            scene.admin().topics().unload(scene.topic());
            awaitDelayed(scene, ids.size() - CANCELLED);
            assertEquals(ids.size() - CANCELLED, scene.stats(Scene.SUB).getMsgBacklog());
            assertTrue(millis <= MOST_MILLIS, () -> millis + " ms");
            assertTrue(bytesEach <= MOST_BYTES_EACH, () -> bytesEach + " bytes each");
        } finally {
            fixture.close();
        }
    }

    /** Of another topic: what a first call leaves in a broker, whatever it is for. */
    private static void cancelSome(BrokerFixture fixture, CommandClient commands) throws Exception {
        try (Scene scene = fixture.scene("first")) {
            scene.receive(Shared);
            List<Sent> sent = scene.send(CommandClient.MOST_IDS, i -> LATER_MILLIS);
            scene.awaitDelayed(sent.size());
            assertEquals(sent.size(), commands.cancel(scene.topic(), sent).size());
        }
    }

    private static void awaitDelayed(Scene scene, long count) throws Exception {
        Await.until(READ_MILLIS, () -> count + " scheduled messages", () -> scene.stats(Scene.SUB).getMsgDelayed() == count);
    }
}
