/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphStats;

/** What {@link DelayIndex} promises, for every backend. A backend's module extends this with its own index. */
public abstract class DelayIndexContractTest extends LastDueContract {

    private static final int WILD_RUNS = 600;

    /** What the index under test refers to and does not own. */
    protected Object[] shared() {
        return new Object[0];
    }

    @Test
    void anEmptyIndexKnowsNothing() {
        DelayIndex index = newIndex();
        assertEquals(0, index.size());
        assertEquals(DelayIndex.NEVER, index.nextDueMillis());
        assertEquals(DelayIndex.NO_TIME, index.lastDueMillis());
        assertFalse(index.contains(1, 1));
        assertFalse(index.forget(1, 1));
        assertEquals(0, index.forgetUpTo(Long.MAX_VALUE, Long.MAX_VALUE));
        assertEquals(List.of(), take(index, Long.MAX_VALUE, 10));
        assertFalse(index.tidy(10));
        assertTrue(index.retainedBytes() < 680, index.retainedBytes() + " bytes for nothing");
    }

    @Test
    void handOutIsInTheOrderOfTimeLedgerEntry() {
        DelayIndex index = newIndex();
        index.add(2_048, 1, 1);
        index.add(1_024, 9, 0);
        index.add(1_024, 2, 7);
        index.add(1_024, 2, 3);
        index.add(3_072, 1, 0);
        assertEquals(1_024, index.nextDueMillis());
        assertEquals(List.of("2:3", "2:7", "9:0", "1:1"), take(index, 2_048, 10));
        assertEquals(3_072, index.nextDueMillis());
        assertEquals(1, index.size());
    }

    @Test
    void handOutIsLimitedAndGoesOnWhereItStopped() {
        DelayIndex index = newIndex();
        for (int i = 0; i < 5_000; i++) {
            index.add(1_024, 1 + i / 1_000, i % 1_000);
        }
        assertEquals(List.of(), take(index, 1_024, 0));
        List<String> all = new ArrayList<>();
        while (index.size() > 0) {
            List<String> part = take(index, 1_024, 7);
            assertTrue(part.size() <= 7);
            all.addAll(part);
        }
        assertEquals(5_000, all.size());
        assertEquals("1:0", all.get(0));
        assertEquals("5:999", all.get(4_999));
    }

    @Test
    void nothingIsHandedOutBeforeItsTime() {
        DelayIndex index = newIndex();
        index.add(1_024, 1, 1);
        assertEquals(List.of(), take(index, 1_023, 10));
        assertTrue(index.contains(1, 1));
        assertEquals(List.of("1:1"), take(index, 1_024, 10));
        assertFalse(index.contains(1, 1));
    }

    @Test
    @DisplayName("S-04/T14/#25076: a position added again, with any time, is one position at its first time")
    void s04AddingAgainChangesNothing() {
        DelayIndex index = newIndex();
        assertTrue(index.add(2_048, 1, 1));
        assertFalse(index.add(2_048, 1, 1));
        assertFalse(index.add(1_024, 1, 1));
        assertFalse(index.add(9_216, 1, 1));
        assertEquals(1, index.size());
        assertEquals(List.of(), take(index, 2_047, 10));
        assertEquals(List.of("1:1"), take(index, 2_048, 10));
        assertEquals(List.of(), takeAll(index, Long.MAX_VALUE - 1));
    }

    @Test
    void aForgottenPositionIsNotContainedNorHandedOut() {
        DelayIndex index = newIndex();
        index.add(1_024, 1, 1);
        index.add(1_024, 1, 2);
        assertTrue(index.forget(1, 1));
        assertFalse(index.forget(1, 1));
        assertFalse(index.contains(1, 1));
        assertEquals(1, index.size());
        assertEquals(List.of("1:2"), takeAll(index, 1_024));
    }

    @Test
    void aPositionForgottenAndAddedAgainIsHandedOutOnce() {
        for (long again : new long[] {1_024, 4_096, 512}) {
            DelayIndex index = newIndex();
            index.add(1_024, 1, 1);
            index.forget(1, 1);
            assertTrue(index.add(again, 1, 1));
            assertEquals(1, index.size());
            assertTrue(index.nextDueMillis() <= again);
            assertEquals(List.of("1:1"), takeAll(index, 4_096));
            assertEquals(List.of(), takeAll(index, 1L << 50));
            assertEquals(0, index.size());
        }
    }

    @Test
    void forgetUpToIsInclusiveAndCrossesLedgers() {
        DelayIndex index = newIndex();
        for (int ledger = 1; ledger <= 3; ledger++) {
            for (int entry = 0; entry < 10; entry++) {
                index.add(1_024L * (1 + entry % 3), ledger, entry);
            }
        }
        assertEquals(15, index.forgetUpTo(2, 4));
        index.validate();
        assertEquals(15, index.size());
        assertFalse(index.contains(2, 4));
        assertTrue(index.contains(2, 5));
        assertEquals(15, takeAll(index, 10_000).size());
    }

    @Test
    @DisplayName("A mark-delete position at the start of a ledger, (ledger, -1), forgets nothing of that ledger")
    void forgetUpToTheStartOfALedger() {
        DelayIndex index = newIndex();
        index.add(1_024, 0, 0);
        index.add(1_024, 1, 0);
        index.add(1_024, 2, 0);
        index.add(1_024, 2, 5_000);
        assertEquals(0, index.forgetUpTo(0, -1));
        assertEquals(0, index.forgetUpTo(-1, -1));
        assertEquals(2, index.forgetUpTo(2, -1));
        index.validate();
        assertEquals(List.of("2:0", "2:5000"), takeAll(index, 1_024));
    }

    @Test
    @DisplayName("T12/#25371: ledgers and entries in any order, ids up to the largest long")
    void t12AnyIdsInAnyOrder() {
        DelayIndex index = newIndex();
        long[] ids = {7, 0, 1L << 33, 3, Long.MAX_VALUE, (1L << 40) + 1, 4_294_967_295L, 4_294_967_296L, 65_536};
        for (long ledger : ids) {
            for (long entry : ids) {
                assertTrue(index.add(1_024, ledger, entry));
                index.validate();
            }
        }
        for (long ledger : ids) {
            for (long entry : ids) {
                assertTrue(index.contains(ledger, entry));
            }
        }
        assertEquals(81, takeAll(index, 1_024).size());
    }

    @Test
    void timesFromZeroToTheEndAreKept() {
        DelayIndex index = newIndex();
        index.add(Long.MAX_VALUE, 1, 1);
        index.add(0, 1, 2);
        index.add(1L << 62, 1, 3);
        assertEquals(List.of("1:2"), take(index, 0, 10));
        assertEquals(List.of("1:3"), take(index, Long.MAX_VALUE - 1, 10));
        assertEquals(List.of("1:1"), take(index, Long.MAX_VALUE, 10));
    }

    @Test
    void clearForgetsEverythingAndGivesTheMemoryBack() {
        DelayIndex index = newIndex();
        long empty = index.retainedBytes();
        for (int i = 0; i < 100_000; i++) {
            index.add(1_024L * i, i / 100, i % 100);
        }
        index.clear();
        index.validate();
        assertEquals(0, index.size());
        assertEquals(DelayIndex.NEVER, index.nextDueMillis());
        assertEquals(DelayIndex.NO_TIME, index.lastDueMillis());
        assertTrue(index.retainedBytes() <= 2 * empty + 250, index.retainedBytes() + " bytes after clear");
        assertTrue(index.add(1_024, 1, 1));
        assertEquals(1_024, index.lastDueMillis());
    }

    @Test
    @DisplayName("#26117: after 99 % is forgotten and tidied at least 90 % of the bytes are gone")
    void t26117MemoryComesBack() {
        DelayIndex index = newIndex();
        Random random = new Random(3);
        for (int i = 0; i < 300_000; i++) {
            index.add(1_024L * random.nextInt(2_000), i / 10_000, i % 10_000);
        }
        long full = index.retainedBytes();
        for (int i = 0; i < 300_000; i++) {
            if (random.nextInt(100) > 0) {
                index.forget(i / 10_000, i % 10_000);
            }
        }
        int calls = 0;
        // Some work waits until an index was left alone between two calls.
        index.tidy(1);
        while (index.tidy(1_000)) {
            calls++;
            assertTrue(calls < 10_000, "tidying does not end");
        }
        index.validate();
        // What moves by itself has some seals and merges under way.
        assertTrue(index.retainedBytes() <= full / (movesByItself() ? 8 : 10), index.retainedBytes() + " bytes left of " + full);
        assertEquals(index.size(), takeAll(index, Long.MAX_VALUE - 1).size());
    }

    @Test
    @DisplayName("S-13/#23699: reported bytes are within 10 % of the bytes retained, for every spread and number")
    void s13ReportedBytesAreTheTruth() {
        long[] spanMillis = {1, 600_000, 30L * 86_400_000};
        for (long span : spanMillis) {
            for (int count : new int[] {1, 10, 1_000, measuredPositions()}) {
                for (int step : new int[] {1, 100}) {
                    DelayIndex index = newIndex();
                    Random random = new Random(count);
                    for (int i = 0; i < count; i++) {
                        long entry = (long) i * step;
                        index.add((random.nextLong(span) & -512) + i / 512 * 512L, entry / 50_000, entry % 50_000);
                    }
                    Object[] shared = shared();
                    long retained = GraphStats.parseInstance(index, shared).totalSize()
                            - GraphStats.parseInstance((Object) shared).totalSize();
                    assertEquals(retained, index.retainedBytes(), 64 + retained * 0.1,
                            count + " positions over " + span + " ms, every " + step + ". entry");
                    assertTrue(index.positionSetBytes() < index.retainedBytes());
                }
            }
        }
    }

    @Test
    void aWalkPassesEveryPositionThoughOthersAreForgottenOnTheWay() {
        for (int forgotten = 0; forgotten <= (movesByItself() ? 0 : 3); forgotten++) {
            DelayIndex index = newIndex();
            Random random = new Random(5);
            Set<String> missing = new HashSet<>();
            for (int i = 0; i < 60_000; i++) {
                // One in eight comes late.
                int at = i % 8 == 7 ? i - 800 : i;
                if (at >= 0 && index.add(1_024L * (10_000 + random.nextInt(2_000)), at / 20_000, at % 20_000)) {
                    missing.add(at / 20_000 + ":" + at % 20_000);
                }
            }
            PositionWalk walk = index.walk();
            List<long[]> found = new ArrayList<>();
            int steps = 0;
            while (walk.step(500, (l, e) -> found.add(new long[] {l, e}))) {
                for (long[] at : found) {
                    missing.remove(at[0] + ":" + at[1]);
                    if (at[1] % 4 < forgotten) {
                        index.forget(at[0], at[1]);
                    }
                }
                found.clear();
                steps++;
                assertTrue(steps < 10_000, "the walk does not end");
            }
            found.forEach(at -> missing.remove(at[0] + ":" + at[1]));
            assertEquals(Set.of(), missing);
            index.validate();
        }
        assertFalse(newIndex().walk().step(1, (l, e) -> {
            throw new AssertionError("an empty index passes nothing");
        }));
    }

    @Test
    void dueCountsAreCoarseButNeverTooLow() {
        DelayIndex index = newIndex();
        for (int i = 0; i < 1_000; i++) {
            index.add(i * 60_000L, 1, i);
        }
        long[] counts = new long[3];
        index.countDueBy(new long[] {-1, 30_000_000, Long.MAX_VALUE}, counts);
        assertEquals(0, counts[0]);
        assertTrue(counts[1] >= 501 && counts[1] <= 501 + 1_000 / 32 + 2, "due by half: " + counts[1]);
        assertEquals(1_000, counts[2]);
        assertArrayEquals(new long[] {0, counts[1], 1_000}, counts);
    }

    @Test
    void theNextDueTimeIsThatOfAPositionThatWaitsOnceTidied() {
        for (int positions : new int[] {3, 700, 40_000}) {
            for (int gone : new int[] {1, positions / 10, positions / 3, positions - 1}) {
                DelayIndex index = newIndex();
                // Their order of time is another than that of their entries, which come out of order too.
                for (int i = 0; i < positions; i++) {
                    long entryId = 7_919L * i % positions;
                    index.add(60_000 + 1_024 * (31L * entryId % positions), 1, entryId);
                }
                for (int entryId = 0; entryId < positions; entryId++) {
                    if (31L * entryId % positions < gone) {
                        assertTrue(index.forget(1, entryId));
                    }
                }
                for (int round = 0; index.tidy(2_048); round++) {
                    assertTrue(round < 1_000, "tidying does not end");
                    index.takeWork().ifPresent(Runnable::run);
                }
                long nextMillis = 60_000 + 1_024L * gone;
                // What is in storage is known by the time at which it begins.
                assertEquals(nextMillis, movesByItself() ? Math.max(nextMillis, index.nextDueMillis()) : index.nextDueMillis(),
                        gone + " gone of " + positions);
            }
        }
    }

    @Test
    void itAgreesWithANaiveTwinUnderRandomOperations() {
        for (int shape = 0; shape < IndexTwin.SHAPES; shape++) {
            long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
            try {
                new IndexTwin(newIndex(), new Random(seed), shape).run(60_000);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("shape " + shape + ", -Ddelayed.test.seed=" + seed, e);
            }
        }
    }

    @Test
    @DisplayName("X5: no times and no ids, however far apart, are handed out early or as another position")
    void x5ItAgreesWithANaiveTwinForAnyTimesAndIds() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < WILD_RUNS; run++) {
            Random random = new Random(firstSeed + run);
            try {
                new WildTwin(newIndex(), random).run(run % 50 == 0 ? 1_500 : 50);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + (firstSeed + run), e);
            }
        }
    }

    @Test
    @DisplayName("X5: three times of which two agree in all but the highest bits")
    void x5ATimeFarAwayDoesNotMakeAnotherOneEarly() {
        DelayIndex index = newIndex();
        long first = 1_700_000_000_000L & -512;
        index.add(first, 1, 0);
        index.add(first + (1L << 62), 1, 1);
        index.add(first + 15_872, 1, 2);
        assertEquals(List.of("1:0"), take(index, first + 15_871, 10));
        assertEquals(first + 15_872, index.nextDueMillis());
    }

    @Test
    @DisplayName("X5: three entry ids of which two agree in all but the highest bits")
    void x5AnEntryFarAwayDoesNotMakeAnotherOneBeTakenForIt() {
        DelayIndex index = newIndex();
        index.add(5, 1, 0);
        index.add(6, 1, 1L << 58);
        index.add(7, 2, 1);
        assertTrue(index.contains(2, 1));
        assertFalse(index.contains(2, 0));
        assertEquals(List.of("1:0", "1:" + (1L << 58), "2:1"), takeAll(index, 100));
    }
}
