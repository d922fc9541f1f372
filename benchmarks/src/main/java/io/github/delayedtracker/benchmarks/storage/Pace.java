/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** A steady rate at which a task is done on the calling thread. Tasks that come too late are caught up with. */
record Pace(long timesASecond) {

    private static final long NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Runs the task while it goes on; returns how many times it did. */
    long run(BooleanSupplier goesOn, LongConsumer each) {
        long begun = System.nanoTime();
        long times = 0;
        while (goesOn.getAsBoolean()) {
            long dueTimes = (long) ((double) timesASecond * (System.nanoTime() - begun) / NANOS_A_SECOND);
            if (times >= dueTimes) {
                LockSupport.parkNanos(Math.max(NANOS_A_SECOND / timesASecond, TimeUnit.MILLISECONDS.toNanos(1) / 2));
            } else {
                each.accept(times++);
            }
        }
        return times;
    }
}
