/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.pulsar.broker.PulsarService;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How far a call goes and how often it takes the lock, as told in docs/architecture.md.
 * By itself: threads that other tests have left would count.
 */
@EnabledIfSystemProperty(named = "paths.count", matches = "true")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PathsTest {

    private final FakeBroker broker = new FakeBroker();

    private SkipReadAdapter warm() throws Exception {
        SubscriptionTracker tracker = broker.tracker(true);
        SkipReadAdapter adapter = new SkipReadAdapter(broker.dispatcher, tracker, 1_000, true);
        CallPath.countLocksOf(tracker.state());
        for (int i = 0; i < 100; i++) {
            adapter.addMessage(1, i, NOW + 10_000 + i);
        }
        return adapter;
    }

    @Test
    void aMessageIsIndexed() throws Exception {
        SkipReadAdapter adapter = warm();
        CallPath.check("a message is indexed (`heap`)", () -> adapter.addMessage(1, 1_000, NOW + 20_000));
    }

    @Test
    void messagesThatAreDueAreHandedOut() throws Exception {
        SkipReadAdapter adapter = warm();
        broker.timer.advanceTo(NOW + 15_000);
        CallPath.check("what is due is handed out (`heap`)", () -> adapter.getScheduledMessages(50));
    }

    @Test
    void theStatisticsOfASubscriptionAreRead() throws Exception {
        SkipReadAdapter adapter = warm();
        CallPath.check("the statistics of a subscription are read (`heap`)", adapter::genTopicMetricMap);
    }

    /** The last, since the factory's threads end a while after it is closed. */
    @Test
    @Order(Integer.MAX_VALUE)
    void aKeyReachesItsUser() throws Exception {
        PulsarService pulsar = mock(PulsarService.class);
        broker.configuration.setClusterName("c");
        broker.configuration.getProperties().setProperty("delayedDeliveryIndexBackend", "heap");
        when(pulsar.getConfiguration()).thenReturn(broker.configuration);
        when(pulsar.getBrokerVersion()).thenReturn("4.0.7");
        PluggableDelayedDeliveryTrackerFactory factory = new PluggableDelayedDeliveryTrackerFactory();
        CallPath.check("a key of the configuration reaches its user, from the start of the factory to the first tracker", () -> {
            try {
                factory.initialize(pulsar);
                factory.newTracker(broker.dispatcher);
            } catch (Exception e) {
                throw new IllegalStateException("the factory does not start", e);
            }
        });
        factory.close();
    }
}
