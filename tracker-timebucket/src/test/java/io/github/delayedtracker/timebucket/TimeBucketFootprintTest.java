/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jol.info.GraphStats;

/** What the index weighs, and whether it knows. */
class TimeBucketFootprintTest {

    private static final int POSITIONS = 200_000;
    private static final int SHARED_BYTES = 64;
    private static final int[] SIZES = {1, 2, 5, 10, 11, 13, 16, 17, 25, 33, 50, 65, 100, 129, 1_000, 10_000, 100_000};

    @ParameterizedTest
    @EnumSource(Shape.class)
    @DisplayName("#23699 S-13 the reported bytes are within 10 % of the retained ones while filled, swept and drained")
    void s13_reportedBytesAreWithinTenPerCentOfRetainedBytes(Shape shape) {
        DelayIndex index = new TimeBucketIndex();
        long[] added = {0};
        shape.fill((dueMillis, ledgerId, entryId) -> {
            index.add(dueMillis, ledgerId, entryId);
            if (++added[0] % 70_001 == 0) {
                assertTruthful(index, shape + " after " + added[0] + " adds");
            }
        }, POSITIONS);
        assertTruthful(index, shape + " filled");
        tidyAll(index);
        assertTruthful(index, shape + " packed");
        index.takeDue(Long.MAX_VALUE, POSITIONS / 2, (ledgerId, entryId) -> { });
        assertTruthful(index, shape + " half drained");
        forget(index, shape, 75);
        tidyAll(index);
        assertTruthful(index, shape + " three quarters of the rest forgotten and swept");
        index.validate();
    }

    @Test
    void anEmptyIndexReportsWhatItRetains() {
        assertTruthful(new TimeBucketIndex(), "empty");
    }

    /** The stock heap has room for a power of two of positions of 24 bytes, 16 at least. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void aFewPositionsCostNoMoreThanInTheStockHeap(Shape shape) {
        for (int count : SIZES) {
            DelayIndex index = new TimeBucketIndex();
            shape.fill(index, count);
            long retained = index.retainedBytes();
            assertTruthful(index, shape + " of " + count);
            long stock = 24L * Math.max(16, Integer.highestOneBit(2 * count - 1));
            assertTrue(retained <= stock, () -> shape + ": " + retained + " bytes for " + count + ", stock " + stock);
        }
    }

    @Test
    void fixedDelayCostsHalfAByteAPositionAtMost() {
        DelayIndex index = new TimeBucketIndex();
        Shape.FIXED_DELAY.fill(index, 1_000_000);
        assertTrue(index.retainedBytes() <= 500_000, () -> index.retainedBytes() + " bytes for 1 M positions");
    }

    /** The limits are the buckets alone; the stock AVL tracker costs 347, 613, 768 and 312 bytes for these. */
    @ParameterizedTest
    @CsvSource({"UNIFORM_24_H, 27", "UNIFORM_7_D, 56", "ONE_PER_BUCKET, 74", "ONE_PER_LEDGER, 19", "UNIFORM_30_D, 69"})
    @DisplayName("S-15 positions spread thin cost an array, not a map and a bitmap")
    void s15_thinSpreadsStayFarBelowABitmapEach(Shape shape, int bytesAPosition) {
        DelayIndex index = new TimeBucketIndex();
        shape.fill(index, 1_000_000);
        long bytes = index.retainedBytes() - index.positionSetBytes();
        assertTrue(bytes <= bytesAPosition * 1_000_000L, () -> shape + ": " + bytes / 1e6);
    }

    @ParameterizedTest
    @EnumSource(value = Shape.class, names = {"UNIFORM_600_S", "SPARSE", "UNIFORM_24_H"})
    @DisplayName("#26117 with 99 % of 1 M positions forgotten, at least 90 % of the memory is given back")
    void i26117_memoryFallsWithThePositions(Shape shape) {
        DelayIndex index = new TimeBucketIndex();
        shape.fill(index, 1_000_000);
        long before = index.retainedBytes();
        long kept = 1_000_000 - forget(index, shape, 1_000_000, 99);
        tidyAll(index);
        assertEquals(kept, index.size());
        long after = GraphStats.parseInstance(index).totalSize();
        assertTrue(after * 10 <= before, () -> before + " bytes before, " + after + " after, for " + kept);
        index.validate();
    }

    /** Saying which 10,000 of a million are left takes 1.01 bytes each. */
    @Test
    void whatIsLeftOfASteadyRateTakesAByteAndAHalfAtMost() {
        DelayIndex index = new TimeBucketIndex();
        Shape.ONE_PER_BUCKET.fill(index, 1_000_000);
        long kept = 1_000_000 - forget(index, Shape.ONE_PER_BUCKET, 1_000_000, 99);
        leaveAlone(index);
        long after = GraphStats.parseInstance(index).totalSize();
        assertTrue(after <= 1.5 * kept, () -> after + " bytes for " + kept);
        index.validate();
    }

    @Test
    void theMemoryOfAFifthThatIsGoneComesBackOnceNothingChanges() {
        DelayIndex index = new TimeBucketIndex();
        Shape.UNIFORM_600_S.fill(index, POSITIONS);
        tidyAll(index);
        forget(index, Shape.UNIFORM_600_S, 20);
        long before = index.retainedBytes();
        leaveAlone(index);
        assertTrue(index.retainedBytes() <= 0.9 * before, () -> before + " bytes before, " + index.retainedBytes());
        index.validate();
    }

    @Test
    @DisplayName("#26117 with the oldest 99 % of a fixed delay trimmed, at least 90 % of the memory is given back")
    void i26117_memoryFallsWithTheMarkDeletePosition() {
        DelayIndex index = new TimeBucketIndex();
        Shape.FIXED_DELAY.fill(index, 1_000_000);
        long before = index.retainedBytes();
        assertEquals(990_000, index.forgetUpTo(10_019, 39_999));
        tidyAll(index);
        assertTrue(index.retainedBytes() * 10 <= before, () -> before + " bytes before, " + index.retainedBytes());
        index.validate();
    }

    private static void tidyAll(DelayIndex index) {
        int calls = 0;
        // What waits until an index was left alone for a while comes first.
        index.tidy(1);
        index.tidy(100_000);
        while (index.tidy(1000)) {
            assertTrue(++calls < 100_000, "tidying does not come to an end");
        }
    }

    private static void leaveAlone(DelayIndex index) {
        for (int calls = 0; calls < 4; calls++) {
            tidyAll(index);
        }
    }

    private static void forget(DelayIndex index, Shape shape, int percent) {
        forget(index, shape, POSITIONS, percent);
    }

    private static long forget(DelayIndex index, Shape shape, int positions, int percent) {
        List<long[]> all = new ArrayList<>();
        shape.fill((dueMillis, ledgerId, entryId) -> all.add(new long[] {ledgerId, entryId}), positions);
        Collections.shuffle(all, new Random(2));
        long forgotten = 0;
        for (long[] position : all.subList(0, (int) (all.size() * (long) percent / 100))) {
            forgotten += index.forget(position[0], position[1]) ? 1 : 0;
        }
        return forgotten;
    }

    private static void assertTruthful(DelayIndex index, String when) {
        long reported = index.retainedBytes();
        long retained = GraphStats.parseInstance(index).totalSize();
        // Constants that all indexes share are retained by each, but not its own.
        assertTrue(reported >= retained * 0.9 - SHARED_BYTES && reported <= retained * 1.1,
                () -> when + ": reports " + reported + " of " + retained + " bytes");
    }
}
