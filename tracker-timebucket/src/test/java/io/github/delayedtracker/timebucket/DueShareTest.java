/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueShareTest {

    private static long untilMillis(int positions, long... dueMillis) {
        DueShare share = new DueShare(Scratch.borrow(Math.max(1, dueMillis.length)));
        for (long due : dueMillis) {
            share.add(due);
        }
        return share.untilMillis(positions);
    }

    @Test
    void asManyAsAskedForAreAllOfThem() {
        assertEquals(Long.MAX_VALUE, untilMillis(3));
        assertEquals(Long.MAX_VALUE, untilMillis(3, 7, 5, 9));
    }

    @Test
    void theEarliestComeFirstAndThoseOfOneTimeTogether() {
        assertEquals(7, untilMillis(2, 9, 5, 7, 8));
        assertEquals(7, untilMillis(2, 7, 7, 5, 7, 9));
        assertEquals(4, untilMillis(1, 4, 4, 4, 4));
    }

    @Test
    void itAgreesWithSortingForTimesOfAnyKind() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            int different = 1 + random.nextInt(1 << random.nextInt(12));
            long[] times = random.longs(2 + random.nextInt(300), 0, different).toArray();
            if (random.nextInt(4) == 0) {
                Arrays.sort(times);
            }
            int positions = 1 + random.nextInt(times.length - 1);
            long[] sorted = times.clone();
            Arrays.sort(sorted);
            assertEquals(sorted[positions - 1], untilMillis(positions, times), "seed " + seed + ", round " + round);
        }
    }
}
