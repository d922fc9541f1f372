/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntSupplier;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/** Producers of delayed messages at an even rate, which write down what they send and what is answered. Thread safe. */
final class FireProducers implements AutoCloseable {

    private static final int KEYS = 50;
    private static final int SEND_TIMEOUT_SECONDS = 30;
    /** Of ten messages one has no delay. */
    private static final int UNDELAYED_ONE_IN = 10;
    /** Of the others one in four is due at a full multiple of this. */
    private static final long TOGETHER_MILLIS = 5_000;
    private static final int TOGETHER_ONE_IN = 4;
    private static final double SLICES_A_SECOND = 100;

    private final RunFile file;
    private final long longestDelayMillis;
    private final Random random;
    private final List<Producer<Long>> producers = new ArrayList<>();
    private ScheduledFuture<?> sending;
    private final AtomicLongArray answered;
    private long last;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "fire-producers");
        thread.setDaemon(true);
        return thread;
    });

    FireProducers(PulsarClient client, List<String> topics, RunFile file, long longestDelayMillis, long seed)
            throws PulsarClientException {
        this.file = file;
        this.longestDelayMillis = longestDelayMillis;
        this.random = new Random(seed);
        answered = new AtomicLongArray(topics.size());
        for (String topic : topics) {
            producers.add(client.newProducer(Schema.INT64).topic(topic).enableBatching(false).blockIfQueueFull(false)
                    .maxPendingMessages(10_000).sendTimeout(SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS).create());
        }
    }

    /** Sends so many messages a second in all, until it is closed. */
    void start(int rate) {
        long gapMicros = TimeUnit.SECONDS.toMicros(1) / rate;
        sending = clock.scheduleAtFixedRate(this::send, gapMicros, gapMicros, TimeUnit.MICROSECONDS);
    }

    /** Sends at a rate, messages a second in all, that is asked for anew each ten milliseconds, until it is closed. */
    void start(IntSupplier rate) {
        double[] owed = {0};
        sending = clock.scheduleAtFixedRate(() -> {
            for (owed[0] += rate.getAsInt() / SLICES_A_SECOND; owed[0] >= 1; owed[0]--) {
                send();
            }
        }, 0, (long) (TimeUnit.SECONDS.toMillis(1) / SLICES_A_SECOND), TimeUnit.MILLISECONDS);
    }

    private void send() {
        long number = ++last;
        int topic = (int) (number % producers.size());
        String key = Long.toString(number % KEYS);
        long dueMillis = dueMillis(System.currentTimeMillis());
        file.add(Kind.SENDING, number, "", FireConsumer.isByKey(topic) ? topic + "-" + key : "", dueMillis);
        TypedMessageBuilder<Long> message = producers.get(topic).newMessage().value(number).key(key);
        (dueMillis > 0 ? message.deliverAt(dueMillis) : message).sendAsync().whenComplete((id, failure) -> {
            if (failure == null) {
                file.add(Kind.SENT, number, FireConsumer.position(id), "", 0);
                answered.incrementAndGet(topic);
            } else {
                file.add(Kind.UNSENT, number, "", "", 0);
            }
        });
    }

    /** How many messages a topic, by its place in the list, has answered that it has. */
    long answered(int topic) {
        return answered.get(topic);
    }

    /** When the next message is due, 0 for at once; some are due at the same moment as others. */
    private long dueMillis(long nowMillis) {
        if (random.nextInt(UNDELAYED_ONE_IN) == 0) {
            return 0;
        }
        long dueMillis = nowMillis + 1 + random.nextLong(longestDelayMillis);
        return random.nextInt(TOGETHER_ONE_IN) > 0 ? dueMillis
                : (dueMillis + TOGETHER_MILLIS - 1) / TOGETHER_MILLIS * TOGETHER_MILLIS;
    }

    @Override
    public void close() throws Exception {
        if (sending != null && sending.isDone()) {
            // It only ends by itself when it fails.
            sending.get();
        }
        clock.shutdown();
        if (!clock.awaitTermination(SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a send has not returned for " + SEND_TIMEOUT_SECONDS + " s");
        }
        for (Producer<Long> producer : producers) {
            try {
                producer.flushAsync().handle((done, failure) -> failure).get(2 * SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                // What is not answered by now is written down as neither sent nor failed, which the judge knows.
                System.out.println(producer.getTopic() + " has sends that are not answered");
            }
            producer.closeAsync();
        }
    }
}
