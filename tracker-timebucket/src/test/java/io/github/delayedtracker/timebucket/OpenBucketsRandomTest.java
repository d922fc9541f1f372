/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random bursts, trims, sweeps and hand-outs, with a new seed in every build. */
class OpenBucketsRandomTest {

    private static final int RUNS = 40;
    /** One chunk, part of one, several, ids beyond 32 bits, any id. */
    private static final long[] ENTRY_SPANS = {300, 5_000, 200_000, 1L << 34, Long.MAX_VALUE};

    /** Odd: generators of neighbouring seeds begin with much the same number. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    @Test
    void everyFormAgreesWithANaiveTwin() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Set<String> formsSeen = new TreeSet<>();
        for (int run = 0; run < RUNS; run++) {
            long seed = firstSeed + run;
            try {
                new OpenBucketsRun(new Random(seed * SCATTER), ENTRY_SPANS[run % ENTRY_SPANS.length], formsSeen).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
        assertEquals(Set.of("BitmapCell", "LedgerCells", "ListCell", "WideCell", "long[]"), formsSeen,
                "-Ddelayed.test.seed=" + firstSeed);
    }
}
