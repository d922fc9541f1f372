/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * Positions in the order they came, each of them once. An add stores three numbers. They are sorted by who needs them in
 * ascending order, mostly the thread that makes a segment of them. The first few look-ups are linear, some microseconds
 * each; later ones are O(1), with a {@link RowTable} that is brought up to date with each. Once nothing is added any more,
 * any thread may sort them, while another one looks them up.
 */
final class LooseRows {

    private static final int OBJECT_BYTES = Footprint.object(2 * Long.BYTES + Integer.BYTES + 2 * Footprint.REFERENCE);
    /** The number up to which they are passed on as they came. */
    private static final int FEW = 16;
    /** The number of look-ups that cost less than a table. */
    private static final int FEW_LOOKS = 8;

    /** In this order, which is that of their arrival, only appends and what reads all of them is of use. */
    private final Tail rows = new Tail();
    /** The rows there were at the last look-up; null while there were few. */
    private RowTable table;
    /** The number of look-ups so far, up to {@link #FEW_LOOKS}. */
    private int looks;
    private long lastLedgerId = Long.MIN_VALUE;
    private long lastEntryId;

    int count() {
        return rows.count();
    }

    /** The positions as they came. */
    Tail rows() {
        return rows;
    }

    /** Adds a position that is not here. */
    void add(long dueMillis, long ledgerId, long entryId) {
        rows.append(dueMillis, ledgerId, entryId);
        if (endsBefore(ledgerId, entryId)) {
            lastLedgerId = ledgerId;
            lastEntryId = entryId;
        }
    }

    /** Whether a position lies behind all that are here. */
    boolean endsBefore(long ledgerId, long entryId) {
        return lastLedgerId < ledgerId || lastLedgerId == ledgerId && lastEntryId < entryId;
    }

    /** Whether a position is here. Linear at first; later O(1), and O(1) more for each that was added since the last look. */
    boolean contains(long ledgerId, long entryId) {
        if (looks < FEW_LOOKS) {
            looks++;
            return isInRows(ledgerId, entryId);
        }
        return isInTable(ledgerId, entryId);
    }

    private boolean isInRows(long ledgerId, long entryId) {
        int row = rows.count() - 1;
        while (row >= 0 && (rows.entryId(row) != entryId || rows.ledgerId(row) != ledgerId)) {
            row--;
        }
        return row >= 0;
    }

    private boolean isInTable(long ledgerId, long entryId) {
        RowTable upToDate = table();
        int slot = upToDate.first(RowTable.hash(ledgerId, entryId));
        int row = upToDate.row(slot);
        while (row >= 0 && (rows.entryId(row) != entryId || rows.ledgerId(row) != ledgerId)) {
            slot = upToDate.next(slot);
            row = upToDate.row(slot);
        }
        return row >= 0;
    }

    private RowTable table() {
        if (table == null) {
            table = new RowTable(rows.count());
        }
        while (table.count() < rows.count()) {
            if (table.isFull()) {
                table = new RowTable(rows.count());
            }
            int next = table.count();
            table.add(RowTable.hash(rows.ledgerId(next), rows.entryId(next)));
        }
        return table;
    }

    /** The earliest due time. */
    long firstDueMillis() {
        return rows.firstDueAtEarliest();
    }

    /** Leaves all positions out of what is noted. */
    void leaveOutOf(RecentPositions notes) {
        notes.leaveOut(lastLedgerId, lastEntryId);
    }

    /** All positions in a scratch in ascending order. */
    Scratch sortedCopy() {
        Scratch scratch = copy();
        scratch.sortByPosition();
        return scratch;
    }

    /** Passes on all positions; many in ascending order, which is the best one for who puts them in their places. */
    void forEachInOrder(RowSink sink) {
        Scratch scratch = copy();
        if (scratch.count > FEW) {
            scratch.sortByPosition();
        }
        for (int i = 0; i < scratch.count; i++) {
            sink.accept(scratch.dueMillis[i], scratch.ledgerIds[i], scratch.entryIds[i]);
        }
        Scratch.giveBack(scratch);
    }

    /** All positions in ascending order. */
    Tail sorted() {
        Tail sorted = new Tail();
        Scratch scratch = sortedCopy();
        for (int i = 0; i < scratch.count; i++) {
            sorted.append(scratch.dueMillis[i], scratch.ledgerIds[i], scratch.entryIds[i]);
        }
        Scratch.giveBack(scratch);
        return sorted;
    }

    private Scratch copy() {
        Scratch scratch = Scratch.borrow(rows.count());
        rows.copyTo(scratch);
        return scratch;
    }

    long retainedBytes() {
        return OBJECT_BYTES + rows.retainedBytes() + (table == null ? 0 : table.retainedBytes());
    }
}
