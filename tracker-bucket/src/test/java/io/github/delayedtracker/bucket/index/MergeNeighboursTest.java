/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.MergeTiers.MergeNeighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergeNeighboursTest {

    private final MergeTiers tiers = new MergeNeighbours(100, 10_000);

    @Test
    void theSmallestFourThatFollowEachOtherAreChosenTheFirstOfThem() {
        assertEquals(Optional.empty(), tiers.choose(List.of(100L, 100L, 100L)));
        assertEquals(Optional.of(List.of(0, 1, 2, 3)), tiers.choose(List.of(100L, 100L, 100L, 100L, 100L)));
        assertEquals(Optional.of(List.of(4, 5, 6, 7)), tiers.choose(List.of(900L, 900L, 900L, 900L, 90L, 90L, 90L, 90L)));
        assertTrue(tiers.isOfNeighbours());
    }

    @Test
    void aLargeOneIsNotWrittenAgainForAFewSmallOnes() {
        assertEquals(Optional.empty(), tiers.choose(List.of(5_000L, 100L, 100L, 100L)));
        assertEquals(Optional.of(List.of(1, 2, 3, 4)), tiers.choose(List.of(5_000L, 100L, 100L, 100L, 100L)));
    }

    @Test
    void noMoreComesOutThanFitsIntoASnapshot() {
        assertEquals(Optional.empty(), tiers.choose(List.of(2_501L, 2_501L, 2_501L, 2_501L)));
        assertEquals(Optional.of(List.of(1, 2, 3, 4)), tiers.choose(List.of(9_000L, 2_500L, 2_500L, 2_500L, 2_500L)));
    }

    @Test
    void manySealsLeaveFewBuckets() {
        List<Long> buckets = new ArrayList<>();
        MergeTiers unbounded = new MergeNeighbours(100, Long.MAX_VALUE / 2);
        for (int seal = 0; seal < 10_000; seal++) {
            buckets.add(100L + seal % 7);
            for (Optional<List<Integer>> four = unbounded.choose(buckets); four.isPresent(); four = unbounded.choose(buckets)) {
                int first = four.get().get(0);
                long sum = buckets.subList(first, first + 4).stream().mapToLong(Long::longValue).sum();
                buckets.subList(first, first + 4).clear();
                buckets.add(first, sum);
            }
            assertTrue(buckets.size() <= 24, buckets.size() + " after " + seal + " seals");
        }
    }
}
