/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.timebucket.CutRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Snapshots as plain columns in memory: what a storage would give back. */
final class StoredSegments {

    private final Map<Long, List<SegmentColumns>> ledgers = new HashMap<>();
    private long nextLedgerId;

    /** Cuts positions by time and keeps them; returns the ledger. */
    long write(SegmentColumns positions, int mostPositions, long mostMillis) {
        long ledgerId = nextLedgerId++;
        ledgers.put(ledgerId, positions.count() == 0 ? List.of()
                : positions.cut(new CutRule(mostPositions, 1, mostMillis)).stream().map(SegmentColumns::of).toList());
        return ledgerId;
    }

    List<SegmentEntry> entries(long ledgerId) {
        List<SegmentEntry> entries = new ArrayList<>();
        for (SegmentColumns segment : ledgers.get(ledgerId)) {
            entries.add(new SegmentEntry(segment.dueMillis(0), segment.dueMillis(segment.count() - 1), segment.count(),
                    SegmentEntry.LEAST_BYTES));
        }
        return entries;
    }

    SegmentColumns read(SegmentRef ref) {
        return ledgers.get(ref.ledgerId()).get(ref.number());
    }

    SegmentColumns readAll(long ledgerId) {
        return SegmentColumns.joined(ledgers.get(ledgerId));
    }

    void delete(long ledgerId) {
        if (ledgers.remove(ledgerId) == null) {
            throw new AssertionError("a ledger is deleted once, but " + ledgerId + " is not there");
        }
    }

    int ledgers() {
        return ledgers.size();
    }
}
