/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.MessageName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** I19: the ledger of moved messages goes with their subscription, whatever ends it while they wait. */
class MovedLedgersIT extends Scenarios {

    private static final int MESSAGES = 50;
    private static final long FAR_MILLIS = 3_600_000;
    private static final long SOON_MILLIS = 30_000;

    private static BrokerFixture fixture;
    private static StoredLedgers ledgers;

    @BeforeAll
    static void start() throws Exception {
        BrokerSettings settings = BrokerSettings.of("timebucket", true, 1_000).withDefaultLimits()
                .with("delayedDeliveryTrackerFactoryClassName", StoredLedgers.RememberingFactory.class.getName())
                .with("managedCursorInfoCompressionType", "NONE");
        fixture = BrokerFixture.start(new InProcessBroker("pulsar-" + Harness.line() + "-moved-ledgers", settings));
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

    /** Far messages, all of them moved by a minute. */
    private static Receiver moved(Scene scene) throws Exception {
        Receiver receiver = scene.receive(Shared);
        List<Sent> sent = scene.send(MESSAGES, i -> FAR_MILLIS);
        scene.awaitDelayed(MESSAGES);
        List<MessageName> ids = sent.stream().map(message -> MessageName.parse(CommandClient.text(message.messageId()))).toList();
        var results = StoredLedgers.commands().move(scene.topic(), Optional.of(Scene.SUB), new Named(ids, false),
                new DueAt(sent.get(0).deliverAtMillis() + 60_000), new Options(false, true), new Caller("test"))
                .get(SOON_MILLIS, TimeUnit.MILLISECONDS);
        assertEquals(Collections.nCopies(MESSAGES, Answer.MOVED), results.get(0).answers());
        assertEquals(1, ledgers.of(scene.topic()).size());
        assertNotEquals(Map.of(), ledgers.recordOf(scene.topic(), Scene.SUB));
        return receiver;
    }

    private static void nothingIsLeft(Scene scene) throws Exception {
        ledgers.mustBeEmpty(scene.topic());
    }

    @Test
    void aConsumerThatUnsubscribesLeavesNone() throws Exception {
        try (Scene scene = scene("unsubscribe")) {
            moved(scene).consumer().unsubscribe();
            nothingIsLeft(scene);
        }
    }

    @Test
    void aSubscriptionDeletedWithoutConsumersLeavesNone() throws Exception {
        try (Scene scene = scene("delete-subscription")) {
            moved(scene).close();
            scene.admin().topics().deleteSubscription(scene.topic(), Scene.SUB);
            nothingIsLeft(scene);
        }
    }

    @Test
    void aSubscriptionDeletedByForceLeavesNone() throws Exception {
        try (Scene scene = scene("delete-by-force")) {
            moved(scene);
            scene.admin().topics().deleteSubscription(scene.topic(), Scene.SUB, true);
            nothingIsLeft(scene);
        }
    }

    @Test
    void aSubscriptionDeletedAfterAnUnloadLeavesNone() throws Exception {
        try (Scene scene = scene("delete-unloaded")) {
            moved(scene).close();
            scene.admin().topics().unload(scene.topic());
            scene.admin().topics().deleteSubscription(scene.topic(), Scene.SUB);
            nothingIsLeft(scene);
        }
    }

    @Test
    void aTopicThatIsDeletedLeavesNone() throws Exception {
        try (Scene scene = scene("delete-topic")) {
            moved(scene).close();
            scene.admin().topics().delete(scene.topic(), true);
            nothingIsLeft(scene);
        }
    }

    @Test
    void aBacklogThatIsClearedLeavesNone() throws Exception {
        try (Scene scene = scene("clear")) {
            moved(scene);
            scene.admin().topics().skipAllMessages(scene.topic(), Scene.SUB);
            nothingIsLeft(scene);
        }
    }
}
