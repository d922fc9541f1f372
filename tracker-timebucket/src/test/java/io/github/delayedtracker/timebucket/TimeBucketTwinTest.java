/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.IndexTwin;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The index beside a naive twin over a million operations and more, with every invariant checked after each. With
 * {@code -Ddelayed.test.minutes} it goes on for that long.
 */
class TimeBucketTwinTest {

    /** Positions in a segment of few. */
    static final int SMALL = 64;

    private static final int OPERATIONS = 1_200_000;
    private static final int OPERATIONS_OF_A_RUN = 10_000;
    private static final int VALIDATED_POSITIONS = 300;
    private static final long NANOS_OF_A_MINUTE = 60_000_000_000L;

    @Test
    void itAgreesWithANaiveTwinAfterEachOperation() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        long minutes = Long.getLong("delayed.test.minutes", 0);
        long endNanos = System.nanoTime() + minutes * NANOS_OF_A_MINUTE;
        int run;
        for (run = 0; (long) run * OPERATIONS_OF_A_RUN < OPERATIONS || System.nanoTime() < endNanos; run++) {
            Random random = new Random(firstSeed + run);
            int segment = random.nextInt(4) == 0 ? PartSizes.SEGMENT : SMALL;
            try {
                new IndexTwin(new TimeBucketIndex(segment), random, run % IndexTwin.SHAPES)
                        .run(OPERATIONS_OF_A_RUN, VALIDATED_POSITIONS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
        if (minutes > 0) {
            System.out.printf("TWIN %,d operations from seed %d%n", (long) run * OPERATIONS_OF_A_RUN, firstSeed);
        }
    }
}
