/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SizeUnit;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/**
 * A long delayed backlog on one broker that is killed and started again: how long until all of it is tracked, the first time and
 * after each restart. The delays are two days and up to ten minutes more, from a fixed seed.
 */
final class DelayedBacklog implements AutoCloseable {

    private static final String TOPIC = "persistent://public/default/backlog";
    private static final String SUBSCRIPTION = "s";
    private static final int PRODUCERS = 4;
    private static final int PAYLOAD_BYTES = 64;
    private static final long SEED = 172_800_173_400L;
    private static final long MIN_DELAY_MILLIS = 172_800_000;
    private static final int MORE_DELAY_MILLIS = 600_000;
    private static final long POLL_MILLIS = 10;
    private static final long CONNECT_MILLIS = 60_000;

    private final Broker broker;
    private final int messages;
    private final long patienceMillis;
    private PulsarClient client;
    private PulsarAdmin admin;

    /**
     * A backlog that is not there yet.
     *
     * @param patienceMillis how long to wait for all messages to be tracked
     */
    DelayedBacklog(Broker broker, int messages, long patienceMillis) {
        this.broker = broker;
        this.messages = messages;
        this.patienceMillis = patienceMillis;
    }

    /** What was measured: times in milliseconds, the size as the broker reports it. */
    record Tracked(long sentMillis, long trackedMillis, long indexBytes) {
    }

    /** Starts the broker, subscribes, sends all; returns when all are tracked, with the times since the first was sent. */
    Tracked fill() throws Exception {
        broker.start();
        connect();
        subscribe();
        long beganNanos = System.nanoTime();
        AtomicReference<Exception> failure = new AtomicReference<>();
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int number = i;
            Thread sender = new Thread(() -> {
                try {
                    send(number);
                } catch (PulsarClientException e) {
                    failure.set(e);
                }
            }, "sender-" + i);
            sender.start();
            senders.add(sender);
        }
        for (Thread sender : senders) {
            sender.join();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        long sentMillis = millisSince(beganNanos);
        return awaitTracked(beganNanos, sentMillis);
    }

    /** Kills the broker, starts it again, connects a consumer; returns when all are tracked, with the time since it connected. */
    Tracked restart() throws Exception {
        disconnect();
        broker.kill();
        broker.start();
        connect();
        subscribe();
        return awaitTracked(System.nanoTime(), 0);
    }

    /** A figure of the broker's metrics page for the subscription; 0 where there is none. */
    double metric(String name) throws Exception {
        return Net.get(broker.adminUrl() + "/metrics/").lines()
                .filter(line -> line.startsWith(name + "{") && line.contains("topic=\"" + TOPIC + "\""))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1)).mapToDouble(Double::parseDouble).findFirst().orElse(0);
    }

    private void send(int number) throws PulsarClientException {
        Random delays = new Random(SEED + number);
        byte[] payload = new byte[PAYLOAD_BYTES];
        int share = messages / PRODUCERS + (number < messages % PRODUCERS ? 1 : 0);
        try (Producer<byte[]> producer = client.newProducer(Schema.BYTES).topic(TOPIC).enableBatching(false)
                .blockIfQueueFull(true).maxPendingMessages(10_000).sendTimeout(0, TimeUnit.SECONDS).create()) {
            for (int i = 0; i < share; i++) {
                long delayMillis = MIN_DELAY_MILLIS + delays.nextInt(MORE_DELAY_MILLIS + 1);
                producer.newMessage().value(payload).deliverAfter(delayMillis, TimeUnit.MILLISECONDS).sendAsync();
            }
            producer.flush();
        }
    }

    private Tracked awaitTracked(long sinceNanos, long sentMillis) throws Exception {
        while (true) {
            SubscriptionStats stats = admin.topics().getStats(TOPIC).getSubscriptions().get(SUBSCRIPTION);
            long millis = millisSince(sinceNanos);
            if (stats.getMsgDelayed() == messages) {
                return new Tracked(sentMillis, millis, stats.getDelayedMessageIndexSizeInBytes());
            }
            if (millis > patienceMillis || stats.getMsgDelayed() > messages) {
                throw new IllegalStateException("after " + millis + " ms " + stats.getMsgDelayed() + " of " + messages
                        + " messages are tracked");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private void connect() throws PulsarClientException {
        client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).memoryLimit(0, SizeUnit.BYTES).build();
        admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).build();
    }

    /** A broker that has just come up may close a connection once more. */
    private void subscribe() throws Exception {
        Await.until(CONNECT_MILLIS, () -> "a consumer", () -> {
            client.newConsumer(Schema.BYTES).topic(TOPIC).subscriptionName(SUBSCRIPTION)
                    .subscriptionType(SubscriptionType.Shared).subscribe();
            return true;
        });
    }

    private void disconnect() throws PulsarClientException {
        if (client != null) {
            client.shutdown();
            admin.close();
            client = null;
        }
    }

    @Override
    public void close() throws PulsarClientException {
        disconnect();
    }
}
