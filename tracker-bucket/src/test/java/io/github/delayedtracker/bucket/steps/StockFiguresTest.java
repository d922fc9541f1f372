/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.bucket.chores.SomeSettings;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.JobWorld.Position;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The figures under stock's names mean what they mean in stock. Upstream's test of them
 * (BucketDelayedDeliveryTest.testBucketDelayedIndexMetrics) has three ledgers of 50, 50 and 1 messages, due one a second, in
 * segments of one second.
 */
class StockFiguresTest {

    private static final String STOCK = "pulsar_delayed_message_index_";

    private final StockWorld world = new StockWorld(1);

    StockFiguresTest() {
        world.kept = true;
        world.merges = 0;
        world.settings = SomeSettings.sealing(30).sealedAtLedgers(30);
        world.load();
        world.settle();
    }

    /** Two ledgers of 40 positions and one of 1; those of a ledger are due 20 s apart, so that a segment of 300 s has 16. */
    private static SegmentColumns threeLedgers() {
        int count = 81;
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            ledgerIds[i] = 1L + i / 40;
            entryIds[i] = i % 40;
            dueMillis[i] = StockWorld.FIRST_DUE_MILLIS + entryIds[i] * 20_000;
        }
        return new SegmentColumns(count, dueMillis, ledgerIds, entryIds);
    }

    /** U1: upstream's testBucketDelayedIndexMetrics counts what of each bucket is in memory. */
    @Test
    void theFirstSegmentOfEachSealedBucketStaysInMemoryAndIsInItsSnapshotToo() throws Exception {
        world.offer(threeLedgers());
        world.settle();
        assertEquals(1 + 2 * 16, figure("loaded"));
        assertEquals(2 * 24, world.index().sleepingPositions());
        assertEquals(81, world.index().size());
        Map<Position, Long> stored = new TreeMap<>(StockWorld.wholeSeconds(threeLedgers()));
        stored.keySet().removeIf(position -> position.ledgerId() == 3);
        assertEquals(stored, world.asStockSees());
    }

    /** U1: all for nine o'clock, more than a segment holds. */
    @Test
    void positionsOfOneTimeSleepInTheirSnapshotHoweverManySegmentsTheyHave() throws Exception {
        int count = 251;
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            ledgerIds[i] = 1L + i / 250;
            entryIds[i] = i % 250;
            dueMillis[i] = StockWorld.FIRST_DUE_MILLIS;
        }
        world.offer(new SegmentColumns(count, dueMillis, ledgerIds, entryIds));
        world.settle();
        assertEquals(250, world.index().sleepingPositions());
        assertEquals(250, world.asStockSees().size());
    }

    /** U1. */
    @Test
    void whatStaysOfASealedBucketIsThereAgainAfterACrash() throws Exception {
        world.offer(threeLedgers());
        world.settle();
        world.crash();
        world.settle();
        assertEquals(80, world.index().size());
        assertEquals(0, figure("bucket_op_count_all_create"));
    }

    /** U2: upstream's testBucketDelayedIndexMetrics expects 3 with two sealed buckets. */
    @Test
    void theBucketThatIsBeingFilledIsOneOfTheBuckets() throws Exception {
        assertEquals(1, figure("bucket_total"));
        world.offer(threeLedgers());
        world.settle();
        assertEquals(2, world.stockProperties().size());
        assertEquals(3, figure("bucket_total"));
    }

    /** U3: upstream's testBucketDelayedIndexMetrics reads the first figure of creations it finds, and how long they took. */
    @Test
    void whatHasHappenedIsCountedWithItsLatencyAndWhatHasNotHasNoFigure() throws Exception {
        assertEquals(Map.of(), named("bucket_op"));
        world.offer(threeLedgers());
        world.settle();
        Map<String, Long> ops = named("bucket_op");
        assertEquals(2, ops.remove("bucket_op_count_succeed_create"));
        assertEquals(2, ops.remove("bucket_op_count_all_create"));
        assertEquals(2, ops.remove("bucket_op_latency_ms_count_create"));
        long sum = ops.remove("bucket_op_latency_ms_sum_create");
        assertEquals(2, ops.values().stream().mapToLong(count -> count).sum(), () -> "by latency, of " + sum + " ms: " + ops);
        ops.keySet().forEach(name -> assertEquals("bucket_op_latency_ms_create_",
                name.substring(0, name.lastIndexOf('_') + 1)));
    }

    /** U3. */
    @Test
    void aFailedCreationIsCountedAndHasNoLatency() throws Exception {
        world.jobs.faulty.onCall(Operation.APPEND, "*", 1, Fault.failBefore(Kind.TOO_LARGE));
        world.offer(threeLedgers());
        world.settle();
        assertEquals(1, figure("bucket_op_count_failed_create"));
        assertEquals(1, figure("bucket_op_count_succeed_create"));
        assertEquals(2, figure("bucket_op_count_all_create"));
        assertEquals(1, figure("bucket_op_latency_ms_count_create"));
    }

    private long figure(String name) {
        return named("").getOrDefault(name, 0L);
    }

    private Map<String, Long> named(String prefix) {
        Map<String, Long> found = new TreeMap<>();
        world.buckets.samples().all().stream().filter(sample -> sample.series().name().startsWith(STOCK + prefix))
                .forEach(sample -> found.put(sample.series().name().substring(STOCK.length()), sample.value()));
        return found;
    }
}
