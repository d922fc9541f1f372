/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The choice of the buckets to merge next: the oldest four of the smallest size class that has four. A class spans sizes from one
 * power of four of a seal to the next, so of N seals at most three buckets a class are left, and each position is written again
 * about once a class.
 *
 * <p>Size-tiered compaction as in log-structured merge trees (P. O'Neil and others, 1996). Sizes are the current ones, so a
 * bucket that was mostly handed out counts as small.
 */
public class MergeTiers {

    /** The number of buckets that become one. */
    public static final int FAN_IN = 4;

    private static final int BITS_OF_A_CLASS = 2;

    private final long sealPositions;

    /**
     * Classes for seals of a size.
     *
     * @param sealPositions the number of positions in a seal, more or less; smaller buckets are of the lowest class too
     */
    public MergeTiers(long sealPositions) {
        if (sealPositions < 1) {
            throw new IllegalArgumentException("sealPositions must be 1 or more: " + sealPositions);
        }
        this.sealPositions = sealPositions;
    }

    /**
     * Classes of which only neighbours are merged.
     *
     * @param mostPositions the most positions of a merged bucket
     */
    public static MergeTiers ofNeighbours(long sealPositions, long mostPositions) {
        return new MergeNeighbours(sealPositions, mostPositions);
    }

    /** Whether buckets are to be given in the order of their positions, since only neighbours may be merged. */
    public boolean isOfNeighbours() {
        return false;
    }

    /** The size class of a bucket, 0 or more. */
    public final int sizeClass(long positions) {
        long seals = positions / sealPositions;
        return seals == 0 ? 0 : (Long.SIZE - 1 - Long.numberOfLeadingZeros(seals)) / BITS_OF_A_CLASS;
    }

    /**
     * Chooses the buckets to merge.
     *
     * @param positions the number of positions that each bucket still has, oldest bucket first
     * @return the indexes of four buckets, ascending; empty if there is nothing to merge
     */
    public Optional<List<Integer>> choose(List<Long> positions) {
        List<List<Integer>> classes = new ArrayList<>();
        for (int i = 0; i < positions.size(); i++) {
            int sizeClass = sizeClass(positions.get(i));
            while (classes.size() <= sizeClass) {
                classes.add(new ArrayList<>());
            }
            classes.get(sizeClass).add(i);
        }
        return classes.stream().filter(members -> members.size() >= FAN_IN).findFirst()
                .map(members -> List.copyOf(members.subList(0, FAN_IN)));
    }

    /**
     * The choice of the buckets to merge where only neighbours may be merged: the smallest four that follow each other and of
     * which the largest is not larger than the rest together, so that little is written for much. More positions than fit into
     * one snapshot stay apart.
     */
    static final class MergeNeighbours extends MergeTiers {

        private final long mostPositions;

        /**
         * Classes for seals of a size.
         *
         * @param mostPositions the most positions of a merged bucket
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
}
