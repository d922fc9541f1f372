/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.Sealing.SealReason;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What positions cost that sleep in buckets. */
class BucketIndexFootprintTest {

    private static final int POSITIONS = 1_000_000;
    private static final int SEAL = 20_000;
    private static final int SEGMENT = 5_000;
    private static final int LEDGER = 50_000;
    private static final long DAY_MILLIS = 86_400_000;
    private static final long SPAN_MILLIS = 300_000;
    private static final int TAIL_BYTES = 4_096;

    @Test
    void sleepingPositionsCostHalfAByteAtMost() {
        BucketIndex index = new BucketIndex(new TimeBucketIndexProvider()::newIndex, SEAL, 1);
        StoredSegments storage = new StoredSegments();
        Random random = new Random(7);
        for (int i = 0; i < POSITIONS; i++) {
            index.add(DAY_MILLIS + random.nextLong(DAY_MILLIS) / 1_024 * 1_024, i / LEDGER, i % LEDGER);
            index.takeWork().ifPresent(Runnable::run);
            if (index.seals().isWanted()) {
                FrozenTail frozen = index.seals().freeze(SealReason.COUNT).orElseThrow();
                long ledgerId = storage.write(frozen.columns(), SEGMENT, SPAN_MILLIS);
                index.seals().beginSettling(frozen, ledgerId, storage.entries(ledgerId));
                assertTrue(index.seals().settle(frozen, -1, SEAL));
                storage.delete(ledgerId);
            }
        }
        assertEquals(POSITIONS, index.sleepingPositions());
        assertTrue(index.retainedBytes() <= POSITIONS / 2 + TAIL_BYTES, index.retainedBytes() + " bytes");
    }
}
