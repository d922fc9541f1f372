/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Metric.Kind;
import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** Figures of one subscription's buckets for the statistics. Thread safe. */
// Where a figure stands in the array is nobody else's business, and a map would take ten times as much in each subscription.
@SuppressWarnings("EnumOrdinal")
final class BucketFigures {

    /** One figure: the declaration of its metric, which has its name in lower case. */
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

    /** Whether something was counted, so that it is not to start anew. */
    boolean hasTotals() {
        for (Figure figure : FIGURES) {
            if (figure.metric.kind() == Kind.COUNTER && get(figure) != 0) {
                return true;
            }
        }
        return false;
    }

    /** All of them. Fresh. */
    Samples all() {
        Samples all = new Samples();
        for (Figure figure : FIGURES) {
            all.put(figure.metric, get(figure));
        }
        return all;
    }
}
