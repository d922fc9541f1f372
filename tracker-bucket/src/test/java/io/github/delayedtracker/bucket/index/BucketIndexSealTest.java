/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.Sealing.SealReason;
import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.SmallTimeBuckets;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From the tail to a sealed bucket and back into memory. */
class BucketIndexSealTest {

    private final BucketScene scene = new BucketScene();
    private final BucketIndex index = scene.index;

    @Test
    void whatSleepsIsContainedAndHandedOutOnceLoaded() {
        long ledger = scene.add(7, 0, 100, 1_000, 1_000).seal();
        assertEquals(100, index.sleepingPositions());
        assertEquals(100, index.size());
        assertEquals(DelayIndex.NEVER, index.nextDueMillis());
        assertEquals(1_000, index.loads().nextMillis());
        assertEquals(List.of(), scene.take(1L << 50, 10));
        assertTrue(index.contains(7, 99));
        assertFalse(index.add(5, 7, 99), "the first time stands");
        assertEquals(2, scene.load(11_000));
        assertEquals(21_000, index.loads().nextMillis());
        assertEquals(80, index.sleepingPositions());
        assertEquals(List.of("7:0", "7:1", "7:2"), scene.take(1L << 50, 3));
        assertEquals(17, scene.takeAll(1L << 50).size());
        assertEquals(8, scene.load(1L << 50));
        assertEquals(80, scene.takeAll(1L << 50).size());
        assertEquals(List.of(ledger), index.exhausted());
    }

    @Test
    void theLastDueTimeOfWhatSleepsIsTheEndOfItsSegment() {
        scene.add(7, 0, 100, 1_000, 1_000);
        assertEquals(100_000, index.lastDueMillis());
        assertEquals(DelayIndex.NO_TIME, index.loads().lastAsleepMillis());
        scene.seal();
        assertEquals(DelayIndex.NO_TIME, index.lastDueMillis());
        assertEquals(100_000, index.loads().lastAsleepMillis());
        assertTrue(index.forget(7, 99));
        assertEquals(100_000, index.loads().lastAsleepMillis(), "as long as the segment sleeps");
        assertEquals(2, scene.load(11_000));
        assertEquals(20_000, index.lastDueMillis());
        scene.load(1L << 50);
        assertEquals(DelayIndex.NO_TIME, index.loads().lastAsleepMillis());
        assertEquals(99_000, index.lastDueMillis());
    }

    @Test
    void nothingIsDueLastOfSegmentsInWhichNothingSleeps() {
        scene.add(7, 0, 20, 1_000, 1_000).seal();
        assertEquals(20, index.forgetUpTo(7, 19));
        assertEquals(DelayIndex.NO_TIME, index.loads().lastAsleepMillis());
    }

    @Test
    void whatIsHandedOutOrForgottenWhileItSettlesIsNowhere() {
        scene.add(7, 0, 100, 1_000, 1_000);
        FrozenTail frozen = scene.freeze();
        scene.add(7, 100, 110, 500_000, 1);
        long ledger = scene.write(frozen);
        assertEquals(List.of("7:0"), scene.take(1_000, 10));
        index.seals().beginSettling(frozen, ledger, scene.storage.entries(ledger));
        assertTrue(index.forget(7, 60));
        assertFalse(index.seals().settle(frozen, -1, 50));
        index.validate();
        assertTrue(index.forget(7, 20), "it sleeps already");
        assertTrue(index.forget(7, 70), "it is in the frozen tail still");
        assertEquals(List.of(), scene.take(50_000, 10), "those due sleep");
        assertEquals(List.of("7:50"), scene.take(51_000, 10));
        assertEquals(BucketState.SEALING, frozen.state());
        while (!index.seals().settle(frozen, -1, 13)) {
            index.validate();
        }
        assertEquals(BucketState.SEALED, index.state(ledger));
        assertEquals(0, index.seals().frozenTails());
        assertEquals(95 + 10, index.size());
        assertEquals(95, index.sleepingPositions());
        assertFalse(index.contains(7, 20) || index.contains(7, 50) || index.contains(7, 60) || index.contains(7, 70));
        scene.load(1L << 50);
        assertEquals(105, scene.takeAll(1L << 50).size());
    }

    @Test
    void whatIsDueSoonStaysInMemoryWhenItSettles() {
        scene.add(7, 0, 100, 1_000, 1_000).seal(25_500);
        assertEquals(75, index.sleepingPositions());
        assertEquals(1_000, index.nextDueMillis());
        assertEquals(21_000, index.loads().nextMillis(), "the segment that begins before and ends after");
        assertEquals(List.of("7:0", "7:1"), scene.take(2_500, 10));
        scene.load(21_000);
        assertEquals(28, scene.takeAll(1L << 50).size());
        assertEquals(31_000, index.loads().nextMillis());
    }

    @Test
    void aSegmentCountsAsLoadedOnlyIfEverySliceKeptItsPositions() {
        FrozenTail frozen = scene.add(7, 0, 100, 1_000, 1_000).freeze();
        long ledger = scene.write(frozen);
        index.seals().beginSettling(frozen, ledger, scene.storage.entries(ledger));
        assertFalse(index.seals().settle(frozen, 10_000, 50));
        assertTrue(index.seals().settle(frozen, 90_000, 50));
        index.validate();
        assertEquals(11_000, index.loads().nextMillis());
        scene.load(1L << 50);
        assertEquals(100, scene.takeAll(1L << 50).size());
    }

    @Test
    void aPositionHandedOutAndAddedAgainHasItsLastTimeInTheSeal() {
        index.add(1_000, 7, 1);
        index.add(9_000, 7, 2);
        assertEquals(List.of("7:1"), scene.take(1_000, 10));
        index.add(700_000, 7, 1);
        scene.seal();
        assertEquals(9_000, index.loads().nextMillis());
        scene.load(9_000);
        assertEquals(List.of("7:2"), scene.takeAll(699_999));
        scene.load(700_000);
        assertEquals(List.of("7:1"), scene.takeAll(700_000));
    }

    @Test
    void anOldCopyInAnOlderBucketIsNotHandedOut() {
        scene.add(7, 0, 20, 1_000, 0);
        index.add(400_000, 7, 30);
        scene.seal();
        assertTrue(index.forget(7, 3));
        assertTrue(index.add(800_000, 7, 3));
        scene.seal();
        scene.load(400_000);
        assertEquals(20, scene.takeAll(400_000).size());
        assertTrue(index.contains(7, 3));
        scene.load(800_000);
        assertEquals(List.of("7:3"), scene.takeAll(800_000));
    }

    @Test
    @DisplayName("Positions due at the same time come in their order, whichever parts they are in")
    void equalTimesAcrossPartsComeInOrder() {
        scene.add(7, 0, 40, 5_000, 0).seal();
        scene.load(5_000);
        for (int entry = 41; entry < 60; entry += 2) {
            index.add(5_000, 7, entry);
        }
        scene.freeze();
        for (int entry = 40; entry < 60; entry += 2) {
            index.add(5_000, 7, entry);
        }
        index.add(4_000, 9, 0);
        index.add(6_000, 1, 0);
        List<String> taken = scene.takeAll(6_000);
        assertEquals(62, taken.size());
        assertEquals("9:0", taken.get(0));
        for (int entry = 0; entry < 60; entry++) {
            assertEquals("7:" + entry, taken.get(1 + entry));
        }
        assertEquals("1:0", taken.get(61));
    }

    @Test
    void aSealGivenUpIsTriedAgain() {
        scene.add(7, 0, 100, 1_000, 1_000);
        FrozenTail frozen = scene.freeze();
        index.seals().giveUp(frozen, "storage is down");
        assertEquals(BucketState.OPEN, frozen.state());
        assertTrue(index.contains(7, 50));
        scene.take(1_000, 10);
        assertSame(frozen, index.seals().sealAgain().orElseThrow());
        assertEquals(Optional.empty(), index.seals().sealAgain());
        BitSet live = new BitSet();
        assertEquals(99, index.seals().live(frozen, 0, 100, live));
        assertFalse(live.get(0));
        index.seals().giveUp(frozen, "storage is down");
        assertEquals(99, index.forgetUpTo(7, 1_000));
        assertEquals(0, index.seals().frozenTails(), "with nothing in it there is nothing to seal");
    }

    @Test
    void theTailGoesOnWhileFrozenTailsWait() {
        for (int tail = 0; tail < BucketScene.MAX_FROZEN; tail++) {
            scene.add(tail, 0, 10, 1_000, 1_000);
            scene.freeze();
        }
        scene.add(5, 0, 10, 1_000, 1_000);
        assertEquals(Optional.empty(), index.seals().freeze(SealReason.COUNT));
        assertTrue(index.add(1_000, 6, 0));
        assertEquals(31, index.size());
        assertEquals(11, index.seals().tailPositions());
    }

    @Test
    void anEmptyTailIsNotFrozen() {
        assertEquals(Optional.empty(), index.seals().freeze(SealReason.AGE));
    }

    @Test
    void sealWorkIsPassedOnOnceATail() {
        int[] asked = new int[1];
        BucketIndex small = new BucketIndex(new SmallTimeBuckets()::newIndex, 10, 2);
        small.seals().onGrown(10, () -> asked[0]++);
        for (int entry = 0; entry < 30; entry++) {
            small.add(1_000_000, 1, entry);
            small.takeWork().ifPresent(Runnable::run);
        }
        while (runs(small.takeWork())) {
            assertTrue(small.seals().isWanted());
        }
        assertEquals(1, asked[0]);
        small.seals().freeze(SealReason.COUNT);
        assertTrue(small.seals().isWanted(), "of what came beyond it");
        for (int entry = 30; entry < 60; entry++) {
            small.add(1_000_000, 1, entry);
            small.takeWork().ifPresent(Runnable::run);
        }
        while (runs(small.takeWork())) {
            assertTrue(small.seals().isWanted());
        }
        assertEquals(2, asked[0]);
    }

    private static boolean runs(Optional<Runnable> work) {
        work.ifPresent(Runnable::run);
        return work.isPresent();
    }

    @Test
    void aLoadThatFailsHalfWayIsDoneAgain() {
        scene.add(7, 0, 20, 1_000, 0).seal();
        SegmentRef ref = index.loads().begin(1_000).get(0);
        SegmentColumns columns = scene.storage.read(ref);
        assertEquals(4, index.loads().loaded(ref, columns, 0, 4));
        index.validate();
        assertEquals(List.of("7:0", "7:1", "7:2"), scene.take(1_000, 3));
        assertEquals(1, index.loads().loaded(ref, columns, 4, 5));
        index.loads().failed(ref);
        assertEquals(List.of("7:3", "7:4"), scene.takeAll(1_000));
        assertEquals(1_000, index.loads().nextMillis());
        assertEquals(2, scene.load(1_000));
        assertEquals(15, scene.takeAll(1_000).size());
    }

    @Test
    void segmentsAreLoadedEarliestFirstAndOneOfABucketAtATime() {
        scene.add(7, 0, 40, 1_000, 1_000).seal();
        scene.add(8, 0, 40, 6_500, 1_000).seal();
        assertEquals(List.of(new SegmentRef(0, 0)), index.loads().begin(6_499));
        assertEquals(6_500, index.loads().nextMillis());
        assertEquals(List.of(new SegmentRef(1, 0)), index.loads().begin(1L << 40));
        assertEquals(DelayIndex.NEVER, index.loads().nextMillis());
        index.loads().failed(new SegmentRef(0, 0));
        assertEquals(List.of(new SegmentRef(0, 0)), index.loads().begin(1L << 40));
    }

    @Test
    void slicesOfASegmentAscend() {
        scene.add(7, 0, 20, 1_000, 0).seal();
        SegmentRef ref = index.loads().begin(1_000).get(0);
        SegmentColumns columns = scene.storage.read(ref);
        index.loads().loaded(ref, columns, 0, 4);
        assertThrows(IllegalArgumentException.class, () -> index.loads().loaded(ref, columns, 2, 6));
    }

    @Test
    void whatIsInNoSegmentIsReadAgainWhenTheLastIsLoaded() {
        scene.add(7, 0, 5, 1_000, 0);
        FrozenTail frozen = scene.freeze();
        long ledger = scene.storage.write(frozen.columns().selected(BitSet.valueOf(new long[] {0b10111})), 10, 1_000);
        index.seals().beginSettling(frozen, ledger, scene.storage.entries(ledger));
        assertTrue(index.seals().settle(frozen, -1, 10));
        scene.load(1_000);
        assertEquals(1, index.losses().positions());
        index.losses().allow(10);
        assertEquals(List.of("7:3"), scene.take(0, 10));
        assertEquals(4, scene.takeAll(1_000).size());
        assertEquals(List.of(ledger), index.doomed());
    }

    @Test
    void clearForgetsAllAndDoomsTheLedgers() {
        long ledger = scene.add(7, 0, 20, 1_000, 0).seal();
        scene.add(7, 20, 40, 1_000, 0);
        FrozenTail frozen = scene.freeze();
        frozen.columns();
        scene.add(7, 40, 60, 1_000, 0);
        index.clear();
        index.validate();
        assertEquals(0, index.size());
        assertFalse(index.contains(7, 5) || index.contains(7, 25) || index.contains(7, 45));
        assertEquals(List.of(ledger), index.doomed());
        assertEquals(0, index.seals().live(frozen, 0, 20, new BitSet()));
        index.seals().beginSettling(frozen, 99, List.of());
        assertTrue(index.seals().settle(frozen, -1, 10), "the seal under way ends with nothing");
        assertEquals(List.of(99L), index.exhausted());
        index.deleted(ledger);
        index.deleted(99);
        assertEquals(List.of(), index.doomed());
        assertTrue(index.add(1_000, 7, 5));
    }
}
