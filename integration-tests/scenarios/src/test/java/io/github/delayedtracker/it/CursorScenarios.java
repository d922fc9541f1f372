/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Key_Shared;
import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.common.policies.data.stats.SubscriptionStatsImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators do to a subscription's cursor behind the tracker's back. */
abstract class CursorScenarios extends Scenarios {

    @Test
    void seekBackRedeliversWhatCameAndKeepsTheRest() throws Exception {
        try (Scene scene = scene("seek-back")) {
            Receiver receiver = scene.receive(Shared);
            List<Sent> near = scene.send(100, i -> 500);
            List<Sent> far = scene.send(100, i -> Scene.MUCH_LATER_MILLIS);
            scene.awaitAcked(near);
            scene.awaitRecorded();
            receiver.consumer().seek(MessageId.earliest);
            scene.awaitAcked(far);
            Await.until(Scene.READ_MILLIS, () -> "the first hundred again: " + scene.arrivals(),
                    () -> scene.arrivals().total() >= 300);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeTimes(near, 2);
            scene.arrivals().mustBeTimes(far, 1);
            scene.mustBeInTime(Scene.SUB, far);
        }
    }

    @Test
    @Tag(SMOKE)
    void seekForwardDropsWhatIsBehind() throws Exception {
        try (Scene scene = scene("seek-forward")) {
            Receiver receiver = scene.receive(Shared);
            List<Sent> dropped = scene.send(300, i -> Scene.MUCH_LATER_MILLIS);
            scene.awaitDelayed(300);
            scene.awaitRecorded();
            receiver.consumer().seek(MessageId.latest);
            List<Sent> kept = scene.send(50, i -> Scene.LATER_MILLIS);
            scene.verify(kept);
            scene.arrivals().mustBeNone(dropped);
        }
    }

    @Test
    @Tag(SMOKE)
    void clearBacklogKeepsWhatIsPublishedAfterIt() throws Exception {
        try (Scene scene = scene("clear")) {
            scene.receive(Key_Shared);
            List<Sent> dropped = scene.send(300, i -> Scene.MUCH_LATER_MILLIS);
            scene.awaitDelayed(300);
            scene.awaitRecorded();
            scene.admin().topics().skipAllMessages(scene.topic(), Scene.SUB);
            List<Sent> kept = scene.send(100, i -> i % 2 == 0 ? 0 : Scene.LATER_MILLIS);
            scene.verify(kept);
            scene.arrivals().mustBeNone(dropped);
        }
    }

    @Test
    void clearBacklogOfFarMessagesEmptiesTheFigures() throws Exception {
        try (Scene scene = scene("clear-far")) {
            scene.receive(Shared);
            scene.send(300, i -> 3_600_000);
            scene.awaitDelayed(300);
            scene.awaitRecorded();
            scene.admin().topics().skipAllMessages(scene.topic(), Scene.SUB);
            scene.awaitEmpty(Scene.SUB);
        }
    }

    @Test
    void skippedMessagesAreNotHandedOut() throws Exception {
        try (Scene scene = scene("skip")) {
            scene.receive(Shared);
            List<Sent> sent = scene.send(100, i -> Scene.LATER_MILLIS);
            scene.awaitDelayed(100);
            scene.admin().topics().skipMessages(scene.topic(), Scene.SUB, 40);
            scene.verify(sent.subList(40, 100));
            scene.arrivals().mustBeNone(sent.subList(0, 40));
        }
    }

    @Test
    void expiredMessagesAreNotHandedOut() throws Exception {
        try (Scene scene = scene("ttl")) {
            scene.receive(Shared);
            List<Sent> expired = scene.send(200, i -> Scene.MUCH_LATER_MILLIS);
            scene.awaitDelayed(200);
            long oldMillis = System.currentTimeMillis() + 2_500;
            Await.until(5_000, () -> "messages older than a second", () -> System.currentTimeMillis() > oldMillis);
            scene.admin().topics().expireMessages(scene.topic(), Scene.SUB, 1);
            // Runs in the background; what is published before it ends is younger than a second and stays.
            List<Sent> kept = scene.send(50, i -> 5_000);
            scene.verify(kept);
            scene.arrivals().mustBeNone(expired);
        }
    }

    /** B7: 2,000 delayed, 200 acknowledged by their ids at random. */
    @Test
    @Tag(SMOKE)
    void countsAreTrueAtOnceAfterMessagesWereAcknowledgedByTheirIds() throws Exception {
        try (Scene scene = scene("acked-few")) {
            Receiver receiver = scene.receive(Shared);
            List<Sent> sent = scene.send(2_000, i -> 3_600_000);
            scene.awaitDelayed(2_000);
            List<Sent> shuffled = new ArrayList<>(sent);
            Collections.shuffle(shuffled, new Random(7));
            receiver.consumer().acknowledge(shuffled.stream().limit(200).map(Sent::messageId).toList());
            Await.until(Scene.READ_MILLIS, () -> "a backlog of 1,800", () -> scene.stats(Scene.SUB).getMsgBacklog() == 1_800);
            SubscriptionStatsImpl stats = scene.stats(Scene.SUB);
            assertEquals(1_800, stats.getMsgDelayed());
            assertEquals(0, stats.getMsgBacklogNoDelayed());
            Await.until(60_000, () -> "200 found in the index", () -> scene.pluginStat("purged_total") == 200);
            assertEquals(1_800, scene.stats(Scene.SUB).getMsgDelayed());
            scene.arrivals().mustBeNone(sent);
        }
    }

    @Test
    void messagesAcknowledgedByTheirIdsLeaveTheIndexWithinAMinute() throws Exception {
        try (Scene scene = scene("acked-far")) {
            Receiver receiver = scene.receive(Shared);
            List<Sent> sent = scene.send(2_000, i -> 3_600_000);
            scene.awaitDelayed(2_000);
            receiver.consumer().acknowledge(IntStream.range(0, sent.size()).filter(i -> i % 20 > 0)
                    .mapToObj(i -> sent.get(i).messageId()).toList());
            Await.until(60_000, () -> "1,900 of 2,000 found", () -> scene.pluginStat("purged_total") == 1_900);
            assertEquals(100, scene.stats(Scene.SUB).getMsgDelayed());
            assertEquals(100, scene.stats(Scene.SUB).getMsgBacklog());
            scene.arrivals().mustBeNone(sent);
        }
    }

    @Test
    void unsubscribeForgetsAndANewSubscriptionStartsClean() throws Exception {
        try (Scene scene = scene("unsubscribe")) {
            Receiver receiver = scene.receive(Shared);
            List<Sent> dropped = scene.send(200, i -> Scene.LATER_MILLIS);
            scene.awaitDelayed(200);
            receiver.consumer().unsubscribe();
            receiver.close();
            scene.admin().topics().createSubscription(scene.topic(), Scene.SUB, MessageId.latest);
            scene.receive(Shared);
            List<Sent> kept = scene.send(50, i -> Scene.LATER_MILLIS);
            scene.verify(kept);
            scene.arrivals().mustBeNone(dropped);
        }
    }

    @Test
    void aDeletedTopicLeavesNothingToTheNextOfItsName() throws Exception {
        try (Scene scene = scene("delete")) {
            Receiver receiver = scene.receive(Shared);
            List<Sent> dropped = scene.send(200, i -> Scene.LATER_MILLIS);
            scene.awaitDelayed(200);
            receiver.close();
            scene.closeProducer();
            scene.admin().topics().delete(scene.topic(), true);
            scene.receive(Shared);
            List<Sent> kept = scene.send(50, i -> Scene.LATER_MILLIS);
            scene.verify(kept);
            scene.arrivals().mustBeNone(dropped);
        }
    }

    @Test
    void oneSubscriptionIsClearedAndTheOtherKeepsAll() throws Exception {
        try (Scene scene = scene("clear-one")) {
            scene.receive("kept", Shared, Receiver.Options.usual());
            scene.receive("cleared", Shared, Receiver.Options.usual());
            List<Sent> sent = scene.send(200, i -> Scene.MUCH_LATER_MILLIS);
            scene.awaitDelayed("kept", 200);
            scene.awaitDelayed("cleared", 200);
            scene.awaitRecorded();
            scene.admin().topics().skipAllMessages(scene.topic(), "cleared");
            List<Sent> more = scene.send(20, i -> 3_000);
            scene.verify("kept", Stream.concat(sent.stream(), more.stream()).toList());
            scene.verify("cleared", more);
        }
    }
}
