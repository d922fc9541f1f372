/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DistinctCountTest {

    private final DistinctCount count = new DistinctCount();

    @Test
    void fewAreCountedOnceEach() {
        LongStream.range(0, 300_000).forEach(i -> count.add(i % 200_000));
        assertEquals(200_000, count.estimate());
    }

    @Test
    void manyAreEstimated() {
        LongStream.range(0, 3_000_000).forEach(count::add);
        assertEquals(3_000_000, count.estimate(), 0.01 * 3_000_000);
    }

    @Test
    void severalTimesTheSameCountOnceWhereTheyAreEstimatedToo() {
        LongStream.range(0, 3_000_000).forEach(i -> count.add(i % 1_000_000));
        assertEquals(1_000_000, count.estimate(), 0.01 * 1_000_000);
    }
}
