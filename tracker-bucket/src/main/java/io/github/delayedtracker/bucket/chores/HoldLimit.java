/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How many doomed ledgers all subscriptions of a broker may hold back, and the clock by which they do. Where there are as many
 * nothing is deleted sooner: merging waits, which dooms most of them. What is used up is doomed all the same, and takes less than
 * the bucket did. Thread safe.
 */
final class HoldLimit {

    /** Some 100 bytes each; the metadata store has as many ledgers more. */
    static final int MOST_LEDGERS = 20_000;

    private static final Metric HELD = Metric.gauge(Metric.BROKER, "bucket_held_ledgers", "ledgers",
            "doomed, and not deleted yet: see [limits](limits.md)");

    private final LongSupplier monotonicMillis;
    private final int mostLedgers;
    private final AtomicLong held = new AtomicLong();

    /**
     * Nothing is held back yet.
     *
     * @param monotonicMillis a clock that never goes back, milliseconds from any origin
     */
    HoldLimit(LongSupplier monotonicMillis) {
        this(monotonicMillis, MOST_LEDGERS);
    }

    HoldLimit(LongSupplier monotonicMillis, int mostLedgers) {
        this.monotonicMillis = monotonicMillis;
        this.mostLedgers = mostLedgers;
    }

    long nowMillis() {
        return monotonicMillis.getAsLong();
    }

    void changedBy(int ledgers) {
        held.addAndGet(ledgers);
    }

    boolean isReached() {
        return held.get() >= mostLedgers;
    }

    /** Of the broker. Fresh. */
    Samples figures() {
        return new Samples().put(HELD, held.get());
    }
}
