/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The log of a tail names what is in the tail, and follows it down. */
class SealLogTest {

    private final DelayIndex tail = new HeapIndexProvider().newIndex();
    private final SealLog log = new SealLog();

    private void add(long dueMillis, long ledgerId, long entryId) {
        assertTrue(tail.add(dueMillis, ledgerId, entryId));
        log.append(tail, dueMillis, ledgerId, entryId);
    }

    @Test
    void columnsAreTheAddsInTheirOrder() {
        for (int i = 0; i < 10_000; i++) {
            add(5L * i, i % 3 == 0 ? 2 : 1, i);
        }
        SegmentColumns columns = log.columns();
        assertEquals(10_000, columns.count());
        for (int i = 0; i < 10_000; i++) {
            assertEquals(5L * i, columns.dueMillis(i));
            assertEquals(i % 3 == 0 ? 2 : 1, columns.ledgerId(i));
            assertEquals(i, columns.entryId(i));
        }
    }

    @Test
    void aSteadyStreamOfShortDelaysDoesNotLengthenTheLog() {
        int most = 0;
        for (int i = 0; i < 300_000; i++) {
            add(i, 1, i);
            if (i >= 500) {
                tail.takeDue(i - 500, 10, (l, e) -> { });
            }
            most = Math.max(most, log.count());
        }
        assertTrue(most < 8_000, most + " positions in the log of a tail of 500");
    }

    @Test
    void afterMostIsForgottenTidyingShortensTheLog() {
        for (int i = 0; i < 50_000; i++) {
            add(i, 1, i);
        }
        long full = log.retainedBytes();
        tail.forgetUpTo(1, 49_899);
        int calls = 0;
        while (log.sweep(tail, 100)) {
            calls++;
            assertTrue(calls < 10_000, "sweeping does not end");
        }
        assertTrue(log.count() <= 600, log.count() + " positions left in the log");
        assertTrue(log.retainedBytes() <= full / 20, log.retainedBytes() + " bytes left of " + full);
        assertFalse(log.sweep(tail, 100));
        assertEquals(100, log.columns().ascending().selected(living(log.columns().ascending())).count());
    }

    private BitSet living(SegmentColumns columns) {
        BitSet living = new BitSet();
        for (int at = 0; at < columns.count(); at++) {
            living.set(at, tail.contains(columns.ledgerId(at), columns.entryId(at)));
        }
        return living;
    }

    @Test
    void fewPositionsAddedAgainAndAgainDoNotLengthenTheLog() {
        for (int i = 0; i < 200_000; i++) {
            tail.forget(1, i % 20);
            add(i, 1, i % 20);
        }
        assertTrue(log.count() < 10_000, log.count() + " positions in the log of a tail of 20");
    }

    @Test
    void itNamesEachPositionOfTheTailWithItsLastTime() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        Map<Integer, Long> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            int entry = random.nextInt(3_000);
            if (random.nextInt(3) == 0 && !model.containsKey(entry)) {
                model.put(entry, (long) i);
                add(i, 1, entry);
            } else {
                assertEquals(model.remove(entry) != null, tail.forget(1, entry));
            }
            log.sweep(tail, random.nextInt(20));
            if (i % 20_000 == 0) {
                check(model, seed);
            }
        }
        check(model, seed);
    }

    private void check(Map<Integer, Long> model, long seed) {
        SegmentColumns columns = log.columns().ascending();
        SegmentColumns living = columns.selected(living(columns));
        assertEquals(model.size(), living.count(), "-Ddelayed.test.seed=" + seed);
        for (int at = 0; at < living.count(); at++) {
            assertEquals(model.get((int) living.entryId(at)), living.dueMillis(at), "-Ddelayed.test.seed=" + seed);
        }
    }
}
