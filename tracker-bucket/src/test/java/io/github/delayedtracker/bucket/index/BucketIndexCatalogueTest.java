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

import io.github.delayedtracker.bucket.index.BucketIndex.RecoveredBucket;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Defects of the stock bucket tracker that are about which segments are loaded, merged and thrown away. */
class BucketIndexCatalogueTest {

    private static final long LATE_MILLIS = 1L << 50;
    private static final int EACH = 10;

    private final BucketScene scene = new BucketScene();
    private final BucketIndex index = scene.index;

    @Test
    @DisplayName("#26240: a bucket over ledgers 3 to 9 stays whole when mark-delete has passed some of them, after a restart too")
    void aBucketWithOneLivePositionIsLive() {
        for (int ledger = 3; ledger <= 9; ledger++) {
            scene.add(ledger, 0, EACH, 1_000, 1);
        }
        long bucket = scene.seal();
        assertEquals(3 * EACH, index.forgetUpTo(5, EACH - 1));
        assertEquals(List.of(), index.exhausted());
        assertEquals(List.of(), index.doomed());
        assertEquals(BucketState.SEALED, index.state(bucket));

        BucketScene restarted = new BucketScene();
        restarted.index.beginRecovery();
        SegmentColumns all = scene.storage.readAll(bucket);
        restarted.index.register(RecoveredBucket.of(bucket, scene.storage.entries(bucket), BucketScene.set(all), 0));
        restarted.index.forgetUpTo(5, EACH - 1);
        restarted.index.endRecovery();
        assertEquals(4 * EACH, restarted.index.size());
        assertFalse(restarted.index.contains(5, EACH - 1));
        assertTrue(restarted.index.contains(6, 0));
    }

    @Test
    @DisplayName("#26280: a segment all of whose positions are acknowledged does not hold up those behind it")
    void anEmptySegmentDoesNotHoldUpTheNext() {
        scene.add(1, 0, BucketScene.SEGMENT, 1_000, 0);
        scene.add(3, 0, BucketScene.SEGMENT, 900_000, 0).seal();
        assertEquals(BucketScene.SEGMENT, index.forgetUpTo(1, BucketScene.SEGMENT - 1));
        assertEquals(2, scene.load(900_000));
        assertEquals(BucketScene.SEGMENT, scene.takeAll(900_000).size());
        assertEquals(1, index.exhausted().size());
    }

    @Test
    @DisplayName("S-16: merges load nothing and leave nothing of their sources, however many follow each other")
    void mergesLeaveNoMoreBehindThanWhatIsTracked() {
        int ledgers = 1_000;
        for (int ledger = 0; ledger < ledgers; ledger++) {
            scene.add(ledger, 0, EACH, 1_000_000 + ledger, 1).seal();
            mergeAll();
        }
        assertEquals((long) ledgers * EACH, index.size());
        assertEquals(index.size(), index.sleepingPositions());
        assertTrue(index.liveBuckets() <= 24, index.liveBuckets() + " buckets");
        assertEquals(index.liveBuckets(), scene.storage.ledgers());
        assertTrue(index.retainedBytes() < 100_000, index.retainedBytes() + " bytes");
    }

    private void mergeAll() {
        for (Optional<MergePlan> plan = index.merges().begin(new MergeTiers(EACH)); plan.isPresent();
                plan = index.merges().begin(new MergeTiers(EACH))) {
            SegmentColumns all = scene.read(plan.get());
            scene.commit(plan.get(), all, BucketScene.set(all));
            for (long ledgerId : index.doomed()) {
                scene.storage.delete(ledgerId);
                index.deleted(ledgerId);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8})
    @DisplayName("#26242, #26241: buckets with any number of segments left to load merge, and everything is handed out once")
    void bucketsMergeHoweverManySegmentsAreLeft(int segments) {
        List<String> taken = new ArrayList<>();
        for (int ledger = 1; ledger <= MergeTiers.FAN_IN; ledger++) {
            scene.add(ledger, 0, 9 * BucketScene.SEGMENT, 1_000, 1_000).seal();
        }
        int loadedSegments = 9 - segments;
        long untilMillis = 1_000L * loadedSegments * BucketScene.SEGMENT;
        assertEquals(MergeTiers.FAN_IN * loadedSegments, scene.load(untilMillis));
        mergeAll();
        assertEquals(1, index.liveBuckets());
        scene.load(LATE_MILLIS);
        taken.addAll(scene.takeAll(LATE_MILLIS));
        assertEquals(MergeTiers.FAN_IN * 9 * BucketScene.SEGMENT, taken.size());
        assertEquals(taken.size(), new TreeSet<>(taken).size());
    }

    @Test
    @DisplayName("#24603, S-06: freezing copies nothing, and what is frozen is handed out meanwhile")
    void whatIsFrozenIsHandedOutWhileItIsWritten() {
        scene.add(1, 0, BucketScene.SEAL, 1_000, 1);
        long bytesBefore = index.retainedBytes();
        FrozenTail frozen = scene.freeze();
        assertTrue(index.retainedBytes() <= bytesBefore + 2_000, "freezing copied: " + index.retainedBytes() + " bytes after "
                + bytesBefore);
        assertEquals(BucketScene.SEAL, index.size());
        assertEquals(5, scene.take(1_004, 100).size());
        BitSet live = new BitSet();
        assertEquals(BucketScene.SEAL - 5, index.seals().live(frozen, 0, Integer.MAX_VALUE, live));
        assertTrue(index.contains(1, 5));
    }
}
