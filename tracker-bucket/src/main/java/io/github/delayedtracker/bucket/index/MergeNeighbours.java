/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which buckets to merge where only neighbours may be: four that follow each other, the smallest such, of which the largest is
 * not larger than the rest together, so that little is written for much. More positions than fit into one snapshot stay apart.
 */
final class MergeNeighbours extends MergeTiers {

    private final long mostPositions;

    /**
     * Classes for seals of a size.
     *
     * @param mostPositions of what comes out
     */
    MergeNeighbours(long sealPositions, long mostPositions) {
        super(sealPositions);
        this.mostPositions = mostPositions;
    }

    @Override
    public boolean isOfNeighbours() {
        return true;
    }

    @Override
    public Optional<List<Integer>> choose(List<Long> positions) {
        int chosen = -1;
        int chosenClass = Integer.MAX_VALUE;
        for (int first = 0; first + FAN_IN <= positions.size(); first++) {
            List<Long> four = positions.subList(first, first + FAN_IN);
            long sum = four.stream().mapToLong(Long::longValue).sum();
            long largest = Collections.max(four);
            if (sum <= mostPositions && sum >= 2 * largest && sizeClass(largest) < chosenClass) {
                chosen = first;
                chosenClass = sizeClass(largest);
            }
        }
        int begin = chosen;
        return begin < 0 ? Optional.empty() : Optional.of(IntStream.range(begin, begin + FAN_IN).boxed().toList());
    }
}
