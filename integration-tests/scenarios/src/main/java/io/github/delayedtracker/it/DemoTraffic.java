/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * Delayed messages that never end, for a page to show: first as many as shall wait, then so many a second that about as many
 * go on waiting. Delays are uniform up to ten minutes; one consumer of a Shared subscription acknowledges all.
 */
final class DemoTraffic implements AutoCloseable {

    private static final String TOPIC = "persistent://public/default/reminders";
    private static final String SUBSCRIPTION = "run";
    private static final int MOST_DELAY_MILLIS = 600_000;
    private static final int MEAN_DELAY_SECONDS = 300;
    private static final long SEED = 20_260_101;

    private final PulsarClient client;
    private final Thread sender;
    private volatile boolean closing;

    private DemoTraffic(PulsarClient client, int messages, int ratePerSecond) {
        this.client = client;
        this.sender = new Thread(() -> send(messages, ratePerSecond), "sender");
        this.sender.setDaemon(true);
    }

    static DemoTraffic start(String serviceUrl, int messages, int ratePerSecond) throws PulsarClientException {
        PulsarClient client = PulsarClient.builder().serviceUrl(serviceUrl).build();
        client.newConsumer(Schema.STRING).topic(TOPIC).subscriptionName(SUBSCRIPTION)
                .subscriptionType(SubscriptionType.Shared)
                .messageListener((consumer, message) -> consumer.acknowledgeAsync(message)).subscribe();
        DemoTraffic traffic = new DemoTraffic(client, messages, ratePerSecond);
        traffic.sender.start();
        return traffic;
    }

    String topic() {
        return TOPIC;
    }

    private void send(int messages, int ratePerSecond) {
        Random delays = new Random(SEED);
        try (Producer<String> producer = client.newProducer(Schema.STRING).topic(TOPIC).enableBatching(false)
                .blockIfQueueFull(true).create()) {
            double steadyRate = (double) messages / MEAN_DELAY_SECONDS;
            double dueNanos = System.nanoTime();
            for (long i = 0; !closing; i++) {
                while (System.nanoTime() < dueNanos && !closing) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                dueNanos += TimeUnit.SECONDS.toNanos(1) / (i < messages ? ratePerSecond : steadyRate);
                producer.newMessage().value(Long.toString(i)).deliverAfter(delays.nextInt(MOST_DELAY_MILLIS) + 1,
                        TimeUnit.MILLISECONDS).sendAsync();
            }
        } catch (PulsarClientException e) {
            if (!closing) {
                throw new IllegalStateException("sending to " + TOPIC + " failed", e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws PulsarClientException {
        closing = true;
        sender.interrupt();
        client.close();
    }
}
