/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import io.github.delayedtracker.bucket.service.Figures.Figure;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Figures of one subscription under the names that the stock bucket tracker gives the same things, labels after the name. What
 * has not happened has no figure, as with stock; unlike stock's, the counts only grow. Thread safe.
 */
// Where a count stands in the array is nobody else's business.
@SuppressWarnings("EnumOrdinal")
final class StockFigures {

    /** What stock measures. */
    enum Operation { CREATE, LOAD, MERGE }

    private static final String PREFIX = "pulsar_delayed_message_index_";
    private static final String COUNT = PREFIX + "bucket_op_count";
    private static final String LATENCY = PREFIX + "bucket_op_latency_ms";
    private static final long[] UP_TO_MILLIS = {50, 100, 500, 1_000, 5_000, 30_000, 60_000};
    private static final int CLASSES = UP_TO_MILLIS.length + 1;
    /** After the classes of an operation: how many milliseconds in all. */
    private static final int OF_EACH = CLASSES + 1;

    private final Figures figures;
    private final AtomicLongArray latencies = new AtomicLongArray(Operation.values().length * OF_EACH);

    StockFigures(Figures figures) {
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

    /** A copy. */
    Map<String, Long> all(long snapshotBytes) {
        Map<String, Long> all = new LinkedHashMap<>();
        // With the one that is being filled, and from its end on one that is being written, as stock counts.
        all.put(PREFIX + "bucket_total", figures.get(Figure.BUCKETS) + figures.get(Figure.FROZEN_TAILS) + 1);
        all.put(PREFIX + "loaded", figures.get(Figure.LOADED_POSITIONS));
        all.put(PREFIX + "bucket_snapshot_size_bytes", snapshotBytes);
        putCounts(all, "create", figures.get(Figure.SEALS_TOTAL), figures.get(Figure.SEAL_FAILURES_TOTAL));
        putCounts(all, "load", figures.get(Figure.LOADS_TOTAL), figures.get(Figure.LOAD_FAILURES_TOTAL));
        putCounts(all, "merge", figures.get(Figure.MERGES_TOTAL), figures.get(Figure.MERGE_FAILURES_TOTAL));
        putCounts(all, "delete", figures.get(Figure.DELETED_LEDGERS_TOTAL), 0);
        for (Operation operation : Operation.values()) {
            putLatencies(all, operation);
        }
        return all;
    }

    private static void putCounts(Map<String, Long> all, String type, long succeeded, long failed) {
        putIfAny(all, COUNT + "|state=succeed|type=" + type, succeeded);
        putIfAny(all, COUNT + "|state=failed|type=" + type, failed);
        putIfAny(all, COUNT + "|state=all|type=" + type, succeeded + failed);
    }

    private void putLatencies(Map<String, Long> all, Operation operation) {
        String type = "|type=" + operation.name().toLowerCase(java.util.Locale.ROOT);
        long count = 0;
        for (int at = 0; at < CLASSES; at++) {
            long inClass = latencies.get(operation.ordinal() * OF_EACH + at);
            putIfAny(all, LATENCY + type + "|quantile=" + (at == UP_TO_MILLIS.length ? "overflow" : UP_TO_MILLIS[at]), inClass);
            count += inClass;
        }
        if (count > 0) {
            all.put(LATENCY + "_count" + type, count);
            all.put(LATENCY + "_sum" + type, latencies.get(operation.ordinal() * OF_EACH + CLASSES));
        }
    }

    private static void putIfAny(Map<String, Long> all, String name, long count) {
        if (count > 0) {
            all.put(name, count);
        }
    }
}
