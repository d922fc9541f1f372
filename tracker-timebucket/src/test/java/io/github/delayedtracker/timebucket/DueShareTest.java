/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DueShareTest {

    private static LongColumn column(long... dueMillis) {
        LongColumn column = new LongColumn();
        for (int i = 0; i < dueMillis.length; i++) {
            if (!column.append(i, dueMillis[i])) {
                column.insert(i, i, dueMillis[i]);
            }
        }
        return column;
    }

    private static int[] share(long untilMillis, int most, long[] without, long... dueMillis) {
        DueShare share = new DueShare(column(dueMillis), dueMillis.length, untilMillis, most, without);
        IntStream.Builder indexes = IntStream.builder();
        share.forEach(indexes::add);
        int[] all = indexes.build().toArray();
        assertEquals(all.length, share.count());
        return all;
    }

    private static int[] indexes(int... indexes) {
        return indexes;
    }

    @Test
    void asManyAsAskedForAreAllOfThem() {
        assertArrayEquals(indexes(), share(4, 3, null, 7, 5, 9));
        assertArrayEquals(indexes(0, 1), share(8, 3, null, 7, 5, 9));
        assertArrayEquals(indexes(0, 1, 2), share(Long.MAX_VALUE, 3, null, 7, 5, 9));
    }

    @Test
    void theEarliestComeFirstAndThoseOfOneTimeTogether() {
        assertArrayEquals(indexes(1, 2), share(10, 2, null, 9, 5, 7, 8));
        assertArrayEquals(indexes(0, 1, 2, 3), share(10, 2, null, 7, 7, 5, 7, 9));
        assertArrayEquals(indexes(0, 1, 2, 3), share(10, 1, null, 4, 4, 4, 4));
    }

    @Test
    void whatIsLeftOutDoesNotCount() {
        assertArrayEquals(indexes(0, 3), share(10, 2, new long[] {1L << 1 | 1L << 2}, 9, 5, 7, 8));
    }

    @Test
    void itAgreesWithSortingForTimesOfAnyKind() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            long different = 1 + random.nextLong(1L << random.nextInt(62));
            long[] times = random.longs(2 + random.nextInt(300), 0, different).toArray();
            if (random.nextInt(4) == 0) {
                Arrays.sort(times);
            }
            long[] without = random.longs(times.length + 63 >>> 6).map(bits -> bits & random.nextLong()).toArray();
            long untilMillis = random.nextInt(8) == 0 ? Long.MAX_VALUE : random.nextLong(different + 1);
            int most = 1 + random.nextInt(times.length);
            long[] due = IntStream.range(0, times.length)
                    .filter(i -> times[i] <= untilMillis && (without[i >>> 6] >>> i & 1) == 0)
                    .mapToLong(i -> times[i]).sorted().toArray();
            long last = due.length <= most ? untilMillis : due[most - 1];
            int[] expected = IntStream.range(0, times.length)
                    .filter(i -> times[i] <= last && (without[i >>> 6] >>> i & 1) == 0).toArray();
            assertArrayEquals(expected, share(untilMillis, most, without, times),
                    "-Ddelayed.test.seed=" + seed + ", round " + round);
        }
    }
}
