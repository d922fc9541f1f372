/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CallTimesTest {

    private final CallTimes times = new CallTimes("call");

    @Test
    void quantilesAreRoundedUpToAMicrosecond() {
        for (int micros = 1; micros <= 1_000; micros++) {
            times.add(micros * 1_000L - 500);
        }
        assertEquals(0.5, times.quantileMillis(0.5));
        assertEquals(0.99, times.quantileMillis(0.99));
        assertEquals(1, times.quantileMillis(0.9999));
        assertEquals(0.9995, times.worstMillis());
    }

    @Test
    void aCallBeyondAllIsTheWorstAsItIs() {
        times.add(7_000_000_000L);
        times.add(1);
        assertEquals(7_000, times.worstMillis());
        assertEquals(0.001, times.quantileMillis(0.5));
    }
}
