/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.metrics.Histogram;
import io.github.delayedtracker.metrics.Samples;

/**
 * How late a broker hands out: for each hand-out, how long the earliest position of the subscription had been due, as its oldest
 * overdue age tells. One that goes out before its time, within a tick, is not late. Any thread may count and read; a reading
 * while others count may lack the last of them.
 */
final class Lateness {

    private final Histogram lateMillis = new Histogram(0, 10, 50, 100, 500, 1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000);

    void handedOut(long dueMillis, long nowMillis) {
        lateMillis.count(Math.max(0, nowMillis - dueMillis));
    }

    /** The figures of the histogram: how many up to each bound, their sum, and all. */
    Samples samples() {
        return lateMillis.samples(TrackerMetrics.LATENESS, TrackerMetrics.LATENESS_SUM, TrackerMetrics.LATENESS_COUNT);
    }
}
