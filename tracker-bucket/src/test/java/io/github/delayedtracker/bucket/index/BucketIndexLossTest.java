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

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of positions whose bucket cannot be read. */
class BucketIndexLossTest {

    private final BucketScene scene = new BucketScene();
    private final BucketIndex index = scene.index;
    private final long ledger = scene.add(7, 0, 100, 500_000, 1_000).seal();

    @Test
    void lostPositionsAreHandedOutAtOnceButOnlyAsManyAsAllowed() {
        scene.add(8, 0, 10, 1_000, 0);
        index.lose(ledger, "deleted by hand");
        index.validate();
        assertEquals(BucketState.DELETING, index.state(ledger));
        assertEquals(List.of(ledger), index.doomed());
        assertEquals(110, index.size());
        assertTrue(index.contains(7, 50));
        assertEquals(1_000, index.nextDueMillis());
        assertEquals(List.of(), scene.take(999, 100), "none is allowed yet");
        index.losses().allow(3);
        assertEquals(0, index.nextDueMillis());
        assertEquals(List.of("7:0", "7:1"), scene.take(0, 2));
        assertEquals(List.of("7:2", "8:0"), scene.take(1_000, 2));
        assertEquals(1_000, index.nextDueMillis());
        assertFalse(index.contains(7, 2));
        assertTrue(index.contains(7, 3));
        assertEquals(97, index.losses().positions());
        assertEquals(106, index.size());
    }

    @Test
    void whatIsReadAgainIsTrackedWithItsTrueTime() {
        index.lose(ledger, "deleted by hand");
        index.losses().allow(1);
        scene.take(0, 10);
        assertTrue(index.add(500_000, 7, 0));
        assertFalse(index.add(501_000, 7, 1), "it was contained, and no longer is lost");
        assertEquals(98, index.losses().positions());
        assertEquals(100, index.size());
        index.losses().allow(1_000);
        assertEquals(98, scene.take(0, 1_000).size());
        assertEquals(List.of("7:0"), scene.take(500_000, 10));
        assertEquals(List.of("7:1"), scene.take(501_000, 10));
    }

    @Test
    void lostPositionsAreForgottenAsAnyOther() {
        index.lose(ledger, "deleted by hand");
        assertTrue(index.forget(7, 4));
        assertFalse(index.forget(7, 4));
        assertEquals(9, index.forgetUpTo(7, 9));
        assertEquals(90, index.size());
        index.validate();
        index.clear();
        assertEquals(0, index.size());
        index.losses().allow(10);
        assertEquals(List.of(), scene.take(1L << 50, 10));
    }

    @Test
    void aSegmentBeingLoadedWhenItsBucketIsLostIsGivenUp() {
        SegmentRef ref = index.loads().begin(1L << 50).get(0);
        SegmentColumns columns = scene.storage.read(ref);
        assertEquals(2, index.loads().loaded(ref, columns, 0, 2));
        index.lose(ledger, "deleted by hand");
        assertEquals(0, index.loads().loaded(ref, columns, 2, 10));
        index.loads().end(ref);
        index.validate();
        assertEquals(98, index.losses().positions());
        assertEquals(List.of("7:0", "7:1"), scene.takeAll(1L << 50));
    }

    @Test
    void aBucketLostWhileItSettlesIsLostWhenItHasSettled() {
        FrozenTail frozen = scene.add(8, 0, 40, 500_000, 1_000).freeze();
        long second = scene.write(frozen);
        index.seals().beginSettling(frozen, second, scene.storage.entries(second));
        index.seals().settle(frozen, -1, 15);
        index.lose(second, "deleted by hand");
        assertEquals(0, index.losses().positions());
        assertTrue(index.seals().settle(frozen, -1, 100));
        index.validate();
        assertEquals(40, index.losses().positions());
        assertEquals(List.of(second), index.doomed());
    }

    @Test
    void nothingOfAnUnknownBucketIsLost() {
        index.lose(12_345, "deleted by hand");
        assertEquals(0, index.losses().positions());
    }

    @Test
    void aBucketIsExhaustedOnceAndNeverWhileSomethingSleepsInIt() {
        assertEquals(List.of(), index.exhausted());
        assertEquals(99, index.forgetUpTo(7, 98));
        assertEquals(List.of(), index.exhausted());
        index.forget(7, 99);
        assertEquals(List.of(ledger), index.exhausted());
        assertEquals(List.of(), index.exhausted());
        assertEquals(List.of(ledger), index.doomed());
        assertEquals(Long.MAX_VALUE, index.loads().nextMillis());
    }
}
