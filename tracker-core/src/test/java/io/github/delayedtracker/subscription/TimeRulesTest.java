/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.WildNumbers;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimeRulesTest {

    private static final long NOW = 1_700_000_000_000L;

    @Test
    void nonStrictTimesAreRoundedDownWithinTheTick() {
        TimeRules rules = new TimeRules(false, 1_000, 512);
        assertEquals(1_024, rules.round(1_535, 0));
        assertEquals(511, rules.roundingSlackMillis());
    }

    @Test
    void strictTimesAreRoundedUp() {
        TimeRules rules = new TimeRules(true, 1_000, 512);
        assertEquals(1_536, rules.round(1_025, 0));
        assertEquals(1_536, rules.round(1_536, 0));
        assertEquals(0, rules.roundingSlackMillis());
    }

    @Test
    void aPrecisionWiderThanTheTickIsRoundedUpInEitherMode() {
        assertEquals(65_536, new TimeRules(false, 1_000, 65_536).round(1, 0));
        assertEquals(65_536, new TimeRules(true, 1_000, 65_536).round(1, 0));
    }

    @Test
    @DisplayName("deliverAt = Long.MAX_VALUE and 100 years: rounding and sums saturate")
    void roundingSaturatesAtTheEndOfTime() {
        TimeRules strict = new TimeRules(true, 1_000, 512);
        assertEquals(Long.MAX_VALUE, strict.round(Long.MAX_VALUE, NOW));
        assertEquals(Long.MAX_VALUE, strict.round(Long.MAX_VALUE - 5, NOW));
        assertFalse(strict.deliversAtOnce(Long.MAX_VALUE, NOW));
        assertEquals(Long.MAX_VALUE, strict.openFromMillis(Long.MAX_VALUE));
        assertEquals(Long.MAX_VALUE, strict.openUntilMillis(Long.MAX_VALUE));
        TimeRules loose = new TimeRules(false, 1_000, 512);
        assertEquals(Long.MAX_VALUE - 511, loose.round(Long.MAX_VALUE, NOW));
        assertFalse(loose.deliversAtOnce(Long.MAX_VALUE, NOW));
        long hundredYears = NOW + 100L * 365 * 86_400_000;
        assertTrue(strict.round(hundredYears, NOW) >= hundredYears);
    }

    @Test
    @DisplayName("#25996, #26188: a position is handed out neither before its window nor later than the promise, in any mode")
    void handOutStaysWithinTheWindowForRandomTimes() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 200_000; i++) {
            boolean strict = random.nextBoolean();
            long tick = 1L + random.nextInt(3_000);
            long precision = 1L << random.nextInt(14);
            TimeRules rules = new TimeRules(strict, tick, precision, random.nextBoolean() ? AdaptivePrecision.OFF
                    : new AdaptivePrecision(8 + random.nextInt(2_000), 1L << random.nextInt(18)));
            long deliverAt = NOW + random.nextInt(1 << random.nextInt(1, 31));
            long own = PlainRounding.precisionMillis(precision, rules.adaptive(), deliverAt, NOW);
            long indexed = rules.round(deliverAt, NOW);
            assertEquals(PlainRounding.round(strict, tick, own, deliverAt), indexed, "seed " + seed + ": " + rules);
            assertEquals(PlainRounding.slackMillis(rules), rules.roundingSlackMillis(), "seed " + seed + ": " + rules);
            long from = rules.openFromMillis(indexed);
            assertTrue(from >= deliverAt - (strict ? 0 : tick), "early, seed " + seed + ": " + rules);
            assertTrue(indexed >= from, "woken before it is open, seed " + seed + ": " + rules);
            assertTrue(indexed < deliverAt + own, "woken late, seed " + seed + ": " + rules);
            assertTrue(indexed <= rules.openUntilMillis(indexed), "woken for nothing, seed " + seed + ": " + rules);
            assertTrue(rules.deliversAtOnce(deliverAt, from), "handed out but indexed again, seed " + seed + ": " + rules);
        }
    }

    @Test
    void oneDayIsKeptTo65SecondsAndOneMinuteToTheConfiguredPrecisionAtRatioThousand() {
        TimeRules rules = new TimeRules(false, 1_000, 512, new AdaptivePrecision(1_000, 65_536));
        assertEquals(65_536, rules.precisionMillis(NOW + 86_400_000, NOW));
        assertEquals(512, rules.precisionMillis(NOW + 60_000, NOW));
        assertEquals(512, rules.precisionMillis(-5, NOW));
    }

    @Test
    void withinTheTickWiderPrecisionsAreRoundedDownAndAboveItUp() {
        TimeRules rules = new TimeRules(false, 1_000, 64, new AdaptivePrecision(1_000, 65_536));
        assertEquals(1_024_000 - 512, rules.round(1_023_999, 0));
        assertEquals(1_024_000, rules.round(1_024_000, 0));
        assertEquals(1_025_024, rules.round(1_024_001, 0));
        assertEquals(511, rules.roundingSlackMillis());
    }

    @Test
    void slackIsThatOfTheWidestPrecisionRoundedDown() {
        assertEquals(255, new TimeRules(false, 1_000, 64, new AdaptivePrecision(8, 256)).roundingSlackMillis());
        assertEquals(63, new TimeRules(false, 1_000, 64, new AdaptivePrecision(8, 32)).roundingSlackMillis());
        assertEquals(1_023, new TimeRules(false, 1_024, 64, new AdaptivePrecision(8, 65_536)).roundingSlackMillis());
        assertEquals(0, new TimeRules(false, 1_000, 1_024, new AdaptivePrecision(8, 65_536)).roundingSlackMillis());
        assertEquals(0, new TimeRules(true, 1_000, 64, new AdaptivePrecision(8, 65_536)).roundingSlackMillis());
    }

    @Test
    void adaptiveRoundingSaturatesAtTheEndOfTimeAndTakesNegativeTimes() {
        AdaptivePrecision widest = new AdaptivePrecision(8, 1L << 62);
        TimeRules rules = new TimeRules(true, 1_000, 512, widest);
        assertEquals(Long.MAX_VALUE, rules.round(Long.MAX_VALUE, NOW));
        assertEquals(Long.MAX_VALUE, rules.round(Long.MAX_VALUE, -NOW));
        assertEquals(Long.MAX_VALUE, rules.round(Long.MAX_VALUE - (1L << 50), 0));
        assertEquals(-512, rules.round(-1_000, NOW));
        assertEquals(Long.MIN_VALUE, rules.round(Long.MIN_VALUE, Long.MAX_VALUE));
        TimeRules loose = new TimeRules(false, Long.MAX_VALUE, 512, widest);
        assertEquals(Long.MAX_VALUE - ((1L << 59) - 1), loose.round(Long.MAX_VALUE, NOW));
        assertEquals((1L << 62) - 1, loose.roundingSlackMillis());
    }

    @Test
    @DisplayName("X5: whatever deliverAt, clock, tick and precision are, nothing is open early and no sum overflows")
    void x5NothingIsOpenEarlyForAnyNumbers() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int i = 0; i < 40_000; i++) {
            Random random = new Random(seed + i);
            boolean strict = random.nextBoolean();
            TimeRules rules = new TimeRules(strict, Math.max(1, new WildNumbers(random, 1_000).next() >>> random.nextInt(60)),
                    1L << random.nextInt(63), random.nextBoolean() ? AdaptivePrecision.OFF
                            : new AdaptivePrecision(8 + random.nextInt(2_000), 1L << random.nextInt(63)));
            WildNumbers times = new WildNumbers(random, NOW);
            long deliverAt = times.next();
            long indexed = rules.round(deliverAt, times.next());
            BigInteger openFrom = BigInteger.valueOf(deliverAt).subtract(BigInteger.valueOf(strict ? 0 : rules.tickMillis()));
            for (long now : new long[] {times.next(), indexed, deliverAt, Long.MAX_VALUE, rules.openFromMillis(indexed)}) {
                boolean mayGo = openFrom.compareTo(BigInteger.valueOf(now)) <= 0;
                String when = "seed " + (seed + i) + ", at " + now + ": " + rules;
                assertEquals(mayGo, rules.deliversAtOnce(deliverAt, now), when);
                assertTrue(mayGo || indexed > rules.openUntilMillis(now), "early, " + when);
                assertTrue(mayGo || rules.round(deliverAt, now) > rules.openUntilMillis(now), "comes back at once, " + when);
            }
        }
    }

    @Test
    @DisplayName("B2: what other rules had rounded further down comes back once, and then not before it may be delivered")
    void b2WhatOtherRulesHadRoundedComesBackOnce() {
        TimeRules before = new TimeRules(false, 60_000, 32_768);
        TimeRules after = before.withTick(1_000, 512);
        long deliverAt = NOW + 90_000;
        long tooSoon = after.openFromMillis(before.round(deliverAt, NOW));
        assertFalse(after.deliversAtOnce(deliverAt, tooSoon));
        long again = after.openFromMillis(after.round(deliverAt, tooSoon));
        assertTrue(again > tooSoon && after.deliversAtOnce(deliverAt, again));
    }

    @Test
    void aPrecisionThatIsNoPowerOfTwoIsRefusedByName() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> new TimeRules(true, 1_000, 500));
        assertEquals("precisionMillis must be a power of two: 500", e.getMessage());
    }

    @Test
    void aTickOrAPrecisionBelowOneIsRefusedByName() {
        assertEquals("tickMillis must be 1 or more: 0",
                assertThrows(IllegalArgumentException.class, () -> new TimeRules(true, 0, 1)).getMessage());
        assertEquals("precisionMillis must be a power of two: 0",
                assertThrows(IllegalArgumentException.class, () -> new TimeRules(true, 1, 0)).getMessage());
        assertEquals("precisionMillis must be a power of two: -9223372036854775808",
                assertThrows(IllegalArgumentException.class, () -> new TimeRules(true, 1, Long.MIN_VALUE)).getMessage());
    }

    @Test
    void anotherTickKeepsWhetherRulesAreStrictAndHowPrecisionWidens() {
        AdaptivePrecision adaptive = new AdaptivePrecision(1_000, 65_536);
        TimeRules rules = new TimeRules(true, 1_000, 512, adaptive).withTick(10, 8);
        assertEquals(new TimeRules(true, 10, 8, adaptive), rules);
    }
}
