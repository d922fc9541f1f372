/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * What was added lately, without its times. It answers for nearly every position that was not added that it was not, so
 * that no part needs to be asked whether it has it; of the others nothing is known. Positions that leave stay noted. It
 * takes half a byte to a byte for each position in the index where entries follow each other, 7 to 13 where each is on its
 * own, and nothing for more than some 170,000; a look takes some ns.
 *
 * <p>Implementation note: positions come to a {@link NoteSheet} in the order of their arrival. A full one is followed by
 * another. The oldest are dropped when the others have as many positions as the index; from then on nothing is known of
 * any position up to the largest that was in one of those. What lies behind all that was noted is new without a look.
 */
final class RecentPositions {

    private static final int OBJECT_BYTES = Footprint.object(5 * Long.BYTES + 2 * Integer.BYTES + Footprint.REFERENCE);

    /** The positions of a full segment, in which those of a sheet are counted. */
    private final int segment;
    /** The positions in the index when it was told last, and those noted since. */
    private long held;
    /** The newest first. */
    private NoteSheet[] sheets = new NoteSheet[1];
    private int sheetCount;
    /** The position up to which nothing is known. */
    private long floorLedgerId = Long.MIN_VALUE;
    private long floorEntryId;
    /** The largest position so far. */
    private long lastLedgerId = Long.MIN_VALUE;
    private long lastEntryId;

    /** Notes nothing yet; with room for a number of groups at first. */
    RecentPositions(int segment, long groups) {
        this.segment = segment;
        sheets[0] = new NoteSheet(PartSizes.sheet(segment, groups));
        sheetCount = 1;
    }

    /** Whether the next position to be noted needs another sheet. */
    boolean isFull() {
        return sheets[0].isFull();
    }

    /** Takes in how many positions are in the index. */
    void setHeld(long held) {
        this.held = held;
        dropSheets();
    }

    /** Leaves out all positions up to one that may have been added before. Only while nothing was noted. */
    void leaveOut(long ledgerId, long entryId) {
        raiseFloor(ledgerId, entryId);
        lastLedgerId = floorLedgerId;
        lastEntryId = floorEntryId;
    }

    /** Leaves out all positions up to the last one of a tail. Only while nothing was noted. */
    void leaveOut(Tail tail) {
        if (tail.count() > 0) {
            leaveOut(tail.ledgerId(tail.count() - 1), tail.entryId(tail.count() - 1));
        }
    }

    /** Notes all positions of a tail, or of rows in any order. Linear, some ns a position. */
    void noteAll(Tail tail) {
        for (int i = 0; i < tail.count(); i++) {
            boolean unused = note(tail.ledgerId(i), tail.entryId(i));
        }
    }

    /** Notes a position that is about to be added; true if it was certainly not added before. O(1). */
    boolean note(long ledgerId, long entryId) {
        if (sheets[0].isFull()) {
            openSheet();
        }
        long hash = NoteSheet.hash(ledgerId, entryId);
        if (isBehind(lastLedgerId, lastEntryId, ledgerId, entryId)) {
            lastLedgerId = ledgerId;
            lastEntryId = entryId;
        } else if (mayHave(1, hash, ledgerId, entryId)) {
            // A sheet that seems to have it reaches beyond it, so that nothing is known of it either when that is dropped.
            return false;
        }
        boolean isNew = sheets[0].note(hash, ledgerId, entryId);
        held += isNew ? 1 : 0;
        return isNew;
    }

    /** Whether a position was certainly not added. O(1). */
    boolean isUnknown(long ledgerId, long entryId) {
        return isBehind(lastLedgerId, lastEntryId, ledgerId, entryId)
                || !mayHave(0, NoteSheet.hash(ledgerId, entryId), ledgerId, entryId);
    }

    /** Whether nothing is known of a position, or one of the sheets from a number on may have it. */
    private boolean mayHave(int from, long hash, long ledgerId, long entryId) {
        boolean isKnown = !isBehind(floorLedgerId, floorEntryId, ledgerId, entryId);
        for (int i = from; i < sheetCount && !isKnown; i++) {
            isKnown = sheets[i].mayHave(hash, ledgerId, entryId);
        }
        return isKnown;
    }

    static boolean isBehind(long fromLedgerId, long fromEntryId, long ledgerId, long entryId) {
        return ledgerId > fromLedgerId || ledgerId == fromLedgerId && entryId > fromEntryId;
    }

    private void raiseFloor(long ledgerId, long entryId) {
        if (isBehind(floorLedgerId, floorEntryId, ledgerId, entryId)) {
            floorLedgerId = ledgerId;
            floorEntryId = entryId;
        }
    }

    private void openSheet() {
        dropSheets();
        // Groups that were noted before get positions again: of entries in a row it takes twice as many as they fill.
        long groups = Math.min(wanted(), 2 * wanted() * sheets[0].groupCount() / sheets[0].count());
        // Made before any is moved, so that an error loses none.
        NoteSheet opened = new NoteSheet(PartSizes.sheet(segment, groups));
        NoteSheet[] longer = sheetCount == sheets.length ? new NoteSheet[sheetCount + 1] : sheets;
        System.arraycopy(sheets, 0, longer, 1, sheetCount);
        longer[0] = opened;
        sheets = longer;
        sheetCount++;
    }

    /** Drops the oldest while the others have enough positions. */
    private void dropSheets() {
        long others = -sheets[sheetCount - 1].count();
        for (int i = 0; i < sheetCount; i++) {
            others += sheets[i].count();
        }
        while (others >= wanted() && sheetCount > 1) {
            sheetCount--;
            raiseFloor(sheets[sheetCount].lastLedgerId(), sheets[sheetCount].lastEntryId());
            sheets[sheetCount] = null;
            others -= sheets[sheetCount - 1].count();
        }
    }

    /** The positions that are to stay noted: as many as are in the index, or enough. */
    private long wanted() {
        return Math.min(held, PartSizes.noted(segment));
    }

    long retainedBytes() {
        long bytes = (long) OBJECT_BYTES + Footprint.array(sheets.length, Footprint.REFERENCE);
        for (int i = 0; i < sheetCount; i++) {
            bytes += sheets[i].retainedBytes();
        }
        return bytes;
    }
}
