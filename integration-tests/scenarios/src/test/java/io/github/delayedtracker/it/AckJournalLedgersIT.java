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
import static io.github.delayedtracker.it.JournaledTopic.halfAcknowledgedInRanges;
import static io.github.delayedtracker.it.JournaledTopic.less;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ledgers of journals of acknowledgements: whatever ends a journal leaves none, and one that is lost does no harm. */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalLedgersIT extends Scenarios {

    private static final long SOON_MILLIS = 20_000;

    private static BrokerFixture fixture;
    private static StoredLedgers ledgers;

    @BeforeAll
    static void start() throws Exception {
        BrokerSettings settings = JournaledTopic.settings()
                .with("delayedDeliveryTrackerFactoryClassName", StoredLedgers.RememberingFactory.class.getName())
                .with("metadataStoreSessionTimeoutMillis", "1000");
        fixture = BrokerFixture.start(new InProcessBroker("pulsar-" + Harness.line() + "-ack-journal", settings));
        ledgers = new StoredLedgers();
    }

    @AfterAll
    static void stop() throws Exception {
        ledgers.close();
        fixture.close();
    }

    @Override
    BrokerFixture broker() {
        return fixture;
    }

    private static void isStored(JournaledTopic topic) throws Exception {
        assertEquals(List.of(topic.stamped()), ledgers.of(topic.name()), "the one ledger is the stamped journal's");
        assertNotEquals(Map.of(), ledgers.recordOf(topic.name(), Scene.SUB));
    }

    private static void nothingIsLeft(JournaledTopic topic) throws Exception {
        ledgers.mustBeEmpty(topic.name());
    }

    private static void nothingIsLeftSoon(JournaledTopic topic) throws Exception {
        List<Object> left = new CopyOnWriteArrayList<>();
        Await.until(SOON_MILLIS, () -> "ledgers and record of " + topic.name() + " left: " + left, () -> {
            List<Long> stored = ledgers.of(topic.name());
            Map<String, String> named = ledgers.recordOf(topic.name(), Scene.SUB);
            left.clear();
            left.addAll(List.of(stored, named));
            return stored.isEmpty() && named.isEmpty();
        });
    }

    @Test
    void aSubscriptionDeletedAndMadeAnewHasAllMessagesAndNoLedger() throws Exception {
        try (JournaledTopic topic = halfAcknowledgedInRanges(fixture, "anew")) {
            isStored(topic);
            topic.scene().admin().topics().deleteSubscription(topic.name(), Scene.SUB);
            nothingIsLeft(topic);
            topic.mustCome(allFrom(0), "to the new subscription");
            topic.unload();
            topic.mustCome(allFrom(0), "after an unload");
            nothingIsLeft(topic);
        }
    }

    @Test
    void aSubscriptionDeletedWhereNoConsumerHasLoadedItsJournalLeavesNoLedger() throws Exception {
        try (JournaledTopic topic = halfAcknowledgedInRanges(fixture, "anew-unloaded")) {
            isStored(topic);
            topic.unload();
            topic.scene().admin().topics().deleteSubscription(topic.name(), Scene.SUB);
            nothingIsLeft(topic);
            topic.mustCome(allFrom(0), "to the new subscription");
        }
    }

    @Test
    void aConsumerThatUnsubscribesLeavesNoLedger() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "unsubscribe")) {
            topic.backlog().connect();
            topic.backlog().unsubscribe();
            nothingIsLeft(topic);
        }
    }

    @Test
    void aTopicThatIsDeletedLeavesNoLedger() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "delete")) {
            isStored(topic);
            topic.scene().admin().topics().delete(topic.name());
            nothingIsLeft(topic);
        }
    }

    /** The broker deletes it without loading it and tells nobody. */
    @Test
    void aTopicThatIsDeletedByForceWhileItIsUnloadedLeavesItsLedgerToTheSweeper() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "delete-force")) {
            topic.unload();
            topic.scene().admin().topics().delete(topic.name(), true);
            ledgers.sweep(topic.name());
            nothingIsLeft(topic);
        }
    }

    @Test
    void aBacklogThatIsClearedLeavesNoLedgerSoon() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "clear")) {
            isStored(topic);
            topic.scene().admin().topics().skipAllMessages(topic.name(), Scene.SUB);
            nothingIsLeftSoon(topic);
        }
    }

    @Test
    void aSeekLeavesNoLedgerOnceAConsumerIsThere() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "seek")) {
            topic.seek(MessageId.earliest);
            JournaledTopic.mustCome(topic.backlog(), allFrom(0), "after the seek", () -> ledgers.of(topic.name()).isEmpty());
        }
    }

    @Test
    void aJournalThatIsSwitchedOffLeavesNoLedgerOnceTheTopicIsLoaded() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "off")) {
            topic.scene().admin().topics().updateSubscriptionProperties(topic.name(), Scene.SUB,
                    Map.of("delayedDeliveryIndexAckJournal", "off"));
            topic.unload();
            topic.comesThoughAcknowledged("switched off");
            // The name goes with the first acknowledgement, when the cursor has a ledger.
            Await.until(SOON_MILLIS, () -> "no ledger of " + topic.name(), () -> ledgers.of(topic.name()).isEmpty());
        }
    }

    @Test
    void aRestoredJournalIsOneLedgerLoadAfterLoad() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "loads")) {
            for (int load = 1; load <= 3; load++) {
                topic.unload();
                JournaledTopic.mustCome(topic.backlog(), topic.backlog().unacknowledged(), "after unload " + load, () ->
                        Await.within(SOON_MILLIS, () -> ledgers.of(topic.name()).size() == 1));
                assertEquals(1, ledgers.of(topic.name()).size(), "ledgers after unload " + load);
            }
        }
    }

    @Test
    void aLedgerThatIsLostIsAsWithTheStockTracker() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "lost")) {
            assertEquals(1, loseWhileUnloaded(topic));
            mustBeAsWithStock(topic);
        }
    }

    /** Its last entry is gone, to which the stamp refers. */
    @Test
    void aLedgerThatIsTruncatedIsAsWithTheStockTracker() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "truncated")) {
            long ledgerId = topic.stamped();
            topic.unload();
            ledgers.shorten(ledgerId);
            mustBeAsWithStock(topic);
        }
    }

    private static int loseWhileUnloaded(JournaledTopic topic) throws Exception {
        topic.unload();
        return ledgers.loseAll(topic.name());
    }

    /** Lets the cursor name another ledger as its journal. */
    private static void stamp(JournaledTopic topic, long ledgerId) throws Exception {
        Field broker = StoredLedgers.class.getDeclaredField("pulsar");
        broker.setAccessible(true);
        Topic loaded = ((PulsarService) broker.get(null)).getBrokerService().getTopic(topic.name(), false).get().orElseThrow();
        ((PersistentSubscription) loaded.getSubscription(Scene.SUB)).getCursor().putProperty(JournaledTopic.EPOCH, ledgerId);
    }

    @Test
    void aStampOfALedgerThatIsNoJournalIsAsWithTheStockTracker() throws Exception {
        try (JournaledTopic topic = halfAcknowledgedInRanges(fixture, "empty")) {
            long empty = ledgers.write(topic.name(), Scene.SUB, true);
            stamp(topic, empty);
            topic.unload();
            mustBeAsWithStock(topic);
        }
    }

    @Test
    void aStampOfTheJournalOfAnotherTopicIsAsWithTheStockTracker() throws Exception {
        try (JournaledTopic topic = halfAcknowledgedInRanges(fixture, "mine");
                JournaledTopic other = halfAcknowledgedInRanges(fixture, "other")) {
            stamp(topic, other.stamped());
            topic.unload();
            mustBeAsWithStock(topic);
            other.unload();
            other.mustCome(other.backlog().unacknowledged(), "of the other topic, whose journal is its own");
        }
    }

    /** Some come again, none is missing, and a new journal keeps what is acknowledged from then on. */
    private static void mustBeAsWithStock(JournaledTopic topic) throws Exception {
        Set<Integer> again = topic.comesThoughAcknowledged("without its journal");
        assertNotEquals(Set.of(), again);
        assertTrue(topic.backlog().acknowledged().containsAll(again));
        assertEquals(0, topic.restored(), "the journal was not applied");
        try (HalfAcknowledged since = topic.another(MESSAGES, 5)) {
            since.connectToAcknowledge(again);
            topic.awaitJournal();
        }
        topic.unload();
        topic.mustCome(less(allFrom(0), topic.backlog().acknowledged()), "once they are acknowledged again");
        assertNotEquals(0, topic.restored(), "the new journal was applied");
    }
}
