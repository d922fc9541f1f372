/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.api.ConsumerCryptoFailureAction;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.apache.pulsar.common.policies.data.stats.SubscriptionStatsImpl;

/** One scenario's namespace with one topic: sends, receives, and compares with what the broker says. */
final class Scene implements AutoCloseable {

    /** The usual subscription. */
    static final String SUB = "s";

    /** Generous on a small and busy machine: reading, sending and receiving what is due. */
    static final long READ_MILLIS = 8_000;

    /** A delay longer than a slow machine takes to send, track and look at what a scenario holds back. */
    static final long LATER_MILLIS = 8_000;

    /** The same where what is done meanwhile takes seconds itself. */
    static final long MUCH_LATER_MILLIS = 12_000;

    private static final int KEYS = 16;

    private final BrokerFixture broker;
    private final String namespace;
    private final String topic;
    private final Map<String, Arrivals> arrivals = new ConcurrentHashMap<>();
    private final List<Receiver> receivers = new ArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();
    private UnaryOperator<ProducerBuilder<String>> producerSettings = UnaryOperator.identity();
    private PulsarClient producerClient;
    private Producer<String> producer;

    Scene(BrokerFixture broker, String namespace) {
        this.broker = broker;
        this.namespace = namespace;
        this.topic = "persistent://" + namespace + "/t";
        this.producerClient = broker.client();
    }

    String namespace() {
        return namespace;
    }

    String topic() {
        return topic;
    }

    PulsarAdmin admin() {
        return broker.admin();
    }

    BrokerSettings settings() {
        return broker.settings();
    }

    Arrivals arrivals() {
        return arrivals(SUB);
    }

    Arrivals arrivals(String subscription) {
        return arrivals.computeIfAbsent(subscription, name -> new Arrivals());
    }

    Receiver receive(SubscriptionType type) throws PulsarClientException {
        return receive(SUB, type, Receiver.Options.usual());
    }

    Receiver receive(SubscriptionType type, Receiver.Options options) throws PulsarClientException {
        return receive(SUB, type, options);
    }

    Receiver receive(String subscription, SubscriptionType type, Receiver.Options options) throws PulsarClientException {
        Receiver receiver = Receiver.start(broker.client(), topic, subscription, type, arrivals(subscription), options);
        receivers.add(receiver);
        return receiver;
    }

    /** Settings of the next producer. */
    synchronized void producing(UnaryOperator<ProducerBuilder<String>> settings) {
        producerSettings = settings;
    }

    /** The next producer uses a client, and with it a connection, that no consumer has. */
    synchronized void producingApart(PulsarClient client) {
        producerClient = client;
    }

    /** Sends messages due so many milliseconds from now, 0 for a plain one; returns when the broker has them all. */
    List<Sent> send(int count, IntToLongFunction delayMillis) throws PulsarClientException {
        return send(count, delayMillis, Map.of());
    }

    List<Sent> send(int count, IntToLongFunction delayMillis, Map<String, String> properties) throws PulsarClientException {
        Producer<String> sender = producer();
        List<CompletableFuture<Sent>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long delay = delayMillis.applyAsLong(i);
            futures.add(sendOne(sender, System.currentTimeMillis() + delay, delay > 0, properties));
        }
        return futures.stream().map(CompletableFuture::join).toList();
    }

    /** Sends one message due at that time. */
    Sent sendAt(long deliverAtMillis) throws PulsarClientException {
        return sendOne(producer(), deliverAtMillis, true, Map.of()).join();
    }

    private CompletableFuture<Sent> sendOne(Producer<String> sender, long deliverAtMillis, boolean delayed,
            Map<String, String> properties) {
        int number = ids.getAndIncrement();
        String id = (delayed ? "delayed-" : "plain-") + number;
        String key = "key-" + number % KEYS;
        TypedMessageBuilder<String> message = sender.newMessage().value(id).key(key).properties(properties);
        if (delayed) {
            message.deliverAt(deliverAtMillis);
        }
        CompletableFuture<MessageId> stored = message.sendAsync();
        return stored.thenApply(messageId -> new Sent(id, key, deliverAtMillis, messageId));
    }

    private synchronized Producer<String> producer() throws PulsarClientException {
        if (producer == null) {
            producer = producerSettings.apply(producerClient.newProducer(Schema.STRING).topic(topic).enableBatching(false)
                    .maxPendingMessages(10_000).blockIfQueueFull(true)).create();
        }
        return producer;
    }

    /** Lets go of the topic; the next message makes a new producer. */
    synchronized void closeProducer() throws PulsarClientException {
        if (producer != null) {
            producer.close();
            producer = null;
        }
    }

    /** A new transaction, which ends by itself after a minute. */
    Transaction transaction() throws Exception {
        return broker.transactionClient().newTransaction().withTransactionTimeout(1, TimeUnit.MINUTES).build().get();
    }

    /** Whether the first message of the topic is stored encrypted. */
    boolean storesEncrypted() throws IOException {
        try (Reader<byte[]> reader = broker.client().newReader().topic(topic).startMessageId(MessageId.earliest)
                .cryptoFailureAction(ConsumerCryptoFailureAction.CONSUME).create()) {
            return reader.readNext().getEncryptionCtx().isPresent();
        }
    }

    /** The broker's figures of a subscription. */
    SubscriptionStatsImpl stats(String subscription) throws Exception {
        return (SubscriptionStatsImpl) admin().topics().getStats(topic, true).getSubscriptions().get(subscription);
    }

    /** A field of the plugin's own statistics; 0 where the tracker has none (yet). */
    double pluginStat(String name) throws Exception {
        return pluginLines(name).map(line -> line.substring(line.lastIndexOf(' ') + 1)).mapToDouble(Double::parseDouble)
                .findFirst().orElse(0);
    }

    /** The lines of the metrics page that carry a field of the plugin for the usual subscription. */
    Stream<String> pluginLines(String name) throws Exception {
        return pluginLines(SUB, name);
    }

    Stream<String> pluginLines(String subscription, String name) throws Exception {
        // A page asked for while another is made is that other one, begun before; the next one is not.
        Net.get(broker.broker().adminUrl() + "/metrics/");
        return Net.get(broker.broker().adminUrl() + "/metrics/").lines()
                .filter(line -> line.startsWith("pulsar_delayed_index_" + name + "{")
                        && line.contains("topic=\"" + topic + "\"") && line.contains("subscription=\"" + subscription + "\""));
    }

    /** Waits until the broker says that so many messages are delayed. */
    void awaitDelayed(long count) throws Exception {
        awaitDelayed(SUB, count);
    }

    void awaitDelayed(String subscription, long count) throws Exception {
        Await.until(20_000, () -> "msgDelayed = " + count + " in " + topic + ": " + describe(subscription),
                () -> stats(subscription).getMsgDelayed() == count);
    }

    /**
     * Waits until a backend that stores has recorded what it has written: a seek or a clear at that moment may be refused by the
     * broker with a bad version of the cursor's record (docs/limits.md).
     */
    void awaitRecorded() throws Exception {
        if (!settings().tracker().equals("bucket")) {
            return;
        }
        Await.atRest(20_000, "the buckets", () -> Net.get(broker.broker().adminUrl() + "/metrics/").lines()
                .filter(line -> line.startsWith("pulsar_delayed_index_bucket_") && line.contains("topic=\"" + topic + "\""))
                .toList());
    }

    /** Waits until all are due. */
    void awaitPassed(Collection<Sent> sent) throws Exception {
        long dueMillis = sent.stream().mapToLong(Sent::deliverAtMillis).max().orElseThrow() + settings().tickMillis();
        Await.until(60_000, () -> "the due time", () -> System.currentTimeMillis() > dueMillis);
    }

    /** Waits until the messages have arrived and were acknowledged, up to their time plus the allowed lateness. */
    void awaitAcked(Collection<Sent> sent) throws Exception {
        awaitAcked(SUB, sent);
    }

    void awaitAcked(String subscription, Collection<Sent> sent) throws Exception {
        awaitAcked(subscription, sent, 0);
    }

    /** As {@link #awaitAcked(Collection)}, where the broker may have been away for that long. */
    void awaitAcked(Collection<Sent> sent, long awayMillis) throws Exception {
        awaitAcked(SUB, sent, awayMillis);
    }

    private void awaitAcked(String subscription, Collection<Sent> sent, long awayMillis) throws Exception {
        long lastMillis = sent.stream().mapToLong(Sent::deliverAtMillis).max().orElse(0);
        long waitMillis = Math.max(0, lastMillis - System.currentTimeMillis()) + latestMillis() + awayMillis + 20_000;
        Arrivals seen = arrivals(subscription);
        Await.until(waitMillis, () -> sent.size() + " messages acknowledged in " + topic + " / " + subscription + ": " + seen
                + "; " + describe(subscription), () -> seen.allAcked(sent));
    }

    /** Exactly once, in time, and nothing left in the broker's figures. */
    void verify(Collection<Sent> sent) throws Exception {
        verify(SUB, sent);
    }

    void verify(String subscription, Collection<Sent> sent) throws Exception {
        awaitAcked(subscription, sent);
        // What came twice is told below, by name.
        awaitEmptyBut(subscription, () -> arrivals(subscription).repeats(sent));
        arrivals(subscription).mustBeExactlyOnce(sent);
        mustBeInTime(subscription, sent);
    }

    void mustBeInTime(String subscription, Collection<Sent> sent) {
        arrivals(subscription).mustBeInTime(sent, earlyWindowMillis(), latestMillis());
    }

    /** Nothing delayed, nothing in the backlog, nothing unacknowledged; brokers may count below 0 after a seek. */
    void awaitEmpty(String subscription) throws Exception {
        awaitEmptyBut(subscription, () -> 0);
    }

    /** The same, but brokers count as unacknowledged for ever what they send again after it was acknowledged. */
    void awaitEmptyBut(String subscription, LongSupplier unacknowledged) throws Exception {
        Await.until(75_000, () -> "figures 0 or less, unacked " + unacknowledged.getAsLong() + " in " + topic + ": "
                + describe(subscription) + "; " + arrivals(subscription), () -> {
            SubscriptionStatsImpl stats = stats(subscription);
            return stats.getMsgDelayed() == 0 && stats.getMsgBacklog() == 0
                    && stats.getUnackedMessages() <= unacknowledged.getAsLong();
        });
    }

    long earlyWindowMillis() {
        return settings().strict() ? 0 : settings().tickMillis();
    }

    long latestMillis() {
        return 2 * settings().tickMillis() + settings().precisionMillis() + READ_MILLIS;
    }

    private String describe(String subscription) {
        try {
            SubscriptionStatsImpl stats = stats(subscription);
            return "msgDelayed " + stats.getMsgDelayed() + ", msgBacklog " + stats.getMsgBacklog() + ", unacked "
                    + stats.getUnackedMessages() + ", consumers " + stats.getConsumers().size();
        } catch (Exception e) {
            return "no figures: " + e;
        }
    }

    @Override
    public void close() throws PulsarClientException {
        for (Receiver receiver : receivers) {
            receiver.close();
        }
        closeProducer();
    }
}
