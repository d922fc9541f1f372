/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Exclusive;
import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The bucket backend leaves no ledger and no property behind, whatever ends a subscription's use of it: after each end every
 * ledger of the bookie and the cursor's record in the metadata store are looked at. On 4.0 cursors are stored compressed.
 */
@Tag(OnABroker.MATRIX_ONLY)
class BucketCleanUpIT extends Scenarios {

    private static final String BACKEND = "delayedDeliveryIndexBackend";
    private static final int MESSAGES = 250;
    private static final long FAR_MILLIS = 3_600_000;

    private static BrokerFixture fixture;
    private static StoredLedgers ledgers;

    @BeforeAll
    static void start() throws Exception {
        BrokerSettings settings = BrokerSettings.of("bucket", false, 500)
                .with("delayedDeliveryTrackerFactoryClassName", StoredLedgers.RememberingFactory.class.getName())
                .with("delayedDeliveryMinIndexCountPerBucket", "100").with("delayedDeliveryIndexLoadAheadMillis", "2000")
                // What is doomed is held back for five times that.
                .with("metadataStoreSessionTimeoutMillis", "1000");
        if (Harness.line().equals("4.0")) {
            // 4.2.4 and 5.0.0-M1 cannot load a topic with a cursor that has properties and is stored compressed.
            settings = settings.with("managedCursorInfoCompressionType", "LZ4")
                    .with("managedCursorInfoCompressionThresholdInBytes", "0");
        }
        fixture = BrokerFixture.start(new InProcessBroker("pulsar-" + Harness.line() + "-clean-up", settings));
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

    /** A subscription with far messages in buckets. */
    private static Receiver stored(Scene scene) throws Exception {
        Receiver receiver = scene.receive(Shared);
        scene.send(MESSAGES, i -> FAR_MILLIS);
        scene.awaitDelayed(MESSAGES);
        scene.awaitRecorded();
        assertFalse(ledgers.of(scene.topic()).isEmpty(), "there are ledgers to be deleted");
        assertFalse(ledgers.recordOf(scene.topic(), Scene.SUB).isEmpty(), "and a record that names them");
        return receiver;
    }

    private static void nothingIsLeft(Scene scene) throws Exception {
        ledgers.mustBeEmpty(scene.topic());
    }

    private static void nothingIsLeftSoon(Scene scene) throws Exception {
        Await.until(20_000, () -> "no ledger of " + scene.topic() + " is left", () -> ledgers.of(scene.topic()).isEmpty()
                && ledgers.recordOf(scene.topic(), Scene.SUB).isEmpty());
    }

    @Test
    @DisplayName("#19901: unsubscribe deletes what is stored before it answers")
    void unsubscribeLeavesNothing() throws Exception {
        try (Scene scene = scene("unsubscribe")) {
            Receiver receiver = stored(scene);
            receiver.consumer().unsubscribe();
            nothingIsLeft(scene);
        }
    }

    @Test
    @DisplayName("#20075: so it does where there is no tracker")
    void unsubscribeWithoutATrackerLeavesNothing() throws Exception {
        try (Scene scene = scene("unsubscribe-unloaded")) {
            stored(scene).close();
            scene.admin().topics().unload(scene.topic());
            scene.admin().topics().deleteSubscription(scene.topic(), Scene.SUB);
            nothingIsLeft(scene);
        }
    }

    @Test
    void topicDeleteLeavesNothing() throws Exception {
        try (Scene scene = scene("delete")) {
            stored(scene).close();
            scene.closeProducer();
            scene.admin().topics().delete(scene.topic());
            nothingIsLeft(scene);
        }
    }

    @Test
    void topicDeleteByForceLeavesNothing() throws Exception {
        try (Scene scene = scene("delete-force")) {
            // A consumer would come back, and with it the topic.
            stored(scene).close();
            scene.closeProducer();
            scene.admin().topics().delete(scene.topic(), true);
            nothingIsLeft(scene);
        }
    }

    @Test
    void clearBacklogLeavesNothing() throws Exception {
        try (Scene scene = scene("clear")) {
            stored(scene);
            scene.admin().topics().skipAllMessages(scene.topic(), Scene.SUB);
            nothingIsLeft(scene);
        }
    }

    @Test
    void seekToTheEndLeavesNothingOnceTheTrackerHasWork() throws Exception {
        try (Scene scene = scene("seek")) {
            Receiver receiver = stored(scene);
            List<Long> before = ledgers.of(scene.topic());
            receiver.consumer().seek(MessageId.latest);
            scene.send(MESSAGES, i -> FAR_MILLIS);
            Await.until(20_000, () -> "ledgers " + before + " are gone",
                    () -> Collections.disjoint(before, ledgers.of(scene.topic())));
        }
    }

    @Test
    void anotherBackendByPropertyLeavesNothingSoonAndAllMessages() throws Exception {
        try (Scene scene = scene("other-backend")) {
            scene.receive(Shared);
            List<Sent> sent = scene.send(MESSAGES, i -> 12_000);
            scene.awaitDelayed(MESSAGES);
            scene.awaitRecorded();
            assertFalse(ledgers.of(scene.topic()).isEmpty(), "there are ledgers to be deleted");
            scene.admin().topics().updateSubscriptionProperties(scene.topic(), Scene.SUB, Map.of(BACKEND, "timebucket"));
            scene.admin().topics().unload(scene.topic());
            nothingIsLeftSoon(scene);
            scene.awaitDelayed(MESSAGES);
            assertEquals(List.of(), ledgers.of(scene.topic()));
            scene.verify(sent);
        }
    }

    @Test
    @DisplayName("S-21: after the policy was switched off unsubscribe leaves at most what the sweeper deletes")
    void policyOffThenUnsubscribeLeavesNothingToTheSweeper() throws Exception {
        try (Scene scene = scene("policy-off")) {
            Receiver receiver = stored(scene);
            DelayedDeliveryPolicies off = DelayedDeliveryPolicies.builder().active(false).tickTime(500).build();
            scene.admin().namespaces().setDelayedDeliveryMessages(scene.namespace(), off);
            Await.until(20_000, () -> "the policy in force",
                    () -> !scene.admin().namespaces().getDelayedDelivery(scene.namespace()).isActive());
            receiver.consumer().unsubscribe();
            assertEquals(Map.of(), ledgers.recordOf(scene.topic(), Scene.SUB));
            ledgers.sweep(scene.topic());
            nothingIsLeft(scene);
        }
    }

    @Test
    void anExclusiveConsumerAfterSharedOnesLeavesNothingAfterUnsubscribeToTheSweeper() throws Exception {
        try (Scene scene = scene("exclusive")) {
            stored(scene).close();
            scene.admin().topics().unload(scene.topic());
            Receiver exclusive = scene.receive(Exclusive);
            exclusive.consumer().unsubscribe();
            assertEquals(Map.of(), ledgers.recordOf(scene.topic(), Scene.SUB));
            ledgers.sweep(scene.topic());
            nothingIsLeft(scene);
        }
    }

    @Test
    @DisplayName("#26238: the sweeper deletes an old ledger that no cursor names, and no other")
    void theSweeperDeletesOrphansAlone() throws Exception {
        try (Scene scene = scene("orphans")) {
            stored(scene);
            List<Long> inUse = ledgers.of(scene.topic());
            scene.admin().topics().createSubscription(scene.topic(), "quiet", MessageId.earliest);
            long named = ledgers.write(scene.topic(), "quiet", true);
            long unnamed = ledgers.write(scene.topic(), "quiet", false);
            long ofNoCursor = ledgers.write(scene.topic(), "gone", false);
            long ofNoTopic = ledgers.write(scene.topic() + "-gone", "s", false);
            long ofAnotherCluster = ledgers.writeElsewhere(scene.topic(), "gone");
            ledgers.record(scene.topic(), "quiet", named);
            scene.admin().topics().unload(scene.topic());
            assertEquals(Set.of(unnamed, ofNoCursor), ledgers.sweep(scene.topic()), "a look tells what a sweep deletes");
            assertEquals(Set.of(ofNoTopic), ledgers.sweep(scene.topic() + "-gone"));
            List<Long> left = ledgers.all();
            assertFalse(left.contains(unnamed) || left.contains(ofNoCursor) || left.contains(ofNoTopic), "orphans go");
            assertEquals(true, left.contains(named) && left.contains(ofAnotherCluster) && left.containsAll(inUse), "others stay");
        }
    }

    @Test
    @DisplayName("S11: ledgers bear the id that the metadata store has; those of a cluster of the same name, or of no id, stay")
    void theSweeperDeletesNothingOfAClusterOfTheSameName() throws Exception {
        try (Scene scene = scene("twin")) {
            stored(scene);
            String id = ledgers.shared("cluster-id");
            assertTrue(id.matches("1 [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} [0-9a-f]{8}"), id);
            assertEquals(Set.of(Optional.of(id.split(" ")[1])), ledgers.idsOf(scene.topic()));
            long orphan = ledgers.write(scene.topic(), "gone", true);
            long ofATwin = ledgers.writeByATwin(scene.topic(), "gone");
            long ofAnOlderVersion = ledgers.writeByAnOlderVersion(scene.topic(), "gone");
            ledgers.sweep(scene.topic());
            List<Long> left = ledgers.all();
            assertEquals(List.of(false, true, true),
                    List.of(left.contains(orphan), left.contains(ofATwin), left.contains(ofAnOlderVersion)));
            assertEquals(id, ledgers.shared("cluster-id"), "the id stays");
        }
    }

    @Test
    @DisplayName("S11: the sweeper goes on after the ledger that the metadata store has, and begins anew after the last one")
    void theSweeperGoesOnWhereItStopped() throws Exception {
        try (Scene scene = scene("place")) {
            long before = ledgers.write(scene.topic(), "gone", true);
            long after = ledgers.write(scene.topic(), "gone", true);
            ledgers.sweep(scene.topic());
            assertFalse(ledgers.all().contains(before) || ledgers.all().contains(after));
            assertTrue(ledgers.shared("sweep-place").startsWith("1 -1 "), ledgers.shared("sweep-place"));
            before = ledgers.write(scene.topic(), "gone", true);
            after = ledgers.write(scene.topic(), "gone", true);
            ledgers.stoppedAfter(before);
            ledgers.sweep(scene.topic());
            assertEquals(List.of(true, false), List.of(ledgers.all().contains(before), ledgers.all().contains(after)));
            assertTrue(ledgers.shared("sweep-place").startsWith("1 -1 "), ledgers.shared("sweep-place"));
            ledgers.sweep(scene.topic());
            assertFalse(ledgers.all().contains(before));
        }
    }
}
