/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * Some of the positions that {@link RecentPositions} notes, in a hash table of up to a number of groups: 16 entries in a row
 * in four bytes. It knows each of them, and takes one in some ten thousand others for one of them. A look or a note mostly
 * reads one cache line, which entries in a row have in common.
 *
 * <p>Implementation note: a group has a mark of 16 bits that follows from its hash, and a bit for each entry that was noted.
 * Groups of 256 entries in a row begin at different places of a line of 16, so they fill it; where a place is taken, by a group
 * of another mark, the next one is.
 */
final class NoteSheet {

    /** The places of a line, and the entries of a group, as powers of two. */
    private static final int LINE_SHIFT = 4;
    private static final int GROUP_SHIFT = 4;
    private static final int IN_LINE = (1 << LINE_SHIFT) - 1;
    private static final int MARK_BITS = 16;
    private static final int OBJECT_BYTES =
            Footprint.object(2 * Long.BYTES + 3 * Integer.BYTES + Footprint.REFERENCE);

    private static final long SPREAD_LEDGERS = 0x9E37_79B9_7F4A_7C15L;
    private static final long SPREAD = 0xBF58_476D_1CE4_E5B9L;
    private static final int HALF = 32;

    /** The mark of a group and its bits; 0 where there is none. */
    private final int[] groups;
    private final int capacity;
    private int groupCount;
    private int count;
    /** The largest position noted. */
    private long lastLedgerId = Long.MIN_VALUE;
    private long lastEntryId;

    /** A sheet for a number of groups, which then fill five places in eight. */
    NoteSheet(int capacity) {
        this.capacity = capacity;
        groups = new int[(capacity / 10 + 1) << LINE_SHIFT];
    }

    /** The hash of the group of a position for all sheets: its mark, its place in a line, and at the top the line. */
    static long hash(long ledgerId, long entryId) {
        long mixed = ledgerId * SPREAD_LEDGERS + (entryId >> GROUP_SHIFT + LINE_SHIFT);
        mixed = (mixed ^ mixed >>> HALF) * SPREAD;
        long group = entryId >> GROUP_SHIFT & IN_LINE;
        return mixed ^ mixed >>> HALF ^ group ^ group << MARK_BITS;
    }

    boolean isFull() {
        return groupCount >= capacity;
    }

    /** The positions noted. */
    int count() {
        return count;
    }

    /** The groups they are in. */
    int groupCount() {
        return groupCount;
    }

    long lastLedgerId() {
        return lastLedgerId;
    }

    long lastEntryId() {
        return lastEntryId;
    }

    /** Notes a position with its hash, while the sheet is not full; true if it was certainly not noted here before. */
    boolean note(long hash, long ledgerId, long entryId) {
        boolean isNew = RecentPositions.isBehind(lastLedgerId, lastEntryId, ledgerId, entryId);
        if (isNew) {
            lastLedgerId = ledgerId;
            lastEntryId = entryId;
        }
        int at = placeOf(hash);
        int group = groups[at];
        if (group == 0) {
            group = (int) hash << MARK_BITS;
            groupCount++;
        }
        isNew |= (group & bit(entryId)) == 0;
        groups[at] = group | bit(entryId);
        count += isNew ? 1 : 0;
        return isNew;
    }

    /** Whether a position may have been noted: none beyond it was, and the group that has its mark has its bit. */
    boolean mayHave(long hash, long ledgerId, long entryId) {
        return !RecentPositions.isBehind(lastLedgerId, lastEntryId, ledgerId, entryId)
                && (groups[placeOf(hash)] & bit(entryId)) != 0;
    }

    /** The place of the group with a mark, or the one that it would have. */
    private int placeOf(long hash) {
        long line = (hash >>> HALF) * (groups.length >>> LINE_SHIFT) >>> HALF;
        int at = (int) line << LINE_SHIFT | (int) (hash >>> MARK_BITS) & IN_LINE;
        while (groups[at] != 0 && (groups[at] ^ (int) hash << MARK_BITS) >>> MARK_BITS != 0) {
            at = at + 1 == groups.length ? 0 : at + 1;
        }
        return at;
    }

    private static int bit(long entryId) {
        return 1 << ((int) entryId & (1 << GROUP_SHIFT) - 1);
    }

    long retainedBytes() {
        return (long) OBJECT_BYTES + Footprint.array(groups.length, Integer.BYTES);
    }
}
