/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.e2e;

import io.github.delayedtracker.bucket.chores.TaskFailures;
import io.github.delayedtracker.it.Broker;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/**
 * One cell of the table: topics with a Key_Shared consumer each, messages of 100 keys at a steady rate, work of some length on
 * each message. Delays are none, or mixed: four in ten none, three in ten five seconds, three in ten up to twenty, to the full
 * second, so that messages of a key share their time.
 *
 * @param topics how many topics
 * @param rate messages a second of each
 * @param seconds for how long
 * @param workMillis how long the work on a message takes
 * @param mixed whether messages are delayed
 * @param listening how consumers listen
 */
record Cell(int topics, int rate, int seconds, int workMillis, boolean mixed, Listening.Kind listening) {

    private static final int KEYS = 100;
    private static final int PAYLOAD_BYTES = 10_240;
    private static final int HEADER_BYTES = Integer.BYTES;
    private static final long FIXED_MILLIS = 5_000;
    private static final int MOST_MILLIS = 20_000;
    private static final long SECOND_MILLIS = 1_000;
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long SEED = 20_260_101;

    /** Plays it on a broker that runs. */
    Tally play(Broker broker, String name) throws Exception {
        int messages = topics * rate * seconds;
        Tally tally = new Tally(messages);
        List<ExecutorService> shared = listening.shared();
        List<Listening> listenings = new ArrayList<>();
        TaskFailures failures = new TaskFailures();
        WheelTimer endpoint = new WheelTimer("endpoint", 1, System::nanoTime, failures);
        try (PulsarClient client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).ioThreads(1).listenerThreads(1)
                .build()) {
            List<Producer<byte[]>> producers = new ArrayList<>();
            for (int topic = 0; topic < topics; topic++) {
                String topicName = "persistent://public/default/" + name + "-" + topic;
                Listening own = listening.open(shared);
                listenings.add(own);
                consume(client, topicName, topic, tally, own, endpoint);
                producers.add(client.newProducer().topic(topicName).enableBatching(false).blockIfQueueFull(true).create());
            }
            send(producers, tally);
            long deadlineMillis = System.currentTimeMillis() + (mixed ? MOST_MILLIS : 0) + PATIENCE_MILLIS;
            while (tally.doneCount() < messages && System.currentTimeMillis() < deadlineMillis) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        } finally {
            endpoint.close();
            listenings.forEach(Listening::close);
            shared.forEach(ExecutorService::shutdownNow);
        }
        failures.mustBeNone();
        return tally;
    }

    private void consume(PulsarClient client, String topicName, int topic, Tally tally, Listening own, WheelTimer endpoint)
            throws PulsarClientException {
        client.newConsumer().topic(topicName).subscriptionName("e2e").subscriptionType(SubscriptionType.Key_Shared)
                .messageListener((consumer, message) -> listen(consumer, message, topic, tally, own, endpoint)).subscribe();
    }

    private void listen(Consumer<byte[]> consumer, Message<byte[]> message, int topic, Tally tally, Listening own,
            WheelTimer endpoint) {
        int number = ByteBuffer.wrap(message.getData()).getInt();
        tally.received(topic, message.getKey(), number, System.currentTimeMillis());
        own.received(message.getKey(), () -> {
            long begunMillis = System.currentTimeMillis();
            CompletableFuture<Void> answered = new CompletableFuture<>();
            endpoint.arm(workMillis, () -> answered.complete(null));
            return answered.thenRun(() -> {
                tally.done(number, begunMillis);
                consumer.acknowledgeAsync(message);
            });
        });
    }

    private void send(List<Producer<byte[]>> producers, Tally tally) throws PulsarClientException {
        SplittableRandom random = new SplittableRandom(SEED);
        long begun = System.nanoTime();
        int messages = topics * rate * seconds;
        for (int message = 0; message < messages; message++) {
            long dueNanos = TimeUnit.SECONDS.toNanos(1) * message / ((long) topics * rate);
            for (long left = dueNanos - (System.nanoTime() - begun); left > 0; left = dueNanos - (System.nanoTime() - begun)) {
                LockSupport.parkNanos(left);
            }
            long nowMillis = System.currentTimeMillis();
            long deliverAtMillis = deliverAtMillis(random, nowMillis);
            byte[] payload = new byte[PAYLOAD_BYTES];
            ByteBuffer.wrap(payload, 0, HEADER_BYTES).putInt(message);
            tally.sending(message, nowMillis, deliverAtMillis);
            TypedMessageBuilder<byte[]> builder = producers.get(message % topics).newMessage().key("key-" + random.nextInt(KEYS))
                    .value(payload);
            if (deliverAtMillis > 0) {
                builder.deliverAt(deliverAtMillis);
            }
            builder.sendAsync().thenRun(tally::sent);
        }
        for (Producer<byte[]> producer : producers) {
            producer.flush();
        }
    }

    private long deliverAtMillis(SplittableRandom random, long nowMillis) {
        int kind = random.nextInt(10);
        if (!mixed || kind < 4) {
            return 0;
        }
        long delayMillis = kind < 7 ? FIXED_MILLIS : 1 + random.nextInt(MOST_MILLIS);
        return (nowMillis + delayMillis + SECOND_MILLIS - 1) / SECOND_MILLIS * SECOND_MILLIS;
    }
}
