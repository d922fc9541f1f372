/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.metrics.Metric.Kind;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.metrics.Samples.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

    private final TrackerServices services;
    private final Supplier<Samples> stored;
    private final String cluster;
    private final FailureLog failures = new FailureLog("/metrics");

    /**
     * The lines of a broker.
     *
     * @param stored figures of the backends that store
     */
    FactoryMetrics(TrackerServices services, Supplier<Samples> stored, String cluster) {
        this.services = services;
        this.stored = stored;
        this.cluster = cluster;
    }

    /** Writes the metrics; a failure here leaves the broker's own metrics untouched. */
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
            positions += tracker.state().count();
            bytes += tracker.state().retainedBytes();
        }
        List<Sample> samples = new ArrayList<>(stored.get().put(TrackerMetrics.TRACKERS, trackers)
                .put(TrackerMetrics.POSITIONS, positions)
                .put(TrackerMetrics.BYTES, bytes)
                .put(TrackerMetrics.HELD_BYTES_OF_TOPICS, services.purges().held().bytesOfTopics())
                .putAll(services.lateness().samples())
                .put(TrackerMetrics.PURGES, services.purges().ended())
                .put(TrackerMetrics.PURGE_MICROS, TimeUnit.NANOSECONDS.toMicros(services.purges().workedNanos()))
                .put(TrackerMetrics.PURGES_WAITING, services.purges().waiting())
                .put(TrackerMetrics.ARMED_WAKE_UPS, services.timer().armedCount())
                .all());
        samples.sort(Comparator.comparing(sample -> sample.metric().exportedName()));
        String begin = "{cluster=\"" + escaped(cluster) + '"';
        String typed = "";
        StringBuilder lines = new StringBuilder();
        for (Sample sample : samples) {
            if (!typed.equals(sample.metric().typedName())) {
                typed = sample.metric().typedName();
                lines.append("# TYPE ").append(typed).append(' ').append(type(sample.metric().kind())).append('\n');
            }
            lines.append(sample.metric().exportedName()).append(begin);
            String[] labels = sample.series().labelsAndValues();
            for (int i = 0; i < labels.length; i += 2) {
                lines.append(',').append(labels[i]).append("=\"").append(labels[i + 1]).append('"');
            }
            lines.append("} ").append(sample.value()).append('\n');
        }
        return lines.toString();
    }

    private static String type(Kind kind) {
        return switch (kind) {
            case COUNTER -> "counter";
            case HISTOGRAM -> "histogram";
            default -> "gauge";
        };
    }

    private static String escaped(String value) {
        return value == null ? "" : value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
