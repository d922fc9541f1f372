/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.metrics.Metric.Kind;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** Figures of one subscription's buckets for the statistics. Thread safe. */
// The place of a figure in the array is private to this class. A map would take ten times the memory in each subscription.
@SuppressWarnings("EnumOrdinal")
final class BucketFigures {

    /** A figure and the declaration of its metric, which is named after it in lower case. */
    enum Figure {
        BUCKETS(Kind.GAUGE, "buckets", "recorded, with their snapshots in storage"),
        SLEEPING_POSITIONS(Kind.GAUGE, "positions", "whose times are in storage only"),
        LOADED_POSITIONS(Kind.GAUGE, "positions", "in memory with their times"),
        FROZEN_TAILS(Kind.GAUGE, "tails", "being sealed, or waiting to be"),
        LOST_POSITIONS(Kind.GAUGE, "positions", "to be read again from the topic, because their bucket is gone,"
                + " damaged, or overdue and unreadable"),
        RECOVERING(Kind.GAUGE, "", "1 until every bucket is back or given up"),
        RECOVERY_MILLIS(Kind.GAUGE, "ms", "how long recovery took"),
        LATE_BUCKETS(Kind.GAUGE, "buckets", "recorded, and not given by storage yet"),
        RECORD_DAMAGED(Kind.GAUGE, "", "1 until the record that could not be read is written over"),
        RECORD_NEWER(Kind.GAUGE, "", "1: the record is of a newer version, nothing is stored"),
        NEWER_BUCKETS(Kind.GAUGE, "buckets", "left as they are since a newer version has written them; see"
                + " [upgrade](upgrade.md)"),
        SEALS_TOTAL(Kind.COUNTER, "", "tails written as buckets"),
        SEALED_POSITIONS_TOTAL(Kind.COUNTER, "positions", "written in seals"),
        SEAL_FAILURES_TOTAL(Kind.COUNTER, "", "seals that failed"),
        LOADS_TOTAL(Kind.COUNTER, "", "loads from storage"),
        LOAD_FAILURES_TOTAL(Kind.COUNTER, "", "loads that failed"),
        MERGES_TOTAL(Kind.COUNTER, "", "merges of buckets"),
        MERGE_FAILURES_TOTAL(Kind.COUNTER, "", "merges that failed"),
        RECORD_FAILURES_TOTAL(Kind.COUNTER, "", "updates of the record that failed"),
        RECORD_DAMAGED_TOTAL(Kind.COUNTER, "", "records found damaged at a load; it stays when they are written over"),
        LOST_BUCKETS_TOTAL(Kind.COUNTER, "buckets", "given up; their positions are read again"),
        DELETED_LEDGERS_TOTAL(Kind.COUNTER, "ledgers", "deleted, of this subscription"),
        IMPORTS_TOTAL(Kind.COUNTER, "", "snapshots of the stock tracker taken over"),
        IMPORTED_POSITIONS_TOTAL(Kind.COUNTER, "positions", "taken over with those snapshots");

        final Metric metric;

        Figure(Kind kind, String unit, String help) {
            metric = new Metric(Metric.SUBSCRIPTION, "bucket_" + name().toLowerCase(Locale.ROOT), kind, unit, help, List.of());
        }
    }

    private static final Figure[] FIGURES = Figure.values();

    private final AtomicLongArray values = new AtomicLongArray(FIGURES.length);

    void set(Figure figure, long value) {
        values.set(figure.ordinal(), value);
    }

    void add(Figure figure, long more) {
        values.addAndGet(figure.ordinal(), more);
    }

    long get(Figure figure) {
        return values.get(figure.ordinal());
    }

    /** Whether something was counted, so that the figures must not start anew. */
    boolean hasTotals() {
        for (Figure figure : FIGURES) {
            if (figure.metric.kind() == Kind.COUNTER && get(figure) != 0) {
                return true;
            }
        }
        return false;
    }

    /** All figures, in a new object. */
    Samples all() {
        Samples all = new Samples();
        for (Figure figure : FIGURES) {
            all.put(figure.metric, get(figure));
        }
        return all;
    }

    /**
     * The figures of one subscription under the names that the stock bucket tracker uses for the same things. An operation that
     * has not happened has no figure, as with stock. Unlike stock's, the counts only grow. Thread safe.
     */
    // The place of a count in the array is private to this class.
    @SuppressWarnings("EnumOrdinal")
    static final class StockFigures {

        private static final String PREFIX = "pulsar_delayed_message_index_";
        private static final Metric BUCKETS = Metric.gauge(PREFIX, "bucket_total", "buckets",
                "with the bucket that is being filled, as stock counts");
        private static final Metric LOADED = Metric.gauge(PREFIX, "loaded", "positions", "in memory with their times");
        private static final Metric SNAPSHOT_SIZE = Metric.gauge(PREFIX, "bucket_snapshot_size_bytes", "bytes",
                "that its snapshots have in storage");
        private static final Metric COUNT = Metric.counter(PREFIX, "bucket_op_count", "",
                "operations of the types `create`, `load`, `merge` and `delete`, in the states `succeed`, `failed` and `all`",
                "state", "type");
        private static final Metric LATENCY = Metric.counter(PREFIX, "bucket_op_latency_ms", "",
                "operations of the types `create`, `load` and `merge` that took at most `quantile` milliseconds, and more than"
                        + " the step before: `50`, `100`, `500`, `1000`, `5000`, `30000`, `60000`, `overflow`", "type",
                "quantile");
        private static final Metric LATENCY_COUNT = Metric.counter(PREFIX, "bucket_op_latency_ms_count", "",
                "operations of each of these types that succeeded", "type");
        private static final Metric LATENCY_SUM = Metric.counter(PREFIX, "bucket_op_latency_ms_sum", "ms",
                "how long those took together", "type");
        private static final long[] UP_TO_MILLIS = {50, 100, 500, 1_000, 5_000, 30_000, 60_000};
        private static final int CLASSES = UP_TO_MILLIS.length + 1;
        /** The slots of an operation: one for each class, then one for its milliseconds in all. */
        private static final int OF_EACH = CLASSES + 1;

        private final BucketFigures figures;
        private final AtomicLongArray latencies = new AtomicLongArray(Operation.values().length * OF_EACH);

        StockFigures(BucketFigures figures) {
            this.figures = figures;
        }

        /** An operation has succeeded. */
        void took(Operation operation, long millis) {
            int at = 0;
            while (at < UP_TO_MILLIS.length && millis > UP_TO_MILLIS[at]) {
                at++;
            }
            latencies.incrementAndGet(operation.ordinal() * OF_EACH + at);
            latencies.addAndGet(operation.ordinal() * OF_EACH + CLASSES, millis);
        }

        /** All figures but those of operations that have not happened, in a new object. */
        Samples all(long snapshotBytes) {
            Samples all = new Samples();
            // As stock counts: with the bucket being filled, and with each bucket being written once its tail has ended.
            all.put(BUCKETS, figures.get(Figure.BUCKETS) + figures.get(Figure.FROZEN_TAILS) + 1);
            all.put(LOADED, figures.get(Figure.LOADED_POSITIONS));
            all.put(SNAPSHOT_SIZE, snapshotBytes);
            putCounts(all, "create", figures.get(Figure.SEALS_TOTAL), figures.get(Figure.SEAL_FAILURES_TOTAL));
            putCounts(all, "load", figures.get(Figure.LOADS_TOTAL), figures.get(Figure.LOAD_FAILURES_TOTAL));
            putCounts(all, "merge", figures.get(Figure.MERGES_TOTAL), figures.get(Figure.MERGE_FAILURES_TOTAL));
            putCounts(all, "delete", figures.get(Figure.DELETED_LEDGERS_TOTAL), 0);
            for (Operation operation : Operation.values()) {
                putLatencies(all, operation);
            }
            return all;
        }

        private static void putCounts(Samples all, String type, long succeeded, long failed) {
            putIfAny(all, COUNT, succeeded, "succeed", type);
            putIfAny(all, COUNT, failed, "failed", type);
            putIfAny(all, COUNT, succeeded + failed, "all", type);
        }

        private void putLatencies(Samples all, Operation operation) {
            String type = operation.name().toLowerCase(Locale.ROOT);
            long count = 0;
            for (int at = 0; at < CLASSES; at++) {
                long inClass = latencies.get(operation.ordinal() * OF_EACH + at);
                putIfAny(all, LATENCY, inClass, type, at == UP_TO_MILLIS.length ? "overflow" : Long.toString(UP_TO_MILLIS[at]));
                count += inClass;
            }
            if (count > 0) {
                all.put(LATENCY_COUNT, count, type);
                all.put(LATENCY_SUM, latencies.get(operation.ordinal() * OF_EACH + CLASSES), type);
            }
        }

        private static void putIfAny(Samples all, Metric metric, long count, String... labelValues) {
            if (count > 0) {
                all.put(metric, count, labelValues);
            }
        }
    }
}
