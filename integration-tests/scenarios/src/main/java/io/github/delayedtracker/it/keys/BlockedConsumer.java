/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.keys;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.Broker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;

/**
 * One of two Key_Shared consumers takes nothing while thousands of messages fall due at once: when does the other one get its
 * own?
 */
public final class BlockedConsumer {

    private static final int KEYS = 500;
    /** So that neighbours have keys far apart; no factor of the number of keys. */
    private static final long KEY_STEP = 7_919;
    /** The broker offers a tracker no more of a consumer's messages at once than the consumer has asked for; a read is of 100. */
    private static final int BLOCKED_QUEUE = 200;
    private static final long SEND_MILLIS = 6_000;
    private static final long MOST_SEND_MILLIS = 8 * SEND_MILLIS;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final long SHARE_MILLIS = 5_000;
    private static final long NOISE_MILLIS = 1_000;

    private final int messages;

    /** The scenario with so many messages due at once. */
    public BlockedConsumer(int messages) {
        this.messages = messages;
    }

    /**
     * What the consumer that takes got, in milliseconds after the time at which all were due.
     *
     * @param tracker the broker's tracker
     * @param owned the messages of its keys
     * @param inTime how many of them came within five seconds, while the other consumer took nothing
     * @param medianMillis when half of them had come
     * @param latestMillis when the last came
     */
    public record Figures(String tracker, int owned, int inTime, long medianMillis, long latestMillis) {

        /** Whether a message came later than the last one did with another tracker at the same time, by more than the noise. */
        public boolean isLaterThan(Figures other) {
            return inTime < owned || latestMillis > other.latestMillis() + NOISE_MILLIS;
        }

        /** Whether the machine was too busy for the comparison to tell anything. */
        public boolean tellsNothing() {
            return inTime < owned || latestMillis > SHARE_MILLIS - NOISE_MILLIS;
        }

        private static String millis(long millis) {
            return millis == Receipts.NEVER_MILLIS ? "never" : String.format(Locale.ROOT, "%,d", millis);
        }

        /** The first lines of a table. */
        public static String header() {
            return """
                    | line | tracker | of the healthy consumer | within 5 s | half after, ms | last after, ms |
                    |---|---|--:|--:|--:|--:|
                    """;
        }

        /** One line of it. */
        public String row(String line) {
            return String.format(Locale.ROOT, "| %s | %s | %,d | %,d | %s | %s |%n", line, tracker, owned, inTime,
                    millis(medianMillis), millis(latestMillis));
        }
    }

    /**
     * Plays it on a broker that runs, on topics whose names begin with that one: again with more time for sending where the
     * machine was too slow to have all tracked before they are due.
     */
    public Figures play(Broker broker, String name) throws Exception {
        for (long sendMillis = SEND_MILLIS; sendMillis <= MOST_SEND_MILLIS; sendMillis *= 2) {
            Optional<Figures> figures = play(broker, "persistent://public/default/" + name + "-" + sendMillis, sendMillis);
            if (figures.isPresent()) {
                return figures.get();
            }
        }
        throw new IllegalStateException(messages + " messages are not tracked within " + MOST_SEND_MILLIS + " ms");
    }

    private Optional<Figures> play(Broker broker, String topic, long sendMillis) throws Exception {
        Receipts receipts = new Receipts();
        try (PulsarAdmin admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).build();
                TwoConsumers consumers = new TwoConsumers(broker, topic, receipts, BLOCKED_QUEUE)) {
            Set<String> fastKeys = Set.copyOf(consumers.fastKeys(KEYS));
            consumers.blockSlow();
            long deliverAtMillis = System.currentTimeMillis() + sendMillis;
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                sent.add(consumers.send(KEYS + i, TwoConsumers.key((int) (i * KEY_STEP % KEYS)), deliverAtMillis));
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new)).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            if (!Await.within(deliverAtMillis - 1_000 - System.currentTimeMillis(), () -> admin.topics().getStats(topic)
                    .getSubscriptions().get(TwoConsumers.SUBSCRIPTION).getMsgDelayed() == messages)) {
                return Optional.empty();
            }
            int[] owned = receipts.numbers().skip(KEYS).filter(number -> fastKeys.contains(receipts.wanted(number).key()))
                    .toArray();
            Await.within(deliverAtMillis + SHARE_MILLIS - System.currentTimeMillis(),
                    () -> receipts.receivedBy(TwoConsumers.FAST) == fastKeys.size() + owned.length);
            return Optional.of(figures(broker.settings().tracker(), receipts, owned));
        }
    }

    private static Figures figures(String tracker, Receipts receipts, int... owned) {
        long[] lateMillis = Arrays.stream(owned).mapToLong(receipts::latenessMillis).sorted().toArray();
        int inTime = (int) Arrays.stream(lateMillis).filter(millis -> millis <= SHARE_MILLIS).count();
        return new Figures(tracker, lateMillis.length, inTime, lateMillis[lateMillis.length / 2],
                lateMillis[lateMillis.length - 1]);
    }
}
