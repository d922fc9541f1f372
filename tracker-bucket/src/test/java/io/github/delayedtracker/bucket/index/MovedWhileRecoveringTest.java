/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.BucketIndex.RecoveredBucket;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.CandidateBatch;
import io.github.delayedtracker.subscription.Rescheduled;
import io.github.delayedtracker.subscription.ScheduleWalk;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.subscription.Withdrawals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What commands ask while buckets come back takes nothing from the buckets that are still to come. */
class MovedWhileRecoveringTest {

    private static final int EACH = 100;
    private static final long NOW = 1_000;
    private static final long FAR = 1_000_000;
    private static final long SOON = 5_000;

    private final BucketScene restarted = new BucketScene();
    private final SubscriptionState state = new SubscriptionState(restarted.index, () -> restarted.index,
            new TimeRules(true, 1_000, 1), Runnable::run);
    private RecoveredBucket bucket;

    @BeforeEach
    void aBucketIsToComeBack() {
        BucketScene before = new BucketScene();
        before.add(3, 0, EACH, FAR, 1);
        long ledgerId = before.seal();
        restarted.index.beginRecovery();
        bucket = RecoveredBucket.of(ledgerId, before.storage.entries(ledgerId), BucketScene.set(before.storage.readAll(ledgerId)),
                0);
    }

    private static PositionSet firstTen() {
        PositionSet ten = new PositionSet();
        for (int i = 0; i < 10; i++) {
            ten.add(3, i);
        }
        return ten;
    }

    private long comeBack() {
        return state.change(included -> {
            bucket.range().passOn(included);
            return restarted.index.register(bucket);
        });
    }

    @Test
    @DisplayName("I4: a message moved to an earlier time, whose time is known before its bucket is back, comes at it")
    void theirTimesMayBeKnownBeforeTheyAreBack() {
        Rescheduled rescheduled = new Rescheduled(state);
        rescheduled.restore(PositionTimes.of(firstTen(), SOON), NOW);
        assertEquals(EACH, comeBack());
        rescheduled.again(bucket.range(), NOW);
        List<Long> taken = new ArrayList<>();
        state.takeDue(SOON, EACH, 9, 0, (ledgerId, entryId) -> taken.add(entryId));
        assertEquals(10, taken.size());
        assertEquals(EACH - 10, state.count());
    }

    @Test
    void aLookTakesNothing() {
        assertTrue(ScheduleWalk.known(state, firstTen()).isEmpty());
        assertEquals(EACH, comeBack());
    }

    @Test
    void aCommandThatFindsNoneTakesNothing() {
        Withdrawals withdrawals = new Withdrawals(state);
        CandidateBatch asked = new CandidateBatch();
        firstTen().forEach(asked);
        withdrawals.withdraw(asked, (ledgerId, entryId) -> {
            throw new AssertionError("none is known");
        });
        assertEquals(EACH, comeBack());
    }

    @Test
    void aReadThatAsksIsGivenThem() {
        state.askAlways(true);
        assertFalse(state.contains(3, 0, NOW));
        assertEquals(EACH - 1, comeBack());
    }
}
