/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;

/** The split of positions that leave the index: below the read position they are handed out, from it on they become overdue. */
final class ReadPositionSplit implements PositionSink {

    private PositionSet overdue;
    private final long readLedgerId;
    private final long readEntryId;
    private final PositionSink sink;
    private int taken;
    private int moved;

    /** A split with the positions that are overdue already, or null for none. */
    ReadPositionSplit(PositionSet overdue, long readLedgerId, long readEntryId, PositionSink sink) {
        this.overdue = overdue;
        this.readLedgerId = readLedgerId;
        this.readEntryId = readEntryId;
        this.sink = sink;
    }

    /** A split by which everything becomes overdue. */
    static ReadPositionSplit nothingBelow(PositionSet overdue) {
        return new ReadPositionSplit(overdue, -1, -1, (ledgerId, entryId) -> { });
    }

    /** The overdue positions; null for none. */
    PositionSet overdue() {
        return overdue;
    }

    /** The number of positions handed out. */
    int taken() {
        return taken;
    }

    /** The number of positions that became overdue. */
    int moved() {
        return moved;
    }

    @Override
    public void accept(long ledgerId, long entryId) {
        if (ledgerId < readLedgerId || ledgerId == readLedgerId && entryId < readEntryId) {
            taken++;
            sink.accept(ledgerId, entryId);
        } else {
            moved++;
            if (overdue == null) {
                overdue = new PositionSet();
            }
            overdue.add(ledgerId, entryId);
        }
    }
}
