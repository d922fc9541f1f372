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

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayParserTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fixed:30m                                         | 1800000    | 1800000
            fixed:1.5h                                        | 5400000    | 5400000
            uniform:600s                                      | 300000     | 600000
            uniform:1s-1d                                     | 43200500   | 86400000
            menu:1s,5s,10s,500ms                              | 4125       | 10000
            backoff:1s*2^12                                   | 341750     | 2049000
            mix:60%fixed:30m+30%uniform:1d+10%uniform:30d     | 143640000  | 2592000000
            """)
    void formsHaveTheirMeanAndLongestDelay(String text, double meanMillis, long longestMillis) {
        Delays delays = DelayParser.parse(text);
        assertEquals(meanMillis, delays.meanMillis(), 1);
        assertEquals(longestMillis, delays.longestMillis());
        SplittableRandom random = new SplittableRandom(7);
        double sum = 0;
        for (int i = 0; i < 100_000; i++) {
            long millis = delays.nextMillis(i, random);
            assertTrue(millis <= longestMillis, () -> text + " gave " + millis);
            sum += millis;
        }
        assertEquals(meanMillis, sum / 100_000, 0.03 * meanMillis, "mean of what is drawn, seed 7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30m", "fixed:", "fixed:30", "fixed:-1s", "fixed:0s", "uniform:1d-1s", "uniform:1s-",
        "menu:", "menu:1s,,2s", "backoff:1s", "backoff:1s*2^0", "backoff:1s*2^41", "backoff:1h*2^40", "mix:60%fixed:1s",
        "mix:fixed:1s", "mix:50%fixed:1s+50%often", "fixed:1000000d", "gauss:1s"})
    void badTextIsAnsweredWithOneLineThatQuotesIt(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> DelayParser.parse(text)).getMessage();
        assertFalse(message.contains("\n"), message);
        assertTrue(message.contains("must be"), message);
        assertTrue(message.contains("'"), message);
    }
}
