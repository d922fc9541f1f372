/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.apache.pulsar.client.api.SubscriptionType.Shared;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.pulsar.common.policies.data.stats.SubscriptionStatsImpl;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What can be seen from outside: topic statistics and the metrics page. */
abstract class StatsScenarios extends Scenarios {

    /** Between sweeps for orphans, minutes. */
    static final String SWEEP_INTERVAL = "delayedDeliveryIndexSweepIntervalMinutes";

    @Test
    @Tag(SMOKE)
    void topicStatsShowTheTruthWhileMessagesWait() throws Exception {
        try (Scene scene = scene("stats")) {
            scene.receive(Shared);
            List<Sent> plain = scene.send(20, i -> 0);
            List<Sent> waiting = scene.send(300, i -> 3_600_000);
            scene.awaitAcked(plain);
            scene.awaitDelayed(300);
            Await.until(Scene.READ_MILLIS, () -> "backlog of 300, all of it delayed", () ->
                    scene.stats(Scene.SUB).getMsgBacklog() == 300 && scene.stats(Scene.SUB).getUnackedMessages() == 0);
            SubscriptionStatsImpl stats = scene.stats(Scene.SUB);
            assertEquals(0, stats.getMsgBacklogNoDelayed());
            assertTrue(stats.getDelayedMessageIndexSizeInBytes() > 0, "an index of 300 positions has a size");
            scene.admin().topics().skipAllMessages(scene.topic(), Scene.SUB);
            scene.awaitEmpty(Scene.SUB);
            scene.arrivals().mustBeNone(waiting);
        }
    }

    @Test
    @Tag(SMOKE)
    void thePluginsOwnFieldsFollowTheMessages() throws Exception {
        Assumptions.assumeTrue(broker().settings().plugin(), "only the plugin has these fields");
        try (Scene scene = scene("fields")) {
            scene.receive(Shared);
            List<Sent> sent = scene.send(200, i -> Scene.MUCH_LATER_MILLIS);
            scene.awaitDelayed(200);
            String backend = "backend=\"" + scene.settings().tracker() + "\"";
            Await.until(Scene.READ_MILLIS, () -> "info with " + backend,
                    () -> scene.pluginLines("info").anyMatch(line -> line.contains(backend)));
            assertEquals(200, scene.pluginStat("offers_total"));
            assertEquals(0, scene.pluginStat("handed_out_total"));
            scene.verify(sent);
            Await.until(Scene.READ_MILLIS, () -> "200 handed out", () -> scene.pluginStat("handed_out_total") == 200);
        }
    }

    @Test
    void theSweeperOfALeadingBrokerLooksOnceAnInterval() throws Exception {
        needs(SWEEP_INTERVAL);
        String metric = "pulsar_delayed_index_broker_bucket_sweeps_total{";
        Await.until(90_000, () -> metric + " of 1 or more", () -> Net.get(broker().broker().adminUrl() + "/metrics/").lines()
                .anyMatch(line -> line.startsWith(metric) && !line.endsWith(" 0")));
    }
}
