/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.JobLimits;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
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
    private MergeGate gate;
    private long memoryBytes;
    private long shortMillis = SHORT_MILLIS;
    private RereadLimit rereads;
    private HoldLimit holds;
    private JobLimits limits = JobLimits.DEFAULT;
    private BucketSettings settings = SomeSettings.DEFAULT;

    private SomeServices(SnapshotStorage storage, KeyOrderedExecutor<BucketKey> executor, Executor threads, WakeUpTimer timer,
            LongSupplier monotonicMillis, LongSupplier wallMillis) {
        this.storage = storage;
        this.executor = executor;
        this.threads = threads;
        this.timer = timer;
        this.wallMillis = wallMillis;
        gate = new MergeGate(MERGES, MERGE_BYTES_A_SECOND, timer);
        rereads = new RereadLimit(threads);
        holds = new HoldLimit(monotonicMillis);
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

    /** Two merges as fast as in a broker if it is not named. */
    public SomeServices gate(MergeGate merges) {
        gate = merges;
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
    public SomeServices rereads(RereadLimit limit) {
        rereads = limit;
        return this;
    }

    /** The usual limit if it is not named. */
    public SomeServices holds(HoldLimit limit) {
        holds = limit;
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
        return new BucketServices(storage, executor, threads, timer, wallMillis, jitter, allocator, newPart, gate,
                new MemoryBudget(memoryBytes, timer, threads, wallMillis, shortMillis), rereads,
                holds, limits, settings);
    }
}
