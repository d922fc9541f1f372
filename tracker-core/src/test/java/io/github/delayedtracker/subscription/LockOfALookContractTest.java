/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionTimes;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A page of a large schedule holds the subscription's lock for a moment, promised for every backend. Time is the thread's CPU
 * time; the median of warm looks is asserted, which no pause of the machine moves.
 */
public abstract class LockOfALookContractTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long SPREAD_MILLIS = 600_000;
    private static final int MESSAGES = 2_000_000;
    private static final int ENTRIES_OF_A_LEDGER = 50_000;
    private static final int PAGE = 1_000;
    private static final int COLD = 60;
    private static final int WARM = 41;
    private static final long MOST_NANOS = 1_000_000;

    /** An empty index of the backend under test. */
    protected abstract DelayIndex newIndex();

    /** The precision the backend is used with at a tick of 1000 ms. */
    protected abstract long precisionMillis();

    @Test
    @DisplayName("I20: the first page of 2 M messages, and one from the middle, hold the lock for less than a millisecond")
    void aPageHoldsTheLockForAMoment() {
        SubscriptionState state = States.empty(this::newIndex, new TimeRules(false, 1_000, precisionMillis()));
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(state.offer(i / ENTRIES_OF_A_LEDGER, i % ENTRIES_OF_A_LEDGER, NOW + 2_000 + random.nextLong(SPREAD_MILLIS),
                    NOW));
        }
        for (long fromMillis : new long[] {0, NOW + SPREAD_MILLIS / 2}) {
            long medianNanos = medianHoldNanos(state, fromMillis);
            assertTrue(medianNanos < MOST_NANOS, "from " + fromMillis + " on the lock was held for " + medianNanos + " ns");
        }
    }

    private static long medianHoldNanos(SubscriptionState state, long fromMillis) {
        long[] holds = new long[WARM];
        for (int i = -COLD; i < WARM; i++) {
            ScheduleWalk walk = new ScheduleWalk(state, PositionTimes.NONE, (ledgerId, entryId) -> false, fromMillis,
                    Long.MAX_VALUE, NOW);
            long begunNanos = cpuNanos();
            Optional<Boolean> begun = walk.begin(() -> true);
            if (i >= 0) {
                holds[i] = cpuNanos() - begunNanos;
            }
            int[] rows = {0};
            assertTrue(begun.isPresent() && walk.pass(Optional.empty(), PAGE, row -> rows[0]++).isPresent());
            assertEquals(PAGE, rows[0]);
            walk.close();
        }
        Arrays.sort(holds);
        return holds[WARM / 2];
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
