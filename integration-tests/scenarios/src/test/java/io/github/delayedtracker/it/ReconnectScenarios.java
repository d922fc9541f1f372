/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Key_Shared;
import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.SubscriptionType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Consumers that go and come back, and topics that are unloaded, while messages are tracked or overdue. */
abstract class ReconnectScenarios extends Scenarios {

    @Test
    @Tag(SMOKE)
    void aReconnectReadsAlmostNothingAgain() throws Exception {
        try (Scene scene = scene("reconnect")) {
            Receiver first = scene.receive(Shared);
            List<Sent> delayed = scene.send(1_000, i -> Scene.LATER_MILLIS + i);
            scene.awaitDelayed(1_000);
            double offersBefore = scene.pluginStat("offers_total");
            first.close();
            scene.receive(Shared);
            List<Sent> plain = scene.send(1, i -> 0);
            Await.until(Scene.READ_MILLIS, () -> "the plain message behind the delayed ones: " + scene.arrivals(),
                    () -> scene.arrivals().allAcked(plain));
            if (scene.settings().plugin()) {
                double offeredAgain = scene.pluginStat("offers_total") - offersBefore;
                assertTrue(offersBefore >= 1_000, "offers_total counts " + offersBefore + " of 1000 entries read");
                assertTrue(offeredAgain <= 1 + delayed.size() / 100.0,
                        "a reconnect read " + offeredAgain + " entries, 1000 are tracked and 1 is new");
            }
            scene.verify(Stream.concat(delayed.stream(), plain.stream()).toList());
        }
    }

    @Test
    @DisplayName("A reconnect with 500 overdue messages and a slow consumer sends each once (Shared)")
    void overdueMessagesComeOnceAfterAReconnect() throws Exception {
        overdueReconnect("overdue-shared", Shared);
    }

    @Test
    @DisplayName("A reconnect with 500 overdue messages and a slow consumer sends each once (Key_Shared)")
    void overdueMessagesComeOnceAfterAReconnectOfKeyShared() throws Exception {
        overdueReconnect("overdue-keys", Key_Shared);
    }

    private void overdueReconnect(String name, SubscriptionType type) throws Exception {
        try (Scene scene = scene(name)) {
            Receiver first = scene.receive(type);
            List<Sent> sent = scene.send(500, i -> Scene.LATER_MILLIS + i % 10);
            scene.awaitDelayed(500);
            first.close();
            scene.awaitPassed(sent);
            scene.receive(type, Receiver.Options.usual().queue(1_000).work(20));
            scene.awaitAcked(sent);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeExactlyOnce(sent);
        }
    }

    @Test
    @Tag(SMOKE)
    void unloadAndReloadLosesAndRepeatsNothing() throws Exception {
        try (Scene scene = scene("unload")) {
            scene.receive(Shared);
            scene.receive(Shared);
            List<Sent> sent = scene.send(600, i -> Scene.LATER_MILLIS + i * 5L);
            scene.awaitDelayed(600);
            scene.admin().topics().unload(scene.topic());
            scene.verify(sent);
        }
    }

    @Test
    void overdueMessagesComeOnceAfterAnUnloadWithoutConsumers() throws Exception {
        try (Scene scene = scene("unload-overdue")) {
            Receiver first = scene.receive(Key_Shared);
            List<Sent> sent = scene.send(500, i -> Scene.LATER_MILLIS + i % 10);
            scene.awaitDelayed(500);
            first.close();
            scene.admin().topics().unload(scene.topic());
            scene.awaitPassed(sent);
            scene.receive(Key_Shared, Receiver.Options.usual().work(5));
            scene.awaitAcked(sent);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeExactlyOnce(sent);
        }
    }

    @Test
    void whatAConsumerLeavesUnacknowledgedGoesToTheNextOnce() throws Exception {
        try (Scene scene = scene("leaver")) {
            Receiver leaver = scene.receive(Shared, Receiver.Options.usual().neverAcknowledging());
            List<Sent> sent = scene.send(200, i -> 500 + (i % 2) * Scene.LATER_MILLIS);
            Await.until(Scene.READ_MILLIS, () -> "the first half: " + scene.arrivals(),
                    () -> scene.arrivals().distinct() == 100);
            leaver.close();
            scene.receive(Shared);
            scene.awaitAcked(sent);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeTimes(half(sent, 0), 2);
            scene.arrivals().mustBeTimes(half(sent, 1), 1);
            scene.mustBeInTime(Scene.SUB, half(sent, 1));
        }
    }

    @Test
    void consumersThatComeAndGoMissNothing() throws Exception {
        try (Scene scene = scene("churn")) {
            scene.receive(Shared);
            List<Sent> sent = scene.send(1_000, i -> 1_000 + i * 4L);
            for (int round = 0; round < 5; round++) {
                int seen = 150 * round;
                Receiver guest = scene.receive(Shared, Receiver.Options.usual().queue(10));
                Await.until(20_000, () -> "more than " + seen + ": " + scene.arrivals(),
                        () -> scene.arrivals().ackedCount() > seen);
                guest.close();
            }
            scene.awaitAcked(sent);
            scene.awaitEmpty(Scene.SUB);
            // A guest may leave with messages in its queue; those go to the other consumer.
            scene.mustBeInTime(Scene.SUB, sent);
            assertTrue(scene.arrivals().total() <= sent.size() + 5 * 20, "too many again: " + scene.arrivals());
        }
    }

    @Test
    void aChangeFromSharedToKeySharedKeepsEverything() throws Exception {
        try (Scene scene = scene("type-switch")) {
            Receiver shared = scene.receive(Shared);
            List<Sent> sent = scene.send(300, i -> Scene.LATER_MILLIS + i * 3L);
            scene.awaitDelayed(300);
            shared.close();
            scene.receive(Key_Shared);
            scene.verify(sent);
        }
    }

    private static List<Sent> half(List<Sent> sent, int parity) {
        return Stream.iterate(parity, i -> i < sent.size(), i -> i + 2).map(sent::get).toList();
    }
}
