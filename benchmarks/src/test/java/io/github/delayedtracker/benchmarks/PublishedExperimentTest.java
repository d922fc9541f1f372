/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedExperimentTest {

    @Test
    void formulaGivesThePublishedBytesPerEntry() {
        List<Double> formula = PublishedExperiment.CASES.stream().map(PublishedExperiment.Case::formulaBytes).toList();
        assertEquals(List.of(2.0, 2.0, 1.0, 0.1875), formula);
        assertEquals(0.163, PublishedExperiment.CASES.get(3).limitBytes(), 0.001);
    }

    @Test
    void caseIsRateAndBits() {
        assertEquals(new PublishedExperiment.Case(8, 15), PublishedExperiment.Case.parse("8x15"));
        assertThrows(IllegalArgumentException.class, () -> PublishedExperiment.Case.parse("8"));
        assertThrows(IllegalArgumentException.class, () -> PublishedExperiment.Case.parse("0x10"));
    }

    @Test
    void publishedStructureHandsOutByTimeLedgerAndEntry() {
        List<String> handedOut = new ArrayList<>();
        try (PublishedTracker tracker = new PublishedTracker(1_024)) {
            tracker.add(2, 1, 5_000);
            tracker.add(1, 9, 5_000);
            tracker.add(1, 3, 5_001);
            tracker.add(1, 1, 9_000);
            assertEquals(2, tracker.bucketCount());
            assertEquals(4, tracker.count());
            tracker.setNowMillis(5_100);
            assertEquals(2, tracker.handOut(2, (ledgerId, entryId) -> handedOut.add(ledgerId + ":" + entryId)));
            assertEquals(1, tracker.handOut(9, (ledgerId, entryId) -> handedOut.add(ledgerId + ":" + entryId)));
            assertEquals(1, tracker.count());
        }
        assertEquals(List.of("1:3", "1:9", "2:1"), handedOut);
    }

    @Test
    void publishedStructureTakesWhatWasPublished() {
        Retained.prepare();
        try (PublishedTracker tracker = new PublishedTracker(1_024)) {
            for (int i = 0; i < 500_000; i++) {
                tracker.add(10_000 + i / 50_000, i % 50_000, 1_700_000_000_000L + i);
            }
            // 25 MiB were published for 10 million.
            assertEquals(25.0 / 20 * (1 << 20), Retained.walk(tracker.indexRoot()), 0.03 * 25 / 20 * (1 << 20));
        }
    }
}
