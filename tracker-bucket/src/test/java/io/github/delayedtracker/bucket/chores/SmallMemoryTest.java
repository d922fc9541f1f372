/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.timebucket.CutRule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many subscriptions on little memory: what they take stays within the limit, and everything is handed out once and in time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallMemoryTest {

    private static final int SUBSCRIPTIONS = 100;
    private static final int POSITIONS = 900;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long STEP_MILLIS = 500;
    private static final CutRule SMALL = new CutRule(100, 1, 300_000);

    private final JobTime time = new JobTime(1);
    private final StorageLife life = new FaultyStorage(1, FaultRates.none(), time).newLife();
    private final List<Subscription> subscriptions = new ArrayList<>();

    /** One thread for all is the lock. */
    private static final class Subscription extends QuietHost {
        private SubscriptionBuckets buckets;
        private int handedOut;

        private DelayIndex index() {
            return buckets.index();
        }

        private void add(long dueMillis, long entryId) {
            index().add(dueMillis, 7, entryId);
            index().takeWork().ifPresent(Runnable::run);
        }
    }

    private MemoryBudget open(long limitBytes, BucketSettings settings) {
        return open(limitBytes, settings, SMALL);
    }

    private MemoryBudget open(long limitBytes, BucketSettings settings, CutRule rule) {
        BucketServices services = SomeServices.in(time, life.storage()).memoryBytes(limitBytes).shortMillis(10_000)
                .settings(new SomeSettings(settings).segments(rule).make()).make();
        for (int i = 0; i < SUBSCRIPTIONS; i++) {
            BucketKey key = new BucketKey("topic", "cursor" + i, BucketKey.WHOLE);
            Subscription one = new Subscription();
            one.buckets = new SubscriptionBuckets(services, BucketOrigin.of(key,
                    () -> life.catalogue(key.topic(), key.cursor())));
            one.buckets.start(one);
            subscriptions.add(one);
        }
        run(1_000);
        return services.limits().memory();
    }

    private void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    private long used(MemoryBudget budget) {
        return budget.samples().get("bucket_memory_used_bytes");
    }

    /** Tails too short for a seal by age: without a limit they would stay as they are. */
    private void fill(long firstDueMillis) {
        fill(firstDueMillis, STEP_MILLIS);
    }

    private void fill(long firstDueMillis, long stepMillis) {
        for (int entry = 0; entry < POSITIONS; entry++) {
            for (Subscription one : subscriptions) {
                one.add(firstDueMillis + entry * stepMillis, entry);
            }
        }
        subscriptions.forEach(one -> one.buckets.sweep());
        run(20_000);
    }

    private void handOut(Samples before) {
        long end = time.nowMillis() + 4 * HOUR_MILLIS;
        while (time.nowMillis() < end && subscriptions.stream().anyMatch(one -> one.index().size() > 0)) {
            run(STEP_MILLIS);
            long nowMillis = time.nowMillis();
            for (Subscription one : subscriptions) {
                long due = one.index().nextDueMillis();
                while (due <= nowMillis) {
                    assertTrue(due > nowMillis - 2 * STEP_MILLIS, "due " + (nowMillis - due) + " ms ago");
                    one.handedOut += one.index().takeDue(nowMillis, 100, (ledgerId, entryId) -> { });
                    due = one.index().nextDueMillis();
                }
            }
        }
        subscriptions.forEach(one -> assertEquals(POSITIONS, one.handedOut, "handed out, " + before));
    }

    @Test
    void aHundredSubscriptionsStayWithinALimit() {
        MemoryBudget unlimited = open(0, SomeSettings.DEFAULT);
        fill(HOUR_MILLIS);
        long free = used(unlimited);
        assertEquals(0, unlimited.samples().get("bucket_memory_early_seals_total"));
        subscriptions.forEach(one -> one.buckets.close());
        assertEquals(0, used(unlimited));
        subscriptions.clear();

        MemoryBudget budget = open(free / 4, SomeSettings.DEFAULT);
        fill(HOUR_MILLIS);
        assertTrue(used(budget) <= free / 4, used(budget) + " of " + free / 4);
        long seals = budget.samples().get("bucket_memory_early_seals_total");
        assertTrue(seals >= SUBSCRIPTIONS / 2 && seals <= SUBSCRIPTIONS, seals + " seals");
        for (Subscription one : subscriptions) {
            assertEquals(POSITIONS, one.index().size());
            assertTrue(one.index().contains(7, 0) && one.index().contains(7, POSITIONS - 1));
        }
        handOut(budget.samples());
    }

    @Test
    void whatIsLoadedLongAheadIsUnloadedAndComesInTime() {
        BucketSettings farAhead = new SomeSettings(SomeSettings.sealing(100)).prefetchMillis(2 * HOUR_MILLIS).make();
        MemoryBudget unlimited = open(0, farAhead);
        fill(3 * HOUR_MILLIS);
        run(2 * HOUR_MILLIS - 60_000);
        subscriptions.forEach(one -> one.buckets.sweep());
        run(60_000);
        long free = used(unlimited);
        subscriptions.forEach(one -> one.buckets.close());
        subscriptions.clear();

        MemoryBudget budget = open(free / 2, farAhead);
        long firstDueMillis = time.nowMillis() + 3 * HOUR_MILLIS;
        fill(firstDueMillis);
        run(2 * HOUR_MILLIS);
        assertTrue(used(budget) <= free / 2, used(budget) + " of " + free / 2);
        assertTrue(budget.samples().get("bucket_memory_unloads_total") > 0, budget.samples().toString());
        run(firstDueMillis - STEP_MILLIS - time.nowMillis());
        handOut(budget.samples());
    }

    /** Half a bucket is loaded when its first position is due, and stays long: nothing unloads it and loads it again. */
    @Test
    void segmentsThatSpanMoreThanAnHourAreLoadedOnceHoweverShortMemoryIs() {
        MemoryBudget budget = open(100_000, SomeSettings.DEFAULT, CutRule.usual(5_000, 300_000));
        fill(HOUR_MILLIS, 10_000);
        assertTrue(figures("bucket_sleeping_positions") > SUBSCRIPTIONS * POSITIONS / 2, "most are sealed");
        assertTrue(used(budget) <= 100_000, used(budget) + " while they sleep");
        handOut(budget.samples());
        long loads = figures("bucket_loads_total");
        assertTrue(loads <= 2 * figures("bucket_seals_total"), loads + " loads of " + figures("bucket_seals_total") + " buckets");
    }

    private long figures(String name) {
        return subscriptions.stream().mapToLong(one -> one.buckets.samples().get(name)).sum();
    }
}
