/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.MigrationJudge.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.apache.pulsar.common.policies.data.stats.SubscriptionStatsImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any two values of any two keys that touch delayed delivery, acknowledgements or what managed ledgers keep, on a real broker:
 * delayed messages of a Shared and a Key_Shared subscription come, none early, none again, with an unload in the middle. What
 * a dispatcher sends twice within milliseconds, with the stock trackers too (docs/limits.md), is counted and allowed.
 *
 * <p>{@code -Dsweep.it.rows=3-7,9} runs these rows of the table, {@code -Dsweep.it.seed=2} another table,
 * {@code -Dsweep.it.tracker=stock-memory} the same without the plugin.
 */
@Tag(OnABroker.MATRIX_ONLY)
class ConfigSweepIT {

    private static final long SEED = Long.getLong("sweep.it.seed", 1);
    private static final String ROWS = System.getProperty("sweep.it.rows", "1-9999");
    private static final String LINE = System.getProperty("sweep.it.line", "4.0");
    /** In place of the backend of each row, if it is set: tells whose fault it is what a row shows. */
    private static final String TRACKER = System.getProperty("sweep.it.tracker", "");
    private static final int MESSAGES = 800;
    private static final int KEYS = 16;
    private static final int FROM_MILLIS = 500;
    private static final int WITHIN_MILLIS = 7_000;
    private static final long PATIENCE_MILLIS = 90_000;

    private static final AtomicInteger RUNS = new AtomicInteger();

    private static SmallStore store;
    private static SweptKeys keys;
    private static List<Map<String, String>> table;

    @BeforeAll
    static void start() throws Exception {
        store = SmallStore.start("sweep");
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
    }

    static IntStream rows() throws Exception {
        keys = SweptKeys.read();
        table = Pairwise.rows(keys.values(), SEED);
        System.out.println("SWEEP seed " + SEED + ": " + keys.values().size() + " keys, " + table.size() + " rows, of which "
                + ROWS + " run");
        return Arrays.stream(ROWS.split(",")).flatMapToInt(range -> {
            String[] ends = range.split("-");
            return IntStream.rangeClosed(Integer.parseInt(ends[0]),
                    Math.min(table.size(), Integer.parseInt(ends[ends.length - 1])));
        });
    }

    @ParameterizedTest
    @MethodSource("rows")
    void delayedMessagesComeInTimeAndOnceWithTheSettingsOf(int row) throws Exception {
        System.out.println("SWEEP row " + row + ": " + keys.differences(table.get(row - 1)));
        String name = "sweep-" + row + "-" + RUNS.incrementAndGet();
        BrokerFixture fixture = BrokerFixture.start(new LineBroker(name, store, LINE,
                Harness.javaHome(LINE.startsWith("5.") ? 21 : 17).orElseThrow(), settings(table.get(row - 1))));
        try (Scene scene = fixture.scene(name)) {
            run(row, fixture, scene);
        } finally {
            fixture.close();
        }
    }

    private static BrokerSettings settings(Map<String, String> row) {
        Map<String, String> lines = new LinkedHashMap<>(row);
        String backend = lines.remove("delayedDeliveryIndexBackend");
        return new BrokerSettings(TRACKER.isEmpty() ? backend : TRACKER,
                Boolean.parseBoolean(lines.remove("isDelayedDeliveryDeliverAtTimeStrict")),
                Long.parseLong(lines.remove("delayedDeliveryTickTimeMillis")), lines);
    }

    private static void run(int row, BrokerFixture fixture, Scene scene) throws Exception {
        Map<SubscriptionType, MigrationJudge> judges = new LinkedHashMap<>();
        List<JudgedConsumers> consumers = new ArrayList<>();
        try {
            for (SubscriptionType type : List.of(SubscriptionType.Shared, SubscriptionType.Key_Shared)) {
                judges.put(type, new MigrationJudge(scene.settings().strict() ? 0 : scene.settings().tickMillis(), 0));
                consumers.add(JudgedConsumers.connect(fixture.client(), scene.topic(), type.name(), type, judges.get(type)));
            }
            send(fixture, scene.topic(), judges.values());
            Await.until(PATIENCE_MILLIS, () -> "half acknowledged by " + judges, () ->
                    judges.values().stream().allMatch(judge -> judge.ackedCount() > MESSAGES / 2));
            unload(scene, judges.values());
            for (SubscriptionType type : judges.keySet()) {
                Await.within(PATIENCE_MILLIS, () -> judges.get(type).allAcked() && isEmpty(scene, type.name()));
                Verdict verdict = judges.get(type).verdict();
                System.out.println("SWEEP row " + row + " " + type + ": " + verdict);
                int again = keepsJournals(scene.settings()) ? verdict.young() + verdict.old() : 0;
                assertEquals(List.of(0, 0, 0, 0), List.of(verdict.lost(), verdict.early(), again, verdict.twice()), () ->
                        type + ", lost, early, acknowledged before, under one tracker: " + verdict);
                assertTrue(isEmpty(scene, type.name()), () -> "left of " + type);
                assertEquals(scene.settings().plugin(), scene.pluginLines(type.name(), "info").findAny().isPresent(),
                        "whether the plugin has the subscription");
            }
        } finally {
            for (JudgedConsumers each : consumers) {
                each.close();
            }
        }
    }

    /** With acknowledgements kept as single ranges there is no journal, and what the record leaves out comes again. */
    private static boolean keepsJournals(BrokerSettings settings) {
        return !"false".equals(settings.lines().get("managedLedgerUnackedRangesOpenCacheSetEnabled"));
    }

    /** Every fourth message is a plain one. */
    private static void send(BrokerFixture fixture, String topic, Iterable<MigrationJudge> judges) throws Exception {
        Random random = new Random(SEED);
        try (Producer<Integer> producer = fixture.client().newProducer(Schema.INT32).topic(topic).enableBatching(false)
                .blockIfQueueFull(true).create()) {
            for (int i = 0; i < MESSAGES; i++) {
                int number = i;
                long due = System.currentTimeMillis() + (i % 4 == 0 ? 0 : FROM_MILLIS + random.nextInt(WITHIN_MILLIS));
                judges.forEach(judge -> judge.sending(number, due));
                TypedMessageBuilder<Integer> message = producer.newMessage().value(number).key("key-" + number % KEYS);
                if (i % 4 != 0) {
                    message.deliverAt(due);
                }
                var unused = message.sendAsync().thenRun(() -> judges.forEach(judge -> judge.stored(number)));
            }
            producer.flush();
        }
    }

    private static void unload(Scene scene, Iterable<MigrationJudge> judges) throws Exception {
        judges.forEach(judge -> judge.trackerEnds(System.currentTimeMillis()));
        scene.admin().topics().unload(scene.topic());
        judges.forEach(judge -> judge.trackerEnded(System.currentTimeMillis()));
    }

    private static boolean isEmpty(Scene scene, String subscription) throws Exception {
        SubscriptionStatsImpl stats = scene.stats(subscription);
        return stats.getMsgDelayed() == 0 && stats.getMsgBacklog() == 0;
    }
}
