/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DueHistogramTest {

    private final DueHistogram histogram = new DueHistogram();

    private long dueBy(long millis) {
        long[] counts = new long[1];
        histogram.countDueBy(new long[] {millis}, counts);
        return counts[0];
    }

    @Test
    void countsAreExactAtTheStartOfASlot() {
        histogram.add(0, 3);
        histogram.add(65_536, 2);
        assertEquals(0, dueBy(-1));
        assertEquals(3, dueBy(65_535));
        assertEquals(5, dueBy(65_536));
        histogram.remove(0, 3);
        assertEquals(2, dueBy(Long.MAX_VALUE));
    }

    @Test
    void theSizeIsBoundedForAnyTimes() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            histogram.add(random.nextLong(Long.MAX_VALUE), 1);
        }
        histogram.validate(100_000);
        assertEquals(100_000, dueBy(Long.MAX_VALUE));
        assertTrue(histogram.retainedBytes() < 1_300, histogram.retainedBytes() + " bytes");
    }

    @Test
    void itIsSmallAgainOnceItIsEmpty() {
        long empty = histogram.retainedBytes();
        histogram.add(1L << 60, 1);
        histogram.add(5, 1);
        histogram.remove(1L << 60, 1);
        histogram.remove(5, 1);
        assertEquals(empty, histogram.retainedBytes());
    }

    @Test
    void takingOutWhatWasNotCountedIsRefused() {
        histogram.add(100, 1);
        assertThrows(IllegalStateException.class, () -> histogram.remove(100, 2));
        assertThrows(IllegalStateException.class, () -> histogram.remove(1L << 40, 1));
    }

    @Test
    void countsAreNeverBelowTheTruthAndAtMostASlotAbove() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        TreeMap<Long, Integer> twin = new TreeMap<>();
        long span = 1L << 40;
        for (int i = 0; i < 20_000; i++) {
            long due = random.nextLong(span);
            histogram.add(due, 1);
            twin.merge(due, 1, Integer::sum);
        }
        for (int i = 0; i < 1_000; i++) {
            long until = random.nextLong(span);
            long truth = twin.headMap(until, true).size();
            long upper = twin.headMap(until + span / 32, true).size();
            long counted = dueBy(until);
            assertTrue(counted >= truth && counted <= upper, "seed " + seed + ": " + counted + " for " + truth);
        }
    }
}
