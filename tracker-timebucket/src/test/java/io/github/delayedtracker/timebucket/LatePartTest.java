/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphStats;

/** Positions that come out of order: the part that holds them, and what the index makes of it. */
class LatePartTest {

    private static final int CHUNK = 4;
    private static final int STEPS = 4_000;
    private static final int RUNS = 60;
    private static final int SEGMENT = 1_024;
    private static final int IN_ORDER = 8;
    private static final long FIRST_MILLIS = 1_700_000_000_000L;

    private final LatePart part = new LatePart(CHUNK);

    private static List<Position> walked(LatePart part, int budget) {
        List<Position> walked = new ArrayList<>();
        var walk = part.walk();
        while (walk.step(budget, (ledgerId, entryId) -> walked.add(new Position(ledgerId, entryId)))) {
            assertTrue(walked.size() <= part.count(), "no position twice");
        }
        return walked;
    }

    @Test
    void positionsInAnyOrderAreWalkedInAscendingOrder() {
        for (int i = 0; i < 1_000; i++) {
            part.add(i, 3 + i * 7 % 5, i * 7 % 1_000);
            part.validate();
        }
        List<Position> walked = walked(part, 3);
        assertEquals(1_000, walked.size());
        assertEquals(walked.stream().sorted().toList(), walked);
        assertEquals(walked, walked(part, 1 << 20));
    }

    @Test
    void positionsThatDescendFillHalfOfEachChunkAndOnesThatAscendAllOfIt() {
        LatePart ascending = new LatePart(128);
        LatePart descending = new LatePart(128);
        for (int i = 0; i < 4_096; i++) {
            ascending.add(FIRST_MILLIS + i * 977L, i, 0);
            descending.add(FIRST_MILLIS + i * 977L, 4_096 - i, 0);
        }
        descending.validate();
        assertTrue(ascending.retainedBytes() < 4_096 * 8, ascending.retainedBytes() + " bytes");
        assertTrue(descending.retainedBytes() < 4_096 * 12, descending.retainedBytes() + " bytes");
        assertEquals(GraphStats.parseInstance(descending).totalSize(), descending.retainedBytes());
    }

    @Test
    void theEarliestIsTakenFirstAndOfOneTimeTheLeastPosition() {
        for (int i = 9; i >= 0; i--) {
            part.add(i < 5 ? 2_000 : 1_000, 1, i);
        }
        List<Long> taken = new ArrayList<>();
        while (part.count() > 0) {
            part.takeFirst((ledgerId, entryId) -> taken.add(entryId));
            part.validate();
        }
        assertEquals(List.of(5L, 6L, 7L, 8L, 9L, 0L, 1L, 2L, 3L, 4L), taken);
        assertEquals(DelayIndex.NEVER, part.firstDueMillis());
    }

    @Test
    void s2_aSinkThatFailsLeavesTheOthersCounted() {
        for (int i = 0; i < 2 * CHUNK; i++) {
            part.add(1_000 + i, 1, i);
        }
        assertThrows(OutOfMemoryError.class, () -> part.takeFirst((ledgerId, entryId) -> {
            throw new OutOfMemoryError("on purpose");
        }));
        part.validate();
        assertEquals(2 * CHUNK - 1, part.count());
    }

    @Test
    void itAgreesWithANaiveTwin() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < RUNS; run++) {
            try {
                runBesideTwin(new Random(firstSeed + run));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
    }

    private static void runBesideTwin(Random random) {
        LatePart part = new LatePart(random.nextBoolean() ? CHUNK : 128);
        TreeMap<Position, Long> twin = new TreeMap<>();
        int ledgers = 1 + random.nextInt(50);
        int entries = 1 << random.nextInt(10);
        for (int step = 0; step < STEPS; step++) {
            Position position = new Position(random.nextInt(ledgers), random.nextInt(entries));
            int what = random.nextInt(1_000);
            if (what < 600) {
                assertEquals(twin.containsKey(position), part.contains(position.ledgerId(), position.entryId()));
                long dueMillis = random.nextInt(300) * 512L;
                assertEquals(twin.putIfAbsent(position, dueMillis) == null,
                        part.add(dueMillis, position.ledgerId(), position.entryId()));
            } else if (what < 900) {
                assertEquals(twin.remove(position) != null, part.remove(position.ledgerId(), position.entryId()));
            } else if (what < 905) {
                NavigableMap<Position, Long> below = twin.headMap(position, true);
                assertEquals(below.size(), part.removeUpTo(position.ledgerId(), position.entryId()));
                below.clear();
            } else if (!twin.isEmpty()) {
                takeFirst(part, twin);
            }
            part.validate();
            assertEquals(twin.size(), part.count());
            assertEquals(twin.values().stream().min(Long::compare).orElse(DelayIndex.NEVER), part.firstDueMillis());
        }
        assertEquals(List.copyOf(twin.keySet()), walked(part, 1 + random.nextInt(10)));
        assertEquals(twin.size(), part.flat().count());
    }

    @Test
    void whatIsKnownToBeNewIsFoundWhereverItBelongs() {
        Random random = new Random(3);
        for (long apart : new long[] {1, 1L << 20, 1L << 40}) {
            LatePart loose = new LatePart(128);
            TreeMap<Position, Long> twin = new TreeMap<>();
            for (int i = 0; i < 3_000; i++) {
                Position position = new Position(random.nextInt(4) * apart, random.nextInt(2_000) * apart);
                if (twin.putIfAbsent(position, i * 512L) == null) {
                    loose.addUnknown(i * 512L, position.ledgerId(), position.entryId());
                }
                if (i % 700 == 699) {
                    takeFirst(loose, twin);
                    loose.validate();
                }
            }
            Position last = twin.lastKey();
            assertFalse(loose.endsBefore(last.ledgerId(), last.entryId()));
            assertTrue(loose.endsBefore(last.ledgerId(), last.entryId() + 1));
            loose.validate();
            assertEquals(twin.size(), loose.count());
            assertEquals(twin.values().stream().min(Long::compare).orElseThrow(), loose.firstDueMillis());
            assertTrue(loose.contains(last.ledgerId(), last.entryId()));
            assertEquals(List.copyOf(twin.keySet()), walked(loose, 100));
        }
    }

    @Test
    void whatIsKnownToBeNewIsInOrderWhenAllIsSealed() {
        LatePart loose = new LatePart(128);
        for (int i = 0; i < 1_000; i++) {
            loose.addUnknown(FIRST_MILLIS + i, 1, i * 379 % 1_000);
        }
        Tail flat = loose.flat();
        flat.validate();
        assertEquals(1_000, flat.count());
        assertEquals(FIRST_MILLIS, flat.dueMillis(0));
        assertEquals(GraphStats.parseInstance(loose).totalSize(), loose.retainedBytes());
    }

    private static void takeFirst(LatePart part, Map<Position, Long> twin) {
        Position first = twin.entrySet().stream().min(Map.Entry.<Position, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder()))).orElseThrow().getKey();
        part.takeFirst((ledgerId, entryId) -> assertEquals(first, new Position(ledgerId, entryId)));
        twin.remove(first);
    }

    @Test
    @DisplayName("X1: 2,000 positions out of order, one a ledger, take less than half of the 24 bytes of a heap")
    void x1PositionsOutOfOrderCostLessThanInAHeap() {
        TimeBucketIndex index = new TimeBucketIndex();
        for (int i = 0; i < PartSizes.SEGMENT + 200; i++) {
            index.add(FIRST_MILLIS, 1_000_000 + i, 0);
        }
        long before = index.retainedBytes();
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            index.add(FIRST_MILLIS + random.nextInt(600_000), (i * 1_009 + 7) % 2_003, 0);
        }
        assertEquals(PartSizes.SEGMENT + 2_200, index.size());
        assertTrue(index.retainedBytes() - before < 2_000 * 12, index.retainedBytes() - before + " bytes");
    }

    @Test
    void whatIsInOrderIsHandedOutAtTheEndOfTimeBehindALatePartThatIsEmptyThen() {
        TimeBucketIndex index = withLatePart(2);
        List<Long> ledgerIds = new ArrayList<>();
        index.takeDue(Long.MAX_VALUE, 10_000, (ledgerId, entryId) -> ledgerIds.add(ledgerId));
        assertEquals(0, index.size());
        assertEquals(SEGMENT + IN_ORDER + 2, ledgerIds.size());
        assertEquals(List.of(9L, 9L), ledgerIds.subList(SEGMENT + IN_ORDER, ledgerIds.size()));
    }

    @Test
    @DisplayName("X7: a few hundred positions are handed out one by one from the part they came to")
    void x7AFewHundredPositionsAreNotPacked() {
        TimeBucketIndex index = new TimeBucketIndex();
        List<Long> entryIds = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            assertTrue(index.add(FIRST_MILLIS + i + 500, 1, i));
            index.takeDue(FIRST_MILLIS + i, 10, (ledgerId, entryId) -> entryIds.add(entryId));
            index.tidy(64);
            assertEquals(0, index.positionSetBytes(), "a segment has a set of positions");
        }
        index.validate();
        assertEquals(LongStream.range(0, 19_500).boxed().toList(), entryIds);
    }

    @Test
    @DisplayName("X1: one position in a hundred that stays does not keep the room of those that came with it")
    void x1StragglersAreJoinedWithTheirNeighbours() {
        LatePart stragglers = new LatePart(128);
        for (int i = 0; i < 100_000; i++) {
            stragglers.add(i % 100 == 0 ? FIRST_MILLIS : i, 1, i);
            if (i >= 500 && (i - 500) % 100 != 0) {
                assertTrue(stragglers.remove(1, i - 500));
            }
        }
        stragglers.validate();
        assertTrue(stragglers.retainedBytes() < stragglers.count() * 20L,
                stragglers.retainedBytes() + " bytes for " + stragglers.count());
    }

    @Test
    void theNextDueTimeIsExactAfterAHandOut() {
        TimeBucketIndex index = new TimeBucketIndex();
        for (int i = 0; i < 300; i++) {
            index.add(FIRST_MILLIS + i, 1, i);
        }
        for (int i = 0; i < 299; i++) {
            assertEquals(1, index.takeDue(FIRST_MILLIS + i, 1, (ledgerId, entryId) -> { }));
            assertEquals(FIRST_MILLIS + i + 1, index.nextDueMillis());
        }
    }

    @Test
    void positionsDueAtTheEndOfTimeAreHandedOutThoughATailIsPacked() {
        TimeBucketIndex index = new TimeBucketIndex(TimeBucketTwinTest.SMALL);
        for (int i = 0; i < TimeBucketTwinTest.SMALL; i++) {
            index.add(FIRST_MILLIS, 1, i);
        }
        for (int i = 0; i < TimeBucketTwinTest.SMALL / 4; i++) {
            index.add(Long.MAX_VALUE, 2, i);
        }
        assertEquals(TimeBucketTwinTest.SMALL * 5 / 4, index.takeDue(Long.MAX_VALUE, 1_000, (ledgerId, entryId) -> { }));
    }

    @Test
    @DisplayName("X1: a late part beside a tail that is in use is packed by tidying all the same")
    void x1AnIdleLatePartIsPackedBesideATailInUse() {
        TimeBucketIndex index = withLatePart(SEGMENT / 4);
        boolean isPacked = false;
        for (int call = 0; call < 200; call++) {
            index.add(FIRST_MILLIS + 1_000_000, 9, SEGMENT + IN_ORDER + call);
            index.tidy(64);
            Optional<Runnable> work = index.takeWork();
            work.ifPresent(Runnable::run);
            isPacked |= work.isPresent();
        }
        assertTrue(isPacked);
        index.validate();
        index.takeDue(FIRST_MILLIS + SEGMENT, 2 * SEGMENT, (ledgerId, entryId) -> { });
        assertEquals(200, index.size());
    }

    /** A segment, a short tail, and positions that lie before both, of which every other one is due before them. */
    private static TimeBucketIndex withLatePart(int late) {
        TimeBucketIndex index = new TimeBucketIndex(SEGMENT);
        for (int i = 0; i < SEGMENT + IN_ORDER; i++) {
            index.add(FIRST_MILLIS + 500, 9, i);
            index.takeWork().ifPresent(Runnable::run);
        }
        for (int i = 0; i < late; i++) {
            index.add(FIRST_MILLIS + i, 3, i * 379 % late);
        }
        return index;
    }

    @Test
    @DisplayName("X4: a full late part is packed by work, not by the add that fills it")
    void x4AFullLatePartIsPackedByWork() {
        TimeBucketIndex index = withLatePart(SEGMENT / 2 - 1);
        assertTrue(index.takeWork().isEmpty());
        index.add(FIRST_MILLIS + 1_000_000, 3, SEGMENT);
        Runnable work = index.takeWork().orElseThrow();
        index.add(FIRST_MILLIS + 1_000_000, 3, 2 * SEGMENT);
        assertFalse(index.add(FIRST_MILLIS, 3, 5), "what is being packed is known");
        assertTrue(index.forget(3, 5));
        work.run();
        index.validate();
        assertFalse(index.contains(3, 5));
        assertTrue(index.contains(3, 6) && index.contains(3, 2 * SEGMENT));
        assertEquals(SEGMENT + IN_ORDER + SEGMENT / 2, index.size());
    }

    @Test
    @DisplayName("X1: a late part that nothing is added to is packed by tidying")
    void x1AnIdleLatePartIsPacked() {
        TimeBucketIndex index = withLatePart(SEGMENT / 2 - 1);
        long before = index.retainedBytes();
        for (int call = 0; call < 200; call++) {
            index.tidy(64);
            index.takeWork().ifPresent(Runnable::run);
        }
        index.validate();
        assertTrue(index.retainedBytes() * 2 < before, () -> before + " bytes before, " + index.retainedBytes() + " after");
        assertEquals(SEGMENT + IN_ORDER + SEGMENT / 2 - 1, index.size());
    }

    @Test
    @DisplayName("X9: forgetting and adding positions at many times leaves nothing behind")
    void x9PositionsMovedAgainAndAgainCostNoMoreMemory() {
        TimeBucketIndex index = withLatePart(SEGMENT / 4);
        // What came last is in order when one of it leaves.
        assertTrue(index.forget(3, 0) && index.add(FIRST_MILLIS, 3, 0));
        long before = index.retainedBytes();
        Random random = new Random(9);
        for (int i = 0; i < 200_000; i++) {
            int entryId = random.nextInt(SEGMENT / 4);
            assertTrue(index.forget(3, entryId));
            assertTrue(index.add(FIRST_MILLIS + random.nextInt(1 << 30), 3, entryId));
        }
        index.validate();
        assertTrue(index.retainedBytes() < 2 * before, () -> before + " bytes before, " + index.retainedBytes() + " after");
    }
}
