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

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal of acknowledgements where the cursor goes its own way: seeks, skips, other consumers and other settings. */
class AckJournalEdgesIT extends Scenarios {

    private static final String BACKEND = "delayedDeliveryIndexBackend";
    private static final String JOURNAL = "delayedDeliveryIndexAckJournal";
    private static final int NEAR_BEGINNING = 50;

    private static BrokerFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = BrokerFixture.start(ForkedBroker.ofLine("4.0", "ack-journal-edges", JournaledTopic.settings(),
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

    /** What the other tests rest upon: the limits of this broker are exceeded. */
    @Test
    void withoutAJournalMessagesComeAgain() throws Exception {
        try (JournaledTopic topic = new JournaledTopic(fixture, "off")) {
            topic.scene().admin().topics().createSubscription(topic.name(), Scene.SUB, MessageId.earliest, false,
                    Map.of(JOURNAL, "off"));
            topic.sendAndAcknowledge();
            topic.unload();
            assertNotEquals(Set.of(), topic.comesThoughAcknowledged("without a journal"));
            assertTrue(topic.stamped() <= 0, "no journal");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everythingFromASeekOnComesAgainAlsoAfterAnUnload(boolean inRanges) throws Exception {
        try (JournaledTopic topic = inRanges ? halfAcknowledgedInRanges(fixture, "seek") : halfAcknowledged(fixture, "seek")) {
            topic.seek(topic.backlog().id(NEAR_BEGINNING));
            topic.mustCome(allFrom(NEAR_BEGINNING), "after the seek");
            topic.unload();
            topic.mustCome(allFrom(NEAR_BEGINNING), "after the unload");
        }
    }

    /** With a journal at first; then after an unload, and with acknowledgements since. */
    @ParameterizedTest
    @ValueSource(ints = {1, 400, 900, 1_400, 1_900})
    @Tag(OnABroker.MATRIX_ONLY)
    void everythingFromAPointInTimeOnComesAgainAlsoAfterAnUnload(int number) throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "time"); HalfAcknowledged since = topic.another(MESSAGES, number)) {
            long millis = topic.publishedMillis(number);
            int first = number;
            while (first > 0 && topic.publishedMillis(first - 1) == millis) {
                first--;
            }
            topic.seek(millis);
            topic.mustCome(allFrom(first), "after the seek");
            topic.unload();
            topic.mustCome(allFrom(first), "after the unload");
            since.connectToAcknowledge(allFrom(first).stream().filter(each -> each % 2 == 0)
                    .collect(Collectors.toSet()));
            since.disconnect();
            topic.seek(millis);
            topic.mustCome(allFrom(first), "after a seek that followed an unload");
        }
    }

    @Test
    void everythingComesAgainAfterASeekToTheBeginningThatAnUnloadFollowsAtOnce() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "seek-unload")) {
            topic.seek(MessageId.earliest);
            topic.unload();
            topic.mustCome(allFrom(0), "after seek and unload");
        }
    }

    @Test
    void everythingComesAgainToAConsumerThatSeeksWhileItIsConnected() throws Exception {
        try (JournaledTopic topic = halfAcknowledgedInRanges(fixture, "client-seek")) {
            try (Consumer<Integer> consumer = fixture.client().newConsumer(Schema.INT32).topic(topic.name())
                    .subscriptionName(Scene.SUB).subscriptionType(SubscriptionType.Shared).subscribe()) {
                consumer.seek(MessageId.earliest);
            }
            topic.mustCome(allFrom(0), "after the seek");
            topic.unload();
            topic.mustCome(allFrom(0), "after the unload");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everythingFromASeekOnComesAgainWhereAJournalWasRestoredBefore(boolean inRanges) throws Exception {
        try (JournaledTopic topic = inRanges ? halfAcknowledgedInRanges(fixture, "restored")
                : halfAcknowledged(fixture, "restored")) {
            topic.unload();
            topic.mustCome(topic.backlog().unacknowledged(), "after the first unload");
            topic.seek(topic.backlog().id(NEAR_BEGINNING));
            topic.mustCome(allFrom(NEAR_BEGINNING), "after the seek");
            topic.unload();
            topic.mustCome(allFrom(NEAR_BEGINNING), "after the second unload");
        }
    }

    @Test
    void everythingComesAgainAfterASeekBetweenALoadAndTheFirstConsumer() throws Exception {
        try (JournaledTopic topic = halfAcknowledgedInRanges(fixture, "before-consumer")) {
            topic.unload();
            topic.seek(MessageId.earliest);
            topic.mustCome(allFrom(0), "after the seek");
            topic.unload();
            topic.mustCome(allFrom(0), "after the unload");
        }
    }

    @Test
    void afterASeekWhatIsAcknowledgedSinceStaysAcknowledged() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "since");
                HalfAcknowledged since = topic.another(MESSAGES, 99)) {
            long before = topic.stamped();
            topic.seek(MessageId.earliest);
            since.connect();
            since.awaitAcknowledged(0);
            assertNotEquals(before, topic.awaitJournal(), "another journal");
            since.disconnect();
            topic.unload();
            topic.mustCome(since.unacknowledged(), "of those acknowledged since the seek");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterASkipTheRestComesAndNothingElse(boolean inRanges) throws Exception {
        try (JournaledTopic topic = inRanges ? halfAcknowledgedInRanges(fixture, "skip") : halfAcknowledged(fixture, "skip")) {
            int skipped = 100;
            topic.scene().admin().topics().skipMessages(topic.name(), Scene.SUB, skipped);
            Set<Integer> rest = topic.backlog().unacknowledged().stream().sorted().skip(skipped).collect(Collectors.toSet());
            topic.mustComeAndBeJournaled(rest, "after the skip");
            topic.unload();
            topic.mustCome(rest, "after the unload");
        }
    }

    @Test
    void afterAClearOnlyWhatIsSentLaterComes() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "clear");
                HalfAcknowledged later = topic.another(100, 1)) {
            topic.scene().admin().topics().skipAllMessages(topic.name(), Scene.SUB);
            topic.mustCome(Set.of(), "after the clear");
            later.send(500, 500);
            JournaledTopic.mustCome(later, later.unacknowledged(), "of what is sent later", () -> topic.stamped() <= 0);
            topic.unload();
            JournaledTopic.mustCome(later, later.unacknowledged(), "after the unload", () -> true);
        }
    }

    /**
     * The dispatcher of the exclusive consumer has no tracker: nobody writes the journal meanwhile. The consumer stays until all
     * has come: brokers may lose sight of what the dispatcher before is still reading when the next one begins.
     */
    @Test
    void aCumulativeAcknowledgementOfAnExclusiveConsumerInBetweenHolds() throws Exception {
        try (JournaledTopic topic = halfAcknowledgedInRanges(fixture, "cumulative")) {
            Set<Integer> unacknowledged = topic.backlog().unacknowledged();
            Set<Integer> came = ConcurrentHashMap.newKeySet();
            try (Consumer<Integer> consumer = fixture.client().newConsumer(Schema.INT32).topic(topic.name())
                    .subscriptionName(Scene.SUB).subscriptionType(SubscriptionType.Exclusive).isAckReceiptEnabled(true)
                    .messageListener((from, message) -> came.add(message.getValue())).subscribe()) {
                Await.until(20_000, () -> came.size() + " came", () -> came.containsAll(unacknowledged));
                consumer.acknowledgeCumulative(topic.backlog().id(NEAR_BEGINNING - 1));
            }
            Set<Integer> rest = less(unacknowledged, less(allFrom(0), allFrom(NEAR_BEGINNING)));
            topic.mustComeAndBeJournaled(rest, "after the cumulative acknowledgement");
            topic.unload();
            topic.mustCome(rest, "after the unload");
        }
    }

    @Test
    void aJournalThatIsSwitchedOffIsDeletedAndLaterNothingIsMissing() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "switched-off")) {
            Set<Integer> acknowledged = topic.backlog().acknowledged();
            topic.scene().admin().topics().updateSubscriptionProperties(topic.name(), Scene.SUB, Map.of(JOURNAL, "off"));
            topic.unload();
            Set<Integer> again = topic.comesThoughAcknowledged("switched off");
            assertNotEquals(Set.of(), again);
            assertTrue(topic.stamped() <= 0, "no journal is named any more");
            topic.scene().admin().topics().updateSubscriptionProperties(topic.name(), Scene.SUB, Map.of(JOURNAL, "auto"));
            topic.unload();
            Set<Integer> later = topic.comesThoughAcknowledged("switched on");
            assertTrue(acknowledged.containsAll(later) && later.containsAll(again), "the deleted journal counts no more");
            assertEquals(0, topic.restored(), "nothing was restored");
        }
    }

    @Test
    @Tag(OnABroker.MATRIX_ONLY)
    void whatIsAcknowledgedStaysSoFromBackendToBackend() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "backends")) {
            for (String backend : new String[] {"bucket", "heap", "timebucket"}) {
                topic.scene().admin().topics().updateSubscriptionProperties(topic.name(), Scene.SUB, Map.of(BACKEND, backend));
                topic.unload();
                topic.mustCome(topic.backlog().unacknowledged(), "with " + backend);
            }
            assertEquals(MESSAGES, topic.backlog().unacknowledged().size() + topic.backlog().ackedCount());
        }
    }
}
