/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * Positions in the order they came, each of them once. An add stores three numbers. All can be passed on in ascending order, by
 * a radix sort; none can be found.
 */
final class LooseRows {

    private static final int OBJECT_BYTES = Footprint.object(2 * Long.BYTES + Footprint.REFERENCE);
    /** The number up to which they are passed on as they came. */
    private static final int FEW = 16;

    /** Takes a position with its time. */
    @FunctionalInterface
    interface Sink {
        /** Takes it; the answer is not looked at. */
        boolean accept(long dueMillis, long ledgerId, long entryId);
    }

    /** In this order, which is that of their arrival, only appends and what reads all of them is of use. */
    private final Tail rows = new Tail();
    private long lastLedgerId = Long.MIN_VALUE;
    private long lastEntryId;

    int count() {
        return rows.count();
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

    /** The earliest due time. */
    long firstDueMillis() {
        return rows.firstDueAtEarliest();
    }

    /** Passes on all positions, mostly in ascending order, which is the best one for who puts them in their places. */
    void forEachInOrder(Sink sink) {
        Scratch scratch = copy();
        if (scratch.count > FEW) {
            scratch.sortByPosition();
        }
        for (int i = 0; i < scratch.count; i++) {
            sink.accept(scratch.dueMillis[i], scratch.ledgerIds[i], scratch.entryIds[i]);
        }
        Scratch.giveBack(scratch);
    }

    /** Appends all positions to an empty tail in ascending order; false if their ids are too far apart to be sorted. */
    boolean appendTo(Tail tail) {
        Scratch scratch = copy();
        boolean isSorted = scratch.sortByPosition();
        for (int i = 0; isSorted && i < scratch.count; i++) {
            tail.append(scratch.dueMillis[i], scratch.ledgerIds[i], scratch.entryIds[i]);
        }
        Scratch.giveBack(scratch);
        return isSorted;
    }

    private Scratch copy() {
        Scratch scratch = Scratch.borrow(rows.count());
        rows.copyTo(scratch);
        return scratch;
    }

    long retainedBytes() {
        return OBJECT_BYTES + rows.retainedBytes();
    }
}
