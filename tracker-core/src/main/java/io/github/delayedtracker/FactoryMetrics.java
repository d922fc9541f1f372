/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pulsar.broker.stats.prometheus.PrometheusRawMetricsProvider;
import org.apache.pulsar.common.util.SimpleTextOutputStream;

/**
 * The factory's own lines in /metrics: how many trackers live, how many wake-ups are armed, and the totals over all
 * subscriptions of the broker; and what backends that store say of the broker as a whole. Built whole before a byte is written,
 * so a failure writes nothing.
 */
final class FactoryMetrics implements PrometheusRawMetricsProvider {

    private static final String PREFIX = "pulsar_delayed_index_broker_";

    private final TrackerServices services;
    private final Supplier<Map<String, Long>> stored;
    private final String cluster;
    private final FailureLog failures = new FailureLog("/metrics");

    /**
     * The lines of a broker.
     *
     * @param stored figures of the backends that store, by name
     */
    FactoryMetrics(TrackerServices services, Supplier<Map<String, Long>> stored, String cluster) {
        this.services = services;
        this.stored = stored;
        this.cluster = cluster;
    }

    /** What fails here does not take the broker's own metrics with it. */
    @Override
    public void generate(SimpleTextOutputStream stream) {
        String lines;
        try {
            lines = render();
        } catch (RuntimeException | Error e) {
            failures.report("generate", e, false);
            return;
        }
        stream.write(lines);
    }

    String render() {
        long trackers = 0;
        long positions = 0;
        long bytes = 0;
        for (SubscriptionTracker tracker : services.registry().live()) {
            trackers++;
            positions += tracker.numberOfDelayedMessages();
            bytes += tracker.state().retainedBytes();
        }
        Map<String, Long> figures = new TreeMap<>(stored.get());
        figures.put("trackers", trackers);
        figures.put("positions", positions);
        figures.put("bytes", bytes);
        figures.put("purge_micros_total", TimeUnit.NANOSECONDS.toMicros(services.purges().workedNanos()));
        figures.put("purges_waiting", (long) services.purges().waiting());
        figures.put("armed_wake_ups", (long) services.timer().armedCount());
        String label = cluster == null ? "" : cluster.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        StringBuilder lines = new StringBuilder();
        figures.forEach((name, value) -> lines.append("# TYPE ").append(PREFIX).append(name)
                .append(name.endsWith("_total") ? " counter\n" : " gauge\n")
                .append(PREFIX).append(name).append("{cluster=\"").append(label).append("\"} ").append(value).append('\n'));
        return lines.toString();
    }
}
