/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Figures of one subscription's buckets for the statistics. Thread safe. */
// Where a figure stands in the array is nobody else's business, and a map would take ten times as much in each subscription.
@SuppressWarnings("EnumOrdinal")
final class Figures {

    /** One figure: its name in the statistics. */
    enum Figure {
        BUCKETS, SLEEPING_POSITIONS, LOADED_POSITIONS, FROZEN_TAILS, LOST_POSITIONS, RECOVERING, RECOVERY_MILLIS,
        LATE_BUCKETS, RECORD_DAMAGED, RECORD_NEWER, NEWER_BUCKETS,
        SEALS_TOTAL, SEALED_POSITIONS_TOTAL, SEAL_FAILURES_TOTAL, LOADS_TOTAL, LOAD_FAILURES_TOTAL, MERGES_TOTAL,
        MERGE_FAILURES_TOTAL, RECORD_FAILURES_TOTAL, LOST_BUCKETS_TOTAL, DELETED_LEDGERS_TOTAL,
        IMPORTS_TOTAL, IMPORTED_POSITIONS_TOTAL;

        private final String key = "bucket_" + name().toLowerCase(Locale.ROOT);
        private final boolean total = name().endsWith("_TOTAL");
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

    /** Whether something was counted, so that it is not to start anew. */
    boolean hasTotals() {
        for (Figure figure : FIGURES) {
            if (figure.total && get(figure) != 0) {
                return true;
            }
        }
        return false;
    }

    /** By name in lower case. A copy. */
    Map<String, Long> all() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Figure figure : FIGURES) {
            all.put(figure.key, get(figure));
        }
        return all;
    }
}
