/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.OutageWorld.Subscription;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Snapshots that are gone, for a time or for good: findings S4 and S5. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutageTest {

    private static final int SEAL = 1_000;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long MINUTE_MILLIS = 60_000;
    private static final BucketSettings SETTINGS = SomeSettings.sealing(SEAL);

    private final OutageWorld world = new OutageWorld(SETTINGS);

    private Subscription sealed(String cursor, long firstDueMillis, long stepMillis, int seals) {
        Subscription opened = world.open(cursor);
        world.run(1_000);
        fill(opened, firstDueMillis, stepMillis, seals);
        return opened;
    }

    private void fill(Subscription opened, long firstDueMillis, long stepMillis, int seals) {
        long before = opened.figure("seals_total");
        for (int seal = 0; seal < seals; seal++) {
            for (int i = 0; i < SEAL; i++) {
                opened.publish(firstDueMillis + (long) (seal * SEAL + i) * stepMillis);
            }
            world.run(2_000);
        }
        assertEquals(before + seals, opened.figure("seals_total"), "seals");
    }

    private void booksAreGone() {
        world.storage.onEvery(Operation.READ, "*", Fault.failBefore(Kind.UNAVAILABLE));
        world.storage.onEvery(Operation.OPEN, "*", Fault.failBefore(Kind.UNAVAILABLE));
    }

    private void loseAll() {
        List.copyOf(world.storage.world().ledgerIds()).forEach(world.storage.world()::loseLedger);
    }

    @Test
    void s4WhatIsOverdueInASnapshotThatIsNeverReadIsReadFromTheTopicAfterAMinute() {
        Subscription one = sealed("one", HOUR_MILLIS, 1, 1);
        booksAreGone();
        world.run(HOUR_MILLIS - world.time.nowMillis() + MINUTE_MILLIS);
        world.run(5_000);
        assertEquals(SEAL, one.delivered.cardinality(), one.buckets.samples().toString());
        assertEquals(1, one.figure("lost_buckets_total"));
    }

    @Test
    void s4NothingIsGivenUpBeforeItIsOverdueNorWithinAMinuteOfItsLoad() {
        Subscription one = sealed("one", HOUR_MILLIS, 1, 1);
        booksAreGone();
        world.run(HOUR_MILLIS - world.time.nowMillis() - 10_000);
        assertEquals(0, one.figure("lost_buckets_total"), "it is not overdue");
        world.storage.heal();
        world.run(MINUTE_MILLIS);
        assertEquals(SEAL, one.delivered.cardinality());
        assertEquals(0, one.figure("lost_buckets_total"), "it was read");
        assertEquals(0, one.reads.size() - SEAL, "nothing was read twice");
    }

    @Test
    void s4TheEarliestOverdueBucketIsGivenUpFirstAndOneAfterTheOther() {
        Subscription one = sealed("one", 3 * HOUR_MILLIS, 1, 1);
        fill(one, HOUR_MILLIS, 1, 1);
        fill(one, 2 * HOUR_MILLIS, 1, 1);
        booksAreGone();
        one.takes = false;
        world.run(4 * HOUR_MILLIS);
        assertEquals(1, one.figure("lost_buckets_total"), "the others wait until it is read again");
        one.takes = true;
        world.run(10_000);
        assertEquals(3, one.figure("lost_buckets_total"));
        List<Integer> expected = new ArrayList<>();
        for (int bucket : new int[] {1, 2, 0}) {
            IntStream.range(bucket * SEAL, (bucket + 1) * SEAL).forEach(expected::add);
        }
        assertEquals(expected, one.reads, "earliest bucket first, inside it by position");
    }

    @Test
    void s4WhatTurnsOutNotToBeDueIsTrackedAgainAndComesInTime() {
        Subscription one = sealed("one", HOUR_MILLIS, 10_000, 1);
        booksAreGone();
        world.run(HOUR_MILLIS - world.time.nowMillis() + MINUTE_MILLIS + 5_000);
        assertEquals(SEAL, one.reads.stream().distinct().count());
        assertEquals(SEAL, one.delivered.cardinality() + one.state.count());
        world.storage.heal();
        world.run(SEAL * 10_000 + MINUTE_MILLIS);
        assertEquals(SEAL, one.delivered.cardinality());
        assertEquals(0, one.state.count());
    }

    @Test
    void s4WhereDelayedDeliveryIsSwitchedOffNothingWaitsToBeOfferedAgain() {
        Subscription one = sealed("one", HOUR_MILLIS, 1, 3);
        booksAreGone();
        one.delays = false;
        world.run(HOUR_MILLIS - world.time.nowMillis() + MINUTE_MILLIS + 10_000);
        assertEquals(3 * SEAL, one.delivered.cardinality(), one.buckets.samples().toString());
        assertEquals(3 * SEAL, one.reads.size());
    }

    @Test
    void s4AnAnswerThatComesAfterTheGivingUpIsDropped() {
        Subscription one = sealed("one", HOUR_MILLIS, 10_000, 1);
        world.storage.onEvery(Operation.READ, "*", Fault.answerLate(25_000));
        world.storage.onEvery(Operation.OPEN, "*", Fault.answerLate(25_000));
        world.run(HOUR_MILLIS - world.time.nowMillis() + 2 * MINUTE_MILLIS);
        one.state.validate();
        world.run(HOUR_MILLIS + 500);
        one.state.validate();
        assertEquals(one.deliverAtMillis.size(), one.delivered.cardinality() + one.state.count());
    }

    @Test
    void s4AMergeOfABucketThatIsGivenUpEndsForIt() {
        Subscription one = sealed("one", HOUR_MILLIS, 1, 3);
        world.storage.onEvery(Operation.READ, "*", Fault.hangBefore());
        fill(one, HOUR_MILLIS, 1, 1);
        world.run(HOUR_MILLIS - world.time.nowMillis() + 2 * MINUTE_MILLIS);
        one.state.validate();
        assertEquals(4 * SEAL, one.delivered.cardinality(), one.buckets.samples().toString());
    }

    @Test
    void s5ALostBucketIsReadAgainAsFastAsTheTopicGivesItTwice() {
        Subscription one = sealed("one", HOUR_MILLIS, 1, 64);
        world.run(MINUTE_MILLIS);
        loseAll();
        one.takes = false;
        world.run(HOUR_MILLIS - world.time.nowMillis() + 64 * SEAL);
        assertEquals(64 * SEAL, one.figure("lost_positions"), one.buckets.samples().toString());
        one.takes = true;
        world.run(2_000);
        long withoutLimitMillis = 64 * SEAL / 100 * world.readMillis;
        long fromMillis = one.readAtMillis.get(0);
        world.run(fromMillis + 3 * withoutLimitMillis - world.time.nowMillis());
        assertEquals(64 * SEAL, one.delivered.cardinality(), world.limit.samples().toString());
    }

    @Test
    void s5HalfOfTheTimeIsLeftToOtherMessagesOfTheTopic() {
        Subscription one = sealed("one", HOUR_MILLIS, 1, 64);
        loseAll();
        one.takes = false;
        world.run(HOUR_MILLIS - world.time.nowMillis() + 64 * SEAL);
        one.takes = true;
        world.run(10_000);
        List<Long> at = one.readAtMillis.stream().distinct().toList();
        long spanMillis = at.get(at.size() - 1) - at.get(0);
        long busyMillis = at.size() * world.readMillis;
        assertTrue(2 * busyMillis <= spanMillis + 50 * world.readMillis, busyMillis + " of " + spanMillis + " ms");
    }

    @Test
    void s5ASubscriptionThatTakesNothingKeepsNoPartOfTheLimitFromTheOthers() {
        List<Subscription> idle = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Subscription one = sealed("idle" + i, HOUR_MILLIS, 1, 1);
            one.takes = false;
            idle.add(one);
        }
        Subscription taking = sealed("taking", HOUR_MILLIS, 1, 4);
        loseAll();
        world.run(HOUR_MILLIS - world.time.nowMillis() + 6_000);
        assertEquals(4 * SEAL, taking.delivered.cardinality());
        idle.forEach(one -> assertEquals(0, one.delivered.cardinality()));
        assertEquals(0, world.limit.samples().get("bucket_rereads_under_way"));
    }

    @Test
    void s5ReadsThatFailSlowTheReadingDownAndItGoesOnWhenTheySucceed() {
        Subscription one = sealed("one", HOUR_MILLIS, 1, 4);
        loseAll();
        one.readsFail = true;
        world.run(HOUR_MILLIS - world.time.nowMillis() + 10 * MINUTE_MILLIS);
        assertEquals(0, one.delivered.cardinality());
        assertTrue(one.figure("lost_positions") >= SEAL, "read at a few a second at most while reads fail");
        assertTrue(world.limit.samples().get("bucket_reread_window_positions") <= 100, world.limit.samples().toString());
        one.readsFail = false;
        world.run(2 * MINUTE_MILLIS);
        assertEquals(4 * SEAL, one.delivered.cardinality(), world.limit.samples().toString());
    }
}
