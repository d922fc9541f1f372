/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the metrics of all brokers once a second, and writes down what their trackers did, so that a verdict can tell whether
 * anything was there to be struck. Counters begin anew with each load of a topic; what happens between a look and the end of a
 * broker is not seen.
 */
final class TrackerWatch implements AutoCloseable {

    private static final Map<String, String> COUNTERS = Map.of("seals", "pulsar_delayed_index_bucket_seals_total",
            "merges", "pulsar_delayed_index_bucket_merges_total", Judge.HANDED_OUT, "pulsar_delayed_index_handed_out_total");
    private static final Map<String, String> GAUGES = Map.of("looks-at-a-journal", "pulsar_delayed_index_ack_journal_positions");
    /** A machine that wakes a thread so late may have kept the cluster waiting as long: the verdict tells how long in all. */
    private static final long STILL_MILLIS = 500;
    private static final long MOMENT_GAP_MILLIS = 20;

    private final List<BrokerMetrics> brokers;
    private final RunFile file;
    private final Map<String, Double> last = new HashMap<>();
    private final Thread thread = new Thread(this::watch, "tracker-watch");

    TrackerWatch(List<BrokerMetrics> brokers, RunFile file) {
        this.brokers = brokers;
        this.file = file;
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long fromNanos = System.nanoTime();
                TimeUnit.MILLISECONDS.sleep(Stillness.GAP_MILLIS);
                long lateMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNanos) - Stillness.GAP_MILLIS;
                if (lateMillis > STILL_MILLIS) {
                    file.add(Kind.SEEN, Stillness.STOOD_STILL, lateMillis);
                }
                for (int i = 0; i < brokers.size(); i++) {
                    note(i, brokers.get(i).look());
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void note(int broker, Map<String, Double> look) {
        COUNTERS.forEach((name, metric) -> {
            double grown = 0;
            for (Map.Entry<String, Double> line : look.entrySet()) {
                if (BrokerMetrics.isOf(line.getKey(), metric)) {
                    Double before = last.put(broker + line.getKey(), line.getValue());
                    grown += before == null || before > line.getValue() ? line.getValue() : line.getValue() - before;
                }
            }
            if (grown > 0) {
                file.add(Kind.SEEN, name, (long) grown);
            }
        });
        GAUGES.forEach((name, metric) -> {
            if (BrokerMetrics.sum(look, metric) > 0) {
                file.add(Kind.SEEN, name, 1);
            }
        });
    }

    /** Waits for a moment, not for long: the broker that has it, or none if it did not come or any moment will do. */
    OptionalInt await(Moment moment) throws InterruptedException {
        if (moment.metric().isEmpty()) {
            return OptionalInt.empty();
        }
        String metric = moment.metric().get();
        double[] before = new double[brokers.size()];
        Arrays.fill(before, Double.MAX_VALUE);
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Moment.MOST_WAIT_MILLIS);
        while (System.nanoTime() - endNanos < 0) {
            for (int broker = 0; broker < before.length; broker++) {
                double now = BrokerMetrics.sum(brokers.get(broker).look(), metric);
                if (moment.isNow(before[broker], now)) {
                    return OptionalInt.of(broker);
                }
                before[broker] = now;
            }
            TimeUnit.MILLISECONDS.sleep(MOMENT_GAP_MILLIS);
        }
        return OptionalInt.empty();
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
