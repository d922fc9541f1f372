/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static io.github.delayedtracker.it.JournaledTopic.MESSAGES;
import static io.github.delayedtracker.it.JournaledTopic.QUIET_MILLIS;
import static io.github.delayedtracker.it.JournaledTopic.halfAcknowledged;
import static io.github.delayedtracker.it.JournaledTopic.less;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pulsar.client.admin.LongRunningProcessStatus;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The journal of acknowledgements beside what else a broker does with a topic: transactions, batches, compaction. */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalKindsIT extends Scenarios {

    private static final int BATCHES = 40;
    private static final int IN_A_BATCH = 10;
    private static final int KEYS = 5;
    private static final long PATIENCE_MILLIS = 30_000;
    private static final String COMPACTION = "__compaction";

    private static BrokerFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = BrokerFixture.start(ForkedBroker.ofLine("4.0", "ack-journal-kinds", JournaledTopic.settings()
                .with(EdgeScenarios.TRANSACTIONS, "true").with("acknowledgmentAtBatchIndexLevelEnabled", "true"),
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

    @Test
    void aPendingTransactionIsNotInTheJournal() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "pending")) {
            Set<Integer> left = topic.backlog().unacknowledged();
            Set<Integer> pending = eachFourth(left, 0);
            Transaction transaction = topic.scene().transaction();
            acknowledge(topic, fixture.transactionClient(), left, (from, message) -> pending.contains(message.getValue())
                    ? from.acknowledgeAsync(message.getMessageId(), transaction) : CompletableFuture.completedFuture(null));
            topic.unload();
            topic.mustCome(less(left, pending), "after an unload, with a transaction pending");
            assertTrue(topic.restored() > 0, "the journal was needed and restored");
            transaction.abort().get();
            topic.mustCome(left, "after the abort");
            topic.unload();
            topic.mustCome(left, "after another unload");
        }
    }

    /** The broker acknowledges what was committed again as it loads the topic, which the journal takes for doubt. */
    @Test
    void besideACommittedTransactionNothingIsMissing() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "committed")) {
            Set<Integer> left = topic.backlog().unacknowledged();
            Set<Integer> committed = eachFourth(left, 0);
            Set<Integer> aborted = eachFourth(left, 1);
            Transaction commit = topic.scene().transaction();
            Transaction abort = topic.scene().transaction();
            acknowledge(topic, fixture.transactionClient(), left, (from, message) -> committed.contains(message.getValue())
                    ? from.acknowledgeAsync(message.getMessageId(), commit) : aborted.contains(message.getValue())
                    ? from.acknowledgeAsync(message.getMessageId(), abort) : CompletableFuture.completedFuture(null));
            commit.commit().get();
            topic.mustComeAndBeJournaled(less(less(left, committed), aborted), "after the commit");
            topic.unload();
            mustComeOrBeAcknowledged(topic, less(less(left, committed), aborted), "after an unload");
            abort.abort().get();
            mustComeOrBeAcknowledged(topic, less(left, committed), "after the abort");
            topic.unload();
            mustComeOrBeAcknowledged(topic, less(left, committed), "after another unload");
        }
    }

    /** All that is owed, and beside it at most what was acknowledged without a transaction. */
    private static void mustComeOrBeAcknowledged(JournaledTopic topic, Set<Integer> owed, String when) throws Exception {
        Set<Integer> came = topic.backlog().comes(owed, QUIET_MILLIS, () -> true).keySet();
        assertEquals(Set.of(), less(owed, came), "missing " + when);
        assertEquals(Set.of(), less(less(came, owed), topic.backlog().acknowledged()), "must not come " + when);
    }

    /** Delayed messages are never in a batch: the batches are plain ones behind them. */
    @Test
    void ofABatchThatIsAcknowledgedInPartNothingIsMissing() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "batches")) {
            Set<Integer> batched = sendBatches(topic);
            Set<Integer> inPart = filtered(batched, number -> batchOf(number) % 2 == 0 && number % IN_A_BATCH < IN_A_BATCH / 2);
            Set<Integer> whole = filtered(batched, number -> batchOf(number) % 2 == 1);
            Set<Integer> owed = topic.backlog().unacknowledged();
            owed.addAll(less(less(batched, inPart), whole));
            acknowledge(topic, fixture.client(), union(topic.backlog().unacknowledged(), batched), (from, message) ->
                    inPart.contains(message.getValue()) || whole.contains(message.getValue())
                    ? from.acknowledgeAsync(message) : CompletableFuture.completedFuture(null));
            topic.unload();
            for (int load = 1; load <= 2; load++) {
                Map<Integer, Integer> came = topic.backlog().comes(owed, QUIET_MILLIS, () -> true);
                assertEquals(Set.of(), less(owed, came.keySet()), "missing after unload " + load);
                assertEquals(Set.of(), less(less(came.keySet(), owed), inPart), "acknowledged, and not in part, " + load);
                assertTrue(topic.restored() > 0, "the journal was needed and restored");
                topic.unload();
            }
        }
    }

    @Test
    void aCompactedTopicKeepsItsJournalAndItsCompactionHasNone() throws Exception {
        try (JournaledTopic topic = new JournaledTopic(fixture, "compacted")) {
            Set<Integer> keyed = IntStream.range(MESSAGES, MESSAGES + 10 * KEYS).boxed().collect(Collectors.toSet());
            topic.sendAndAcknowledge();
            topic.awaitJournal();
            topic.backlog().disconnect();
            sendKeyed(topic, keyed);
            topic.scene().admin().topics().triggerCompaction(topic.name());
            Await.until(PATIENCE_MILLIS, () -> "the compaction", () -> topic.scene().admin().topics()
                    .compactionStatus(topic.name()).status == LongRunningProcessStatus.Status.SUCCESS);
            Set<Integer> owed = union(topic.backlog().unacknowledged(), keyed);
            topic.unload();
            topic.mustCome(owed, "after compaction and unload");
            assertTrue(topic.restored() > 0, "the journal was needed and restored");
            assertFalse(topic.scene().admin().topics().getInternalStats(topic.name()).cursors.get(COMPACTION).getProperties()
                    .containsKey(JournaledTopic.EPOCH), "the cursor of the compaction names no journal");
            topic.unload();
            topic.mustCome(owed, "after another unload");
        }
    }

    private interface Acknowledging {
        CompletableFuture<Void> done(Consumer<Integer> from, Message<Integer> message);
    }

    /** A new consumer that lives until all of these have come, and its acknowledgements are answered and in the journal. */
    private static void acknowledge(JournaledTopic topic, PulsarClient client, Set<Integer> all, Acknowledging how)
            throws Exception {
        Set<Integer> done = ConcurrentHashMap.newKeySet();
        try (Consumer<Integer> consumer = client.newConsumer(Schema.INT32).topic(topic.name()).subscriptionName(Scene.SUB)
                .subscriptionType(SubscriptionType.Shared).isAckReceiptEnabled(true).enableBatchIndexAcknowledgment(true)
                .acknowledgmentGroupTime(0, TimeUnit.MILLISECONDS).receiverQueueSize(all.size())
                .messageListener((from, message) -> how.done(from, message)
                        .thenRun(() -> done.add(message.getValue()))).subscribe()) {
            Await.until(PATIENCE_MILLIS, () -> done.size() + " of " + all.size() + " came and were answered by "
                    + consumer.getConsumerName(), () -> done.containsAll(all));
            Await.atRest(PATIENCE_MILLIS, "the journal of " + topic.name(), () ->
                    topic.scene().pluginStat("ack_journal_positions"));
        }
    }

    private static Set<Integer> sendBatches(JournaledTopic topic) throws Exception {
        Set<Integer> sent = new HashSet<>();
        try (Producer<Integer> producer = fixture.client().newProducer(Schema.INT32).topic(topic.name())
                .batchingMaxMessages(IN_A_BATCH).batchingMaxPublishDelay(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).create()) {
            for (int number = MESSAGES; number < MESSAGES + BATCHES * IN_A_BATCH; number++) {
                producer.sendAsync(number);
                sent.add(number);
            }
            producer.flush();
        }
        assertEquals(BATCHES + MESSAGES, topic.scene().admin().topics().getInternalStats(topic.name()).entriesAddedCounter,
                "each batch is an entry");
        return sent;
    }

    private static void sendKeyed(JournaledTopic topic, Set<Integer> numbers) throws Exception {
        try (Producer<Integer> producer = fixture.client().newProducer(Schema.INT32).topic(topic.name()).enableBatching(false)
                .create()) {
            for (int number : new TreeSet<>(numbers)) {
                producer.newMessage().key("key-" + number % KEYS).value(number).deliverAfter(1, TimeUnit.SECONDS).send();
            }
        }
    }

    private static int batchOf(int number) {
        return (number - MESSAGES) / IN_A_BATCH;
    }

    private static Set<Integer> eachFourth(Set<Integer> numbers, int remainder) {
        return filtered(numbers, number -> number % 4 == remainder);
    }

    private static Set<Integer> filtered(Set<Integer> numbers, IntPredicate which) {
        return numbers.stream().filter(which::test).collect(Collectors.toSet());
    }

    private static Set<Integer> union(Set<Integer> some, Set<Integer> more) {
        Set<Integer> all = new HashSet<>(some);
        all.addAll(more);
        return all;
    }
}
