/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order of a segment's positions by time. */
class ScratchTest {

    private static final int RUNS = 600;

    @Test
    void ranksAreSortedByTimeAndThenByRank() {
        long firstSeed = new Random().nextLong();
        for (int run = 0; run < RUNS; run++) {
            long seed = firstSeed + run;
            Random random = new Random(seed);
            int positions = 1 + random.nextInt(500);
            int bits = 1 + random.nextInt(63);
            int unit = random.nextInt(bits);
            Scratch scratch = Scratch.borrow(positions);
            for (int i = 0; i < positions; i++) {
                scratch.append(1, i, (random.nextLong() >>> Long.SIZE - bits) & -1L << unit);
            }
            int[] expected = IntStream.range(0, positions).boxed()
                    .sorted((a, b) -> Long.compare(scratch.dueMillis[a], scratch.dueMillis[b]))
                    .mapToInt(Integer::intValue).toArray();
            scratch.sortByTime();
            for (int i = 0; i < positions; i++) {
                assertEquals(expected[i], scratch.order[i], "seed " + seed + ", place " + i);
                assertEquals(scratch.dueMillis[expected[i]], scratch.ascending[i], "seed " + seed + ", place " + i);
            }
            Scratch.giveBack(scratch);
        }
    }

    @Test
    void positionsAreSortedHoweverFarTheirIdsAreApart() {
        long firstSeed = new Random().nextLong();
        for (int run = 0; run < RUNS; run++) {
            long seed = firstSeed + run;
            Random random = new Random(seed);
            int ledgerBits = 1 + random.nextInt(63);
            int entryBits = 1 + random.nextInt(63);
            TreeMap<Position, Long> expected = new TreeMap<>();
            Scratch scratch = Scratch.borrow(500);
            for (int i = 1 + random.nextInt(500); i > 0; i--) {
                Position position = new Position(random.nextLong() >>> Long.SIZE - ledgerBits,
                        random.nextLong() >>> Long.SIZE - entryBits);
                if (expected.put(position, (long) i) == null) {
                    scratch.append(position.ledgerId(), position.entryId(), i);
                } else {
                    expected.put(position, dueOf(scratch, position));
                }
            }
            scratch.sortByPosition();
            int at = 0;
            for (Map.Entry<Position, Long> each : expected.entrySet()) {
                assertEquals(each.getKey(), new Position(scratch.ledgerIds[at], scratch.entryIds[at]), "seed " + seed);
                assertEquals(each.getValue(), scratch.dueMillis[at], "seed " + seed);
                at++;
            }
            assertEquals(scratch.count, at);
            Scratch.giveBack(scratch);
        }
    }

    private static long dueOf(Scratch scratch, Position position) {
        int at = 0;
        while (scratch.ledgerIds[at] != position.ledgerId() || scratch.entryIds[at] != position.entryId()) {
            at++;
        }
        return scratch.dueMillis[at];
    }

    @Test
    void aSmallScratchDoesNotTakeThePlaceOfALargeOne() {
        Scratch large = Scratch.borrow(40_000);
        Scratch small = Scratch.borrow(10);
        Scratch.giveBack(large);
        Scratch.giveBack(small);
        assertTrue(Scratch.borrow(10).ledgerIds.length >= 40_000, "what is kept is large enough for the next segment");
    }
}
