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
 * What all subscriptions of a broker work with.
 *
 * @param storage holds the snapshots
 * @param executor keeps the order of the tasks of a subscription and of a ledger
 * @param threads where a step goes on that has waited for the storage
 * @param timer for what is due later
 * @param wallMillis the clock that decides what is due, epoch milliseconds
 * @param jitter from a bound a random number below it
 * @param allocator of the buffers that are written
 * @param newPart makes an empty index in memory
 * @param retries how often and how long the storage is asked, and in which order
 * @param settings when to do what
 * @param limits of what all of them do together
 */
public record BucketServices(SnapshotStorage storage, KeyOrderedExecutor<BucketKey> executor, Executor threads,
        WakeUpTimer timer, LongSupplier wallMillis, LongUnaryOperator jitter, ByteBufAllocator allocator,
        Supplier<DelayIndex> newPart, Retries retries, BucketSettings settings, BrokerLimits limits) {

    private static final Metric BUSY_KEYS = Metric.gauge(Metric.BROKER, "bucket_tasks_busy_keys", "",
            "subscriptions and ledgers with a task on the storage queued or running");
    private static final Metric QUEUED = Metric.gauge(Metric.BROKER, "bucket_tasks_queued", "tasks", "on the storage, queued");
    private static final Metric LONGEST_RUNNING = Metric.gauge(Metric.BROKER, "bucket_tasks_longest_running_ms", "ms",
            "how long the oldest running task has run: a task that never ends holds up its own key alone, and shows here");

    /** Of the broker. Fresh. */
    public Samples samples() {
        ExecutorStats tasks = executor.stats();
        return new Samples().put(BUSY_KEYS, tasks.busyKeys()).put(QUEUED, tasks.queuedTasks())
                .put(LONGEST_RUNNING, TimeUnit.NANOSECONDS.toMillis(executor.longestRunningNanos()))
                .putAll(retries.samples()).putAll(limits.samples());
    }

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
        public static BrokerLimits usual(WakeUpTimer timer, Executor threads, LongSupplier wallMillis,
                LongSupplier monotonicMillis, long memoryBytes, long shortMillis) {
            return new BrokerLimits(new MergeGate(timer, threads), new AgeSeals(timer, threads),
                    new MemoryBudget(memoryBytes, timer, threads, wallMillis, shortMillis), new RereadLimit(threads),
                    new HoldLimit(monotonicMillis), new WarningLines(wallMillis));
        }

        /** Fresh. */
        Samples samples() {
            return merges.samples().putAll(ages.samples()).putAll(memory.samples()).putAll(holds.samples())
                    .putAll(rereads.samples());
        }
    }
}
