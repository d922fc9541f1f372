/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketServices.BrokerLimits;
import io.github.delayedtracker.bucket.chores.DeleteChore.HoldLimit;
import io.github.delayedtracker.bucket.chores.Warnings.WarningLines;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/** Makes the services of a broker for tests and measurements, which name only what they care about. */
public final class SomeServices {

    /** Each may read and write as much as those of a broker. */
    public static final int MERGE_BYTES_A_SECOND = 32 << 20;
    private static final int MERGES = 2;
    private static final long SHORT_MILLIS = 60_000;

    private final SnapshotStorage storage;
    private final KeyOrderedExecutor<BucketKey> executor;
    private final Executor threads;
    private final WakeUpTimer timer;
    private LongSupplier wallMillis;
    private LongUnaryOperator jitter = bound -> bound / 2;
    private ByteBufAllocator allocator = UnpooledByteBufAllocator.DEFAULT;
    private Supplier<DelayIndex> newPart = new TimeBucketIndexProvider()::newIndex;
    private final LongSupplier monotonicMillis;
    private int merges = MERGES;
    private long mergeBytesASecond = MERGE_BYTES_A_SECOND;
    private long ageSealMillis = 1;
    private long memoryBytes;
    private long shortMillis = SHORT_MILLIS;
    private Optional<RereadLimit> rereads = Optional.empty();
    private Optional<HoldLimit> holds = Optional.empty();
    private JobLimits limits = JobLimits.DEFAULT;
    private BucketSettings settings = SomeSettings.DEFAULT;

    private SomeServices(SnapshotStorage storage, KeyOrderedExecutor<BucketKey> executor, Executor threads, WakeUpTimer timer,
            LongSupplier monotonicMillis, LongSupplier wallMillis) {
        this.storage = storage;
        this.executor = executor;
        this.threads = threads;
        this.timer = timer;
        this.wallMillis = wallMillis;
        this.monotonicMillis = monotonicMillis;
    }

    /** Everything happens in virtual time, on the thread that runs it. */
    public static SomeServices in(JobTime time, SnapshotStorage storage) {
        return in(time, time, time::nowMillis, storage);
    }

    /** Everything happens in the virtual time of a timer; the clock of the wall tells the same until it is named. */
    public static SomeServices in(WakeUpTimer timer, Executor threads, LongSupplier nowMillis, SnapshotStorage storage) {
        return new SomeServices(storage,
                new KeyOrderedExecutor<>(threads, () -> TimeUnit.MILLISECONDS.toNanos(nowMillis.getAsLong())), threads, timer,
                nowMillis, nowMillis);
    }

    /** On real threads, by the clocks of the machine. */
    public static SomeServices on(Executor threads, WakeUpTimer timer, SnapshotStorage storage) {
        return new SomeServices(storage, new KeyOrderedExecutor<>(threads, System::nanoTime), threads, timer,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), System::currentTimeMillis);
    }

    /** Decides what is due by this clock, which may be set. */
    public SomeServices wallMillis(LongSupplier clock) {
        wallMillis = clock;
        return this;
    }

    /** Half of the bound if it is not named. */
    public SomeServices jitter(LongUnaryOperator random) {
        jitter = random;
        return this;
    }

    /** Unpooled if it is not named. */
    public SomeServices allocator(ByteBufAllocator buffers) {
        allocator = buffers;
        return this;
    }

    /** Time buckets if it is not named. */
    public SomeServices newPart(Supplier<DelayIndex> indexes) {
        newPart = indexes;
        return this;
    }

    /** Two merges as fast as in a broker if they are not named. */
    public SomeServices merges(int atATime, long bytesASecond) {
        merges = atATime;
        mergeBytesASecond = bytesASecond;
        return this;
    }

    /** Tails are sealed by age as they get old if it is not named: after this time from one to the next. */
    public SomeServices ageSealMillis(long millis) {
        ageSealMillis = millis;
        return this;
    }

    /** No limit if it is not named. */
    public SomeServices memoryBytes(long limitBytes) {
        memoryBytes = limitBytes;
        return this;
    }

    /** How long memory is short after it was. */
    public SomeServices shortMillis(long millis) {
        shortMillis = millis;
        return this;
    }

    /** The usual limit if it is not named. */
    public SomeServices rereads(int mostPositions) {
        return rereads(new RereadLimit(threads, mostPositions));
    }

    /** The usual limit if it is not named. */
    SomeServices rereads(RereadLimit limit) {
        rereads = Optional.of(limit);
        return this;
    }

    /** The usual limit if it is not named. */
    SomeServices holds(HoldLimit limit) {
        holds = Optional.of(limit);
        return this;
    }

    /** The usual ones if they are not named. */
    public SomeServices limits(JobLimits ofSteps) {
        limits = ofSteps;
        return this;
    }

    /** The usual ones if they are not named. */
    public SomeServices settings(BucketSettings of) {
        settings = of;
        return this;
    }

    /** The services. */
    public BucketServices make() {
        BrokerLimits together = new BrokerLimits(new MergeGate(merges, mergeBytesASecond, timer, threads),
                new AgeSeals(timer, threads, ageSealMillis),
                new MemoryBudget(memoryBytes, timer, threads, wallMillis, shortMillis),
                rereads.orElseGet(() -> new RereadLimit(threads)), holds.orElseGet(() -> new HoldLimit(monotonicMillis)),
                new WarningLines(wallMillis), new StorageWork());
        return new BucketServices(storage, executor, threads, timer, wallMillis, jitter, allocator, newPart,
                new Retries(timer, threads, jitter, limits, wallMillis, monotonicMillis), settings, together);
    }
}
