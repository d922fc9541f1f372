/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * The ranks of a segment that left before its due stream came to them: one bit for each rank of the segment. Of use while one
 * of them is ahead in the stream. A {@link SegmentRun} that began before reads the bits, on any thread, so they are never taken
 * back; all else is for the holder of the index.
 */
final class GoneRanks {

    private static final int OBJECT_BYTES = Footprint.object(Integer.BYTES + Footprint.REFERENCE);

    private final long[] marks;
    /** How many the stream has not come to. */
    private int ahead;

    /** None of the ranks below a number. */
    GoneRanks(int ranks) {
        marks = new long[LeftRanks.words(ranks)];
    }

    /** Adds a rank that is not here, and that the stream has not come to. */
    void add(int rank) {
        marks[rank >>> 6] |= 1L << rank;
        ahead++;
    }

    boolean has(int rank) {
        return (marks[rank >>> 6] & 1L << rank) != 0;
    }

    /** One bit for each rank of the 64 from {@code 64 word} on. */
    long bits(int word) {
        return marks[word];
    }

    /** Takes note that the stream has come to a rank that is here. */
    void pass() {
        ahead--;
    }

    /** How many of them are ahead in the stream. */
    int ahead() {
        return ahead;
    }

    /** The bytes of it for a segment with so many ranks. */
    static int bytes(int ranks) {
        return OBJECT_BYTES + Footprint.array(LeftRanks.words(ranks), Long.BYTES);
    }
}
