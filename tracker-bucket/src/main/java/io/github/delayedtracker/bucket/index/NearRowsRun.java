/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.index.DueRun;
import java.util.BitSet;

/** A look at the rows of a {@link NearRun} that were not read when it was taken. */
final class NearRowsRun implements DueRun {

    private final NearRows rows;
    /** The rows that count; null if all do. */
    private final BitSet marked;
    private final long fromMillis;
    private final long untilMillis;
    private int at;

    /** The rows behind an index that are due in a time, both ends inclusive. */
    NearRowsRun(NearRows rows, BitSet marked, int before, long fromMillis, long untilMillis) {
        this.rows = rows;
        this.marked = marked;
        this.at = before;
        this.fromMillis = fromMillis;
        this.untilMillis = untilMillis;
    }

    @Override
    public boolean next() {
        while (at < rows.count()) {
            at = marked == null ? at + 1 : Math.min(marked.nextSetBit(at + 1) & Integer.MAX_VALUE, rows.count());
            if (at < rows.count() && rows.dueMillis(at) >= fromMillis) {
                at = rows.dueMillis(at) > untilMillis ? rows.count() : at;
                return at < rows.count();
            }
        }
        return false;
    }

    @Override
    public long dueMillis() {
        return rows.dueMillis(at);
    }

    @Override
    public long ledgerId() {
        return rows.ledgerId(at);
    }

    @Override
    public long entryId() {
        return rows.entryId(at);
    }
}
