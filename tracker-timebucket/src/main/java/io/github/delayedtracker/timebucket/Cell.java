/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import java.util.function.LongConsumer;

/**
 * The entry ids of one ledger in one time bucket. The form of a cell follows from its content alone: a short list in
 * one chunk of 65,536 ids is a {@link ListCell}, more ids or chunks a {@link BitmapCell}, ids beyond 32 bits in several
 * chunks a {@link WideCell}. A cell that cannot take an id is replaced by one that can.
 */
abstract sealed class Cell permits ListCell, BitmapCell, WideCell {

    /** The answer of {@link #sweep} when it came to the end of the cell. */
    static final long SWEPT = -1;

    final long ledgerId;

    Cell(long ledgerId) {
        this.ledgerId = ledgerId;
    }

    /** Whether {@link #add} may be called with the id. */
    abstract boolean accepts(long entryId);

    /** Adds an id that the cell accepts; true if it is new. */
    abstract boolean add(long entryId);

    /** The same ids in a form that accepts the given one. */
    abstract Cell widened(long entryId);

    /** The number of ids. Linear in the chunks. */
    abstract long count();

    abstract boolean isEmpty();

    /** Consumes ids in order and removes them; answers their number. */
    abstract int consume(HandOut handOut);

    /**
     * Removes ids whose positions are not contained, looking at ids from the given one on and at about {@code budget}.
     *
     * @return the id to go on with, or {@link #SWEPT}
     */
    abstract long sweep(PositionSet contained, long fromEntryId, int budget);

    /** The same ids in their smallest form, without slack; this cell if it has that form. */
    abstract Cell packed();

    /** Passes the ids in ascending order. */
    abstract void forEach(LongConsumer consumer);

    /** Bytes of heap, within some per cent. O(1). */
    abstract long retainedBytes();
}
