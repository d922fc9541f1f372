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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizingCalculatorTest {

    @Test
    void countsWhatIsOutstandingForEachSubscription() {
        String answer = SizingCalculator.answer(SizingOptions.parse("--rate", "100", "--delay", "uniform:600s",
                "--subscriptions", "3", "--tick", "1s"));
        assertTrue(answer.startsWith("30,000 delayed entries wait"), answer);
        assertTrue(answer.contains("512 ms by timebucket"), answer);
        for (Backend backend : Backend.TRACKERS) {
            assertTrue(answer.contains(backend.ours() ? backend.label() : backend.label().replace('-', ' ')), answer);
        }
        assertTrue(answer.contains("index of its own"), answer);
    }

    @Test
    void batchesAndPlainEntriesLowerTheNumberOfDelayedEntries() {
        Traffic traffic = SizingOptions.parse("--rate", "1000", "--delay", "fixed:1m", "--batch", "10", "--share", "50%")
                .traffic();
        assertEquals(0.05, traffic.perMilli(), 1e-9);
        assertEquals(0.5, traffic.layout().delayedShare(), 1e-9);
    }

    @Test
    void precisionFollowsTheTickUnlessItIsGiven() {
        assertEquals(512, SizingOptions.parse("--rate", "1", "--delay", "fixed:1m").precisionMillis());
        assertEquals(1_024, SizingOptions.parse("--rate", "1", "--delay", "fixed:1m", "--tick", "2000").precisionMillis());
        assertEquals(32_768, SizingOptions.parse("--rate", "1", "--delay", "fixed:1m", "--precision", "1m").precisionMillis());
    }

    @Test
    void longDelaysAreAdvisedToBeKeptToTheMinute() {
        String answer = SizingCalculator.answer(SizingOptions.parse("--rate", "1", "--delay", "uniform:1d"));
        assertTrue(answer.contains("delayedDeliveryIndexPrecisionMillis=65536"), answer);
    }

    @Test
    void aGrowingPrecisionIsSaidAndLeavesTheOthersAsTheyAre() {
        String[] line = {"--rate", "1", "--delay", "uniform:1d", "--adaptive", "100:60000"};
        String grown = SizingCalculator.answer(SizingOptions.parse(line));
        String fixed = SizingCalculator.answer(SizingOptions.parse("--rate", "1", "--delay", "uniform:1d"));
        assertTrue(grown.contains("512 ms (1/100 of the delay where that is more, up to 32768 ms) by timebucket"), grown);
        assertEquals(line(fixed, "stock 4.2"), line(grown, "stock 4.2"));
        assertEquals(line(fixed, "heap ("), line(grown, "heap ("));
        assertTrue(bytes(line(grown, "timebucket (")) < 0.9 * bytes(line(fixed, "timebucket (")), grown + fixed);
    }

    @Test
    void aThousandthOfTheDelayIsAdvisedWhereItHelps() {
        String advice = "delayedDeliveryIndexAdaptivePrecisionRatio=1000";
        String helps = SizingCalculator.answer(SizingOptions.parse("--rate", "1", "--delay", "uniform:20h-1d"));
        assertTrue(helps.contains(advice), helps);
        String helpsNot = SizingCalculator.answer(SizingOptions.parse("--rate", "100", "--delay", "uniform:600s"));
        assertFalse(helpsNot.contains(advice), helpsNot);
    }

    private static String line(String answer, String start) {
        return answer.lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }

    private static double bytes(String line) {
        return Double.parseDouble(line.substring(line.indexOf(')') + 1).trim().split(" +")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rate 10", "--delay fixed:1m", "--rate x --delay fixed:1m", "--rate 0 --delay fixed:1m",
        "--rate 10 --delay often", "--rate 10 --delay fixed:1m --subscriptions 0", "--rate 10 --delay fixed:1m --batch 1.5",
        "--rate 10 --delay fixed:1m --share 2", "--rate 10 --delay fixed:1m --share 101%", "--rate 10 --delay fixed:1m --tick",
        "--rate 10 --delay fixed:1m --tick 0", "--rate 10 --delay fixed:1m --adaptive 7",
        "--rate 10 --delay fixed:1m --speed 3"})
    void badInputIsAnsweredWithOneLine(String line) {
        String message = assertThrows(IllegalArgumentException.class, () -> SizingOptions.parse(line.split(" "))).getMessage();
        assertFalse(message.contains("\n"), message);
        assertTrue(message.contains("--") || message.contains("delay must be"), message);
    }
}
