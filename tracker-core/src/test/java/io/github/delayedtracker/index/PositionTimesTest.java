/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Times of positions, against a sorted map that does the same. */
class PositionTimesTest {

    private static final long ENTRIES = 1L << 40;

    private static PositionTimes of(SortedMap<Long, Long> times) {
        PositionTimes.Builder all = new PositionTimes.Builder();
        times.forEach((key, atMillis) -> all.add(key / ENTRIES, key % ENTRIES, atMillis));
        return all.build();
    }

    private static SortedMap<Long, Long> drawn(Random random) {
        TreeMap<Long, Long> times = new TreeMap<>();
        boolean isWide = random.nextBoolean();
        long ledgers = 1 + random.nextLong(3);
        long entries = random.nextBoolean() ? 300 : 200_000;
        for (int i = random.nextInt(200); i > 0; i--) {
            times.put(random.nextLong(1, ledgers + 1) * ENTRIES + random.nextLong(entries),
                    isWide ? random.nextLong() & PositionTimes.LATEST_MILLIS : 1_700_000_000_000L + random.nextLong(1_000_000));
        }
        return times;
    }

    private static SortedMap<Long, Long> all(PositionTimes times) {
        TreeMap<Long, Long> all = new TreeMap<>();
        times.forEach((ledgerId, entryId, atMillis) -> all.put(ledgerId * ENTRIES + entryId, atMillis));
        return all;
    }

    @Test
    void itDoesWhatASortedMapDoes() {
        long seed = System.nanoTime();
        System.out.println("PositionTimesTest seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 2_000; run++) {
            SortedMap<Long, Long> one = drawn(random);
            SortedMap<Long, Long> other = drawn(random);
            PositionTimes both = of(one).plus(of(other));
            one.putAll(other);
            assertEquals(one, all(both));
            assertEquals(one.size(), both.size());
            for (Map.Entry<Long, Long> each : one.entrySet()) {
                assertEquals(OptionalLong.of(each.getValue()), both.at(each.getKey() / ENTRIES, each.getKey() % ENTRIES));
                assertEquals(one.containsKey(each.getKey() + 1), both.at(each.getKey() / ENTRIES, each.getKey() % ENTRIES + 1)
                        .isPresent());
            }
            long modulo = random.nextLong(1, 5);
            one.keySet().removeIf(key -> key % modulo == 0);
            assertEquals(one, all(both.without((ledgerId, entryId) -> (ledgerId * ENTRIES + entryId) % modulo == 0)));
            TreeMap<Long, Long> sliced = new TreeMap<>();
            both.inSlices(7, slice -> {
                assertTrue(slice.size() <= 7);
                sliced.putAll(all(slice));
            });
            assertEquals(all(both), sliced);
        }
    }

    @Test
    void nothingGoneIsTheSameAndAllGoneIsNothing() {
        PositionTimes some = PositionTimes.of(positions(3), 5);
        assertEquals(3, some.without((ledgerId, entryId) -> false).size());
        assertSame(PositionTimes.NONE, some.without((ledgerId, entryId) -> true));
        assertSame(some, some.plus(PositionTimes.NONE));
        assertSame(some, PositionTimes.NONE.plus(some));
        assertEquals(0, PositionTimes.NONE.retainedBytes());
    }

    private static PositionSet positions(int count) {
        PositionSet positions = new PositionSet();
        for (int i = 0; i < count; i++) {
            positions.add(7, 3L * i);
        }
        return positions;
    }

    @Test
    void aHundredThousandTakeAtMostEightBytesEachWhateverTheirTimes() {
        Random random = new Random(1);
        PositionTimes.Builder far = new PositionTimes.Builder();
        positions(100_000).forEach((ledgerId, entryId) ->
                far.add(ledgerId, entryId, random.nextLong() & PositionTimes.LATEST_MILLIS));
        assertTrue(far.build().retainedBytes() < 8.05 * 100_000, () -> "bytes " + far.build().retainedBytes());
        assertTrue(PositionTimes.of(positions(100_000), 5).retainedBytes() < 6.05 * 100_000);
    }

    @Test
    void whatDoesNotAscendOrHasNoPossibleTimeIsRefused() {
        PositionTimes.Builder all = new PositionTimes.Builder();
        all.add(1, 70_000, 0);
        assertThrows(IllegalArgumentException.class, () -> all.add(1, 70_000, 0));
        assertThrows(IllegalArgumentException.class, () -> all.add(1, 3, 0));
        assertThrows(IllegalArgumentException.class, () -> all.add(0, 70_001, 0));
        assertThrows(IllegalArgumentException.class, () -> all.add(2, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> all.add(2, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> all.add(2, 0, PositionTimes.LATEST_MILLIS + 1));
        assertEquals(1, all.build().size());
    }
}
