/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageListener;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/** What waits until a journal of acknowledgements is restored does not get out of order: plain messages between delayed ones. */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalKeysIT extends Scenarios {

    private static final int TOPICS = 6;
    private static final int MESSAGES = 3_000;
    private static final int KEYS = 12;
    private static final long DELAY_MILLIS = 1_500;
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long QUIET_MILLIS = 2_000;

    private static BrokerFixture fixture;

    private final boolean[] chosen = new boolean[MESSAGES];
    private final Set<Integer> arrived = ConcurrentHashMap.newKeySet();
    private final Set<Integer> acked = ConcurrentHashMap.newKeySet();

    @BeforeAll
    static void start() throws Exception {
        fixture = BrokerFixture.start(ForkedBroker.ofLine("4.0", "ack-journal-keys", JournaledTopic.settings(),
                Harness.ownJavaHome()));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    @Override
    BrokerFixture broker() {
        return fixture;
    }

    /** On several topics at once, since the order depends on what the broker reads and restores at the same time. */
    @RepeatedTest(TOPICS)
    void plainMessagesOfAKeyComeInOrderAfterAnUnload() throws Exception {
        try (JournaledTopic topic = new JournaledTopic(fixture, "keys")) {
            acknowledgeHalf(topic);
            topic.unload();
            mustComeInOrder(topic);
        }
    }

    /** The first messages are delayed: with them the broker makes the tracker, and with that the journal is looked for. */
    private static boolean isDelayed(int number) {
        return number < KEYS || number % 3 == 0;
    }

    private static int keyOf(int number) {
        return number * 7 % KEYS;
    }

    private static void send(JournaledTopic topic) throws PulsarClientException {
        try (Producer<Integer> producer = fixture.client().newProducer(Schema.INT32).topic(topic.name()).enableBatching(false)
                .maxPendingMessages(MESSAGES).blockIfQueueFull(true).create()) {
            for (int i = 0; i < MESSAGES; i++) {
                var message = producer.newMessage().value(i).key("key-" + keyOf(i));
                if (isDelayed(i)) {
                    message.deliverAt(System.currentTimeMillis() + DELAY_MILLIS);
                }
                message.sendAsync();
            }
            producer.flush();
        }
    }

    private static Consumer<Integer> subscribe(JournaledTopic topic, MessageListener<Integer> listener)
            throws PulsarClientException {
        return fixture.client().newConsumer(Schema.INT32).topic(topic.name()).subscriptionName(Scene.SUB)
                .subscriptionType(SubscriptionType.Key_Shared).subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .isAckReceiptEnabled(true).acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS).receiverQueueSize(200)
                .messageListener(listener).subscribe();
    }

    private void acknowledgeHalf(JournaledTopic topic) throws Exception {
        Random random = new Random(3);
        int count = 0;
        for (int i = 0; i < MESSAGES; i++) {
            chosen[i] = random.nextBoolean();
            count += chosen[i] ? 1 : 0;
        }
        int all = count;
        Consumer<Integer> consumer = subscribe(topic, this::take);
        try {
            send(topic);
            Await.until(PATIENCE_MILLIS, () -> arrived.size() + " arrived, " + acked.size() + " acknowledged", () ->
                    arrived.size() == MESSAGES && acked.size() == all);
            topic.awaitJournal();
        } finally {
            consumer.close();
        }
    }

    private void take(Consumer<Integer> from, Message<Integer> message) {
        int number = message.getValue();
        arrived.add(number);
        if (chosen[number]) {
            var unused = from.acknowledgeAsync(message).thenRun(() -> acked.add(number));
        }
    }

    /** Two consumers that share the keys, and acknowledge what they get. */
    private void mustComeInOrder(JournaledTopic topic) throws Exception {
        List<Integer> came = new CopyOnWriteArrayList<>();
        MessageListener<Integer> listener = (from, message) -> {
            came.add(message.getValue());
            from.acknowledgeAsync(message);
        };
        Map<Integer, List<Integer>> owed = new TreeMap<>();
        Set<Integer> all = new HashSet<>();
        for (int i = 0; i < MESSAGES; i++) {
            if (!chosen[i]) {
                all.add(i);
            }
        }
        all.stream().sorted().filter(number -> !isDelayed(number)).forEach(number ->
                owed.computeIfAbsent(keyOf(number), key -> new ArrayList<>()).add(number));
        Consumer<Integer> one = subscribe(topic, listener);
        Consumer<Integer> two = subscribe(topic, listener);
        try {
            Await.until(PATIENCE_MILLIS, () -> came.size() + " of " + all.size() + " came", () -> came.containsAll(all));
            long quietMillis = System.currentTimeMillis() + QUIET_MILLIS;
            Await.until(PATIENCE_MILLIS, () -> "quiet seconds", () -> System.currentTimeMillis() > quietMillis);
            assertTrue(topic.scene().pluginStat("ack_journal_restored") > 0, "the journal was needed and restored");
        } finally {
            one.close();
            two.close();
        }
        Map<Integer, List<Integer>> plain = new TreeMap<>();
        came.stream().filter(number -> !isDelayed(number)).forEach(number ->
                plain.computeIfAbsent(keyOf(number), key -> new ArrayList<>()).add(number));
        assertEquals(owed, plain);
        assertEquals(all.size(), came.size(), "each came once");
    }
}
