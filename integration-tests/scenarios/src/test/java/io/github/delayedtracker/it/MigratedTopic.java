/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * Traffic on one topic while its trackers change: a delayed backlog, a producer that goes on, and two consumers of a Shared
 * subscription that acknowledge with receipts. Clients stay; they find their broker again by themselves.
 */
final class MigratedTopic implements AutoCloseable {

    private static final int UNDER_WAY = 2_000;
    private static final long FLOW_GAP_MILLIS = 20;
    private static final long FLOW_FROM_MILLIS = 1_000;
    private static final int FLOW_WITHIN_MILLIS = 5_000;
    private static final long NEAR_FROM_MILLIS = 2_000;
    private static final long PATIENCE_MILLIS = 180_000;

    private final PulsarClient client;
    private final String topic;
    private final MigrationJudge judge;
    private final Random random = new Random(7);
    private final AtomicInteger numbers = new AtomicInteger();
    private final ScheduledExecutorService flow = Executors.newSingleThreadScheduledExecutor();
    private JudgedConsumers consumers;
    private Producer<Integer> producer;

    MigratedTopic(PulsarClient client, String topic, MigrationJudge judge) {
        this.client = client;
        this.topic = topic;
        this.judge = judge;
    }

    /** Connects producer and consumers. */
    void connect() throws PulsarClientException {
        consumers = JudgedConsumers.connect(client, topic, Scene.SUB, SubscriptionType.Shared, judge);
        producer = client.newProducer(Schema.INT32).topic(topic).enableBatching(false).maxPendingMessages(UNDER_WAY)
                .blockIfQueueFull(true).sendTimeout(0, TimeUnit.SECONDS).create();
    }

    /**
     * Sends the backlog and returns when it is stored: one message in so many falls due from now on, all others from a time on
     * within as long again as is given. Returns how many are due from that time on.
     */
    int fill(int backlog, int nearEach, long farFromMillis, long farWithinMillis) throws Exception {
        int far = 0;
        for (int i = 0; i < backlog; i++) {
            long now = System.currentTimeMillis();
            if (i % nearEach == 0) {
                long nearFrom = now + NEAR_FROM_MILLIS;
                send(nearFrom + (long) (random.nextDouble() * Math.max(0, farFromMillis - nearFrom)));
            } else {
                send(farFromMillis + (long) (random.nextDouble() * farWithinMillis));
                far++;
            }
        }
        awaitStored();
        return far;
    }

    /** Goes on sending, 50 a second, due within seconds. */
    void startFlow() {
        var unused = flow.scheduleAtFixedRate(() -> send(System.currentTimeMillis() + FLOW_FROM_MILLIS
                + random.nextInt(FLOW_WITHIN_MILLIS)), 0, FLOW_GAP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Sends no more, and returns when all is stored. */
    void stopFlow() throws Exception {
        flow.shutdown();
        if (!flow.awaitTermination(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the producer of " + topic + " waits for its broker");
        }
        awaitStored();
    }

    private void awaitStored() throws Exception {
        Await.until(PATIENCE_MILLIS, () -> judge.storedCount() + " of " + judge.sentCount() + " messages stored",
                () -> judge.storedCount() == judge.sentCount());
    }

    private void send(long deliverAtMillis) {
        int number = numbers.getAndIncrement();
        judge.sending(number, deliverAtMillis);
        var unused = producer.newMessage().value(number).deliverAt(deliverAtMillis).sendAsync()
                .thenRun(() -> judge.stored(number));
    }

    /** Ends the clients; what is stored stays. */
    @Override
    public void close() throws PulsarClientException {
        flow.shutdownNow();
        if (consumers != null) {
            consumers.close();
        }
        if (producer != null) {
            producer.close();
        }
    }
}
