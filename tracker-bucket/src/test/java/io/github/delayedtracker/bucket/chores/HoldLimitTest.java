/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.DeleteChore.HeldLedgers;
import io.github.delayedtracker.bucket.chores.DeleteChore.HoldLimit;
import io.github.delayedtracker.bucket.chores.SomeBroker.Subscription;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S10, ruling 26: what is held back has a limit in a broker. */
class HoldLimitTest {

    private static final int SEAL = 20_000;
    private static final int SEALS_A_MERGE = 4;
    private static final long FAR_MILLIS = 3_600_000_000L;
    private static final long SEAL_MILLIS = 10_000;
    private static final long HOLD_MILLIS = SomeSettings.DEFAULT.holdMillis();

    private final JobTime time = new JobTime(1);
    private final FaultyStorage storage = new FaultyStorage(1, new FaultRates(20, 0), time);
    private final HoldLimit holds = new HoldLimit(time::nowMillis, SEALS_A_MERGE);
    private Subscription one;

    @BeforeEach
    void mergeOnce() {
        one = new SomeBroker(time, storage.newLife(), holds).open("cursor");
        run(1_000);
        seal(SEALS_A_MERGE);
        assertEquals(1, one.figure("merges_total"));
        assertEquals(SEALS_A_MERGE, held());
    }

    private void seal(int times) {
        for (int i = 0; i < times; i++) {
            one.add(SEAL, FAR_MILLIS);
            run(SEAL_MILLIS);
        }
    }

    private void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    private long held() {
        return holds.samples().get("bucket_held_ledgers");
    }

    @Test
    @DisplayName("Merging waits while a broker holds as many ledgers as it may, deletes none sooner, and goes on then")
    void mergingWaitsForWhatIsHeld() {
        seal(SEALS_A_MERGE);
        assertEquals(1, one.figure("merges_total"));
        assertEquals(0, one.figure("deleted_ledgers_total"));
        assertEquals(1 + SEALS_A_MERGE, one.figure("buckets"));
        run(HOLD_MILLIS);
        assertEquals(2, one.figure("merges_total"));
        assertEquals(SEALS_A_MERGE, one.figure("deleted_ledgers_total"));
        run(2 * HOLD_MILLIS);
        assertEquals(2 * SEALS_A_MERGE, one.figure("deleted_ledgers_total"));
        assertEquals(0, held());
    }

    @Test
    @DisplayName("What is used up is doomed though a broker holds as many ledgers as it may")
    void whatIsUsedUpIsDoomedAllTheSame() {
        one.acknowledgeAll();
        one.buckets().sweep();
        run(1_000);
        assertEquals(0, one.figure("buckets"));
        assertEquals(SEALS_A_MERGE + 1, held());
        run(HOLD_MILLIS + SEAL_MILLIS);
        assertEquals(List.of(), storage.world().ledgerIds());
    }

    @Test
    @DisplayName("A topic that is unloaded makes room")
    void aCloseGivesBackWhatIsHeld() {
        one.buckets().close();
        run(1_000);
        assertEquals(0, held());
    }

    @Test
    @DisplayName("A clear makes room")
    void aClearGivesBackWhatIsHeld() {
        CompletableFuture<Void> cleared = one.buckets().clear();
        run(1_000);
        assertTrue(cleared.isDone());
        assertEquals(0, held());
    }

    @Test
    @DisplayName("A ledger is held from when it is first doomed, however often it is asked about")
    void theTimeOfALedgerBeginsOnce() {
        HoldLimit others = new HoldLimit(time::nowMillis);
        HeldLedgers held = new HeldLedgers(others, HOLD_MILLIS);
        assertEquals(Long.MAX_VALUE, held.nextMillis());
        assertEquals(Set.of(1L), held.of(Set.of(1L)));
        long dueMillis = time.nowMillis() + HOLD_MILLIS;
        run(HOLD_MILLIS - 1);
        assertEquals(Set.of(1L, 2L), held.of(Set.of(1L, 2L)));
        assertEquals(dueMillis, held.nextMillis());
        run(1);
        assertEquals(Set.of(2L), held.of(Set.of(1L, 2L)));
        assertEquals(dueMillis + HOLD_MILLIS - 1, held.nextMillis());
        assertEquals(2, others.samples().get("bucket_held_ledgers"), "until it is deleted");
        assertEquals(Set.of(2L), held.of(Set.of(2L)));
        assertEquals(1, others.samples().get("bucket_held_ledgers"));
    }

    @Test
    @DisplayName("The hold is five time-outs of a session, a day at most")
    void theHoldFollowsTheSessions() {
        assertEquals(50_000, SomeSettings.DEFAULT.withSessions(10_000).holdMillis());
        assertEquals(150_000, SomeSettings.DEFAULT.withSessions(0).holdMillis());
        assertEquals(150_000, SomeSettings.DEFAULT.withSessions(-1).holdMillis());
        assertEquals(86_400_000, SomeSettings.DEFAULT.withSessions(Long.MAX_VALUE).holdMillis());
    }

    @Test
    @DisplayName("S10: what is held back ends with the topic, though no thread can be had for its last task")
    void nothingIsHeldBackForATopicThatIsGone() {
        AtomicBoolean refuses = new AtomicBoolean();
        Executor threads = task -> {
            if (refuses.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            time.execute(task);
        };
        StorageLife life = storage.newLife();
        BucketServices services = SomeServices.in(time, threads, time::nowMillis, life.storage())
                .settings(new SomeSettings().seal(100).make()).make();
        SubscriptionBuckets buckets = new SubscriptionBuckets(services, BucketOrigin.of(
                new BucketKey("topic", "gone", BucketKey.WHOLE), () -> life.catalogue("topic", "gone")));
        buckets.start(new QuietHost());
        run(1_000);
        for (int i = 0; i < 100 * SEALS_A_MERGE; i++) {
            buckets.index().add(FAR_MILLIS + i, 7, i);
            buckets.index().takeWork().ifPresent(Runnable::run);
            run(i % 100 == 99 ? SEAL_MILLIS : 0);
        }
        assertEquals(SEALS_A_MERGE, services.samples().get("bucket_held_ledgers"));
        refuses.set(true);
        buckets.close();
        refuses.set(false);
        run(HOLD_MILLIS);
        assertEquals(0, services.samples().get("bucket_held_ledgers"));
    }
}
