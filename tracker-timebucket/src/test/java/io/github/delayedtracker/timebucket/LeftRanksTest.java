/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranks left are counted and found as in a list of them. */
class LeftRanksTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 1_023, 1_024, 1_025, 5_000, 16_384, 16_385, 40_000})
    void theyAreThoseOfAListThatRanksAreTakenFrom(int all) {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int round = 0; round < 2; round++) {
            LeftRanks left = new LeftRanks(all);
            List<Integer> twin = new ArrayList<>(IntStream.range(0, all).boxed().toList());
            boolean inOrder = random.nextBoolean();
            while (!twin.isEmpty()) {
                int steps = Math.min(twin.size(), 1 + random.nextInt(1 + all / 4));
                for (int i = 0; i < steps; i++) {
                    left.remove(twin.remove(inOrder ? 0 : random.nextInt(twin.size())));
                }
                LeftRanks copy = new LeftRanks(left);
                assertAreTwins(twin, copy, random, all, seed);
            }
        }
    }

    private static void assertAreTwins(List<Integer> twin, LeftRanks left, Random random, int all, long seed) {
        String message = "-Ddelayed.test.seed=" + seed;
        for (int look = 0; look < 20; look++) {
            int rank = random.nextInt(all);
            assertEquals(twin.contains(rank), left.has(rank), message);
            assertEquals(twin.contains(rank), (left.bits(rank >>> 6) & 1L << rank) != 0, message);
            int to = random.nextInt(all + 1);
            assertEquals(twin.stream().filter(other -> other >= rank && other < to).count(), left.count(rank, to), message);
            int passed = random.nextInt(1 + random.nextInt(700));
            int before = rank - random.nextInt(2);
            int expected = twin.stream().filter(other -> other > before).skip(passed).findFirst().orElse(all);
            assertEquals(expected, left.behind(before, passed), message);
        }
    }

    @Test
    void noneIsStoredWhileTheyLeaveInOrder() {
        LeftRanks left = new LeftRanks(16_384);
        IntStream.range(0, 16_000).forEach(left::remove);
        assertEquals(0, left.arrayBytes());
        left.remove(16_383);
        assertEquals(16_000, left.behind(-1, 0));
        assertEquals(16_382, left.behind(16_000, 381));
        assertEquals(16 + 2_048, left.arrayBytes());
    }
}
