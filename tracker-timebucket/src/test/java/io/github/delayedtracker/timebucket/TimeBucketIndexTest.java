/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.MergedRuns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** What the parts of the index do for each other. */
class TimeBucketIndexTest {

    private static final int SEGMENT = PartSizes.SEGMENT;
    private static final long HOUR_MILLIS = 3_600_000;

    private final TimeBucketIndex index = new TimeBucketIndex();

    private int take(long untilMillis, int limit) {
        return index.takeDue(untilMillis, limit, (ledgerId, entryId) -> { });
    }

    @Test
    void theProviderIsFoundByItsName() {
        DelayIndexProvider provider = ServiceLoader.load(DelayIndexProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.backendName().equals("timebucket"))
                .findFirst().orElseThrow();
        assertTrue(provider.roundsTimes());
        assertInstanceOf(TimeBucketIndex.class, provider.newIndex());
    }

    @Test
    void whatWasHandedOutOfAPartThatWaitsToBeSealedIsNotCounted() {
        for (int i = 0; i < SEGMENT; i++) {
            index.add(HOUR_MILLIS + i * 1_000L, 1, i);
        }
        long untilMillis = HOUR_MILLIS + SEGMENT / 2 * 1_000L - 1;
        int taken = 0;
        for (int more = 1; more > 0; taken += more) {
            more = take(untilMillis, 200);
        }
        assertEquals(SEGMENT / 2, taken);
        long[] counts = new long[2];
        index.countDueBy(new long[] {untilMillis, Long.MAX_VALUE}, counts);
        assertEquals(SEGMENT / 2, counts[1]);
        assertTrue(counts[0] <= SEGMENT / 2 / 16, counts[0] + " due by then");
    }

    @Test
    void notesGoWithThePositionsThatTheyAreOf() {
        for (int i = 0; i < SEGMENT; i++) {
            index.add(HOUR_MILLIS, 1_000_000_000L, i);
        }
        index.takeWork().orElseThrow().run();
        for (int i = 0; i < 600; i++) {
            index.add(HOUR_MILLIS, 2_000_000_000L, i);
            index.add(HOUR_MILLIS, 500, i);
        }
        assertTrue(index.notesAdds());
        for (int i = 0; i < SEGMENT - 100; i++) {
            index.forget(1_000_000_000L, i);
        }
        for (int i = 0; i < 10 * SEGMENT; i++) {
            index.add(HOUR_MILLIS, 2_000_000_001L + 10L * i, 0);
            index.forget(2_000_000_001L + 10L * i, 0);
            if (i % 10 == 0) {
                index.tidy(64);
                index.takeWork().ifPresent(Runnable::run);
            }
        }
        assertEquals(1_300, index.size());
        assertTrue(index.retainedBytes() < 200_000, index.retainedBytes() + " bytes for " + index.size());
    }

    @Test
    void aFullTailIsOfferedForSealingOnceAndPickedUp() {
        Random random = new Random(7);
        for (int i = 0; i < SEGMENT; i++) {
            index.add(HOUR_MILLIS + random.nextInt(2), 1, i);
        }
        long frozenBytes = index.retainedBytes();
        index.takeWork().orElseThrow().run();
        assertTrue(index.takeWork().isEmpty());
        assertTrue(index.contains(1, 5));
        assertTrue(index.forget(1, 5));
        index.add(HOUR_MILLIS, 1, SEGMENT);
        assertTrue(index.retainedBytes() < frozenBytes / 2, index.retainedBytes() + " of " + frozenBytes);
        assertEquals(SEGMENT, index.size());
        assertTrue(!index.contains(1, 5) && index.contains(1, 6));
        index.validate();
    }

    @Test
    void whatNobodySealsIsSealedInTheEnd() {
        for (int i = 0; i < 10 * SEGMENT; i++) {
            index.add(HOUR_MILLIS, 1, i);
        }
        index.tidy(1);
        index.tidy(100_000);
        assertTrue(index.retainedBytes() < SEGMENT, index.retainedBytes() + " bytes");
        assertEquals(1_000, take(HOUR_MILLIS, 1_000));
        index.validate();
    }

    @Test
    void manyForgottenPositionsAreNotPassedInOneCall() {
        int positions = 8 * SEGMENT;
        for (int i = 0; i < positions; i++) {
            index.add(1_024L * i, 1, i);
            index.takeWork().ifPresent(Runnable::run);
        }
        index.add(Long.MAX_VALUE, 2, 0);
        for (int i = 0; i < positions - 1; i++) {
            assertTrue(index.forget(1, i));
        }
        long lastMillis = 1_024L * (positions - 1);
        assertTrue(index.nextDueMillis() <= lastMillis);
        int calls = 0;
        while (take(lastMillis, 10) == 0) {
            calls++;
            assertTrue(calls < 1_000, "the position behind the forgotten ones is not reached");
        }
        assertEquals(1, index.size());
    }

    @Test
    void stragglersAreMergedInOneGoWhenTheTailIsSealed() {
        Random random = new Random(5);
        for (int i = 0; i < 100 * SEGMENT; i++) {
            index.add(i % SEGMENT == 7 ? 2 * HOUR_MILLIS : random.nextInt(1_000), 1, i);
            index.takeWork().ifPresent(Runnable::run);
        }
        while (take(HOUR_MILLIS, 1_000) > 0) {
            assertTrue(index.size() >= 100);
        }
        assertEquals(100, index.size());
        for (int i = 0; i < 1_000; i++) {
            index.add(HOUR_MILLIS, 3, i);
        }
        assertEquals(1_000, take(HOUR_MILLIS, 2_000));
        for (boolean more = true; more; more = index.tidy(1_000)) {
            index.tidy(1_000);
        }
        assertTrue(index.retainedBytes() < 100_000, index.retainedBytes() + " bytes for 100 positions");
        assertEquals(100, take(Long.MAX_VALUE, 1_000));
    }

    @Test
    void tidyingWithTheLeastBudgetComesToAnEnd() {
        for (int ledger = 60; ledger > 0; ledger--) {
            for (int entry = 0; entry < 40; entry++) {
                index.add(1_024, ledger, entry * 3L);
            }
        }
        for (int ledger = 1; ledger <= 60; ledger++) {
            for (int entry = 1; entry < 40; entry++) {
                index.forget(ledger, entry * 3L);
            }
        }
        for (int calls = 0; index.tidy(1); calls++) {
            assertTrue(calls < 100_000, "tidying does not come to an end");
        }
        assertEquals(60, take(1_024, 100));
    }

    @Test
    void aFewPositionsLeftOfManyDoNotKeepTheirRoom() {
        for (int i = 0; i <= SEGMENT; i++) {
            index.add(i < SEGMENT - 4 ? 1_024 : HOUR_MILLIS, 1, i);
        }
        while (take(1_024, 1_000) > 0) {
            index.validate();
        }
        index.tidy(64);
        index.tidy(64);
        assertTrue(index.size() < 10 && index.retainedBytes() < 8_000, index.size() + " keep " + index.retainedBytes());
    }

    @Test
    void aLongTailIsPackedAfterFewHandOuts() {
        Random random = new Random(9);
        for (int i = 0; i < SEGMENT - 1; i++) {
            index.add(1 + random.nextLong(1L << 40), 1, i);
        }
        assertTrue(index.retainedBytes() > 8L * SEGMENT, index.retainedBytes() + " bytes unsealed");
        for (int i = 0; i < 20; i++) {
            assertEquals(1, take(index.nextDueMillis(), 1));
        }
        index.takeWork().orElseThrow().run();
        assertEquals(0, take(0, 1));
        assertTrue(index.retainedBytes() < 7L * SEGMENT, index.retainedBytes() + " bytes");
        assertEquals(SEGMENT - 21, index.size());
        index.validate();
    }

    @Test
    void aHandOutGivesBackTheReadPartOfOneSegment() {
        Random random = new Random(13);
        for (int i = 0; i < 2 * SEGMENT; i++) {
            index.add(random.nextLong(HOUR_MILLIS), 1, i);
            index.takeWork().ifPresent(Runnable::run);
        }
        take(HOUR_MILLIS, 100);
        long before = index.retainedBytes();
        take(HOUR_MILLIS, SEGMENT / 10);
        long once = index.retainedBytes();
        take(HOUR_MILLIS, 100);
        long twice = index.retainedBytes();
        assertTrue(before - once > 400, before + " bytes, then " + once);
        assertTrue(once - twice > 800, "both at once: " + once + " bytes, then " + twice);
    }

    @Test
    void aLookThatBeginsLateHasTheRowsBehindManyEarlierOnes() {
        Random random = new Random(11);
        List<Long> late = new ArrayList<>();
        for (int i = 0; i < 20 * SEGMENT; i++) {
            long dueMillis = random.nextLong(HOUR_MILLIS);
            index.add(dueMillis, 1, i);
            index.takeWork().ifPresent(Runnable::run);
            if (dueMillis >= HOUR_MILLIS / 2) {
                late.add(dueMillis);
            }
        }
        Collections.sort(late);
        DueRun rows = new MergedRuns(index.runs(HOUR_MILLIS / 2, Long.MAX_VALUE));
        for (long dueMillis : late) {
            assertTrue(rows.next());
            assertEquals(dueMillis, rows.dueMillis());
        }
        assertFalse(rows.next());
    }

    @Test
    void nothingIsKnownOfAnIndexThatWasCleared() {
        for (int i = 0; i <= SEGMENT; i++) {
            index.add(1_024, 1, i);
        }
        Runnable late = index.takeWork().orElseThrow();
        index.clear();
        late.run();
        assertEquals(0, index.size());
        assertEquals(DelayIndex.NEVER, index.nextDueMillis());
        assertEquals(0, take(Long.MAX_VALUE, 10));
    }
}
