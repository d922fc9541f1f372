/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;

/**
 * One pass over positions in hand-out order. A position goes to the sink if the position set still contains it; any other
 * is dead and is dropped in passing. It is full after {@code limit} positions for the sink or a bounded number of dead ones.
 */
final class HandOut {

    /** The most dead positions that are dropped; each costs one look-up, some 30 ns. */
    private static final int DEAD_LIMIT = 16_384;
    private static final int DEAD_LIMIT_OF_LOOK = 256;

    private final PositionSet contained;
    private final PositionSink sink;
    private final int limit;
    private final int deadLimit;
    private int taken;
    private int dead;
    private long foundLedgerId;
    private long foundEntryId;

    private HandOut(PositionSet contained, PositionSink sink, int limit, int deadLimit) {
        this.contained = contained;
        this.sink = sink;
        this.limit = limit;
        this.deadLimit = deadLimit;
    }

    static HandOut to(PositionSink sink, int limit, PositionSet contained) {
        return new HandOut(contained, sink, limit, DEAD_LIMIT);
    }

    /** A look: drops the dead positions before the first contained one, which it leaves where it is. */
    static HandOut ofDeadOnly(PositionSet contained) {
        return new HandOut(contained, null, 1, DEAD_LIMIT_OF_LOOK);
    }

    /** Consumes the position and answers true, or answers false and leaves it where it is. */
    boolean consume(long ledgerId, long entryId) {
        if (isFull()) {
            return false;
        }
        if (sink == null) {
            if (contained.contains(ledgerId, entryId)) {
                taken = limit;
                foundLedgerId = ledgerId;
                foundEntryId = entryId;
                return false;
            }
            dead++;
        } else if (contained.remove(ledgerId, entryId)) {
            taken++;
            sink.accept(ledgerId, entryId);
        } else {
            dead++;
        }
        return true;
    }

    boolean isFull() {
        return taken >= limit || dead >= deadLimit;
    }

    int taken() {
        return taken;
    }

    /** The ledger of the position that a look ended at. */
    long foundLedgerId() {
        return foundLedgerId;
    }

    long foundEntryId() {
        return foundEntryId;
    }
}
