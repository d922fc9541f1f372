/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.metrics.Histogram;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * How long the work of a broker on its storage takes, and how much it writes or reads: a histogram for each kind of work that has
 * succeeded. Any thread may count and read.
 */
public final class StorageWork {

    private static final Metric MILLIS = Metric.histogram(Metric.BROKER, "bucket_work_ms_bucket", "",
            "works that took `le` milliseconds or less and succeeded: `seal` (a snapshot written, and its name recorded),"
                    + " `load` (a segment read back), `merge` (snapshots read, one written and recorded), `record` (one write of"
                    + " a cursor's record), `recover` (what a snapshot has found again after a load of the topic), each with the"
                    + " time it has waited for its turn and tried again", "work", Histogram.BOUND);
    private static final Metric MILLIS_SUM = Metric.histogram(Metric.BROKER, "bucket_work_ms_sum", "", "of these times, ms",
            "work");
    private static final Metric MILLIS_COUNT = Metric.histogram(Metric.BROKER, "bucket_work_ms_count", "", "works", "work");
    private static final Metric BYTES = Metric.histogram(Metric.BROKER, "bucket_work_bytes_bucket", "",
            "works of `le` bytes or less: of the snapshot that a `seal` or a `merge` wrote, of the segment that a `load` read, of"
                    + " the property that a `record` wrote", "work", Histogram.BOUND);
    private static final Metric BYTES_SUM = Metric.histogram(Metric.BROKER, "bucket_work_bytes_sum", "", "of these sizes, bytes",
            "work");
    private static final Metric BYTES_COUNT = Metric.histogram(Metric.BROKER, "bucket_work_bytes_count", "", "works", "work");

    private static final long[] UP_TO_MILLIS = {5, 10, 50, 100, 500, 1_000, 5_000, 30_000, 60_000, 300_000};
    private static final long[] UP_TO_BYTES = {256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24};

    /** A kind of work. */
    enum Work {
        SEAL, LOAD, MERGE, RECORD, RECOVER;

        private static final Set<Work> OF_A_SIZE = EnumSet.complementOf(EnumSet.of(RECOVER));

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Work, Histogram> millis = new EnumMap<>(Work.class);
    private final Map<Work, Histogram> bytes = new EnumMap<>(Work.class);

    /** Nothing was done. */
    public StorageWork() {
        Arrays.stream(Work.values()).forEach(work -> millis.put(work, new Histogram(UP_TO_MILLIS)));
        Work.OF_A_SIZE.forEach(work -> bytes.put(work, new Histogram(UP_TO_BYTES)));
    }

    /** Counts work that has succeeded and has no size. */
    void took(Work work, long workMillis) {
        millis.get(work).count(Math.max(0, workMillis));
    }

    /** Counts work that has succeeded. */
    void took(Work work, long workMillis, long workBytes) {
        took(work, workMillis);
        bytes.get(work).count(workBytes);
    }

    /** The same store, with the writes that succeed counted. */
    CatalogueStore measured(CatalogueStore store, LongSupplier nowMillis) {
        return new Measured(store, nowMillis);
    }

    /** All histograms, in a new object. */
    Samples samples() {
        Samples samples = new Samples();
        millis.forEach((work, histogram) ->
                samples.putAll(histogram.samples(MILLIS, MILLIS_SUM, MILLIS_COUNT, work.label())));
        bytes.forEach((work, histogram) -> samples.putAll(histogram.samples(BYTES, BYTES_SUM, BYTES_COUNT, work.label())));
        return samples;
    }

    private final class Measured implements CatalogueStore {

        private final CatalogueStore store;
        private final LongSupplier nowMillis;

        Measured(CatalogueStore store, LongSupplier nowMillis) {
            this.store = store;
            this.nowMillis = nowMillis;
        }

        @Override
        public CompletableFuture<Map<String, String>> readAll() {
            return store.readAll();
        }

        @Override
        public CompletableFuture<Map<String, String>> readAllBut(String name) {
            return store.readAllBut(name);
        }

        @Override
        public CompletableFuture<Map<String, String>> readStored() {
            return store.readStored();
        }

        /** The caller gets the store's own future, which it may cancel. */
        @Override
        public CompletableFuture<Void> put(String name, String value) {
            long begunMillis = nowMillis.getAsLong();
            CompletableFuture<Void> written = store.put(name, value);
            Futures.whenDone(written, (nothing, failure) -> {
                if (failure == null) {
                    took(Work.RECORD, nowMillis.getAsLong() - begunMillis, value.length());
                }
            });
            return written;
        }

        @Override
        public CompletableFuture<Void> remove(String name) {
            return store.remove(name);
        }

        @Override
        public CompletableFuture<Void> close() {
            return store.close();
        }
    }
}
