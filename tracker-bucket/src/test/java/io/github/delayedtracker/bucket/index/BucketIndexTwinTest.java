/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.index.IndexTwin;
import io.github.delayedtracker.timebucket.SmallTimeBuckets;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The index with a random driver beside a naive twin, every invariant checked after each operation. With
 * {@code -Ddelayed.test.minutes} it goes on for that long.
 */
class BucketIndexTwinTest {

    private static final int OPERATIONS = 240_000;
    private static final int OPERATIONS_OF_A_RUN = 5_000;
    private static final int VALIDATED_POSITIONS = 60;
    private static final long NANOS_OF_A_MINUTE = 60_000_000_000L;

    @Test
    void itAgreesWithANaiveTwinAfterEachOperation() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        long endNanos = System.nanoTime() + Long.getLong("delayed.test.minutes", 0) * NANOS_OF_A_MINUTE;
        for (int run = 0; run * OPERATIONS_OF_A_RUN < OPERATIONS || System.nanoTime() < endNanos; run++) {
            Random random = new Random(firstSeed + run);
            int leastSeal = 1 + random.nextInt(random.nextBoolean() ? 10 : 300);
            DrivenBuckets driven = new DrivenBuckets(random.nextInt(3) > 0 ? new SmallTimeBuckets()::newIndex
                    : new TimeBucketIndexProvider()::newIndex, random, leastSeal, 1 + random.nextInt(60));
            try {
                new IndexTwin(driven, random, run % IndexTwin.SHAPES).run(OPERATIONS_OF_A_RUN, VALIDATED_POSITIONS);
                driven.clear();
                assertEquals(0, driven.driver().storage().ledgers(), "every ledger is deleted in the end");
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
    }
}
