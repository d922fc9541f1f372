/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

/**
 * The entry of one segment in the table of a snapshot's head.
 *
 * @param firstDueMillis the earliest indexed time in it, epoch milliseconds
 * @param lastDueMillis the latest
 * @param positions the number of positions in it, 1 to {@link #MOST_POSITIONS}
 * @param bytes the length of its entry, {@link #LEAST_BYTES} or more
 */
public record SegmentEntry(long firstDueMillis, long lastDueMillis, int positions, int bytes) {

    /** The most positions a sealed segment can hold. */
    public static final int MOST_POSITIONS = 1 << 16;
    /** The length of the shortest sealed segment. */
    public static final int LEAST_BYTES = 88;

    /** Checks the ranges. */
    public SegmentEntry {
        if (firstDueMillis < 0 || lastDueMillis < firstDueMillis || positions < 1
                || positions > MOST_POSITIONS || bytes < LEAST_BYTES) {
            throw new IllegalArgumentException("a segment of a snapshot needs ascending times and something in it, got "
                    + firstDueMillis + " to " + lastDueMillis + ", " + positions + " positions, " + bytes + " bytes");
        }
    }
}
