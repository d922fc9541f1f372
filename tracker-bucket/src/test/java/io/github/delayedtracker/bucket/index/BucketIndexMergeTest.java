/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.PositionSet;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Four buckets become one while positions leave them. */
class BucketIndexMergeTest {

    private static final int BUCKETS = MergeTiers.FAN_IN;
    private static final int EACH = 30;

    private final BucketScene scene = new BucketScene();
    private final BucketIndex index = scene.index;

    /** Four buckets, of ledgers 1 to 4, due a second after the other from the hundredth second on. */
    private MergePlan begin() {
        for (int ledger = 1; ledger <= BUCKETS; ledger++) {
            scene.add(ledger, 0, EACH, 100_000, 1_000).seal();
        }
        return scene.beginMerge();
    }

    private void assertAllComeOnce(int expected) {
        scene.load(1L << 50);
        List<String> taken = scene.takeAll(1L << 50);
        assertEquals(expected, new TreeSet<>(taken).size());
        assertEquals(expected, taken.size());
    }

    @Test
    void theNewBucketStandsInThePlaceOfItsSources() {
        MergePlan plan = begin();
        long youngest = scene.add(9, 0, 10, 900_000, 0).seal();
        assertEquals(BucketState.MERGING, index.state(0));
        SegmentColumns all = scene.read(plan);
        long merged = scene.commit(plan, all, BucketScene.set(all));
        assertFalse(plan.isOpen());
        assertEquals(List.of(0L, 1L, 2L, 3L), index.doomed());
        assertEquals(BucketState.SEALED, index.state(merged));
        assertEquals(2, index.liveBuckets());
        assertEquals(BUCKETS * EACH + 10, index.size());
        for (long source : plan.sources()) {
            index.deleted(source);
            assertEquals(BucketState.GONE, index.state(source));
        }
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            scene.add(20 + bucket, 0, 1, 900_000, 0).seal();
        }
        assertEquals(merged, scene.beginMerge().sources().get(0), "the merged one is the oldest");
        assertTrue(index.state(youngest) == BucketState.MERGING);
        assertAllComeOnce(BUCKETS * EACH + 10 + BUCKETS);
    }

    @Test
    void whatLeavesASourceMeanwhileIsNotInTheNewBucket() {
        MergePlan plan = begin();
        assertTrue(index.forget(1, 5), "before anybody looked");
        SegmentColumns all = scene.read(plan);
        assertEquals(BUCKETS * EACH - 1, all.count());
        PositionSet merged = BucketScene.set(all);
        assertTrue(index.forget(2, 7));
        assertEquals(18, index.forgetUpTo(1, 18));
        scene.load(100_000);
        assertEquals(9 + 10 + 10, scene.takeAll(1L << 50).size(), "of the first segments what was not forgotten");
        int left = index.merges().drain(plan, merged, 5);
        assertTrue(left > 0 && left < 40, left + " removals left");
        assertTrue(index.forget(3, 20));
        scene.commit(plan, all, merged);
        assertEquals(0, index.losses().positions());
        assertFalse(index.contains(1, 18) || index.contains(2, 7) || index.contains(3, 20) || index.contains(4, 0));
        assertTrue(index.contains(4, 10));
        assertEquals(11 + 20 + 19 + 20, index.size());
        assertAllComeOnce((int) index.size());
    }

    @Test
    void whatMarkDeletePassesMeanwhileIsDrainedAtOnce() {
        MergePlan plan = begin();
        PositionSet merged = BucketScene.set(scene.read(plan));
        index.forgetUpTo(2, 4);
        assertEquals(0, index.merges().drain(plan, merged, 1));
        assertEquals(index.sleepingPositions(), merged.size());
    }

    @Test
    void aSegmentBeingLoadedWhenTheMergeEndsIsGivenUp() {
        MergePlan plan = begin();
        SegmentColumns all = scene.read(plan);
        SegmentRef ref = index.loads().begin(100_000).get(0);
        SegmentColumns columns = scene.storage.read(ref);
        index.loads().loaded(ref, columns, 0, 4);
        scene.commit(plan, all, BucketScene.set(all));
        assertEquals(0, index.loads().loaded(ref, columns, 4, 10));
        index.loads().end(ref);
        index.validate();
        assertEquals(BUCKETS * EACH - 4, index.sleepingPositions());
        assertAllComeOnce(BUCKETS * EACH);
    }

    @Test
    void aMergeGivenUpLeavesTheSourcesAsTheyAre() {
        MergePlan plan = begin();
        assertTrue(index.forget(2, 7));
        SegmentColumns all = scene.read(plan);
        index.merges().giveUp(plan, "storage is down");
        index.validate();
        assertEquals(BucketState.SEALED, index.state(0));
        assertEquals(0, index.merges().live(plan, 0, all, 0, all.count(), new BitSet()));
        assertThrows(IllegalStateException.class, () -> index.merges().giveUp(plan, "twice"));
        assertThrows(IllegalStateException.class, () -> index.merges().commit(plan, 77, List.of(), new PositionSet()));
        assertEquals(4, scene.beginMerge().sources().size());
        assertAllComeOnce(BUCKETS * EACH - 1);
    }

    @Test
    void oneMergeIsOpenAtATime() {
        begin();
        for (int ledger = 11; ledger <= 10 + BUCKETS; ledger++) {
            scene.add(ledger, 0, EACH, 100_000, 1_000).seal();
        }
        assertEquals(Optional.empty(), index.merges().begin(new MergeTiers(BucketScene.SEAL)));
    }

    @Test
    @DisplayName("S5: what sleeps in a source that cannot be read is lost at once, though its merge may never end")
    void aSourceLostWhileItMerges() {
        MergePlan plan = begin();
        scene.read(plan);
        plan.beginRecording();
        index.lose(1, "no bookie answers");
        index.validate();
        assertEquals(EACH, index.losses().positions());
        assertEquals(BucketState.MERGING, index.state(1), "its ledger stays until the outcome is known");
        assertEquals(List.of(), index.doomed());
        index.merges().giveUp(plan, "a source is unreadable");
        index.validate();
        assertEquals(List.of(1L), index.doomed());
        assertAllComeOnceAndLostOnesFirst();
    }

    @Test
    void aSourceLostWhileItMergesIsNotInTheNewBucket() {
        MergePlan plan = begin();
        SegmentColumns all = scene.read(plan);
        plan.beginRecording();
        index.lose(2, "no bookie answers");
        scene.commit(plan, all, BucketScene.set(all));
        index.validate();
        assertEquals(EACH, index.losses().positions());
        assertEquals(BUCKETS * EACH, index.size());
        assertAllComeOnceAndLostOnesFirst();
    }

    private void assertAllComeOnceAndLostOnesFirst() {
        index.losses().allow(EACH);
        assertEquals(EACH, scene.take(0, EACH + 1).size());
        assertAllComeOnce((BUCKETS - 1) * EACH);
    }

    @Test
    void aPositionMissingInTheNewBucketIsReadAgain() {
        MergePlan plan = begin();
        SegmentColumns all = scene.read(plan);
        PositionSet merged = BucketScene.set(all);
        merged.remove(3, 3);
        merged.add(3, 999);
        merged.add(3, 1_000);
        scene.commit(plan, all, merged);
        assertEquals(1, index.losses().positions());
        assertTrue(index.contains(3, 3));
        assertFalse(index.contains(3, 999) || index.contains(3, 1_000));
        assertEquals(BUCKETS * EACH, index.size());
    }

    @Test
    void aMergeGoesOnWithNothingAfterClear() {
        MergePlan plan = begin();
        SegmentColumns all = scene.read(plan);
        index.clear();
        index.validate();
        assertEquals(0, index.size());
        assertEquals(List.of(), index.doomed());
        long merged = scene.commit(plan, all, BucketScene.set(all));
        assertEquals(0, index.size());
        assertEquals(List.of(merged), index.exhausted());
        assertEquals(BUCKETS + 1, index.doomed().size());
    }

    @Test
    void aLedgerHoldsOneBucket() {
        MergePlan plan = begin();
        assertThrows(IllegalArgumentException.class, () -> index.merges().commit(plan, 2, List.of(), new PositionSet()));
        FrozenTail frozen = scene.add(9, 0, 10, 900_000, 0).freeze();
        assertThrows(IllegalArgumentException.class, () -> index.seals().beginSettling(frozen, 2, List.of()));
        index.validate();
    }
}
