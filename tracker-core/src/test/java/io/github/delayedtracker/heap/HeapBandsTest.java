/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.MergedRuns;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bands cut a time without a gap, few rows in the first; a heap reads its rows by them where many are due before. */
class HeapBandsTest {

    private static void mustBeWithoutAGap(HeapBands bands, long fromMillis, long untilMillis) {
        long next = fromMillis;
        int count = 0;
        while (bands.next()) {
            assertEquals(next, bands.fromMillis());
            assertTrue(bands.untilMillis() >= next);
            next = bands.untilMillis() + 1;
            count++;
        }
        assertEquals(untilMillis, next - 1);
        assertTrue(count <= 12, count + " bands");
    }

    @Test
    void bandsFollowEachOtherWithoutAGap() {
        mustBeWithoutAGap(new HeapBands(1_000_000, i -> 5_000L + i, 5_000, 2_000_000), 5_000, 2_000_000);
        mustBeWithoutAGap(new HeapBands(1_000_000, i -> 7_000, 5_000, 9_000), 5_000, 9_000);
        mustBeWithoutAGap(new HeapBands(3, i -> i, 0, 10), 0, 10);
        mustBeWithoutAGap(new HeapBands(0, i -> i, 4, 4), 4, 4);
    }

    @Test
    void theEndOfAllTimesIsTheLastBand() {
        HeapBands bands = new HeapBands(1_000_000, i -> i, 500_000, Long.MAX_VALUE);
        long last = 0;
        while (bands.next()) {
            last = bands.untilMillis();
        }
        assertEquals(Long.MAX_VALUE, last);
        assertFalse(bands.next());
    }

    @Test
    void theFirstBandHasFewRows() {
        SplittableRandom random = new SplittableRandom(5);
        long[] due = random.longs(2_000_000, 0, 600_000).toArray();
        HeapBands bands = new HeapBands(due.length, i -> due[i], 300_000, Long.MAX_VALUE);
        assertTrue(bands.next());
        long rows = Arrays.stream(due).filter(each -> each >= 300_000 && each <= bands.untilMillis()).count();
        assertTrue(rows > 1_000 && rows < 100_000, rows + " rows");
    }

    @Test
    void aHeapReadsTheSameRowsInTheSameOrderFromTheMiddleOn() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        HeapIndex index = new HeapIndex();
        int count = 300_000;
        long[] due = new long[count];
        for (int i = 0; i < count; i++) {
            // A third of them at a few times.
            due[i] = i % 3 == 0 ? random.nextLong(10) * 20_000 : random.nextLong(200_000);
            assertTrue(index.add(due[i], 1, i));
        }
        DueRun rows = new MergedRuns(index.runs(110_000, 190_000));
        long expected = Arrays.stream(due).filter(each -> each >= 110_000 && each <= 190_000).count();
        long found = 0;
        long lastDue = -1;
        long lastEntry = -1;
        while (rows.next()) {
            assertTrue(rows.dueMillis() > lastDue || rows.dueMillis() == lastDue && rows.entryId() > lastEntry, "seed " + seed);
            lastDue = rows.dueMillis();
            lastEntry = rows.entryId();
            assertEquals(due[(int) lastEntry], lastDue);
            found++;
        }
        assertEquals(expected, found, "seed " + seed);
    }
}
