/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.keys;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.Broker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/**
 * A producer and the two consumers of a Key_Shared subscription, each on a connection of its own: {@value #FAST} takes and
 * acknowledges a message at once, {@value #SLOW} takes its time or nothing at all.
 */
final class TwoConsumers implements AutoCloseable {

    static final String SUBSCRIPTION = "keys";
    static final String FAST = "fast";
    static final String SLOW = "slow";
    /** The queue of a consumer whose settings nobody touched. */
    static final int USUAL_QUEUE = 1_000;

    private static final long CONNECT_MILLIS = 30_000;

    private final PulsarClient producing;
    private final PulsarClient fastClient;
    private final PulsarClient slowClient;
    private final Consumer<String> slow;
    private final Producer<String> producer;
    private final Receipts receipts;
    private volatile long slowWorkMillis;

    /**
     * Two consumers that take at once.
     *
     * @param slowQueue how many messages the slow one asks for before it has taken them
     */
    TwoConsumers(Broker broker, String topic, Receipts receipts, int slowQueue) throws PulsarClientException {
        this.receipts = receipts;
        producing = client(broker);
        fastClient = client(broker);
        slowClient = client(broker);
        consumer(fastClient, topic, FAST, USUAL_QUEUE);
        slow = consumer(slowClient, topic, SLOW, slowQueue);
        producer = producing.newProducer(Schema.STRING).topic(topic).enableBatching(false).blockIfQueueFull(true)
                .maxPendingMessages(10_000).create();
    }

    private static PulsarClient client(Broker broker) throws PulsarClientException {
        return PulsarClient.builder().serviceUrl(broker.serviceUrl()).ioThreads(1).listenerThreads(1).build();
    }

    private Consumer<String> consumer(PulsarClient client, String topic, String name, int queue)
            throws PulsarClientException {
        return client.newConsumer(Schema.STRING).topic(topic).subscriptionName(SUBSCRIPTION).consumerName(name)
                .subscriptionType(SubscriptionType.Key_Shared).receiverQueueSize(queue).messageListener(this::take).subscribe();
    }

    private void take(Consumer<String> consumer, Message<String> message) {
        receipts.received(consumer.getConsumerName(), Integer.parseInt(message.getValue()));
        try {
            if (consumer.getConsumerName().equals(SLOW) && slowWorkMillis > 0) {
                TimeUnit.MILLISECONDS.sleep(slowWorkMillis);
            }
        } catch (InterruptedException e) {
            // The client is being closed: nobody waits for what it still holds.
            Thread.currentThread().interrupt();
        }
        consumer.acknowledgeAsync(message);
    }

    /** Sends a plain message of each of so many keys and returns the keys of the fast consumer. */
    List<String> fastKeys(int keys) throws Exception {
        for (int i = 0; i < keys; i++) {
            send(i, key(i), 0);
        }
        Await.until(CONNECT_MILLIS, () -> "a message of each of " + keys + " keys", () -> receipts.receivedCount() == keys);
        return receipts.keysOf(FAST);
    }

    /** A key. */
    static String key(int number) {
        return "key-" + number;
    }

    /** Sends a message due at that time, or a plain one for 0. */
    CompletableFuture<MessageId> send(int number, String key, long deliverAtMillis) {
        boolean delayed = deliverAtMillis > 0;
        receipts.sending(number, new Receipts.Wanted(key, delayed ? deliverAtMillis : System.currentTimeMillis(), delayed));
        TypedMessageBuilder<String> message = producer.newMessage().key(key).value(Integer.toString(number));
        return (delayed ? message.deliverAt(deliverAtMillis) : message).sendAsync();
    }

    /** How long the slow one works on each message from now on. */
    void slowWork(long millis) {
        slowWorkMillis = millis;
    }

    /** The slow one takes nothing any more but what it has asked for. */
    void blockSlow() {
        slow.pause();
    }

    @Override
    public void close() throws PulsarClientException {
        producing.shutdown();
        fastClient.shutdown();
        slowClient.shutdown();
    }
}
