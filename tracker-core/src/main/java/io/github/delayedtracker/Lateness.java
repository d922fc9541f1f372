/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.metrics.Samples;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * How late a broker hands out: for each hand-out, how long the earliest position of the subscription had been due, as its oldest
 * overdue age tells. One that goes out before its time, within a tick, is not late. Any thread may count and read; a reading
 * while others count may lack the last of them.
 */
final class Lateness {

    private static final long[] UP_TO_MILLIS = {0, 10, 50, 100, 500, 1_000, 5_000, 30_000, 60_000, 300_000, 3_600_000};

    /** The hand-outs up to each of the bounds and above the one before it, then those above the last. */
    private final AtomicLongArray counts = new AtomicLongArray(UP_TO_MILLIS.length + 1);
    private final LongAdder sumMillis = new LongAdder();

    void handedOut(long dueMillis, long nowMillis) {
        long lateMillis = Math.max(0, nowMillis - dueMillis);
        int at = 0;
        while (at < UP_TO_MILLIS.length && UP_TO_MILLIS[at] < lateMillis) {
            at++;
        }
        counts.incrementAndGet(at);
        sumMillis.add(lateMillis);
    }

    /** The figures of the histogram: how many up to each bound, their sum, and all. */
    Samples samples() {
        Samples samples = new Samples();
        long all = 0;
        for (int i = 0; i < UP_TO_MILLIS.length; i++) {
            all += counts.get(i);
            samples.put(TrackerMetrics.LATENESS, all, Long.toString(UP_TO_MILLIS[i]));
        }
        all += counts.get(UP_TO_MILLIS.length);
        return samples.put(TrackerMetrics.LATENESS, all, "+Inf").put(TrackerMetrics.LATENESS_SUM, sumMillis.sum())
                .put(TrackerMetrics.LATENESS_COUNT, all);
    }
}
