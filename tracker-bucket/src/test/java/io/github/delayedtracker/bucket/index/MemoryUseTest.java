/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Loaded segments that go back to sleep. */
class MemoryUseTest {

    private final BucketScene scene = new BucketScene();
    private final BucketIndex index = scene.index;
    private final MemoryUse memory = index.memoryUse();
    /** Ten segments of ten positions, which begin 10 s apart from 500 s on. */
    private final long ledger = scene.add(7, 0, 100, 500_000, 1_000).seal();

    private long unload(long afterMillis) {
        long unloaded = memory.unloadLatest(afterMillis);
        index.validate();
        return unloaded;
    }

    @Test
    void theLatestSegmentGoesFirstAndOneThatBeginsSoonStays() {
        scene.load(1_000_000);
        assertEquals(0, index.sleepingPositions());
        assertEquals(10, unload(570_000));
        assertEquals(10, index.sleepingPositions());
        assertEquals(590_000, index.loads().nextMillis());
        assertEquals(10, unload(570_000));
        assertEquals(580_000, index.loads().nextMillis());
        assertEquals(-1, unload(570_000), "the next one begins at that time");
        assertEquals(100, index.size());
    }

    @Test
    void whatWasUnloadedIsContainedAndLoadedAgainInTime() {
        scene.load(1_000_000);
        while (unload(0) >= 0) {
            assertTrue(index.contains(7, 0) && index.contains(7, 99));
        }
        assertEquals(100, index.sleepingPositions());
        assertEquals(500_000, index.loads().nextMillis());
        assertEquals(10, scene.load(1_000_000));
        assertEquals(100, scene.takeAll(600_000).size());
        assertEquals(0, index.size());
    }

    @Test
    void whatWasHandedOutOrForgottenDoesNotComeBack() {
        scene.load(1_000_000);
        index.forget(7, 95);
        assertEquals(9, unload(580_000));
        scene.load(1_000_000);
        assertEquals(99, scene.takeAll(600_000).size());
        assertEquals(-1, unload(-1));
    }

    @Test
    void bytesFollow() {
        long asleep = memory.bytes();
        scene.load(1_000_000);
        long loaded = memory.bytes();
        assertTrue(loaded > asleep + 900, asleep + " asleep, " + loaded + " loaded");
        while (unload(0) >= 0) {
            assertTrue(memory.bytes() < loaded);
            loaded = memory.bytes();
        }
        assertTrue(memory.bytes() <= asleep, asleep + " asleep before, " + memory.bytes() + " now");
    }

    @Test
    void aSegmentHalfLoadedStays() {
        SegmentRef ref = index.loads().begin(1_000_000).get(0);
        SegmentColumns columns = scene.storage.read(ref);
        index.loads().loaded(ref, columns, 0, 5);
        assertEquals(-1, unload(0));
        index.loads().loaded(ref, columns, 5, 10);
        assertEquals(-1, unload(0));
        index.loads().end(ref);
        assertEquals(10, unload(0));
    }

    @Test
    void aBucketOfWhichASegmentIsBeingLoadedStays() {
        scene.load(510_000);
        SegmentRef ref = index.loads().begin(1_000_000).get(0);
        assertEquals(-1, unload(0), "it would wait for that one, which may hang");
        index.loads().failed(ref);
        assertEquals(10, unload(0));
        assertEquals(510_000, index.loads().nextMillis());
    }

    @Test
    void whatLoadsWhileAMergeIsUnderWayStays() {
        scene.add(8, 0, 100, 700_000, 1_000).seal();
        scene.add(9, 0, 100, 800_000, 1_000).seal();
        scene.add(10, 0, 100, 900_000, 1_000).seal();
        scene.load(520_000);
        MergePlan plan = scene.beginMerge();
        SegmentColumns all = scene.read(plan);
        assertEquals(-1, unload(0));
        scene.commit(plan, all, BucketScene.set(all));
        assertEquals(-1, unload(0), "their ledger is doomed");
        assertEquals(400, index.size());
    }

    @Test
    void whatIsLeftOfABucketThatIsDoomedStays() {
        scene.load(1_000_000);
        assertEquals(List.of(ledger), index.exhausted());
        assertEquals(-1, unload(0));
        assertEquals(100, scene.takeAll(600_000).size());
    }

    @Test
    void whatStayedInMemoryWhenItWasSealedStays() {
        scene.add(8, 0, 100, 500_000, 1_000).seal(550_000);
        assertEquals(-1, unload(0));
        assertEquals(200, index.size());
    }
}
