/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.LatestDue;

/**
 * The rows of a segment from its head on, as they were when the run was taken. The words do not change, and the cursor is a copy;
 * the bitmap goes on changing, so that a row read later may be gone from it already, or be gone and still be read.
 */
final class SegmentRun implements DueRun {

    private final long[] words;
    private final PositionDirectory directory;
    private final DueCursor cursor;
    /** Those that are not contained; null if all from a rank on are. */
    private final GoneRanks gone;
    private final int deadBelow;
    private final long fromMillis;
    private final long untilMillis;
    /** Whether the cursor stands at a row that was not passed on yet. */
    private boolean isAtRow;
    private long ledgerId;
    private long entryId;

    /** The rows due in a time, both ends inclusive, from the row on that the cursor stands at, if it does, or from the next. */
    SegmentRun(long[] words, PositionDirectory directory, DueCursor cursor, boolean isAtRow, GoneRanks gone, int deadBelow,
            long fromMillis, long untilMillis) {
        this.words = words;
        this.directory = directory;
        this.cursor = cursor;
        this.isAtRow = isAtRow;
        this.gone = gone;
        this.deadBelow = deadBelow;
        this.fromMillis = fromMillis;
        this.untilMillis = untilMillis;
    }

    @Override
    public boolean next() {
        while (isAtRow || cursor.left() > 0) {
            if (!isAtRow) {
                cursor.next(words, directory);
            }
            isAtRow = false;
            if (cursor.dueMillis() > untilMillis) {
                // It stays at this row, so that it ends here for good.
                isAtRow = true;
                return false;
            }
            if (cursor.dueMillis() >= fromMillis && isAlive(cursor.rank())) {
                long offset = cursor.offset(words, directory);
                int ledger = directory.ledger(words, offset);
                ledgerId = directory.ledgerId(words, ledger, offset);
                entryId = directory.entryId(words, ledger, offset);
                return true;
            }
        }
        return false;
    }

    /** Takes in the last row, if it is due as late as any, and returns when it is due. Linear in the rows; for a run of some. */
    long noteLast(LatestDue latest) {
        int lastRank = -1;
        long lastMillis = DelayIndex.NO_TIME;
        while (isAtRow || cursor.left() > 0) {
            if (!isAtRow) {
                cursor.next(words, directory);
            }
            isAtRow = false;
            if (isAlive(cursor.rank())) {
                lastRank = cursor.rank();
                lastMillis = cursor.dueMillis();
            }
        }
        long offset = directory.offset(words, lastRank);
        int ledger = directory.ledger(words, offset);
        latest.note(lastMillis, directory.ledgerId(words, ledger, offset), directory.entryId(words, ledger, offset));
        return lastMillis;
    }

    private boolean isAlive(int rank) {
        return rank >= deadBelow && (gone == null || !gone.has(rank));
    }

    @Override
    public long dueMillis() {
        return cursor.dueMillis();
    }

    @Override
    public long ledgerId() {
        return ledgerId;
    }

    @Override
    public long entryId() {
        return entryId;
    }
}
