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

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A million acknowledgements of two million delayed messages, half a million holes, stay so over an unload and a kill. */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalMillionIT {

    private static final int MESSAGES = Integer.getInteger("journal.it.million", 2_000_000);
    private static final int SENT_AT_ONCE = 20_000;
    private static final long LATER_MILLIS = 7_200_000;
    private static final long PATIENCE_MILLIS = 120_000;
    private static final long MOST_MILLIS = 10_000;
    private static final long QUIET_MILLIS = 15_000;
    private static final long PROBED_MILLIS = 5_000;
    /** As long as the plugin takes after a kill. */
    private static final long LOADED_MILLIS = 4_000;

    /** What is left when half is acknowledged, and some of that. */
    private record Owed(long count, List<MessageId> some) {
    }

    @Test
    void aMillionAcknowledgementsAreBackWithinTenSecondsOfTheFirstConsumer() throws Exception {
        BrokerSettings settings = BrokerSettings.of("timebucket", false, 1_000).withDefaultLimits()
                .with("managedLedgerMinLedgerRolloverTimeMinutes", "0");
        BrokerFixture fixture = BrokerFixture.start(ForkedBroker.of("ack-journal-million", settings).asTheDistributionRunsIt());
        try (Scene scene = fixture.scene("million")) {
            long owed = acknowledgeHalf(scene, true).count();
            long lastMillis = System.currentTimeMillis();
            Await.until(PATIENCE_MILLIS, () -> "quiet seconds", () -> System.currentTimeMillis() > lastMillis + QUIET_MILLIS);
            assertEquals(owed, scene.stats(Scene.SUB).getMsgBacklog());
            System.out.println("MILLION journal: " + scene.pluginStat("ack_journal_positions") + " positions, "
                    + scene.pluginStat("ack_journal_bytes") + " bytes, " + scene.pluginStat("ack_holes") + " holes");
            scene.admin().topics().unload(scene.topic());
            backAgain(fixture, scene, owed, "unload");
            fixture.broker().kill();
            fixture.broker().start();
            backAgain(fixture, scene, owed, "kill");
        } finally {
            fixture.close();
        }
    }

    /** Acknowledged by id: none is delivered yet. */
    private static Owed acknowledgeHalf(Scene scene, boolean isJournaled) throws Exception {
        long owed = 0;
        List<MessageId> some = List.of();
        Random random = new Random(3);
        try (Receiver receiver = scene.receive(Shared)) {
            for (int sent = 0; sent < MESSAGES; sent += SENT_AT_ONCE) {
                Map<Boolean, List<MessageId>> halves = scene.send(SENT_AT_ONCE, i -> LATER_MILLIS).stream()
                        .map(Sent::messageId).collect(Collectors.partitioningBy(id -> random.nextBoolean()));
                owed += halves.get(false).size();
                some = halves.get(false);
                receiver.consumer().acknowledge(halves.get(true));
            }
            long left = owed;
            Await.until(PATIENCE_MILLIS, () -> "all acknowledged", () -> scene.stats(Scene.SUB).getMsgBacklog() == left);
            Await.until(PATIENCE_MILLIS, () -> "all in the journal", () -> !isJournaled
                    || scene.pluginStat("ack_journal_positions") >= MESSAGES - left - SENT_AT_ONCE);
        }
        return new Owed(owed, some);
    }

    /** What a load of the topic costs other topics anyway, and the record that the broker writes with an acknowledgement. */
    @Test
    void withTheStockTrackerPublishersWaitForTheLoadToo() throws Exception {
        BrokerFixture fixture = BrokerFixture.start(ForkedBroker.of("ack-journal-million-stock",
                BrokerSettings.stockMemory(false, 1_000).withDefaultLimits()
                        .with("managedLedgerMinLedgerRolloverTimeMinutes", "0")).asTheDistributionRunsIt());
        try (Scene scene = fixture.scene("million-stock")) {
            Owed owed = acknowledgeHalf(scene, false);
            scene.admin().topics().unload(scene.topic());
            againWithStock(fixture, scene, owed.count(), owed.some().get(0), "unload");
            fixture.broker().kill();
            fixture.broker().start();
            againWithStock(fixture, scene, owed.count(), owed.some().get(1), "kill");
        } finally {
            fixture.close();
        }
    }

    private static void againWithStock(BrokerFixture fixture, Scene scene, long owed, MessageId one, String after)
            throws Exception {
        Await.until(PATIENCE_MILLIS, () -> "the subscription again", () -> scene.stats(Scene.SUB) != null);
        assertTrue(scene.stats(Scene.SUB).getMsgBacklog() > owed, "acknowledged messages come again");
        String other = "persistent://" + scene.namespace() + "/probe-" + after;
        PublishProbe.Times quiet = quiet(fixture, other);
        long begin = System.currentTimeMillis();
        try (PublishProbe probe = new PublishProbe(fixture.client(), other);
                Receiver receiver = scene.receive(Shared, Receiver.Options.usual().neverAcknowledging())) {
            receiver.consumer().acknowledge(one);
            Await.until(PATIENCE_MILLIS, () -> "some seconds", () -> System.currentTimeMillis() > begin + LOADED_MILLIS);
            System.out.println("MILLION stock after " + after + ": another topic before " + quiet + ", meanwhile " + probe.end());
        }
    }

    private static PublishProbe.Times quiet(BrokerFixture fixture, String topic) throws Exception {
        try (PublishProbe probe = new PublishProbe(fixture.client(), topic)) {
            long begin = System.currentTimeMillis();
            Await.until(PATIENCE_MILLIS, () -> "quiet seconds", () -> System.currentTimeMillis() > begin + PROBED_MILLIS);
            return probe.end();
        }
    }

    private static void backAgain(BrokerFixture fixture, Scene scene, long owed, String after) throws Exception {
        Await.until(PATIENCE_MILLIS, () -> "the subscription again", () -> scene.stats(Scene.SUB) != null);
        long without = scene.stats(Scene.SUB).getMsgBacklog() - owed;
        String other = "persistent://" + scene.namespace() + "/probe-" + after;
        PublishProbe.Times quiet = quiet(fixture, other);
        long begin = System.nanoTime();
        try (PublishProbe probe = new PublishProbe(fixture.client(), other);
                Receiver receiver = scene.receive(Shared, Receiver.Options.usual().neverAcknowledging())) {
            Await.until(PATIENCE_MILLIS, () -> "a backlog of " + owed, () ->
                    scene.stats(Scene.SUB).getMsgBacklog() == owed);
            long tookMillis = (System.nanoTime() - begin) / 1_000_000;
            PublishProbe.Times meanwhile = probe.end();
            System.out.println("MILLION after " + after + ": " + without + " would have come again; back after " + tookMillis
                    + " ms, " + scene.pluginStat("ack_journal_restored") + " from the journal; another topic before "
                    + quiet + ", meanwhile " + meanwhile);
            assertTrue(tookMillis < MOST_MILLIS, () -> tookMillis + " ms");
        }
    }
}
