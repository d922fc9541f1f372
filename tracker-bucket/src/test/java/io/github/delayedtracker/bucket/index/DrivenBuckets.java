/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.SegmentLoading.AsleepSegment;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A bucket index with a driver that does something at random before and after each call, so that it can be held to what every
 * index promises. The driver is kept elsewhere, so that the bytes reached from here are those of the index.
 */
final class DrivenBuckets implements DelayIndex {

    private static final Map<Integer, BucketDriver> DRIVERS = new ConcurrentHashMap<>();
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final int MAX_FROZEN = 2;

    private final BucketIndex index;
    private final int number = NUMBERS.incrementAndGet();
    private long nowMillis;

    DrivenBuckets(Supplier<DelayIndex> newPart, Random random, int leastSeal, int segmentPositions) {
        index = new BucketIndex(newPart, leastSeal, MAX_FROZEN);
        DRIVERS.put(number, new BucketDriver(index, random, leastSeal, segmentPositions));
    }

    BucketDriver driver() {
        return DRIVERS.get(number);
    }

    BucketIndex index() {
        return index;
    }

    private void step() {
        driver().step(nowMillis);
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        step();
        boolean added = index.add(dueMillis, ledgerId, entryId);
        step();
        return added;
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        nowMillis = Math.min(Math.max(nowMillis, untilMillis), 1L << 50);
        step();
        driver().load(untilMillis);
        return index.takeDue(untilMillis, limit, sink);
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        step();
        return index.contains(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        return Math.min(index.nextDueMillis(), driver().nextLoadMillis());
    }

    @Override
    public long lastDueMillis() {
        return Math.max(index.lastDueMillis(), index.loads().lastAsleepMillis());
    }

    @Override
    public long size() {
        return index.size();
    }

    @Override
    public long retainedBytes() {
        return index.retainedBytes();
    }

    @Override
    public long positionSetBytes() {
        return index.positionSetBytes();
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        boolean forgotten = index.forget(ledgerId, entryId);
        step();
        return forgotten;
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        long forgotten = index.forgetUpTo(ledgerId, entryId);
        step();
        return forgotten;
    }

    @Override
    public PositionWalk walk() {
        return index.walk();
    }

    @Override
    public void clear() {
        index.clear();
        driver().finish(nowMillis);
    }

    @Override
    public boolean tidy(int budget) {
        return index.tidy(budget);
    }

    @Override
    public Optional<Runnable> takeWork() {
        return index.takeWork();
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        index.countDueBy(untilMillis, counts);
    }

    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        List<DueRun> runs = new ArrayList<>(index.runs(fromMillis, untilMillis));
        for (AsleepSegment each : index.loads().asleep(fromMillis, untilMillis)) {
            runs.add(AsleepSegment.run(driver().storage().read(each.ref()), fromMillis, untilMillis));
        }
        return runs;
    }

    @Override
    public void validate() {
        index.validate();
    }
}
