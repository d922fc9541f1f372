/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveFootprintTest {

    private static final long TICK_MILLIS = 1_024;
    private static final int MESSAGES = 100_000;
    private static final double SHARE_OFF = 0.10;

    @BeforeAll
    static void prepare() {
        Retained.prepare();
    }

    /** 600 s divided by the ratio, lowered to a power of two; what is no wider than the tick is rounded down to it. */
    @ParameterizedTest
    @CsvSource({"100, 65536, 4096", "100, 2048, 2048", "8, 65536, 65536", "1000, 65536, 1024"})
    void timesAreRoundedByTheDelayThatIsLeftAtPublication(long ratio, long maxMillis, long precisionMillis) {
        TimeRules rules = AdaptiveOption.rules(TICK_MILLIS, TICK_MILLIS, new AdaptivePrecision(ratio, maxMillis));
        Messages sent = Workload.FIXED.messages(20_000);
        Messages kept = Workload.FIXED.messages(20_000, rules);
        for (int i = 0; i < sent.count(); i++) {
            long late = kept.deliverAtMillis(i) - sent.deliverAtMillis(i);
            assertEquals(0, kept.deliverAtMillis(i) % precisionMillis, "message " + i);
            assertTrue(precisionMillis > TICK_MILLIS ? late >= 0 && late < precisionMillis : late <= 0 && -late < TICK_MILLIS,
                    "message " + i + " is moved by " + late);
        }
    }

    @Test
    void aGrowingPrecisionLiesBetweenTheFixedOnes() {
        AdaptiveFootprint.Cell fine = measure(AdaptivePrecision.OFF, TICK_MILLIS);
        AdaptiveFootprint.Cell grown = measure(new AdaptivePrecision(100, 65_536), TICK_MILLIS);
        AdaptiveFootprint.Cell coarse = measure(AdaptivePrecision.OFF, 65_536);
        assertTrue(grown.bytes() < fine.bytes(), grown + " and " + fine);
        assertTrue(coarse.bytes() < grown.bytes(), coarse + " and " + grown);
        assertEquals(0, fine.mostLateMillis());
        assertEquals(65_535.0, grown.mostLateMillis(), 100);
        assertEquals(32_768.0, coarse.meanLateMillis(), 500);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "LATE_.*")
    void modelForetellsTheFill(Workload workload) {
        AdaptiveFootprint.Cell cell = AdaptiveFootprint.measure(workload,
                AdaptiveOption.rules(TICK_MILLIS, TICK_MILLIS, new AdaptivePrecision(1_000, 65_536)), MESSAGES);
        assertEquals((double) cell.bytes(), cell.modelBytes(), SHARE_OFF * cell.bytes());
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000, 65536", "8:1, 8, 1", "1000000:60000, 1000000, 32768"})
    void optionIsRatioAndCap(String value, long ratio, long maxMillis) {
        assertEquals(new AdaptivePrecision(ratio, maxMillis), AdaptiveOption.parse(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "1000001", "-8", "100:", "100:0", "100:1:1", "1e3", "100:65536ms"})
    void badOptionIsAnsweredWithOneLineThatQuotesIt(String value) {
        String message = assertThrows(IllegalArgumentException.class, () -> AdaptiveOption.parse(value)).getMessage();
        assertFalse(message.contains("\n"), message);
        assertTrue(message.contains("--adaptive must be") && message.contains("'" + value + "'"), message);
    }

    private static AdaptiveFootprint.Cell measure(AdaptivePrecision adaptive, long precisionMillis) {
        return AdaptiveFootprint.measure(Workload.UNIFORM_1D, new TimeRules(false, TICK_MILLIS, precisionMillis, adaptive),
                MESSAGES);
    }
}
