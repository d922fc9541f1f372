/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What {@link DelayIndex#lastDueMillis} promises, for every backend. */
abstract class LastDueContract extends DueRunsContract {

    static List<String> takeAll(DelayIndex index, long untilMillis) {
        List<String> all = new ArrayList<>();
        while (index.nextDueMillis() <= untilMillis && index.size() > 0) {
            all.addAll(take(index, untilMillis, 1_000));
        }
        return all;
    }

    @Test
    void theLastDueTimeIsThatOfTheLatestPositionOnceTidied() {
        for (int positions : new int[] {3, 60, 700, 40_000}) {
            for (int gone : new int[] {0, 1, positions / 10, positions / 3, positions - 1}) {
                DelayIndex index = newIndex();
                for (int i = 0; i < positions; i++) {
                    long entryId = 7_919L * i % positions;
                    index.add(60_000 + 1_024 * (31L * entryId % positions), 1, entryId);
                }
                long addedMillis = 60_000 + 1_024L * (positions - 1);
                assertEquals(addedMillis, movesByItself() ? Math.min(addedMillis, index.lastDueMillis()) : index.lastDueMillis());
                for (int entryId = 0; entryId < positions; entryId++) {
                    if (31L * entryId % positions >= positions - gone) {
                        assertTrue(index.forget(1, entryId));
                    }
                }
                long lastMillis = addedMillis - 1_024L * gone;
                String what = gone + " gone of " + positions;
                assertTrue(index.lastDueMillis() >= lastMillis, what);
                for (int round = 0; index.tidy(2_048); round++) {
                    assertTrue(round < 1_000, "tidying does not end, " + what);
                    index.takeWork().ifPresent(Runnable::run);
                }
                // What is in storage is known by the time at which it ends.
                assertEquals(lastMillis, movesByItself() ? Math.min(lastMillis, index.lastDueMillis()) : index.lastDueMillis(),
                        what);
                assertTrue(index.lastDueMillis() <= addedMillis, what);
            }
        }
    }

    @Test
    void theLastDueTimeIsFoundThoughOthersComeAndGoMeanwhile() {
        for (int most : new int[] {200, 5_000, 40_000}) {
            DelayIndex index = newIndex();
            Random random = new Random(most);
            TreeMap<Long, Long> byTime = new TreeMap<>();
            for (long i = 0; i < most; i++) {
                // No two at the same time, and every other one out of order.
                byTime.put((1_000 + random.nextLong(1L << 30)) << 17 | i, i % 2 == 0 ? i : most - i);
            }
            byTime.entrySet().stream().sorted(Map.Entry.comparingByValue())
                    .forEach(at -> index.add(at.getKey(), 1, at.getValue()));
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 1 + most / 50; i++) {
                    assertTrue(index.forget(1, byTime.pollLastEntry().getValue()));
                }
                for (int calls = 0; index.tidy(1 + most / 10) && calls < 30; calls++) {
                    long before = byTime.pollFirstEntry().getKey();
                    assertEquals(1, take(index, before, 1).size());
                    long entryId = most + 100L * round + calls;
                    byTime.put(before + 1, entryId);
                    assertTrue(index.add(before + 1, 1, entryId));
                    assertTrue(index.lastDueMillis() >= byTime.lastKey());
                    index.takeWork().ifPresent(Runnable::run);
                }
                for (int calls = 0; index.tidy(2_048); calls++) {
                    assertTrue(calls < 1_000, "tidying does not end");
                    index.takeWork().ifPresent(Runnable::run);
                }
                assertTrue(movesByItself() || index.lastDueMillis() == byTime.lastKey(), "round " + round + " of " + most);
            }
            assertEquals(byTime.size(), takeAll(index, Long.MAX_VALUE - 1).size());
            assertEquals(DelayIndex.NO_TIME, index.lastDueMillis());
            assertTrue(index.add(1_024, 9, 9));
            assertTrue(movesByItself() || index.lastDueMillis() == 1_024, "what was before is forgotten");
        }
    }
}
