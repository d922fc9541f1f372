/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few messages that are due far later than all others cost their own bytes, not everyone's (X3, X10). */
class OutlierTest {

    private static final int EVERY = 10_000;
    private static final int MOST_BYTES = 32;
    private static final long YEAR_9999_MILLIS = 253_370_764_800_000L;

    @ParameterizedTest
    @EnumSource(Shape.class)
    void onePositionAtTheEndOfTimeCostsAFewBytesX3(Shape shape) {
        long plain = bytes(shape, PartSizes.SEGMENT, Long.MAX_VALUE, 0);
        long oneAtTheEnd = bytes(shape, PartSizes.SEGMENT, Long.MAX_VALUE, PartSizes.SEGMENT / 2);
        assertTrue(oneAtTheEnd - plain <= MOST_BYTES, () -> shape + ": " + plain + " bytes, " + oneAtTheEnd + " with one more");
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void oneInTenThousandInTheYear9999CostsAFewBytesX3(Shape shape) {
        long plain = bytes(shape, PartSizes.SEGMENT, 0, 0);
        long some = bytes(shape, PartSizes.SEGMENT, YEAR_9999_MILLIS, EVERY);
        long outliers = PartSizes.SEGMENT / EVERY;
        assertTrue(some - plain <= outliers * MOST_BYTES, () -> shape + ": " + plain + " bytes, " + some + " with some far ones");
    }

    private static long bytes(Shape shape, int count, long farMillis, int every) {
        Scratch scratch = Scratch.borrow(count);
        shape.fill((dueMillis, ledgerId, entryId) -> scratch.append(ledgerId, entryId,
                every > 0 && scratch.count % every == every - 1 ? farMillis & -512L : dueMillis), count);
        int words = SegmentEncoder.encode(scratch).length;
        Scratch.giveBack(scratch);
        return words * (long) Long.BYTES;
    }
}
