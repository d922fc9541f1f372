/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What all subscriptions of a broker share, so that ten thousand of them ask no more of it than it bears. Thread safe.
 *
 * @param merges through which merges go
 * @param ages in which old tails are sealed
 * @param memory that all of them take
 * @param rereads of what is read again from topics
 * @param holds of the doomed ledgers that are held back
 * @param warnings where failures are written
 */
public record BrokerLimits(MergeGate merges, AgeSeals ages, MemoryBudget memory, RereadLimit rereads, HoldLimit holds,
        WarningLines warnings) {

    /**
     * The usual limits.
     *
     * @param wallMillis the clock that decides what is due, epoch milliseconds
     * @param monotonicMillis a clock that never goes back, milliseconds from any origin
     * @param memoryBytes what tails and loaded segments may take; 0 for no limit
     * @param shortMillis how long memory counts as short after it was
     */
    public static BrokerLimits usual(WakeUpTimer timer, Executor threads, LongSupplier wallMillis, LongSupplier monotonicMillis,
            long memoryBytes, long shortMillis) {
        return new BrokerLimits(new MergeGate(timer, threads), new AgeSeals(timer, threads),
                new MemoryBudget(memoryBytes, timer, threads, wallMillis, shortMillis), new RereadLimit(threads),
                new HoldLimit(monotonicMillis), new WarningLines(wallMillis));
    }

    /** Fresh. */
    Samples figures() {
        return merges.figures().putAll(ages.figures()).putAll(memory.figures()).putAll(holds.figures())
                .putAll(rereads.figures());
    }
}
