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

import io.github.delayedtracker.bucket.index.BucketIndex.RecoveredBucket;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Buckets come back one by one while reads go on. */
class BucketIndexRecoveryTest {

    private final BucketScene scene = new BucketScene();
    private final BucketIndex index = scene.index;

    private RecoveredBucket stored(long ledgerId, int from, int to, long dueMillis, long stepMillis, long pastMillis) {
        SegmentColumns.Filler filler = new SegmentColumns.Filler(to - from);
        for (int entry = from; entry < to; entry++) {
            filler.accept(dueMillis + (entry - from) * stepMillis, ledgerId, entry);
        }
        SegmentColumns all = filler.columns();
        long ledger = scene.storage.write(all, BucketScene.SEGMENT, BucketScene.SPAN_MILLIS);
        return RecoveredBucket.of(ledger, scene.storage.entries(ledger), BucketScene.set(all), pastMillis);
    }

    @Test
    @DisplayName("A position answered false for, offered or forgotten during recovery is not in a bucket registered later")
    void whatIsGivenMeanwhileIsSubtracted() {
        index.beginRecovery();
        assertFalse(index.contains(7, 1));
        assertFalse(index.contains(9, 5));
        assertTrue(index.add(900_000, 7, 2));
        assertFalse(index.forget(7, 3));
        assertTrue(index.add(1_000, 7, 4));
        assertEquals(List.of("7:4"), scene.take(1_000, 10));
        assertEquals(95, index.register(stored(7, 0, 99, 1_000, 1_000, -1)));
        index.validate();
        assertTrue(index.contains(7, 0) && index.contains(7, 2) && index.contains(7, 5));
        assertFalse(index.contains(7, 1) || index.contains(7, 3) || index.contains(7, 4));
        index.endRecovery();
        scene.load(1L << 50);
        assertEquals(96, scene.takeAll(1L << 50).size());
    }

    @Test
    void whatIsMarkedDeletedMeanwhileIsSubtracted() {
        index.beginRecovery();
        assertFalse(index.contains(7, 50));
        assertEquals(0, index.forgetUpTo(7, 40));
        assertEquals(0, index.forgetUpTo(7, 20));
        assertEquals(58, index.register(stored(7, 0, 100, 1_000, 1_000, -1)));
        assertFalse(index.contains(7, 50));
        assertFalse(index.contains(7, 40));
        assertTrue(index.contains(7, 41));
    }

    @Test
    void ofTwoBucketsWithTheSamePositionTheOneRegisteredFirstHasIt() {
        index.beginRecovery();
        RecoveredBucket old = stored(7, 0, 100, 1_000, 1_000, -1);
        assertEquals(20, index.register(stored(7, 40, 60, 700_000, 0, -1)));
        assertEquals(80, index.register(old));
        index.endRecovery();
        index.validate();
        scene.load(699_999);
        assertEquals(80, scene.takeAll(699_999).size());
        scene.load(700_000);
        assertEquals(20, scene.takeAll(700_000).size());
    }

    @Test
    void whatWasLoadedOrLostFromAnotherBucketIsSubtracted() {
        index.beginRecovery();
        RecoveredBucket first = stored(7, 0, 30, 1_000, 1_000, -1);
        index.register(first);
        scene.load(1_000);
        assertEquals(5, scene.take(5_000, 100).size());
        index.lose(first.ledgerId, "deleted by hand");
        assertEquals(20, index.losses().positions());
        assertEquals(10, index.register(stored(7, 0, 40, 1_000, 1_000, -1)));
        index.validate();
    }

    @Test
    void pastSegmentsAreNotLoadedAgain() {
        index.beginRecovery();
        RecoveredBucket recovered = stored(7, 0, 100, 1_000, 1_000, 25_500);
        recovered.sleeping.removeUpTo(7, 24);
        assertEquals(75, index.register(recovered));
        assertEquals(21_000, index.loads().nextMillis());
    }

    @Test
    void aBucketWhoseSegmentsAreAllPastLosesWhatIsLeftInIt() {
        index.beginRecovery();
        RecoveredBucket recovered = stored(7, 0, 10, 1_000, 0, 1_000);
        index.register(recovered);
        assertEquals(10, index.losses().positions());
        assertEquals(List.of(recovered.ledgerId), index.doomed());
    }

    @Test
    void recoveryBeginsBeforeAnythingElse() {
        index.add(1_000, 7, 1);
        assertThrows(IllegalStateException.class, index::beginRecovery);
        assertThrows(IllegalStateException.class, () -> index.register(stored(7, 0, 10, 1_000, 0, -1)));
        assertFalse(index.given().isPresent());
    }

    @Test
    void nothingIsRememberedAfterRecovery() {
        long before = index.retainedBytes();
        index.beginRecovery();
        for (int entry = 0; entry < 100_000; entry++) {
            index.contains(7, entry * 2L);
        }
        assertTrue(index.given().isPresent());
        assertTrue(index.retainedBytes() > before + 10_000);
        index.endRecovery();
        assertEquals(before, index.retainedBytes());
    }

    @Test
    void aPositionGivenIsNeverHandedOutUnlessItIsAddedAgain() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < 300; run++) {
            try {
                recoverAtRandom(new Random(seed + run));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + seed + ", run " + run, e);
            }
        }
    }

    /** Every stored position is handed out once in the end, unless it was given before; then only if it was added. */
    private static void recoverAtRandom(Random random) {
        BucketScene scene = new BucketScene();
        BucketIndex index = scene.index;
        Set<Integer> contained = new HashSet<>();
        Set<Integer> given = new HashSet<>();
        index.beginRecovery();
        for (int bucket = 0; bucket < 6; bucket++) {
            for (int call = random.nextInt(60); call > 0; call--) {
                int entry = random.nextInt(200);
                given.add(entry);
                switch (random.nextInt(3)) {
                    case 0 -> assertEquals(contained.contains(entry), index.contains(7, entry));
                    case 1 -> assertEquals(contained.add(entry), index.add(random.nextInt(100_000), 7, entry));
                    default -> assertEquals(contained.remove(entry), index.forget(7, entry));
                }
            }
            SegmentColumns.Filler filler = new SegmentColumns.Filler(200);
            for (int entry = random.nextInt(50); entry < 200; entry += 1 + random.nextInt(20)) {
                filler.accept(random.nextInt(100_000), 7, entry);
                if (!given.contains(entry)) {
                    contained.add(entry);
                }
            }
            SegmentColumns all = filler.columns();
            long ledger = scene.storage.write(all, BucketScene.SEGMENT, BucketScene.SPAN_MILLIS);
            index.register(RecoveredBucket.of(ledger, scene.storage.entries(ledger), BucketScene.set(all), -1));
            index.validate();
            assertEquals(contained.size(), index.size());
        }
        index.endRecovery();
        scene.load(1L << 50);
        List<String> taken = scene.takeAll(1L << 50);
        assertEquals(contained.size(), taken.size());
        contained.forEach(entry -> assertTrue(taken.contains("7:" + entry), entry + " is not handed out"));
    }
}
