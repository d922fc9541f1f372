/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * The rule where a segment cut by time ends: when it is full, and when it would span too much time, unless it has few
 * positions. A segment costs some 60 bytes in storage and 25 in memory beside its positions.
 *
 * @param mostPositions the most positions of a segment, 1 to 65,536
 * @param leastPositions the most positions of a segment that may span more than {@code mostMillis}, 1 to {@code mostPositions};
 *     so 1 makes the span strict
 * @param mostMillis the longest time from the earliest to the latest due time of a segment of more positions, 0 or more
 */
public record CutRule(int mostPositions, int leastPositions, long mostMillis) {

    /**
     * The usual least. A segment is loaded whole when its first position is due soon, so of a bucket of 20,000 up to a fortieth
     * lies in memory long before it is due. With fewer, the cost of each segment beside its positions comes to more than that.
     */
    public static final int LEAST_POSITIONS = 512;

    /** The parts of a bucket of which the least is one, if the bucket is large: no larger part of it is loaded early. */
    private static final int PARTS_OF_A_BUCKET = 64;

    /** Refuses a rule that would cut nothing, or cut segments that the format does not have. */
    public CutRule {
        if (mostPositions < 1 || mostPositions > SegmentFormat.MAX_POSITIONS || leastPositions < 1
                || leastPositions > mostPositions || mostMillis < 0) {
            throw new IllegalArgumentException("a segment holds 1 to " + SegmentFormat.MAX_POSITIONS + " positions, the least is"
                    + " not above the most, and a span is 0 or more, got " + mostPositions + ", " + leastPositions + ", "
                    + mostMillis);
        }
    }

    /** A rule with the usual least. */
    public static CutRule usual(int mostPositions, long mostMillis) {
        return new CutRule(mostPositions, Math.min(LEAST_POSITIONS, Math.max(1, mostPositions)), mostMillis);
    }

    /** The same rule, but no segment may span more time, however few positions it has. */
    public CutRule strict() {
        return new CutRule(mostPositions, 1, mostMillis);
    }

    /** The same rule with at most {@code positions} positions a segment, 1 or more. */
    public CutRule atMost(int positions) {
        return positions >= mostPositions ? this : new CutRule(positions, Math.min(leastPositions, positions), mostMillis);
    }

    /** The same rule for one bucket of {@code positions} positions; a strict rule stays as it is. */
    public CutRule ofBucket(long positions) {
        int part = (int) Math.min(mostPositions, positions / PARTS_OF_A_BUCKET);
        return leastPositions == 1 || part <= leastPositions ? this : new CutRule(mostPositions, part, mostMillis);
    }

    /** Whether a segment of {@code positions} positions ends before one that would stretch it to {@code spanMillis}. */
    public boolean endsBefore(int positions, long spanMillis) {
        return positions >= mostPositions || positions >= leastPositions && spanMillis > mostMillis;
    }
}
