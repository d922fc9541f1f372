/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static io.github.delayedtracker.it.JournaledTopic.MESSAGES;
import static io.github.delayedtracker.it.JournaledTopic.allFrom;
import static io.github.delayedtracker.it.JournaledTopic.halfAcknowledged;
import static io.github.delayedtracker.it.JournaledTopic.less;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscriptions that have no journal of acknowledgements, and times in which nobody keeps the one they have. */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalAbsentIT extends Scenarios {

    private static final String OTHER = "other";
    private static final int MIDDLE = MESSAGES / 2;
    private static final long PATIENCE_MILLIS = 30_000;

    private static BrokerFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = BrokerFixture.start(ForkedBroker.ofLine("4.0", "ack-journal-absent", JournaledTopic.settings(),
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

    /** The durable subscription beside it, with the same acknowledgements, has one by then. */
    @Test
    void aCursorThatIsNotDurableHasNone() throws Exception {
        try (JournaledTopic topic = new JournaledTopic(fixture, "non-durable");
                Other other = new Other(topic, SubscriptionType.Shared, SubscriptionMode.NonDurable)) {
            topic.sendAndAcknowledge();
            other.awaitAllAcknowledged();
            topic.awaitJournal();
            other.mustHaveNoJournal(topic);
        }
    }

    /** Their dispatchers have no tracker. */
    @ParameterizedTest
    @EnumSource(names = {"Exclusive", "Failover"})
    void aSubscriptionWithOneActiveConsumerHasNoneAndLosesNothing(SubscriptionType type) throws Exception {
        try (JournaledTopic topic = new JournaledTopic(fixture, "one-active")) {
            try (Other other = new Other(topic, type, SubscriptionMode.Durable)) {
                topic.sendAndAcknowledge();
                other.awaitAllAcknowledged();
                topic.awaitJournal();
                other.mustHaveNoJournal(topic);
            }
            topic.unload();
            try (Other again = new Other(topic, type, SubscriptionMode.Durable)) {
                Await.until(PATIENCE_MILLIS, () -> "those not acknowledged", () -> again.came.containsAll(again.owed()));
                assertNotEquals(again.owed(), again.came, "beyond the limit of the record all comes again");
                again.mustHaveNoJournal(topic);
            }
            topic.mustCome(topic.backlog().unacknowledged(), "of the subscription beside it, whose journal is its own");
        }
    }

    /** Without a tracker the journal is not restored; what it had is not applied to anything later. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whileDelayedDeliveryIsOffByPolicyNothingIsLost(boolean seek) throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "policy")) {
            setDelayedDelivery(topic, false);
            topic.unload();
            assertNotEquals(Set.of(), topic.comesThoughAcknowledged("without a tracker"));
            if (seek) {
                topic.seek(MessageId.earliest);
            }
            setDelayedDelivery(topic, true);
            topic.unload();
            if (seek) {
                topic.mustCome(allFrom(0), "after a seek while it was off");
            } else {
                topic.comesThoughAcknowledged("with delayed delivery again");
            }
            topic.unload();
            topic.comesThoughAcknowledged("after another unload");
        }
    }

    private static void setDelayedDelivery(JournaledTopic topic, boolean active) throws Exception {
        String namespace = topic.scene().namespace();
        topic.scene().admin().namespaces().setDelayedDeliveryMessages(namespace,
                DelayedDeliveryPolicies.builder().active(active).tickTime(1_000).build());
        Await.until(PATIENCE_MILLIS, () -> "the policy in force", () ->
                topic.scene().admin().namespaces().getDelayedDelivery(namespace).isActive() == active);
    }

    /** What consumers do meanwhile with the stock tracker's broker. */
    enum Meanwhile { NOTHING, ACKNOWLEDGEMENTS, SEEK_TO_THE_BEGINNING, SEEK_TO_THE_MIDDLE, CLEAR }

    @ParameterizedTest
    @EnumSource
    void aPluginThatIsRemovedAndPutBackLosesNothing(Meanwhile meanwhile) throws Exception {
        ForkedBroker broker = ForkedBroker.ofLine("4.0", "ack-journal-removed-" + meanwhile, JournaledTopic.settings(),
                Harness.ownJavaHome());
        BrokerFixture own = BrokerFixture.start(broker);
        try (JournaledTopic topic = halfAcknowledged(own, "removed"); HalfAcknowledged more = topic.another(MESSAGES, 4)) {
            Set<Integer> acknowledged = topic.backlog().acknowledged();
            restart(broker, JournaledTopic.stockSettings());
            Set<Integer> again = topic.comesThoughAcknowledged("with the stock tracker");
            assertNotEquals(Set.of(), again, "the stock tracker does not know the journal");
            Set<Integer> owed = topic.backlog().unacknowledged();
            switch (meanwhile) {
                case NOTHING -> { }
                case ACKNOWLEDGEMENTS -> {
                    Set<Integer> some = owed.stream().filter(number -> number % 3 == 0).collect(Collectors.toSet());
                    more.connectToAcknowledge(some);
                    more.disconnect();
                    owed = less(owed, some);
                    acknowledged.addAll(some);
                }
                case SEEK_TO_THE_BEGINNING -> owed = seek(topic, MessageId.earliest, 0);
                case SEEK_TO_THE_MIDDLE -> owed = seek(topic, topic.backlog().id(MIDDLE), MIDDLE);
                case CLEAR -> {
                    topic.scene().admin().topics().skipAllMessages(topic.name(), Scene.SUB);
                    owed = Set.of();
                }
            }
            restart(broker, JournaledTopic.settings());
            mustCome(topic, owed, acknowledged, "with the plugin again");
            topic.unload();
            mustCome(topic, owed, acknowledged, "after an unload");
        } finally {
            own.close();
        }
    }

    private static Set<Integer> seek(JournaledTopic topic, MessageId to, int first) throws Exception {
        topic.seek(to);
        return allFrom(first);
    }

    private static void restart(ForkedBroker broker, BrokerSettings settings) throws Exception {
        broker.stop();
        broker.reconfigure(settings);
        broker.start();
    }

    /** All that is owed, and at most acknowledged ones beside. */
    private static void mustCome(JournaledTopic topic, Set<Integer> owed, Set<Integer> acknowledged, String when)
            throws Exception {
        Set<Integer> came = topic.backlog().comes(owed, JournaledTopic.QUIET_MILLIS, () -> true).keySet();
        assertEquals(Set.of(), less(owed, came), "missing " + when);
        assertTrue(acknowledged.containsAll(less(came, owed)), "comes, and was neither owed nor acknowledged, " + when);
    }

    /** A subscription beside the usual one, whose consumer acknowledges every second message. */
    private static final class Other implements AutoCloseable {

        private final Set<Integer> came = ConcurrentHashMap.newKeySet();
        private final Set<Integer> acked = ConcurrentHashMap.newKeySet();
        private final Consumer<Integer> consumer;

        Other(JournaledTopic topic, SubscriptionType type, SubscriptionMode mode) throws Exception {
            consumer = fixture.client().newConsumer(Schema.INT32).topic(topic.name()).subscriptionName(OTHER)
                    .subscriptionType(type).subscriptionMode(mode)
                    .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest).isAckReceiptEnabled(true)
                    .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS).receiverQueueSize(MESSAGES)
                    .messageListener((from, message) -> {
                        int number = message.getValue();
                        came.add(number);
                        if (number % 2 == 1) {
                            var unused = from.acknowledgeAsync(message).thenRun(() -> acked.add(number));
                        }
                    }).subscribe();
        }

        Set<Integer> owed() {
            return allFrom(0).stream().filter(number -> number % 2 == 0).collect(Collectors.toSet());
        }

        void awaitAllAcknowledged() throws Exception {
            Await.until(PATIENCE_MILLIS, () -> came.size() + " came, " + acked.size() + " acknowledged", () ->
                    came.size() == MESSAGES && acked.size() == MESSAGES / 2);
        }

        void mustHaveNoJournal(JournaledTopic topic) throws Exception {
            var cursor = topic.scene().admin().topics().getInternalStats(topic.name()).cursors.get(OTHER);
            assertTrue(cursor.totalNonContiguousDeletedMessagesRange > 0, "acknowledged behind messages that are not");
            assertEquals(-1L, cursor.getProperties().getOrDefault(JournaledTopic.EPOCH, -1L), "the journal that it names");
            assertEquals(List.of(), topic.scene().pluginLines(OTHER, "ack_journal")
                    .filter(line -> !line.contains("state=\"none\"")).toList(), "lines of a journal");
        }

        @Override
        public void close() throws Exception {
            consumer.close();
        }
    }
}
