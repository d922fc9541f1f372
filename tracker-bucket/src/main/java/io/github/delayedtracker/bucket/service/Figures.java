/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Figures of one subscription's buckets for the statistics. Thread safe. */
final class Figures {

    /** One figure: its name in the statistics. */
    enum Figure {
        BUCKETS, SLEEPING_POSITIONS, FROZEN_TAILS, LOST_POSITIONS, RECOVERING, RECOVERY_MILLIS,
        SEALS_TOTAL, SEALED_POSITIONS_TOTAL, SEAL_FAILURES_TOTAL, LOADS_TOTAL, LOAD_FAILURES_TOTAL, MERGES_TOTAL,
        MERGE_FAILURES_TOTAL, RECORD_FAILURES_TOTAL, LOST_BUCKETS_TOTAL, DELETED_LEDGERS_TOTAL
    }

    private final Map<Figure, AtomicLong> values = new ConcurrentHashMap<>();

    Figures() {
        for (Figure figure : Figure.values()) {
            values.put(figure, new AtomicLong());
        }
    }

    void set(Figure figure, long value) {
        values.get(figure).set(value);
    }

    void add(Figure figure, long more) {
        values.get(figure).addAndGet(more);
    }

    long get(Figure figure) {
        return values.get(figure).get();
    }

    /** By name in lower case. A copy. */
    Map<String, Long> all() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Figure figure : Figure.values()) {
            all.put("bucket_" + figure.name().toLowerCase(java.util.Locale.ROOT), get(figure));
        }
        return all;
    }
}
