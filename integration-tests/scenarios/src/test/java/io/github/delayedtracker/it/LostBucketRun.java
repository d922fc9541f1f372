/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SizeUnit;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/**
 * How long a broker takes to deliver delayed messages that are all due at one moment, while plain ones go on: the stock tracker,
 * and {@code bucket} whose snapshots were all deleted before that. A table in Markdown.
 *
 * <p>System properties: {@code lost.messages}, of which 2,500 are sent in a second at least, {@code lost.plainRate} a second.
 */
public final class LostBucketRun {

    private static final String TOPIC = "persistent://public/default/lost-bucket";
    private static final String SUBSCRIPTION = "run";
    private static final String REREADS = "pulsar_delayed_index_broker_bucket_rereads_allowed_total";
    private static final int PAYLOAD_BYTES = 64;
    private static final int SEAL = 1_000;
    private static final long LOAD_AHEAD_MILLIS = 2_000;
    /** Between the deletion and the first load. */
    private static final long DELETED_AHEAD_MILLIS = 5_000;
    /** A broker and its clients on a busy machine send so many in a second at least. */
    private static final int LEAST_RATE = 2_500;
    private static final long LEAD_MILLIS = 20_000;
    private static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(15);

    private final int messages;
    private final int plainRate;
    private final AtomicInteger due = new AtomicInteger();
    private final AtomicInteger plain = new AtomicInteger();
    private final AtomicLong firstNanos = new AtomicLong();
    private final AtomicLong lastNanos = new AtomicLong();
    private final AtomicInteger plainAtFirst = new AtomicInteger();
    private final AtomicInteger plainAtLast = new AtomicInteger();
    private final AtomicInteger early = new AtomicInteger();
    private volatile long dueAtMillis;

    LostBucketRun(int messages, int plainRate) {
        this.messages = messages;
        this.plainRate = plainRate;
    }

    /**
     * What was measured.
     *
     * @param dueMillis from the first of the due messages received to the last
     * @param plainASecond plain ones received in that time
     */
    record Result(int lostLedgers, long rereadPositions, long dueMillis, double plainASecond, int early) {
    }

    /** The stock tracker, in memory. */
    static BrokerSettings stock() {
        return BrokerSettings.stockMemory(true, 1_000).with("managedLedgerMaxEntriesPerLedger", "50000")
                // Or it stops reading when it has seen so many with one delay.
                .with("delayedDeliveryFixedDelayDetectionLookahead", "0");
    }

    /** Small seals, so that all but the last thousand are in a snapshot. */
    static BrokerSettings bucket() {
        return BrokerSettings.of("bucket", true, 1_000).with("managedLedgerMaxEntriesPerLedger", "50000")
                .with("delayedDeliveryTrackerFactoryClassName", StoredLedgers.RememberingFactory.class.getName())
                .with("delayedDeliveryMinIndexCountPerBucket", Integer.toString(SEAL))
                .with("delayedDeliveryIndexLoadAheadMillis", Long.toString(LOAD_AHEAD_MILLIS));
    }

    Result run(BrokerSettings settings) throws Exception {
        InProcessBroker broker = new InProcessBroker("lost-bucket-" + settings.tracker(), settings);
        try {
            broker.start();
            return run(broker);
        } finally {
            broker.close();
        }
    }

    @SuppressWarnings("try")
    private Result run(InProcessBroker broker) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        try (PulsarClient client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).memoryLimit(0, SizeUnit.BYTES).build();
                PulsarAdmin admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).build();
                Consumer<byte[]> consumer = client.newConsumer(Schema.BYTES).topic(TOPIC).subscriptionName(SUBSCRIPTION)
                        .subscriptionType(SubscriptionType.Shared).messageListener(this::received).subscribe()) {
            dueAtMillis = System.currentTimeMillis() + messages * 1_000L / LEAST_RATE + LEAD_MILLIS;
            sendDelayed(client, dueAtMillis);
            Await.until(PATIENCE_MILLIS, () -> messages + " tracked",
                    () -> stats(admin).getMsgDelayed() == messages);
            int lost = broker.settings().plugin() ? loseSnapshots(broker, dueAtMillis) : 0;
            Thread sender = new Thread(() -> sendPlain(client, ended), "plain");
            sender.start();
            Await.until(PATIENCE_MILLIS, () -> due.get() + " of " + messages + " received", () -> due.get() == messages);
            ended.set(true);
            sender.join();
            long millis = TimeUnit.NANOSECONDS.toMillis(lastNanos.get() - firstNanos.get());
            return new Result(lost, Math.round(figure(broker, REREADS, "")), millis,
                    (plainAtLast.get() - plainAtFirst.get()) * 1_000.0 / Math.max(1, millis), early.get());
        } finally {
            ended.set(true);
        }
    }

    /** Once all but a tail are stored, and before the first is loaded. */
    private int loseSnapshots(InProcessBroker broker, long dueMillis) throws Exception {
        Await.until(PATIENCE_MILLIS, () -> "all but a tail are sealed", () ->
                metric(broker, "pulsar_delayed_index_bucket_sleeping_positions") > messages - SEAL);
        if (System.currentTimeMillis() > dueMillis - DELETED_AHEAD_MILLIS) {
            throw new IllegalStateException("sending and sealing took until the messages were due; send fewer");
        }
        StoredLedgers ledgers = new StoredLedgers();
        try {
            return ledgers.loseAll(TOPIC);
        } finally {
            ledgers.close();
        }
    }

    private static SubscriptionStats stats(PulsarAdmin admin) throws Exception {
        return admin.topics().getStats(TOPIC).getSubscriptions().get(SUBSCRIPTION);
    }

    private static double metric(InProcessBroker broker, String name) throws Exception {
        return figure(broker, name, "topic=\"" + TOPIC + "\"");
    }

    private static double figure(InProcessBroker broker, String name, String label) throws Exception {
        return Net.get(broker.adminUrl() + "/metrics/").lines()
                .filter(line -> line.startsWith(name + "{") && line.contains(label))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1)).mapToDouble(Double::parseDouble).findFirst().orElse(0);
    }

    private void received(Consumer<byte[]> consumer, Message<byte[]> message) {
        if (message.getValue()[0] == 0) {
            plain.incrementAndGet();
        } else {
            long nowNanos = System.nanoTime();
            if (due.incrementAndGet() == 1) {
                firstNanos.set(nowNanos);
                plainAtFirst.set(plain.get());
            }
            lastNanos.set(nowNanos);
            plainAtLast.set(plain.get());
            if (System.currentTimeMillis() < dueAtMillis) {
                early.incrementAndGet();
            }
        }
        consumer.acknowledgeAsync(message);
    }

    private void sendDelayed(PulsarClient client, long dueMillis) throws PulsarClientException {
        byte[] payload = new byte[PAYLOAD_BYTES];
        payload[0] = 1;
        try (Producer<byte[]> producer = client.newProducer(Schema.BYTES).topic(TOPIC).enableBatching(false)
                .blockIfQueueFull(true).maxPendingMessages(10_000).sendTimeout(0, TimeUnit.SECONDS).create()) {
            for (int i = 0; i < messages; i++) {
                producer.newMessage().value(payload).deliverAt(dueMillis).sendAsync();
            }
            producer.flush();
        }
    }

    private void sendPlain(PulsarClient client, AtomicBoolean ended) {
        try (Producer<byte[]> producer = client.newProducer(Schema.BYTES).topic(TOPIC).enableBatching(false)
                .blockIfQueueFull(true).maxPendingMessages(10_000).sendTimeout(0, TimeUnit.SECONDS).create()) {
            long beganNanos = System.nanoTime();
            for (long sent = 0; !ended.get(); sent++) {
                while (!ended.get() && (System.nanoTime() - beganNanos) * plainRate < sent * TimeUnit.SECONDS.toNanos(1)) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                producer.newMessage().value(new byte[PAYLOAD_BYTES]).sendAsync();
            }
        } catch (PulsarClientException e) {
            throw new IllegalStateException("sending plain messages failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws Exception {
        int messages = Integer.getInteger("lost.messages", 1_000_000);
        int plainRate = Integer.getInteger("lost.plainRate", 500);
        if (messages < 2 * SEAL || plainRate < 1) {
            System.err.println("lost.messages must be at least " + 2 * SEAL + " and lost.plainRate 1, are " + messages + " and "
                    + plainRate);
            System.exit(2);
        }
        Result stock = new LostBucketRun(messages, plainRate).run(stock());
        Result bucket = new LostBucketRun(messages, plainRate).run(bucket());
        System.out.printf(Locale.ROOT, "%n| tracker | due at once | snapshots deleted | delivered in, s | plain a second |%n");
        System.out.printf(Locale.ROOT, "|---|---|---|---|---|%n");
        System.out.printf(Locale.ROOT, "| stock | %,d | - | %.1f | %.0f |%n", messages, stock.dueMillis() / 1e3,
                stock.plainASecond());
        System.out.printf(Locale.ROOT, "| bucket | %,d | %d | %.1f | %.0f |%n", messages, bucket.lostLedgers(),
                bucket.dueMillis() / 1e3, bucket.plainASecond());
        System.exit(0);
    }
}
