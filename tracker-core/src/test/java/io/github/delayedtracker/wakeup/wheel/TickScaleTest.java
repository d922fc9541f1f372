/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TickScaleTest {

    private static final long MILLI = 1_000_000;
    private static final long TICK = 1 << 19;

    @Test
    void theTickIsAPowerOfTwoOfNanosecondsNotAboveTheLengthAskedFor() {
        assertEquals(1, new TickScale(0, 1).tickAt(1 << 19));
        assertEquals(0, new TickScale(0, 1).tickAt((1 << 19) - 1));
        assertEquals(1, new TickScale(0, 10).tickAt(1 << 23));
        assertEquals(0, new TickScale(0, 10).tickAt((1 << 23) - 1));
    }

    @Test
    void aDeadlineIsRoundedUpToATickAndTimeDown() {
        TickScale scale = new TickScale(7, 1);
        assertEquals(0, scale.tickAt(7 + TICK - 1));
        assertEquals(1, scale.tickAt(7 + TICK));
        assertEquals(0, scale.deadlineTick(7, 0));
        assertEquals(1, scale.deadlineTick(8, 0));
        assertEquals(1, scale.deadlineTick(7 + TICK, 0));
        assertEquals(2, scale.deadlineTick(7, 1));
    }

    @Test
    void noDeadlineIsEarlyNorMoreThanATickLate() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            long tickMillis = 1L + random.nextInt(i % 2 == 0 ? 5 : 2_000);
            long originNanos = random.nextLong();
            TickScale scale = new TickScale(originNanos, tickMillis);
            long elapsedNanos = random.nextLong() >>> 2 + random.nextInt(60);
            long delayMillis = (random.nextLong() >>> 2 + random.nextInt(60)) / MILLI;
            long wantedNanos = elapsedNanos + delayMillis * MILLI;
            long tick = scale.deadlineTick(originNanos + elapsedNanos, delayMillis);
            long beginsNanos = elapsedNanos + scale.nanosUntil(tick, originNanos + elapsedNanos);
            assertTrue(beginsNanos >= wantedNanos, () -> "early, seed " + seed);
            assertTrue(beginsNanos - wantedNanos < tickMillis * MILLI, () -> "late, seed " + seed);
            assertEquals(tick, scale.tickAt(originNanos + beginsNanos), () -> "seed " + seed);
        }
    }

    @Test
    void aDeadlineThatLeavesTheRangeNeverComes() {
        TickScale scale = new TickScale(0, 1);
        assertEquals(Long.MAX_VALUE, scale.deadlineTick(5 * MILLI, Long.MAX_VALUE));
        assertEquals(Long.MAX_VALUE, scale.deadlineTick(5 * MILLI, Long.MAX_VALUE / MILLI));
        assertTrue(scale.deadlineTick(5 * MILLI, Long.MAX_VALUE / MILLI - 10) <= Long.MAX_VALUE / TICK);
        assertEquals(Long.MAX_VALUE, scale.nanosUntil(Long.MAX_VALUE, 5 * MILLI));
    }

    @Test
    void theWaitEndsWhenTheTickBegins() {
        TickScale scale = new TickScale(-3, 1);
        assertEquals(TICK, scale.nanosUntil(1, -3));
        assertEquals(1, scale.nanosUntil(1, TICK - 4));
        assertEquals(0, scale.nanosUntil(1, 9 * TICK));
    }

    @Test
    void aClockBeforeItsOriginStandsAtTheOrigin() {
        TickScale scale = new TickScale(100 * MILLI, 1);
        assertEquals(0, scale.tickAt(0));
        assertEquals(scale.deadlineTick(100 * MILLI, 5), scale.deadlineTick(0, 5));
    }

    @Test
    void aTickThatIsNotOneMillisecondToOneDayIsRefusedByNameAndValue() {
        for (long bad : new long[] {0, -1, Long.MIN_VALUE, 86_400_001, Long.MAX_VALUE}) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> new TickScale(0, bad));
            assertTrue(refused.getMessage().contains("tickMillis") && refused.getMessage().contains(String.valueOf(bad)),
                    refused.getMessage());
        }
        assertEquals(1, new TickScale(0, 86_400_000).deadlineTick(0, 1));
    }
}
