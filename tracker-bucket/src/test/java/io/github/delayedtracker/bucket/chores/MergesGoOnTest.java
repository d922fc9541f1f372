/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.MergePlan;
import io.github.delayedtracker.bucket.index.MergeTiers;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.timebucket.CutRule;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Once writing has stopped nothing but the merges themselves brings the next one about: no add, no load, no look. */
class MergesGoOnTest {

    private static final int SEAL = 100;
    private static final long FAR_MILLIS = 3_000_000_000_000L;
    private static final long PAUSE_MILLIS = 60_000;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final JobLimits LIMITS = new SomeLimits().backOffMillis(100, 1_000).mostAttempts(2).make();
    private static final BucketSettings SETTINGS = new SomeSettings().seal(SEAL).pauseMillis(PAUSE_MILLIS)
            .segments(CutRule.usual(100, 300_000)).make();

    private final JobTime time = new JobTime(1);
    private final FaultyStorage storage = new FaultyStorage(1, new FaultRates(20, 0), time);
    private final StorageLife life = storage.newLife();

    /** One thread for all is the lock. */
    private static final class Subscription extends QuietHost {
        private SubscriptionBuckets buckets;
        private long entryId;

        private void addASeal() {
            for (int i = 0; i < SEAL; i++) {
                buckets.index().add(FAR_MILLIS + entryId * 7_919 % 1_000_003, 7, entryId++);
                buckets.index().takeWork().ifPresent(Runnable::run);
            }
        }

        private long figure(String name) {
            return buckets.samples().get("bucket_" + name);
        }

        private Optional<MergePlan> nextMerge() {
            return buckets.awakeIndex().orElseThrow().merges().begin(new MergeTiers(SEAL));
        }
    }

    private Subscription[] open(int subscriptions, int merges, int bytesASecond) {
        BucketServices services = SomeServices.in(time, life.storage()).merges(merges, bytesASecond).limits(LIMITS)
                .settings(SETTINGS).make();
        Subscription[] all = new Subscription[subscriptions];
        for (int i = 0; i < subscriptions; i++) {
            BucketKey key = new BucketKey("topic", "cursor" + i, BucketKey.WHOLE);
            all[i] = new Subscription();
            all[i].buckets = new SubscriptionBuckets(services, BucketOrigin.of(key,
                    () -> life.catalogue(key.topic(), key.cursor())));
            all[i].buckets.start(all[i]);
        }
        run(1_000);
        return all;
    }

    private void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    private static void assertMerged(Subscription one, int seals) {
        assertEquals((long) seals * SEAL, one.figure("sleeping_positions"));
        assertEquals(seals, one.figure("seals_total"));
        assertEquals(Optional.empty(), one.nextMerge().map(MergePlan::sources), "nothing is left to merge");
    }

    @Test
    void mergesThatAreFarBehindGoOnUntilNoClassHasFour() {
        Subscription one = open(1, 1, 3_000)[0];
        for (int i = 0; i < 85; i++) {
            one.addASeal();
            run(400);
        }
        assertTrue(one.figure("buckets") > 20, () -> "they are behind: " + one.buckets.samples());
        run(HOUR_MILLIS);
        assertMerged(one, 85);
        assertTrue(one.figure("buckets") <= 12, () -> one.buckets.samples().toString());
    }

    @Test
    void subscriptionsThatWaitForTheGateGetThroughOneAfterTheOther() {
        Subscription[] three = open(3, 1, 3_000);
        for (int i = 0; i < 16; i++) {
            for (Subscription one : three) {
                one.addASeal();
            }
            run(400);
        }
        run(HOUR_MILLIS);
        for (Subscription one : three) {
            assertMerged(one, 16);
        }
    }

    @Test
    void aMergeThatHasFailedForGoodIsTriedAgainAfterAPause() {
        Subscription one = open(1, 1, 1 << 20)[0];
        storage.onEvery(Operation.OPEN, "cursor0", Fault.failBefore(StorageException.Kind.UNAVAILABLE));
        for (int i = 0; i < 4; i++) {
            one.addASeal();
            run(1_000);
        }
        run(10_000);
        assertEquals(1, one.figure("merge_failures_total"));
        assertEquals(4, one.figure("buckets"));
        run(PAUSE_MILLIS + 10_000);
        assertEquals(2, one.figure("merge_failures_total"), "tried again, after a pause");
        storage.heal();
        run(PAUSE_MILLIS + 10_000);
        assertEquals(1, one.figure("merges_total"));
        assertEquals(1, one.figure("buckets"));
    }

    @Test
    void readingAndWritingKeepToTheRateHoweverSmallThePieces() {
        MergeGate gate = new MergeGate(2, 100_000, time, time);
        for (int i = 0; i < 1_000; i++) {
            while (!gate.pause(90).isDone()) {
                time.run(1);
            }
        }
        assertTrue(time.nowMillis() >= 850 && time.nowMillis() <= 900, () -> "90,000 bytes in " + time.nowMillis() + " ms");
    }
}
