/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.ArrayList;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.SubscriptionStats;

/**
 * Sends delayed messages to one broker at a steady rate, receives them with two consumers of a Shared subscription, and
 * watches the broker's figures. The delays come from a fixed seed: every run has the same input.
 */
final class DelayedRun {

    private static final String TOPIC = "persistent://public/default/standalone-run";
    private static final String SUBSCRIPTION = "run";
    private static final long SEED = 20_260_101;
    private static final long MIN_DELAY_MILLIS = 1_000;
    private static final long MAX_DELAY_MILLIS = 15_000;
    private static final long PATIENCE_MILLIS = 20_000;
    private static final long POLL_MILLIS = 250;

    private final Broker broker;
    private final int messages;
    private final int ratePerSecond;
    private final ProgressLine progress = ProgressLine.onStandardOutput();
    private final Arrivals arrivals = new Arrivals();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private long peakDelayed;
    private long bytesAtPeak;

    DelayedRun(Broker broker, int messages, int ratePerSecond) {
        this.broker = broker;
        this.messages = messages;
        this.ratePerSecond = ratePerSecond;
    }

    /** Runs to the end, at most until some time after the last message was due. */
    @SuppressWarnings("try")
    RunFigures run() throws Exception {
        try (PulsarClient client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).build();
                PulsarAdmin admin = PulsarAdmin.builder().serviceHttpUrl(broker.adminUrl()).build();
                Receiver first = receiver(client);
                Receiver second = receiver(client)) {
            Thread sender = new Thread(() -> send(client), "sender");
            sender.start();
            long lastDueMillis = System.currentTimeMillis() + messages * 1_000L / ratePerSecond + MAX_DELAY_MILLIS;
            while (!finished(admin) && System.currentTimeMillis() < lastDueMillis + PATIENCE_MILLIS) {
                progress.show(state());
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            sender.join();
            progress.show(state());
            progress.end();
        }
        long earlyWindowMillis = broker.settings().strict() ? 0 : broker.settings().tickMillis();
        return RunFigures.of(new ArrayList<>(sent), arrivals, earlyWindowMillis, peakDelayed, bytesAtPeak);
    }

    private Receiver receiver(PulsarClient client) throws PulsarClientException {
        return Receiver.start(client, TOPIC, SUBSCRIPTION, SubscriptionType.Shared, arrivals, Receiver.Options.usual());
    }

    private void send(PulsarClient client) {
        Random delays = new Random(SEED);
        try (Producer<String> producer = client.newProducer(Schema.STRING).topic(TOPIC).enableBatching(false)
                .blockIfQueueFull(true).maxPendingMessages(10_000).create()) {
            long startNanos = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                long dueNanos = TimeUnit.SECONDS.toNanos(i) / ratePerSecond;
                while (System.nanoTime() - startNanos < dueNanos) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                String id = Integer.toString(i);
                long deliverAtMillis = System.currentTimeMillis()
                        + MIN_DELAY_MILLIS + delays.nextInt((int) (MAX_DELAY_MILLIS - MIN_DELAY_MILLIS) + 1);
                producer.newMessage().value(id).deliverAt(deliverAtMillis).sendAsync()
                        .thenAccept(messageId -> sent.add(new Sent(id, "", deliverAtMillis, messageId)));
            }
            producer.flush();
        } catch (PulsarClientException e) {
            throw new IllegalStateException("sending to " + broker.name() + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean finished(PulsarAdmin admin) throws Exception {
        SubscriptionStats stats = admin.topics().getStats(TOPIC).getSubscriptions().get(SUBSCRIPTION);
        if (stats != null && stats.getMsgDelayed() > peakDelayed) {
            peakDelayed = stats.getMsgDelayed();
            bytesAtPeak = stats.getDelayedMessageIndexSizeInBytes();
        }
        return sent.size() == messages && arrivals.ackedCount() >= messages && stats != null && stats.getMsgBacklog() == 0;
    }

    private String state() {
        return String.format("%-22s sent %,9d   delivered %,9d   delayed at most %,9d", broker.name(), sent.size(),
                arrivals.distinct(), peakDelayed);
    }
}
