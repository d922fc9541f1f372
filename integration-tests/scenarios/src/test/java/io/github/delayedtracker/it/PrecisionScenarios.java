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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Precision set by subscription properties: a fixed one above the tick, and one that grows with the remaining delay.
 *
 * <p>Messages are due 1 ms after a multiple of every precision in question, so each is late by its own precision less 1 ms,
 * and that can be told from the outside.
 */
abstract class PrecisionScenarios extends Scenarios {

    private static final String PRECISION = "delayedDeliveryIndexPrecisionMillis";
    private static final String RATIO = "delayedDeliveryIndexAdaptivePrecisionRatio";
    private static final String CAP = "delayedDeliveryIndexAdaptivePrecisionMaxMillis";

    private static final String FIXED = "fixed";
    private static final String GROWING = "growing";
    private static final String CAPPED = "capped";

    private static final long FIXED_MILLIS = 2_048;
    /** An eighth of the long delay, lowered to a power of two; so until 8.2 s of it are left. */
    private static final long GROWN_MILLIS = 1_024;
    private static final long CAP_MILLIS = 512;
    /** An eighth of the short delay is no more, and the precision that follows from the tick is none. */
    private static final long NEAR_MILLIS = 512;
    /** Long enough to send everything on a busy machine before the first is due. */
    private static final long SHORT_DELAY = 6_000;
    private static final long LONG_DELAY = 13_900;
    private static final int COUNT = 30;
    private static final int ROUNDS = 5;

    @Test
    @Tag(SMOKE)
    @DisplayName("messages are kept to the precision that subscription and delay give them, never early, late by no more")
    void eachMessageIsKeptToItsOwnPrecision() throws Exception {
        Assumptions.assumeTrue(broker().settings().tracker().equals("timebucket"), "only timebucket rounds times");
        Map<String, String> tooLate = play("precision-1");
        for (int round = 2; round <= ROUNDS && !tooLate.isEmpty(); round++) {
            tooLate.keySet().retainAll(play("precision-" + round).keySet());
        }
        assertTrue(tooLate.isEmpty(), () -> "late in each of " + ROUNDS + " rounds, at first by: " + tooLate);
    }

    /** Plays it once; returns what came later than the precision explains, as everything does while a machine stands still. */
    private Map<String, String> play(String name) throws Exception {
        try (Scene scene = scene(name)) {
            receive(scene, FIXED, Map.of(PRECISION, "" + FIXED_MILLIS));
            receive(scene, GROWING, Map.of(RATIO, "8", CAP, "4096"));
            receive(scene, CAPPED, Map.of(RATIO, "8", CAP, "" + CAP_MILLIS));
            List<Sent> plain = scene.send(1, i -> 0);
            List<Sent> near = send(scene, SHORT_DELAY);
            List<Sent> far = send(scene, LONG_DELAY);
            awaitInfo(scene, FIXED, "adaptive_ratio=\"0\"", "precision_ms=\"" + FIXED_MILLIS + "\"");
            awaitInfo(scene, GROWING, "adaptive_ratio=\"8\"", "adaptive_max_ms=\"4096\"");
            awaitInfo(scene, CAPPED, "adaptive_ratio=\"8\"", "adaptive_max_ms=\"" + CAP_MILLIS + "\"");
            List<Sent> all = new ArrayList<>(plain);
            all.addAll(near);
            all.addAll(far);
            all.addAll(sendPlainUntilArrived(scene, far));
            for (String subscription : List.of(FIXED, GROWING, CAPPED)) {
                scene.awaitAcked(subscription, all);
                scene.awaitEmpty(subscription);
                scene.arrivals(subscription).mustBeExactlyOnce(all);
            }
            Map<String, String> tooLate = new TreeMap<>();
            mustBeKeptTo(FIXED_MILLIS, scene, FIXED, near, tooLate);
            mustBeKeptTo(FIXED_MILLIS, scene, FIXED, far, tooLate);
            mustBeKeptTo(GROWN_MILLIS, scene, GROWING, far, tooLate);
            mustBeKeptTo(CAP_MILLIS, scene, CAPPED, far, tooLate);
            mustBeLateBy(-scene.earlyWindowMillis(), NEAR_MILLIS, scene, GROWING, near, tooLate);
            mustBeLateBy(-scene.earlyWindowMillis(), NEAR_MILLIS, scene, CAPPED, near, tooLate);
            long capped = median(scene, CAPPED, far);
            long grown = median(scene, GROWING, far);
            long fixed = median(scene, FIXED, far);
            if (grown - capped <= CAP_MILLIS / 2 || fixed - grown <= GROWN_MILLIS / 2) {
                tooLate.put("three precisions", capped + " ms with a cap, " + grown + " without, " + fixed + " if fixed");
            }
            return tooLate;
        }
    }

    private static void receive(Scene scene, String subscription, Map<String, String> properties) throws Exception {
        scene.receive(subscription, Shared, Receiver.Options.usual().with(builder -> builder.subscriptionProperties(properties)));
    }

    /** Due a millisecond after the next multiple of the widest precision, and some multiples later. */
    private static List<Sent> send(Scene scene, long delayMillis) throws Exception {
        long baseMillis = (System.currentTimeMillis() + delayMillis) / FIXED_MILLIS * FIXED_MILLIS + FIXED_MILLIS + 1;
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            sent.add(scene.sendAt(baseMillis));
        }
        return sent;
    }

    /** On a quiet topic nobody asks for what is due before it is. */
    private static List<Sent> sendPlainUntilArrived(Scene scene, List<Sent> waiting) throws Exception {
        List<Sent> plain = new ArrayList<>();
        Await.until(LONG_DELAY + FIXED_MILLIS + Scene.READ_MILLIS, () -> "arrival of the far ones", () -> {
            plain.addAll(scene.send(1, i -> 0));
            return Stream.of(FIXED, GROWING, CAPPED).allMatch(name -> scene.arrivals(name).allArrived(waiting));
        });
        return plain;
    }

    private static void awaitInfo(Scene scene, String subscription, String... labels) throws Exception {
        Await.until(Scene.READ_MILLIS, () -> "info of " + subscription + " with " + List.of(labels),
                () -> scene.pluginLines(subscription, "info").anyMatch(line -> Stream.of(labels).allMatch(line::contains)));
    }

    private static void mustBeKeptTo(long precisionMillis, Scene scene, String subscription, List<Sent> sent,
            Map<String, String> tooLate) {
        mustBeLateBy(precisionMillis - 1 - scene.earlyWindowMillis(), precisionMillis, scene, subscription, sent, tooLate);
    }

    /** None earlier, none later than two ticks and the time to read allow; told if half of them need the time to read. */
    private static void mustBeLateBy(long leastMillis, long precisionMillis, Scene scene, String subscription, List<Sent> sent,
            Map<String, String> tooLate) {
        Arrivals arrivals = scene.arrivals(subscription);
        long mostMillis = 2 * scene.settings().tickMillis() + precisionMillis;
        arrivals.mustBeInTime(sent, -leastMillis, mostMillis + Scene.READ_MILLIS);
        long medianMillis = median(scene, subscription, sent);
        if (medianMillis > mostMillis) {
            tooLate.put(subscription + " within " + precisionMillis + " ms",
                    "half of them " + medianMillis + " ms after their time, " + mostMillis + " at most");
        }
    }

    private static long median(Scene scene, String subscription, List<Sent> sent) {
        return sent.stream().map(scene.arrivals(subscription)::latenessMillis).sorted().toList().get(sent.size() / 2);
    }
}
