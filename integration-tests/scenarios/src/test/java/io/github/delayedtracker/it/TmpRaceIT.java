/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;

/** Temporary. */
class TmpRaceIT extends Scenarios {

    private static BrokerFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = BrokerFixture.start(ForkedBroker.ofLine("4.0", "tmp-race", BrokerSettings.stockMemory(false, 1_000),
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

    @RepeatedTest(16)
    void race() throws Exception {
        try (JournaledTopic topic = new JournaledTopic(fixture, "race")) {
            topic.sendAndAcknowledge();
            topic.backlog().disconnect();
            for (int i = 0; i < 5; i++) {
                try (Consumer<Integer> consumer = fixture.client().newConsumer(Schema.INT32).topic(topic.name())
                        .subscriptionName(Scene.SUB).subscriptionType(SubscriptionType.Exclusive).isAckReceiptEnabled(true)
                        .subscribe()) {
                    consumer.acknowledgeCumulative(topic.backlog().id(10 * i));
                }
                HalfAcknowledged.Again again = topic.backlog().comesAgain();
                System.out.println("RACE stock round " + i + " missing " + again.missing().stream().sorted().toList());
            }
        }
    }
}
