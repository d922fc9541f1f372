/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Positions and times with next to nothing to compress: bytes a message of {@code timebucket}, position set included. */
class HardPositionsTest {

    private static final long PRECISION_MILLIS = 1_024;
    private static final int MESSAGES = 200_000;
    private static final long SEED = 5;

    @BeforeAll
    static void prepare() {
        Retained.prepare();
    }

    /** Ledger ids and times of 62 bits, entry ids of 31. */
    @Test
    void arbitraryIdsAndTimesTakeAtMostThreeLongs() {
        SplittableRandom random = new SplittableRandom(SEED);
        long[] ledgerIds = random.longs(MESSAGES, 0, 1L << 62).sorted().toArray();
        Messages messages = new Messages(MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            messages.set(i, ledgerIds[i], random.nextLong(1L << 31), Traffic.START_MILLIS + random.nextLong(1L << 62));
        }
        takesAtMost(24.1, messages);
    }

    @Test
    void arbitraryIdsInAnyOrderTakeAtMostThreeLongs() {
        SplittableRandom random = new SplittableRandom(SEED);
        Messages messages = new Messages(MESSAGES / 2);
        for (int i = 0; i < MESSAGES / 2; i++) {
            messages.set(i, random.nextLong(1L << 62), random.nextLong(1L << 31),
                    Traffic.START_MILLIS + random.nextLong(1L << 62));
        }
        takesAtMost(24.1, messages);
    }

    @Test
    void oneInALedgerAndABucketTakesAtMostEightBytes() {
        SplittableRandom random = new SplittableRandom(SEED);
        long[] ledgerIds = random.longs(MESSAGES, 0, 1_000L * MESSAGES).toArray();
        Arrays.sort(ledgerIds);
        Messages messages = new Messages(MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            messages.set(i, ledgerIds[i], 0, Traffic.START_MILLIS + PRECISION_MILLIS * i);
        }
        takesAtMost(8.2, messages);
    }

    /** An open tail is no part of it. */
    private static void takesAtMost(double mostBytes, Messages messages) {
        try (Tracker tracker = Backend.TIMEBUCKET.openOrFail(false, PRECISION_MILLIS)) {
            messages.addTo(tracker);
            tracker.settle();
            double bytes = (double) Retained.walk(tracker.indexRoot()) / messages.count();
            assertTrue(bytes <= mostBytes, bytes + " B a message, seed " + SEED);
        }
    }
}
