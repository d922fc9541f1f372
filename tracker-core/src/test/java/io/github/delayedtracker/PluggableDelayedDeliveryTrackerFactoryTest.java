/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.config.InvalidSettingException;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.delayed.BucketDelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTracker;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PluggableDelayedDeliveryTrackerFactoryTest {

    private final FakeBroker broker = new FakeBroker();
    private final PulsarService pulsar = mock(PulsarService.class);
    private final PluggableDelayedDeliveryTrackerFactory factory = new PluggableDelayedDeliveryTrackerFactory();

    @AfterEach
    void close() {
        factory.close();
    }

    private void initialize(String... keysAndValues) throws Exception {
        broker.configuration.setClusterName("c");
        broker.configuration.getProperties().setProperty("delayedDeliveryIndexBackend", "heap");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            broker.configuration.getProperties().setProperty(keysAndValues[i], keysAndValues[i + 1]);
        }
        when(pulsar.getConfiguration()).thenReturn(broker.configuration);
        when(pulsar.getBrokerVersion()).thenReturn("4.0.7");
        factory.initialize(pulsar);
    }

    private static String infoLabel(DelayedDeliveryTracker tracker, String label) {
        String[] labels = ((SkipReadAdapter) tracker).genTopicMetricMap().get("pulsar_delayed_index_info").labelsAndValues;
        for (int i = 0; i < labels.length; i += 2) {
            if (labels[i].equals(label)) {
                return labels[i + 1];
            }
        }
        return "no label " + label;
    }

    @Test
    void trackersAreOfTheTypeTheBrokerAsksForSkipReads() throws Exception {
        initialize();
        DelayedDeliveryTracker tracker = factory.newTracker(broker.dispatcher);
        assertInstanceOf(SkipReadAdapter.class, tracker);
        assertEquals("heap", infoLabel(tracker, "backend"));
        tracker.close();
    }

    @Test
    @DisplayName("Trap 1: newTrackerAsync, which brokers from 5.0.1 on call, gives this project's tracker")
    void newTrackerAsyncGivesOurTracker() throws Exception {
        initialize();
        CompletableFuture<?> made = (CompletableFuture<?>) factory.getClass()
                .getMethod("newTrackerAsync", AbstractPersistentDispatcherMultipleConsumers.class)
                .invoke(factory, broker.dispatcher);
        assertInstanceOf(SkipReadAdapter.class, made.join());
        ((DelayedDeliveryTracker) made.join()).close();
    }

    @Test
    void skipReadsCanBeSwitchedOff() throws Exception {
        initialize("delayedDeliveryIndexSkipReads", "false");
        DelayedDeliveryTracker tracker = factory.newTracker(broker.dispatcher);
        assertInstanceOf(PlainAdapter.class, tracker);
        tracker.close();
    }

    @Test
    @DisplayName("#19901: the broker cleans up only behind a factory of the stock bucket type")
    void cleanUpHookIsThere() throws Exception {
        initialize();
        assertInstanceOf(BucketDelayedDeliveryTrackerFactory.class, factory);
        assertTrue(factory.cleanResidualSnapshots(broker.cursor).isDone());
    }

    @Test
    void anUnknownBackendStopsTheBrokerWithOneLine() {
        InvalidSettingException e = assertThrows(InvalidSettingException.class,
                () -> initialize("delayedDeliveryIndexBackend", "heapp"));
        assertTrue(e.getMessage().startsWith("delayedDeliveryIndexBackend = 'heapp'"), e.getMessage());
        assertFalse(e.getMessage().contains("\n"));
    }

    @Test
    void aBadSubscriptionPropertyIsIgnoredAndCounted() throws Exception {
        initialize();
        broker.subscriptionProperties.put("delayedDeliveryIndexBackend", "far");
        DelayedDeliveryTracker tracker = factory.newTracker(broker.dispatcher);
        assertEquals("heap", infoLabel(tracker, "backend"));
        assertEquals(1.0, ((SkipReadAdapter) tracker).genTopicMetricMap()
                .get("pulsar_delayed_index_ignored_properties").value);
        tracker.close();
    }

    @Test
    void aSubscriptionWithoutPropertiesGetsTheBrokersSettings() throws Exception {
        initialize();
        when(broker.subscription.getSubscriptionProperties()).thenReturn(null);
        DelayedDeliveryTracker tracker = factory.newTracker(broker.dispatcher);
        assertTrue(tracker.addMessage(1, 1, System.currentTimeMillis() + 60_000));
        tracker.close();
    }

    @Test
    void aBackendThatDoesNotRoundTakesAdaptivePrecisionWithoutEffect() throws Exception {
        initialize("delayedDeliveryIndexAdaptivePrecisionRatio", "1000");
        broker.subscriptionProperties.put("delayedDeliveryIndexAdaptivePrecisionMaxMillis", "4096");
        DelayedDeliveryTracker tracker = factory.newTracker(broker.dispatcher);
        assertEquals("0", infoLabel(tracker, "adaptive_ratio"));
        assertFalse(((SkipReadAdapter) tracker).genTopicMetricMap().containsKey("pulsar_delayed_index_ignored_properties"));
        tracker.close();
    }

    @Test
    void theTickOfTheTopicIsTakenFromTheStart() throws Exception {
        initialize();
        when(broker.topic.getDelayedDeliveryTickTimeMillis()).thenReturn(40L);
        DelayedDeliveryTracker tracker = factory.newTracker(broker.dispatcher);
        assertEquals("40", infoLabel(tracker, "tick_ms"));
        tracker.resetTickTime(0);
        assertEquals("1", infoLabel(tracker, "tick_ms"));
        tracker.close();
    }

    @Test
    void factoryFiguresAreAddedToMetrics() throws Exception {
        initialize();
        verify(pulsar).addPrometheusRawMetricsProvider(any());
        SubscriptionTracker tracker = broker.tracker(true);
        broker.services.registry().add(tracker);
        tracker.addMessage(1, 1, NOW + 5_000);
        Metric far = Metric.counter(Metric.BROKER, "far_sweeps_total", "", "some");
        String lines = new FactoryMetrics(broker.services, () -> new Samples().put(far, 3), "a\"b").render();
        assertTrue(lines.contains("# TYPE pulsar_delayed_index_broker_far_sweeps_total counter\n"), lines);
        assertTrue(lines.contains("pulsar_delayed_index_broker_far_sweeps_total{cluster=\"a\\\"b\"} 3\n"), lines);
        assertTrue(lines.contains("pulsar_delayed_index_broker_positions{cluster=\"a\\\"b\"} 1\n"), lines);
    }
}
