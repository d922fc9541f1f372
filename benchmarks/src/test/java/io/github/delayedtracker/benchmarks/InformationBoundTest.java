/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values worked out by hand from the formulas, bytes a message. */
class InformationBoundTest {

    private static final double SHARE_OFF = 0.01;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fixed                    | 1024 | 0.0014
            fixed 4/ms               | 1024 | 0.00041
            fixed 8/ms               | 1024 | 0.00022
            fixed + 50 ms jitter     | 1024 | 0.0159
            fixed + 50 ms jitter     |  512 | 0.0318
            uniform600s              | 1024 | 1.149
            uniform600s              |  512 | 1.274
            uniform1d                | 1024 | 2.046
            uniform1d                |  512 | 2.171
            uniform30d               | 1024 | 2.659
            uniform30d               |  512 | 2.784
            uniform30d 1/s           | 1024 | 2.659
            menu18                   | 1024 | 0.442
            1 % delayed, uniform600s | 1024 | 2.16
            1 % delayed, uniform30d  | 1024 | 3.67
            one per ledger           | 1024 | 3.70
            random 2^40              | 1024 | 7.13
            one per bucket           | 1024 | 0
            """)
    void boundOfEachWorkload(String workload, long precisionMillis, double bytes) {
        assertEquals(bytes, Workload.of(workload).boundBytes(precisionMillis), bytes * SHARE_OFF);
    }

    @Test
    void neighbouringLevelsOfABackoffShareBuckets() {
        // 12 levels and the split of a second over buckets come to 4.29 bits; levels 1 s and 2 s meet, which saves a little.
        double bits = Byte.SIZE * Workload.BACKOFF_12.boundBytes(1_024);
        assertEquals(4.29, bits, 0.07);
    }

    @Test
    void jitterOfASecondCostsItsEntropy() {
        // The differential entropy is 2.01 bits; buckets as wide as the deviation cost a little more.
        assertEquals(2.01, InformationBound.normal(1_000.0 / 1_024), 0.07);
        assertEquals(2.606 * 5 / 1_024, InformationBound.normal(5.0 / 1_024), 0.001);
    }

    @Test
    void coarserBucketsSaveABitEach() {
        double fine = InformationBound.bits(Workload.UNIFORM_30D.traffic(), 1_024);
        double coarse = InformationBound.bits(Workload.UNIFORM_30D.traffic(), 65_536);
        assertEquals(6, fine - coarse, 0.01);
    }

    @Test
    void steadyStatePaysForHoles() {
        // Half a nat more than after a fill.
        assertEquals(1.240, InformationBound.steadyBits(Workload.UNIFORM_600S.traffic(), 1_024, 0) / 8, 0.002);
        assertEquals(2.136, InformationBound.steadyBits(Workload.UNIFORM_1D.traffic(), 1_024, 0) / 8, 0.002);
    }

    @Test
    void steadyStateOfAFixedDelayHasNoHoles() {
        assertEquals(0, InformationBound.steadyBits(Workload.FIXED.traffic(), 1_024, 0), 1e-9);
    }

    @Test
    void earlyAcknowledgementsPayForMoreHoles() {
        // All leave as time goes by: a share p of those of an age is left, and the mean of h(p) / p over them is a nat.
        assertEquals(1 / Math.log(2), InformationBound.steadyBits(Workload.FIXED.traffic(), 1_024, 1), 0.01);
    }

    @Test
    void anOutlierCostsNextToNothing() {
        double bits = InformationBound.bits(Workload.OUTLIERS.traffic(), 1_024);
        assertEquals(InformationBound.bits(Workload.UNIFORM_600S.traffic(), 1_024), bits, 0.003);
    }

    @Test
    void halfOfTheEntriesDelayedCostsTwoBits() {
        Traffic traffic = new Traffic(Delays.uniform(0, 600_000), 1, Layout.share(0.5));
        assertEquals(2, InformationBound.bits(traffic, 1_024) - InformationBound.bits(Workload.UNIFORM_600S.traffic(), 1_024),
                0.001);
    }
}
