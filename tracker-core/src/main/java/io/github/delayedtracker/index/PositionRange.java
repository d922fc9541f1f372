/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

/** A range from a first to a last position, both included; or nothing. Grows only. Not thread safe. */
public final class PositionRange {

    /** The bytes of heap that a range keeps alive. */
    public static final int RETAINED_BYTES = Footprint.object(4 * Long.BYTES);

    private long firstLedgerId = Long.MAX_VALUE;
    private long firstEntryId = Long.MAX_VALUE;
    private long lastLedgerId = -1;
    private long lastEntryId = -1;

    /** The range of the positions of a set. Linear. */
    public static PositionRange of(PositionSet set) {
        PositionRange range = new PositionRange();
        set.forEach(range::include);
        return range;
    }

    /** Makes the range reach to a position. */
    public void include(long ledgerId, long entryId) {
        if (isBefore(ledgerId, entryId, firstLedgerId, firstEntryId)) {
            firstLedgerId = ledgerId;
            firstEntryId = entryId;
        }
        if (isAbove(ledgerId, entryId)) {
            lastLedgerId = ledgerId;
            lastEntryId = entryId;
        }
    }

    /** Makes the range reach over another. */
    public void include(PositionRange other) {
        if (other.lastLedgerId >= 0) {
            include(other.firstLedgerId, other.firstEntryId);
            include(other.lastLedgerId, other.lastEntryId);
        }
    }

    /** Passes on the first and the last position, or nothing. */
    public void passOn(PositionSink sink) {
        if (lastLedgerId >= 0) {
            sink.accept(firstLedgerId, firstEntryId);
            sink.accept(lastLedgerId, lastEntryId);
        }
    }

    /** Whether a position is within the range. */
    public boolean contains(long ledgerId, long entryId) {
        return !isAbove(ledgerId, entryId) && !isBefore(ledgerId, entryId, firstLedgerId, firstEntryId);
    }

    /** The ledger id of the last position; -1 if there is none. */
    public long lastLedgerId() {
        return lastLedgerId;
    }

    /** The entry id of the last position; -1 if there is none. */
    public long lastEntryId() {
        return lastEntryId;
    }

    private boolean isAbove(long ledgerId, long entryId) {
        return isBefore(lastLedgerId, lastEntryId, ledgerId, entryId);
    }

    /** Whether the two have a position in common. */
    public boolean overlaps(PositionRange other) {
        return overlaps(other.firstLedgerId, other.firstEntryId, other.lastLedgerId, other.lastEntryId);
    }

    /** Whether a position from a first to a last one is within the range. */
    boolean overlaps(long fromLedgerId, long fromEntryId, long toLedgerId, long toEntryId) {
        return !isBefore(lastLedgerId, lastEntryId, fromLedgerId, fromEntryId)
                && !isBefore(toLedgerId, toEntryId, firstLedgerId, firstEntryId);
    }

    private static boolean isBefore(long ledgerId, long entryId, long otherLedgerId, long otherEntryId) {
        return ledgerId < otherLedgerId || ledgerId == otherLedgerId && entryId < otherEntryId;
    }
}
