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
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndexProvider;
import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Which form positions take, and that every form hands them out again. */
class OpenBucketsTest {

    private static final long DUE = 1024;
    private static final long LATER = 2048;

    private final CountingMap map = new CountingMap();
    private final OpenBuckets index = new OpenBuckets(map);

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
    void onePositionInABucketIsAnArrayOfTwoNumbers() {
        index.add(DUE, 7, 9);
        assertEquals(2, assertInstanceOf(long[].class, map.get(DUE)).length);
        assertHandsOut(List.of(new Position(7, 9)));
    }

    @Test
    void fewPositionsOfSeveralLedgersAreOneArray() {
        List<Position> added = addAll(2, 8, entry -> entry * 10);
        assertInstanceOf(long[].class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void positionsOfOneLedgerBecomeOneCell() {
        List<Position> added = addAll(1, 40, entry -> entry * 10);
        assertInstanceOf(ListCell.class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void aSmallCellGoesBackToAnArrayWhenASecondLedgerComes() {
        List<Position> added = addAll(1, 6, entry -> entry);
        index.add(DUE, 5, 0);
        added.add(new Position(5, 0));
        assertInstanceOf(long[].class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void manyPositionsOfSeveralLedgersBecomeACellEach() {
        List<Position> added = addAll(3, 30, entry -> entry * 10);
        assertEquals(3, assertInstanceOf(LedgerCells.class, map.get(DUE)).size());
        assertHandsOut(added);
    }

    @Test
    void positionsOfOneLedgerEachStayInOneArray() {
        List<Position> added = addAll(1000, 1, entry -> entry);
        assertInstanceOf(long[].class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void anArrayOfThousandsOfScatteredPositionsBecomesCells() {
        List<Position> added = addAll(6000, 1, entry -> entry);
        assertInstanceOf(LedgerCells.class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void aLongCellBecomesABitmap() {
        List<Position> added = addAll(1, 5000, entry -> entry * 3);
        assertInstanceOf(BitmapCell.class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void idsInSeveralChunksBecomeABitmap() {
        List<Position> added = addAll(1, 100, entry -> 65_500 + entry);
        assertInstanceOf(BitmapCell.class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void idsOfTheUpperHalfOf32BitsKeepTheirOrderInABitmap() {
        List<Position> added = addAll(1, 3000, entry -> 0x7fff_fc00L + entry);
        assertInstanceOf(BitmapCell.class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void idsBeyond32BitsInSeveralChunksEscapeToAWideCell() {
        List<Position> added = addAll(1, 3000, entry -> 0xffff_ff00L + entry);
        assertInstanceOf(WideCell.class, map.get(DUE));
        assertHandsOut(added);
    }

    @Test
    void theLargestIdsAreKept() {
        List<Position> added = addAll(1, 3000, entry -> Long.MAX_VALUE - 3000 + entry);
        index.add(DUE, Long.MAX_VALUE, Long.MAX_VALUE);
        added.add(new Position(Long.MAX_VALUE, Long.MAX_VALUE));
        assertHandsOut(added);
    }

    @Test
    void aRowOfIdsIsRunOptimisedWhenTheWriterMovesOn() {
        List<Position> added = addAll(1, 512, entry -> entry);
        Object written = map.get(DUE);
        index.add(LATER, 1, 512);
        added.add(new Position(1, 512));
        assertInstanceOf(ListCell.class, written);
        assertEquals(BitmapCell.SHELL_BYTES + HeapSizes.packedRuns(1), bytesOf(assertInstanceOf(BitmapCell.class, map.get(DUE))));
        assertHandsOut(added);
    }

    @Test
    void interleavedRowsAreRunOptimisedByTidy() {
        List<Position> added = new ArrayList<>();
        for (int entry = 0; entry < 4096; entry++) {
            index.add(entry / 4 % 2 == 0 ? DUE : LATER, entry % 4, entry / 8);
            added.add(new Position(entry % 4, entry / 8));
        }
        long before = index.retainedBytes() - index.positionSetBytes();
        tidyAll();
        long after = index.retainedBytes() - index.positionSetBytes();
        assertTrue(after * 2 < before, () -> before + " bytes before, " + after + " after");
        index.validate();
        assertEquals(new TreeSet<>(added), new TreeSet<>(takeAll()));
    }

    @Test
    void aPackedCellCanBeWrittenAgain() {
        List<Position> added = addAll(1, 512, entry -> entry);
        index.add(LATER, 1, 10_000);
        assertInstanceOf(BitmapCell.class, map.get(DUE));
        for (int entry = 1000; entry < 1400; entry += 2) {
            assertTrue(index.add(DUE, 1, entry));
            added.add(new Position(1, entry));
        }
        index.forget(1, 10_000);
        assertHandsOut(added);
    }

    @Test
    void idsInOrderOfOneBucketDescendTheMapOnce() {
        addAll(1, 100, entry -> entry);
        map.descents = 0;
        for (int entry = 100; entry < 1000; entry++) {
            index.add(DUE, 1, entry);
        }
        assertEquals(0, map.descents);
    }

    @Test
    void fixedDelayDescendsTheMapAFewTimesABucket() {
        for (int i = 0; i < 51_200; i++) {
            index.add(i / 512, 1, i);
        }
        int descents = map.descents;
        assertTrue(descents <= 100 * 12, () -> descents + " descents for 100 buckets");
    }

    @Test
    void aBoundedNumberOfDeadPositionsIsDroppedInOneCall() {
        addAll(1, 60_000, entry -> entry);
        index.add(DUE, 2, 0);
        for (int entry = 0; entry < 60_000; entry++) {
            index.forget(1, entry);
        }
        List<Position> taken = new ArrayList<>();
        int calls = 0;
        while (taken.isEmpty()) {
            index.takeDue(DUE, 10, (ledgerId, entryId) -> taken.add(new Position(ledgerId, entryId)));
            index.validate();
            calls++;
        }
        assertEquals(List.of(new Position(2, 0)), taken);
        assertTrue(calls > 1 && calls < 6, calls + " calls");
    }

    @Test
    void whatATrimLeavesOfWholeLedgersIsDroppedWithoutLookingAtIt() {
        addAll(1, 60_000, entry -> entry);
        index.add(DUE, 2, 0);
        index.add(DUE, 2, 1);
        assertEquals(60_001, index.forgetUpTo(2, 0));
        List<Position> taken = new ArrayList<>();
        index.takeDue(DUE, 10, (ledgerId, entryId) -> taken.add(new Position(ledgerId, entryId)));
        assertEquals(List.of(new Position(2, 1)), taken);
    }

    @Test
    void aLedgerAddedAgainAfterATrimIsHandedOut() {
        addAll(2, 100, entry -> entry);
        index.forgetUpTo(1, 50);
        assertTrue(index.add(LATER, 1, 3));
        List<Position> taken = takeAll();
        assertEquals(150, taken.size());
        assertTrue(taken.contains(new Position(1, 3)));
    }

    @Test
    void theNextDueTimePassesOverBucketsWhoseFewPositionsAreForgotten() {
        for (int i = 0; i < 100; i++) {
            index.add(i, 1, i);
        }
        for (int i = 0; i < 99; i++) {
            index.forget(1, i);
        }
        assertEquals(99, index.nextDueMillis());
    }

    @Test
    void tidyEndsEvenWhereEveryPositionIsStoredTwice() {
        for (int entry = 0; entry < 10_000; entry++) {
            index.add(LATER, 1, entry);
            index.forget(1, entry);
            index.add(DUE, 1, entry);
            index.add(LATER + 1, 2, entry);
        }
        tidyAll();
        index.validate();
        assertEquals(20_000, takeAll().size());
        assertEquals(0, index.size());
    }

    @Test
    void fewDeadPositionsAreLeftAlone() {
        addAll(1, 1000, entry -> entry);
        for (int entry = 0; entry < 200; entry++) {
            index.forget(1, 2L * entry);
        }
        assertFalse(index.tidy(1000));
    }

    @Test
    void tidyResumesInTheMiddleOfALargeCell() {
        addAll(1, 50_000, entry -> entry);
        Object cell = map.get(DUE);
        for (int entry = 0; entry < 50_000; entry++) {
            if (entry % 100 != 0) {
                index.forget(1, entry);
            }
        }
        assertTrue(index.tidy(1000));
        assertSame(cell, map.get(DUE));
        assertTrue(((BitmapCell) cell).count() >= 48_900);
        index.validate();
        tidyAll();
        assertNotSame(cell, map.get(DUE));
        assertEquals(500, index.size());
        index.validate();
    }

    @Test
    void tidyResumesInTheMiddleOfAWideCell() {
        addAll(1, 5_000, entry -> (1L << 40) + entry * 10_000);
        for (int entry = 0; entry < 5_000; entry++) {
            if (entry % 10 != 0) {
                index.forget(1, (1L << 40) + entry * 10_000L);
            }
        }
        assertTrue(index.tidy(100));
        assertEquals(500, index.size());
        assertTrue(BucketForms.count(assertInstanceOf(WideCell.class, map.get(DUE))) > 4_500);
        tidyAll();
        assertEquals(500, BucketForms.count(map.get(DUE)));
        index.validate();
    }

    @Test
    void aHalfHandedOutArrayGivesMemoryBack() {
        addAll(1_000, 1, entry -> entry);
        index.takeDue(DUE, 900, (ledgerId, entryId) -> { });
        assertTrue(((long[]) map.get(DUE)).length <= 400);
        index.validate();
    }

    private List<Position> addAll(int ledgers, int entries, LongUnaryOperator entryIds) {
        List<Position> added = new ArrayList<>();
        for (int ledger = 1; ledger <= ledgers; ledger++) {
            for (int entry = 0; entry < entries; entry++) {
                long entryId = entryIds.applyAsLong(entry);
                assertTrue(index.add(DUE, ledger, entryId));
                added.add(new Position(ledger, entryId));
            }
        }
        return added;
    }

    private void assertHandsOut(List<Position> expected) {
        index.validate();
        assertEquals(expected, takeAll());
        assertEquals(0, index.size());
        assertTrue(map.isEmpty());
    }

    private List<Position> takeAll() {
        List<Position> taken = new ArrayList<>();
        while (index.size() > 0) {
            index.takeDue(Long.MAX_VALUE, 777, (ledgerId, entryId) -> taken.add(new Position(ledgerId, entryId)));
            index.validate();
        }
        return taken;
    }

    private void tidyAll() {
        int calls = 0;
        while (index.tidy(100)) {
            assertTrue(++calls < 100_000, "tidying does not come to an end");
        }
    }

    private static long bytesOf(Cell cell) {
        return cell.retainedBytes();
    }

    /** Counts how often the map is descended. */
    private static final class CountingMap extends Long2ObjectAVLTreeMap<Object> {

        private static final long serialVersionUID = 1;
        private int descents;

        @Override
        public Object get(long key) {
            descents++;
            return super.get(key);
        }

        @Override
        public Object put(long key, Object value) {
            descents++;
            return super.put(key, value);
        }
    }
}
