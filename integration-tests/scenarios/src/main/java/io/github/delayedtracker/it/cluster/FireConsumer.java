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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * A client that consumes all topics, a thread each, acknowledges with receipts, gives back one message in some, and can stall or
 * die. It writes down what comes before it does anything with it, and what the broker has confirmed. One thread strikes it at a
 * time.
 */
final class FireConsumer implements AutoCloseable {

    private static final int RETURN_ONE_IN = 20;
    private static final int QUEUE = 100;
    private static final int RECEIVE_MILLIS = 500;
    private static final int OPERATION_SECONDS = 60;
    private static final long STALL_LOOK_MILLIS = 20;

    private final String name;
    private final String serviceUrl;
    private final String subscription;
    private final List<String> topics;
    private final RunFile file;
    private final int hideOneIn;
    private Life life;

    /** From a start to a death. */
    private static final class Life {
        private final PulsarClient client;
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean isOver;
        private volatile boolean isStalled;

        Life(PulsarClient client) {
            this.client = client;
        }
    }

    /**
     * A consumer that is not started yet.
     *
     * @param hideOneIn of so many messages one is acknowledged and not written down, for the judge to find; 0 for none
     */
    FireConsumer(String name, String serviceUrl, String subscription, List<String> topics, RunFile file, int hideOneIn) {
        this.name = name;
        this.serviceUrl = serviceUrl;
        this.subscription = subscription;
        this.topics = topics;
        this.file = file;
        this.hideOneIn = hideOneIn;
    }

    /** Whether the messages of a topic, by its place in the list, are consumed by key, so that those of a key have an order. */
    static boolean isByKey(int topic) {
        return topic % 2 == 1;
    }

    /** Connects, and begins to consume; if that fails it has not begun, and may be started again. */
    void start() throws PulsarClientException {
        Life mine = new Life(PulsarClient.builder().serviceUrl(serviceUrl)
                .operationTimeout(OPERATION_SECONDS, TimeUnit.SECONDS).build());
        try {
            for (int i = 0; i < topics.size(); i++) {
                Consumer<Long> consumer = subscribe(mine.client, i);
                Thread thread = new Thread(() -> consume(consumer, mine), name + "-" + i);
                thread.setDaemon(true);
                mine.threads.add(thread);
            }
        } catch (PulsarClientException e) {
            shutdown(mine.client);
            throw e;
        }
        life = mine;
        mine.threads.forEach(Thread::start);
    }

    private Consumer<Long> subscribe(PulsarClient client, int topic) throws PulsarClientException {
        return client.newConsumer(Schema.INT64).topic(topics.get(topic)).subscriptionName(subscription)
                .subscriptionType(isByKey(topic) ? SubscriptionType.Key_Shared : SubscriptionType.Shared)
                .consumerName(name).receiverQueueSize(QUEUE).isAckReceiptEnabled(true)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS).negativeAckRedeliveryDelay(1, TimeUnit.SECONDS)
                .subscribe();
    }

    private void consume(Consumer<Long> consumer, Life mine) {
        while (!mine.isOver) {
            if (mine.isStalled) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STALL_LOOK_MILLIS));
                continue;
            }
            try {
                Message<Long> message = consumer.receive(RECEIVE_MILLIS, TimeUnit.MILLISECONDS);
                if (message != null) {
                    received(consumer, message);
                }
            } catch (PulsarClientException e) {
                if (!mine.isOver) {
                    System.out.println(name + " cannot receive: " + e);
                    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                }
            }
        }
    }

    private void received(Consumer<Long> consumer, Message<Long> message) {
        long number = message.getValue();
        String position = position(message.getMessageId());
        if (hideOneIn > 0 && number % hideOneIn == 0) {
            consumer.acknowledgeAsync(message);
            return;
        }
        file.add(Kind.RECEIVED, number, position, name, 0);
        if (number % RETURN_ONE_IN == 0 && message.getRedeliveryCount() == 0) {
            giveBack(consumer, message);
            return;
        }
        consumer.acknowledgeAsync(message).whenComplete((done, failure) -> {
            if (failure == null) {
                file.add(Kind.ACKNOWLEDGED, number, position, name, 0);
            } else {
                giveBack(consumer, message);
            }
        });
    }

    private void giveBack(Consumer<Long> consumer, Message<Long> message) {
        file.add(Kind.RETURNED, message.getValue(), position(message.getMessageId()), name, 0);
        consumer.negativeAcknowledge(message);
    }

    /** A position as it is written down. */
    static String position(MessageId id) {
        MessageIdAdv position = (MessageIdAdv) id;
        return position.getLedgerId() + ":" + position.getEntryId();
    }

    /** From now on it takes nothing, until its queues are full and its permits are used up. */
    void stall() {
        life.isStalled = true;
    }

    /** Ends a stall. */
    void goOn() {
        life.isStalled = false;
    }

    /** Its connections end, and what it had taken was not acknowledged. */
    void die() throws InterruptedException {
        life.isOver = true;
        shutdown(life.client);
        join();
    }

    /** A client that does not end well has ended all the same. */
    private void shutdown(PulsarClient client) {
        try {
            client.shutdown();
        } catch (PulsarClientException e) {
            System.out.println(name + " did not end well: " + e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        life.isOver = true;
        join();
        try {
            life.client.close();
        } catch (PulsarClientException e) {
            System.out.println(name + " was not closed, and is ended: " + e);
            shutdown(life.client);
        }
    }

    private void join() throws InterruptedException {
        for (Thread thread : life.threads) {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        }
    }
}
