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
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SizeUnit;
import org.apache.pulsar.client.api.SubscriptionType;

/** Clients in this JVM: four producers as fast as they can, without batching, with delays from a fixed seed. */
final class OwnClients implements BacklogClients {

    private static final int PRODUCERS = 4;
    private static final int PAYLOAD_BYTES = 64;
    private static final long SEED = 172_800_173_400L;
    private static final long CONNECT_MILLIS = 60_000;

    private PulsarClient client;

    @Override
    public void send(Broker broker, int messages) throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            int number = i;
            int share = messages / PRODUCERS + (number < messages % PRODUCERS ? 1 : 0);
            Thread sender = new Thread(() -> {
                try {
                    send(share, new Random(SEED + number));
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
    }

    private void send(int messages, Random delays) throws PulsarClientException {
        byte[] payload = new byte[PAYLOAD_BYTES];
        int rangeMillis = (MAX_DELAY_SECONDS - MIN_DELAY_SECONDS) * 1_000;
        try (Producer<byte[]> producer = client.newProducer(Schema.BYTES).topic(TOPIC).enableBatching(false)
                .blockIfQueueFull(true).maxPendingMessages(10_000).sendTimeout(0, TimeUnit.SECONDS).create()) {
            for (int i = 0; i < messages; i++) {
                long delayMillis = MIN_DELAY_SECONDS * 1_000L + delays.nextInt(rangeMillis + 1);
                producer.newMessage().value(payload).deliverAfter(delayMillis, TimeUnit.MILLISECONDS).sendAsync();
            }
            producer.flush();
        }
    }

    /** A broker that has just come up may close a connection once more. */
    @Override
    public void subscribe(Broker broker) throws Exception {
        client = PulsarClient.builder().serviceUrl(broker.serviceUrl()).memoryLimit(0, SizeUnit.BYTES).build();
        Await.until(CONNECT_MILLIS, () -> "a consumer", () -> {
            client.newConsumer(Schema.BYTES).topic(TOPIC).subscriptionName(SUBSCRIPTION)
                    .subscriptionType(SubscriptionType.Shared).subscribe();
            return true;
        });
    }

    @Override
    public void disconnect() throws PulsarClientException {
        if (client != null) {
            client.shutdown();
            client = null;
        }
    }
}
