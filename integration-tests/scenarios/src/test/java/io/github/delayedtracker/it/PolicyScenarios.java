/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.common.policies.data.DelayedDeliveryPolicies;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Delayed delivery policies of topics and namespaces, changed while messages are tracked. */
abstract class PolicyScenarios extends Scenarios {

    private static final long LONG_TICK = 2_000;
    private static final long SHORT_TICK = 50;
    private static final long MINUTE_TICK = 60_000;

    @Test
    @DisplayName("S-05: a quiet topic with a tick below the broker's delivers")
    void s05AQuietTopicWithAShortTickDelivers() throws Exception {
        try (Scene scene = scene("short-tick")) {
            scene.receive(Shared);
            setTopicPolicy(scene, SHORT_TICK, true);
            List<Sent> sent = scene.send(20, i -> 1_000 + i * 117L);
            scene.verify(sent);
        }
    }

    @Test
    @Tag(SMOKE)
    void aTopicTickChangedBothWaysKeepsEverything() throws Exception {
        try (Scene scene = scene("topic-tick")) {
            scene.receive(Shared);
            List<Sent> sent = new ArrayList<>(scene.send(150, i -> 1_500 + i * 20L));
            setTopicPolicy(scene, LONG_TICK, true);
            sent.addAll(scene.send(150, i -> 1_500 + i * 20L));
            setTopicPolicy(scene, SHORT_TICK, true);
            sent.addAll(scene.send(150, i -> 1_500 + i * 20L));
            verifyWithin(scene, sent);
        }
    }

    @Test
    void aNamespaceTickChangedBothWaysKeepsEverything() throws Exception {
        try (Scene scene = scene("namespace-tick")) {
            scene.receive(Shared);
            List<Sent> sent = new ArrayList<>(scene.send(150, i -> 1_500 + i * 20L));
            setNamespacePolicy(scene, SHORT_TICK);
            sent.addAll(scene.send(150, i -> 1_500 + i * 20L));
            setNamespacePolicy(scene, LONG_TICK);
            sent.addAll(scene.send(150, i -> 1_500 + i * 20L));
            verifyWithin(scene, sent);
        }
    }

    @Test
    @DisplayName("B2: after a tick of a minute is lowered new messages are in time, though one due in a day was indexed by it")
    void b2ALoweredTickHoldsAtOnceForNewMessages() throws Exception {
        try (Scene scene = scene("lowered-tick")) {
            scene.receive(Shared);
            setTopicPolicy(scene, MINUTE_TICK, true);
            if (!scene.settings().strict()) {
                awaitSwitchedOff(scene);
            }
            scene.send(1, i -> 86_400_000);
            scene.awaitDelayed(1);
            setTopicPolicy(scene, SHORT_TICK, true);
            awaitSwitchedOn(scene, 1);
            List<Sent> sent = scene.send(50, i -> 2_000 + i * 20L);
            scene.awaitAcked(sent);
            scene.arrivals().mustBeInTime(sent, scene.settings().strict() ? 0 : SHORT_TICK, 3 * SHORT_TICK + Scene.READ_MILLIS);
        }
    }

    @Test
    void switchedOffNewMessagesGoAtOnceAndTrackedOnesComeOnce() throws Exception {
        try (Scene scene = scene("policy-off")) {
            scene.receive(Shared);
            List<Sent> tracked = scene.send(200, i -> Scene.LATER_MILLIS + i);
            scene.awaitDelayed(200);
            setTopicPolicy(scene, scene.settings().tickMillis(), false);
            List<Sent> probes = new ArrayList<>(awaitSwitchedOff(scene));
            List<Sent> atOnce = scene.send(50, i -> 3_600_000);
            Await.until(Scene.READ_MILLIS, () -> "messages of an hour's delay at once: " + scene.arrivals(),
                    () -> scene.arrivals().allAcked(atOnce));
            scene.awaitAcked(tracked);
            setTopicPolicy(scene, scene.settings().tickMillis(), true);
            probes.addAll(awaitSwitchedOn(scene, 0));
            List<Sent> again = scene.send(50, i -> 1_500);
            scene.awaitAcked(again);
            scene.awaitAcked(probes);
            scene.awaitEmpty(Scene.SUB);
            List<Sent> all = new ArrayList<>(tracked);
            all.addAll(probes);
            all.addAll(atOnce);
            all.addAll(again);
            scene.arrivals().mustBeExactlyOnce(all);
            scene.mustBeInTime(Scene.SUB, again);
            assertTrue(scene.arrivals().latenessMillis(atOnce.get(0)) < 0, "was to come before its time");
        }
    }

    /** In time for whichever tick was in force while a message waited. */
    private static void verifyWithin(Scene scene, List<Sent> sent) throws Exception {
        scene.awaitAcked(sent);
        // On a busy machine a dispatcher that reads new messages while it reads those due may send some twice.
        HandOutAccount account = HandOutAccount.of(scene, sent);
        // Each is read again at most once because the tick was lowered.
        account.mustShowOneHandOutForEachTracking(sent.size());
        account.mustHaveComeAtMost(2, scene.arrivals(), sent);
        scene.awaitEmptyBut(Scene.SUB, () -> scene.arrivals().repeats(sent));
        long early = scene.settings().strict() ? 0 : LONG_TICK;
        scene.arrivals().mustBeInTime(sent, early, 3 * LONG_TICK + Scene.READ_MILLIS);
    }

    private static void setTopicPolicy(Scene scene, long tickMillis, boolean active) throws Exception {
        DelayedDeliveryPolicies policy = policy(tickMillis, active);
        // The system topic behind topic policies may still be loading.
        Await.until(20_000, () -> "the topic takes its policy", () -> {
            scene.admin().topicPolicies().setDelayedDeliveryPolicy(scene.topic(), policy);
            return true;
        });
        Await.until(20_000, () -> "the topic policy in force", () -> {
            DelayedDeliveryPolicies now = scene.admin().topicPolicies().getDelayedDeliveryPolicy(scene.topic(), true);
            return now != null && now.getTickTime() == tickMillis && now.isActive() == active;
        });
    }

    /**
     * The admin interface reads a policy back before the broker has told the topic of it: sends one message after the other
     * until one comes before its time; returns them all.
     */
    private static List<Sent> awaitSwitchedOff(Scene scene) throws Exception {
        List<Sent> probes = new ArrayList<>();
        Await.until(60_000, () -> "a delayed message at once: " + scene.arrivals(), () -> {
            Sent probe = scene.send(1, i -> Scene.LATER_MILLIS).get(0);
            probes.add(probe);
            scene.awaitAcked(List.of(probe));
            return scene.arrivals().latenessMillis(probe) < -scene.settings().tickMillis();
        });
        return probes;
    }

    /** The same until one is held back, in a topic that holds back so many others. */
    private static List<Sent> awaitSwitchedOn(Scene scene, long others) throws Exception {
        List<Sent> probes = new ArrayList<>();
        Await.until(60_000, () -> "a delayed message held back: " + scene.arrivals(), () -> {
            List<Sent> probe = scene.send(1, i -> Scene.LATER_MILLIS);
            probes.addAll(probe);
            Await.until(Scene.READ_MILLIS, () -> "the message at once or delayed: " + scene.arrivals(),
                    () -> scene.arrivals().allAcked(probe) || scene.stats(Scene.SUB).getMsgDelayed() == others + 1);
            return !scene.arrivals().allAcked(probe);
        });
        return probes;
    }

    private static void setNamespacePolicy(Scene scene, long tickMillis) throws Exception {
        scene.admin().namespaces().setDelayedDeliveryMessages(scene.namespace(), policy(tickMillis, true));
        Await.until(20_000, () -> "the namespace policy in force",
                () -> scene.admin().namespaces().getDelayedDelivery(scene.namespace()).getTickTime() == tickMillis);
    }

    private static DelayedDeliveryPolicies policy(long tickMillis, boolean active) {
        return DelayedDeliveryPolicies.builder().active(active).tickTime(tickMillis).build();
    }
}
