/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

/**
 * The latest due time of some positions and a position that has it, or a time that none of them is due after. While that position
 * is contained the time is exact; after it has left no position is due later, and somebody has to look for the latest of those
 * that are there. Not thread safe.
 */
public final class LatestDue {

    /** Bytes of heap. */
    public static final int BYTES = Footprint.object(3 * Long.BYTES);
    private static final long NO_POSITION = -1;

    private long dueMillis = DelayIndex.NO_TIME;
    private long ledgerId = NO_POSITION;
    private long entryId = NO_POSITION;

    /** Takes a position in; of two due at the same time the one that comes last stands. */
    public void note(long due, long ofLedgerId, long ofEntryId) {
        if (isReached(due)) {
            dueMillis = due;
            ledgerId = ofLedgerId;
            entryId = ofEntryId;
        }
    }

    /** Takes in a time that some position may be due at. */
    public void noteBound(long due) {
        note(due, NO_POSITION, NO_POSITION);
    }

    /** Whether a time is as late as any, or later. */
    public boolean isReached(long due) {
        return due >= dueMillis;
    }

    /** The time; {@link DelayIndex#NO_TIME} before the first. */
    public long dueMillis() {
        return dueMillis;
    }

    /** Whether the position that has the time is in an index. */
    public boolean isIn(Positions index) {
        return ledgerId != NO_POSITION && index.contains(ledgerId, entryId);
    }

    /** Says which positions are contained. */
    @FunctionalInterface
    public interface Positions {
        /** Whether it has the position. */
        boolean contains(long ledgerId, long entryId);
    }
}
