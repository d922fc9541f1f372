/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** The counters and the clock of an executor. Thread safe, without a lock. */
final class ExecutorMeter {

    private final LongSupplier nanoClock;
    private final LongAdder queued = new LongAdder();
    private final LongAdder started = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder runNanos = new LongAdder();
    private final LongAdder abandoned = new LongAdder();

    ExecutorMeter(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    long nanos() {
        return nanoClock.getAsLong();
    }

    void queued() {
        queued.increment();
    }

    void started(long waitedNanos) {
        queued.decrement();
        started.increment();
        waitNanos.add(waitedNanos);
    }

    void ended(long ranNanos, boolean bad) {
        ended.increment();
        runNanos.add(ranNanos);
        if (bad) {
            failed.increment();
        }
    }

    void abandoned() {
        queued.decrement();
        abandoned.increment();
    }

    ExecutorStats stats(long busyKeys) {
        return new ExecutorStats(busyKeys, queued.sum(), started.sum(), waitNanos.sum(), ended.sum(), failed.sum(),
                runNanos.sum(), abandoned.sum());
    }
}
