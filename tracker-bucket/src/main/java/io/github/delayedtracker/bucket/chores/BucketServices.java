/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.DeleteChore.HoldLimit;
import io.github.delayedtracker.bucket.chores.Warnings.WarningLines;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.executor.ExecutorStats;
import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The services that all subscriptions of a broker work with.
 *
 * @param storage the storage of the snapshots
 * @param executor keeps the order of the tasks of a subscription and of a ledger
 * @param threads the threads on which a step goes on that has waited for the storage
 * @param timer the timer of everything that is due later
 * @param wallMillis the clock that decides what is due, epoch milliseconds
 * @param jitter gives a random number below a bound
 * @param allocator the allocator of the buffers that are written
 * @param newPart makes an empty index in memory
 * @param retries the number, the time and the order of the attempts on the storage
 * @param settings the sizes and times of the chores
 * @param limits the limits on all subscriptions together
 */
public record BucketServices(SnapshotStorage storage, KeyOrderedExecutor<BucketKey> executor, Executor threads,
        WakeUpTimer timer, LongSupplier wallMillis, LongUnaryOperator jitter, ByteBufAllocator allocator,
        Supplier<DelayIndex> newPart, Retries retries, BucketSettings settings, BrokerLimits limits) {

    private static final Metric BUSY_KEYS = Metric.gauge(Metric.BROKER, "bucket_tasks_busy_keys", "",
            "subscriptions and ledgers with a task on the storage queued or running");
    private static final Metric QUEUED = Metric.gauge(Metric.BROKER, "bucket_tasks_queued", "tasks", "on the storage, queued");
    private static final Metric LONGEST_RUNNING = Metric.gauge(Metric.BROKER, "bucket_tasks_longest_running_ms", "ms",
            "how long the oldest running task has run: a task that never ends holds up its own key alone, and shows here");

    /** The figures of the broker, in a new object. */
    public Samples samples() {
        ExecutorStats tasks = executor.stats();
        return new Samples().put(BUSY_KEYS, tasks.busyKeys()).put(QUEUED, tasks.queuedTasks())
                .put(LONGEST_RUNNING, TimeUnit.NANOSECONDS.toMillis(executor.longestRunningNanos()))
                .putAll(retries.samples()).putAll(limits.samples());
    }

    /**
     * The limits that all subscriptions of a broker share: ten thousand of them ask no more of it than it bears. Thread safe.
     *
     * @param merges the gate of the merges
     * @param ages the limit on seals by age
     * @param memory the budget of the memory that all of them take
     * @param rereads the limit on positions that are read again from topics
     * @param holds the limit on doomed ledgers that are held back
     * @param warnings the lines in which failures are logged
     * @param work how long the work on the storage takes
     */
    public record BrokerLimits(MergeGate merges, AgeSeals ages, MemoryBudget memory, RereadLimit rereads, HoldLimit holds,
            WarningLines warnings, StorageWork work) {

        /**
         * The usual limits.
         *
         * @param wallMillis the clock that decides what is due, epoch milliseconds
         * @param monotonicMillis a clock that never goes back, milliseconds from any origin
         * @param memoryBytes the bytes that tails and loaded segments may take; 0 for no limit
         * @param shortMillis the time for which memory counts as short after it was
         */
        public static BrokerLimits usual(WakeUpTimer timer, Executor threads, LongSupplier wallMillis,
                LongSupplier monotonicMillis, long memoryBytes, long shortMillis) {
            return new BrokerLimits(new MergeGate(timer, threads), new AgeSeals(timer, threads),
                    new MemoryBudget(memoryBytes, timer, threads, wallMillis, shortMillis), new RereadLimit(threads),
                    new HoldLimit(monotonicMillis), new WarningLines(wallMillis), new StorageWork());
        }

        /** The figures of all limits, in a new object. */
        Samples samples() {
            return merges.samples().putAll(ages.samples()).putAll(memory.samples()).putAll(holds.samples())
                    .putAll(rereads.samples()).putAll(work.samples());
        }
    }
}
