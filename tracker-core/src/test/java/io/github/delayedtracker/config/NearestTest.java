/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

    @ParameterizedTest
    @CsvSource({"'', '', 0", "heap, heap, 0", "'', heap, 4", "heap, hep, 1", "heap, heaps, 1", "heap, hoap, 2",
        "kitten, sitting, 5", "flaw, lawn, 2"})
    void distanceCountsInsertsDeletesAndReplacements(String a, String b, int distance) {
        assertEquals(distance, Nearest.distance(a, b));
        assertEquals(distance, Nearest.distance(b, a));
    }

    @Test
    void theFirstOfEqualsIsTakenAndCaseDoesNotCount() {
        assertEquals(Optional.of("b"), Nearest.to("x", List.of("b", "a")));
        assertEquals(Optional.of("Heap"), Nearest.to("hEAP", List.of("bucket", "Heap")));
    }

    @Test
    void aWordCutShortIsNearestToItsOwnRest() {
        assertEquals(Optional.of("precisionMillis"), Nearest.to("precison", List.of("backend", "precisionMillis")));
    }

    @Test
    void noCandidatesMeansNoAnswer() {
        assertEquals(Optional.empty(), Nearest.to("x", List.of()));
    }
}
