/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** The sizes of full parts of the index, all in proportion to a full segment. */
final class PartSizes {

    /** Positions in a full tail and a full segment: sealing them takes well below a millisecond. */
    static final int SEGMENT = 1 << 14;

    private static final int LEAST_SHORT_TAIL = 4;
    private static final int LEAST_SHEET = 16;

    private PartSizes() {
    }

    /** Positions in a tail that may still be searched and shifted from end to end. */
    static int shortTail(int segment) {
        return Math.max(LEAST_SHORT_TAIL, segment / 128);
    }

    /** Positions in the late part where they are all there is, before they become the tail. */
    static int few(int segment) {
        return segment / 8;
    }

    /** Positions that are due and made a segment by one hand-out, or a few more. */
    static int dueShare(int segment) {
        return Math.max(1, segment / 8);
    }

    /** Positions in a part that waits for the one before it to be sealed, of those in a full one. */
    static int longest(int full) {
        return full * 3 / 2;
    }

    /** Positions in the late part before it is sealed. */
    static int late(int segment) {
        return segment / 2;
    }

    /** Positions in a late part from which on it is noted what is added. */
    static int manyLate(int segment) {
        return Math.max(1, segment / 64);
    }

    /** Groups of positions in a sheet of what is noted, for about that many. */
    static int sheet(int segment, long groups) {
        return (int) Math.max(LEAST_SHEET, Math.min(groups, noted(segment) / 2));
    }

    /** Bytes of notes on an index of some positions that are not worth it. */
    static long mostNoteBytes(int segment, long size) {
        return 64 * (size + segment / 8);
    }

    /** Positions that are noted at least before any is left out again. */
    static int noted(int segment) {
        return 7 * segment;
    }
}
