/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/**
 * A delayed backlog of which a random half is acknowledged, each message by itself and with a receipt. After whatever is done to
 * the broker a new consumer tells what comes again.
 */
final class HalfAcknowledged implements AutoCloseable {

    private static final int UNDER_WAY = 2_000;
    private static final int MOST_CONNECTIONS = 3;
    private static final long QUIET_MILLIS = 5_000;
    private static final long PATIENCE_MILLIS = 120_000;

    private final BrokerFixture fixture;
    private final String topic;
    private final int messages;
    private final boolean[] chosen;
    private final List<MessageId> ids = new ArrayList<>();
    /** When the receipt of a message came, by its number. */
    private final Map<Integer, Long> ackedMillis = new ConcurrentHashMap<>();
    private final Set<Integer> arrived = ConcurrentHashMap.newKeySet();
    private final Queue<Return> returns = new ConcurrentLinkedQueue<>();
    private Consumer<Integer> consumer;

    /** What came to a consumer after all that had come before. */
    record Again(Set<Integer> acknowledged, int twice, Set<Integer> missing) {

        @Override
        public String toString() {
            return acknowledged.size() + " acknowledged messages came again, " + twice + " came twice, " + missing.size()
                    + " did not come";
        }
    }

    /** A message that came to the acknowledging consumer after its last receipt had come. */
    record Return(int number, long ackedMillis, long cameMillis) {
    }

    HalfAcknowledged(BrokerFixture fixture, String topic, int messages, long seed) {
        this.fixture = fixture;
        this.topic = topic;
        this.messages = messages;
        Random random = new Random(seed);
        chosen = new boolean[messages];
        for (int i = 0; i < messages; i++) {
            chosen[i] = random.nextBoolean();
        }
    }

    /** Connects the consumer that acknowledges. */
    void connect() throws Exception {
        consumer = subscribe((number, message) -> {
            arrived.add(number);
            Long before = ackedMillis.get(number);
            if (before != null) {
                returns.add(new Return(number, before, System.currentTimeMillis()));
            }
            if (chosen[number]) {
                var unused = consumer.acknowledgeAsync(message).thenRun(() ->
                        ackedMillis.put(number, System.currentTimeMillis()));
            }
        });
    }

    /** Connects a consumer that acknowledges these of all that comes, until it has. */
    void connectToAcknowledge(Set<Integer> numbers) throws Exception {
        Set<Integer> done = ConcurrentHashMap.newKeySet();
        consumer = subscribe((number, message) -> {
            if (numbers.contains(number)) {
                var unused = consumer.acknowledgeAsync(message).thenRun(() -> done.add(number));
            }
        });
        Await.until(PATIENCE_MILLIS, () -> done.size() + " of " + numbers.size() + " acknowledged", () ->
                done.size() == numbers.size());
    }

    /** Ends the subscription by its consumer. */
    void unsubscribe() throws PulsarClientException {
        consumer.unsubscribe();
        disconnect();
    }

    private interface Taking {
        void take(int number, Message<Integer> message);
    }

    /** Where the topic has just moved a broker may refuse it for a moment. */
    private Consumer<Integer> subscribe(Taking taking) throws Exception {
        AtomicReference<Consumer<Integer>> subscribed = new AtomicReference<>();
        Await.until(PATIENCE_MILLIS, () -> "a broker that serves " + topic, () -> {
            try {
                subscribed.set(subscribeOnce(taking));
                return true;
            } catch (PulsarClientException.LookupException e) {
                return false;
            }
        });
        return subscribed.get();
    }

    private Consumer<Integer> subscribeOnce(Taking taking) throws PulsarClientException {
        return fixture.client().newConsumer(Schema.INT32).topic(topic).subscriptionName(Scene.SUB)
                .subscriptionType(SubscriptionType.Shared).subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .isAckReceiptEnabled(true).acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS).receiverQueueSize(1_000)
                .messageListener((from, message) -> taking.take(message.getValue(), message)).subscribe();
    }

    /** Sends all, due at random within a time. */
    void send(long fromMillis, long withinMillis) throws Exception {
        Random random = new Random(messages);
        AtomicInteger underWay = new AtomicInteger();
        MessageId[] sent = new MessageId[messages];
        try (Producer<Integer> producer = fixture.client().newProducer(Schema.INT32).topic(topic).enableBatching(false)
                .maxPendingMessages(UNDER_WAY).blockIfQueueFull(true).create()) {
            for (int i = 0; i < messages; i++) {
                int number = i;
                underWay.incrementAndGet();
                var unused = producer.newMessage().value(number)
                        .deliverAt(System.currentTimeMillis() + fromMillis + (long) (random.nextDouble() * withinMillis))
                        .sendAsync().thenAccept(id -> {
                            sent[number] = id;
                            underWay.decrementAndGet();
                        });
            }
            Await.until(PATIENCE_MILLIS, () -> underWay + " sends", () -> underWay.get() == 0);
        }
        ids.addAll(List.of(sent));
    }

    /** The id of a message by its number. */
    MessageId id(int number) {
        return ids.get(number);
    }

    /** Waits until all have come and each one chosen is acknowledged, and for some quiet seconds after that. */
    void awaitAcknowledged(long quietMillis) throws Exception {
        Await.until(PATIENCE_MILLIS, () -> arrived.size() + " arrived, " + ackedMillis.size() + " acknowledged", () ->
                arrived.size() == messages && ackedMillis.size() == chosenCount());
        long last = System.currentTimeMillis();
        Await.until(PATIENCE_MILLIS, () -> "quiet seconds", () -> System.currentTimeMillis() >= last + quietMillis);
    }

    int chosenCount() {
        int count = 0;
        for (boolean each : chosen) {
            count += each ? 1 : 0;
        }
        return count;
    }

    int ackedCount() {
        return ackedMillis.size();
    }

    /** Those whose receipt came before a time. */
    Set<Integer> ackedBefore(long millis) {
        return ackedMillis.entrySet().stream().filter(entry -> entry.getValue() < millis).map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** All that has come to the acknowledging consumer though it was acknowledged. */
    List<Return> returns() {
        return List.copyOf(returns);
    }

    /** Disconnects the consumer. */
    void disconnect() throws PulsarClientException {
        if (consumer != null) {
            consumer.close();
            consumer = null;
        }
    }

    /** The numbers of those that are acknowledged. */
    Set<Integer> acknowledged() {
        return new HashSet<>(ackedMillis.keySet());
    }

    /** The numbers of those that are not. */
    Set<Integer> unacknowledged() {
        Set<Integer> owed = new HashSet<>();
        for (int i = 0; i < messages; i++) {
            if (!ackedMillis.containsKey(i)) {
                owed.add(i);
            }
        }
        return owed;
    }

    /** Everything that a consumer gets now that acknowledges nothing. */
    Again comesAgain() throws Exception {
        Set<Integer> owed = unacknowledged();
        Map<Integer, Integer> counts = comes(owed, QUIET_MILLIS, () -> true);
        Set<Integer> again = counts.keySet().stream().filter(ackedMillis::containsKey).collect(Collectors.toSet());
        int twice = (int) counts.values().stream().filter(count -> count > 1).count();
        owed.removeAll(counts.keySet());
        return new Again(again, twice, owed);
    }

    /**
     * How often a consumer that acknowledges nothing gets each message, until all owed ones have come and it is quiet. One that
     * has lost its connection gets all of them again, which tells nothing: another one takes its place.
     */
    Map<Integer, Integer> comes(Set<Integer> owed, long quietMillis, Await.Condition beforeItGoes) throws Exception {
        Optional<Map<Integer, Integer>> counts = Optional.empty();
        for (int i = 0; i < MOST_CONNECTIONS && counts.isEmpty(); i++) {
            counts = comesOnOneConnection(owed, quietMillis, beforeItGoes);
        }
        return counts.orElseThrow(() -> new IllegalStateException(MOST_CONNECTIONS + " consumers lost their connection"));
    }

    private Optional<Map<Integer, Integer>> comesOnOneConnection(Set<Integer> owed, long quietMillis,
            Await.Condition beforeItGoes) throws Exception {
        Map<Integer, Integer> counts = new ConcurrentHashMap<>();
        AtomicLong lastMillis = new AtomicLong(System.currentTimeMillis());
        Consumer<Integer> reader = subscribe((number, message) -> {
            counts.merge(number, 1, Integer::sum);
            lastMillis.set(System.currentTimeMillis());
        });
        try {
            Await.within(PATIENCE_MILLIS, () -> counts.keySet().containsAll(owed));
            Await.until(PATIENCE_MILLIS, () -> "quiet seconds", () ->
                    System.currentTimeMillis() > lastMillis.get() + quietMillis);
            Await.until(PATIENCE_MILLIS, () -> "what is awaited with " + counts.size() + " messages there",
                    beforeItGoes);
            return reader.getLastDisconnectedTimestamp() > 0 ? Optional.empty() : Optional.of(counts);
        } finally {
            reader.close();
        }
    }

    @Override
    public void close() throws PulsarClientException {
        disconnect();
    }
}
