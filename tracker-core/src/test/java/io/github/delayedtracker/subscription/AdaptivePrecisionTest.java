/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaptivePrecisionTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final AdaptivePrecision THOUSANDTH = new AdaptivePrecision(1_000, 65_536);

    @ParameterizedTest
    @CsvSource({"1, 0", "999, 0", "1000, 1", "1999, 1", "2000, 2", "60000, 32", "65535999, 32768", "65536000, 65536",
        "86400000, 65536", "131072000, 65536", "9223370336854775807, 65536"})
    void precisionIsTheLargestPowerOfTwoWithinTheRatioAndTheCap(long remainingMillis, long precisionMillis) {
        assertEquals(precisionMillis, THOUSANDTH.precisionMillis(NOW + remainingMillis, NOW));
    }

    @Test
    void offGivesNoPrecision() {
        assertEquals(0, AdaptivePrecision.OFF.precisionMillis(Long.MAX_VALUE, NOW));
        assertEquals(0, AdaptivePrecision.OFF.precisionMillis(Long.MAX_VALUE, Long.MIN_VALUE));
    }

    @Test
    void whatIsNotAheadHasNoPrecision() {
        assertEquals(0, THOUSANDTH.precisionMillis(NOW, NOW));
        assertEquals(0, THOUSANDTH.precisionMillis(-1, NOW));
        assertEquals(0, THOUSANDTH.precisionMillis(Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @Test
    void aDifferenceBeyondTheRangeOfALongCountsAsTheLongestDelay() {
        AdaptivePrecision widest = new AdaptivePrecision(8, 1L << 62);
        assertEquals(1L << 59, widest.precisionMillis(Long.MAX_VALUE, 0));
        assertEquals(1L << 59, widest.precisionMillis(Long.MAX_VALUE, -1));
        assertEquals(1L << 59, widest.precisionMillis(Long.MAX_VALUE, Long.MIN_VALUE));
    }

    @Test
    void precisionIsTheOneOfTheDefinitionForRandomValuesAndNextToEveryBoundary() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 300_000; i++) {
            long ratio = random.nextInt(1, 1_000_001) >> random.nextInt(17) | 1 << random.nextInt(4);
            AdaptivePrecision adaptive = new AdaptivePrecision(ratio, 1L << random.nextInt(63));
            long now = random.nextLong(1L << random.nextInt(1, 50));
            long share = 1L << random.nextInt(42);
            long deliverAt = random.nextBoolean() ? now + ratio * share + random.nextInt(-1, 2)
                    : random.nextLong() >>> random.nextInt(1, 60);
            assertEquals(PlainRounding.precisionMillis(0, adaptive, deliverAt, now), adaptive.precisionMillis(deliverAt, now),
                    () -> "seed " + seed + ": " + adaptive + ", deliverAt " + deliverAt + ", now " + now);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 'ratio must be 0 or more: -1'",
        "8, 0, 'maxMillis must be a power of two, or 0 with ratio 0: 0 with ratio 8'",
        "8, 3, 'maxMillis must be a power of two, or 0 with ratio 0: 3 with ratio 8'",
        "0, 4, 'maxMillis must be a power of two, or 0 with ratio 0: 4 with ratio 0'",
        "8, -9223372036854775808, 'maxMillis must be a power of two, or 0 with ratio 0: -9223372036854775808 with ratio 8'"})
    void valuesOutOfRangeAreRefusedByName(long ratio, long maxMillis, String message) {
        assertEquals(message, assertThrows(IllegalArgumentException.class,
                () -> new AdaptivePrecision(ratio, maxMillis)).getMessage());
    }
}
