/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;

/** Collects positions in the order of their times until their segment ends by its rule. */
final class SegmentBuilder {

    private final CutRule rule;
    private final long[] dueMillis;
    private final long[] ledgerIds;
    private final long[] entryIds;
    private int count;

    SegmentBuilder(CutRule rule) {
        this.rule = rule;
        dueMillis = new long[rule.mostPositions()];
        ledgerIds = new long[rule.mostPositions()];
        entryIds = new long[rule.mostPositions()];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether a position due then still belongs to the segment. */
    boolean takes(long due) {
        return count == 0 || !rule.endsBefore(count, due - dueMillis[0]);
    }

    void add(long due, long ledgerId, long entryId) {
        dueMillis[count] = due;
        ledgerIds[count] = ledgerId;
        entryIds[count] = entryId;
        count++;
    }

    /** The segment; the next one begins. */
    SealedSegment seal() {
        SegmentColumns columns = new SegmentColumns(count, dueMillis, ledgerIds, entryIds).ascending();
        count = 0;
        return columns.cut(rule).get(0);
    }

    void clear() {
        count = 0;
    }
}
