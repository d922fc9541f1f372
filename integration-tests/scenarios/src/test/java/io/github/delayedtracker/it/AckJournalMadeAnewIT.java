/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static io.github.delayedtracker.it.JournaledTopic.halfAcknowledged;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Consumers of another type, for which the broker makes another dispatcher and tracker: what is acknowledged, and the record of
 * the cursor leaves out, has a journal before the new tracker has written its own.
 */
class AckJournalMadeAnewIT extends Scenarios {

    private static final int PATIENCE_SECONDS = 30;

    private static BrokerFixture fixture;

    /** The new tracker takes some seconds until it has a journal of its own. */
    @BeforeAll
    static void start() throws Exception {
        fixture = BrokerFixture.start(ForkedBroker.ofLine("4.0", "ack-journal-anew",
                JournaledTopic.settings().with("delayedDeliveryIndexAckJournalFlushMillis", "5000"), Harness.ownJavaHome()));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    @Override
    BrokerFixture broker() {
        return fixture;
    }

    private void receiveOneOf(JournaledTopic topic) throws Exception {
        try (Consumer<Integer> other = fixture.client().newConsumer(Schema.INT32).topic(topic.name())
                .subscriptionName(Scene.SUB).subscriptionType(SubscriptionType.Key_Shared).subscribe()) {
            assertNotNull(other.receive(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }
    }

    @Test
    void nothingComesAgainAfterAnUnloadOrAKillThatFollowsConsumersOfAnotherType() throws Exception {
        try (JournaledTopic topic = halfAcknowledged(fixture, "anew")) {
            receiveOneOf(topic);
            topic.unload();
            assertEquals(Set.of(), topic.comesThoughAcknowledged("after the unload"));
            topic.awaitJournal();
            receiveOneOf(topic);
            fixture.broker().kill();
            fixture.broker().start();
            assertEquals(Set.of(), topic.comesThoughAcknowledged("after the kill"));
        }
    }
}
