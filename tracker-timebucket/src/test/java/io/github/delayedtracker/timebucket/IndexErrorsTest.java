/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the index has after an error in the middle of a call: the broker goes on with it. */
class IndexErrorsTest {

    private static final int SEGMENT = 1_024;

    @ParameterizedTest
    @ValueSource(strings = {"sheet", "late"})
    void aFullHeapLosesNothingAndDoublesNothing(String state) throws Exception {
        Process run = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx24m",
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), FullHeap.class.getName(), state)
                .redirectErrorStream(true).start();
        String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, run.waitFor(), printed);
    }

    @Test
    void aSinkThatFailsLeavesTheCountsOfSegmentsRight() {
        TimeBucketIndex index = new TimeBucketIndex(SEGMENT);
        for (int ledger = 1; ledger <= 2; ledger++) {
            for (int entry = 0; entry < SEGMENT; entry++) {
                index.add(1_000_000 + entry / 8 * 100 + ledger * 50L, ledger, entry);
                index.takeWork().ifPresent(Runnable::run);
            }
        }
        index.add(9_000_000, 9, 1);
        int[] taken = new int[1];
        assertThrows(AssertionError.class, () -> index.takeDue(8_000_000, 500, (ledgerId, entryId) -> {
            taken[0]++;
            if (taken[0] == 6) {
                throw new AssertionError("on purpose");
            }
        }));
        index.validate();
        long contained = 1;
        for (int ledger = 1; ledger <= 2; ledger++) {
            for (int entry = 0; entry < SEGMENT; entry++) {
                contained += index.contains(ledger, entry) ? 1 : 0;
            }
        }
        assertEquals(2 * SEGMENT - 5 + 1, contained);
        assertEquals(contained, index.size());
    }
}
