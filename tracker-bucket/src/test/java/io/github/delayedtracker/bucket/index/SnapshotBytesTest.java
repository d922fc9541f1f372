/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.SnapshotHead;
import io.github.delayedtracker.bucket.steps.SnapshotEntries;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many bytes a snapshot takes in storage, head included, at 1024 ms with the stock limits of a segment. */
class SnapshotBytesTest {

    private static final int STOCK_POSITIONS = 5_000;
    private static final int STOCK_MILLIS = 300_000;

    private static double bytesOfOne(int positions, long spreadMillis) {
        SplittableRandom random = new SplittableRandom(1);
        long[] ledgerIds = new long[positions];
        long[] entryIds = new long[positions];
        long[] dueMillis = new long[positions];
        PositionSet set = new PositionSet();
        for (int i = 0; i < positions; i++) {
            ledgerIds[i] = i / 50_000;
            entryIds[i] = i % 50_000;
            dueMillis[i] = 1_700_000_000_000L + i + random.nextLong(spreadMillis) & -1_024;
            set.add(ledgerIds[i], entryIds[i]);
        }
        List<SealedSegment> segments = new SegmentColumns(positions, dueMillis, ledgerIds, entryIds)
                .cut(CutRule.usual(STOCK_POSITIONS, STOCK_MILLIS).ofBucket(positions));
        List<SegmentEntry> table = segments.stream().map(segment -> new SegmentEntry(segment.firstDueMillis(),
                segment.lastDueMillis(), segment.positions(), segment.bytes())).toList();
        SnapshotEntries entries = new SnapshotEntries(new SnapshotHead("topic", "cursor", 1, table, set), 5 << 20);
        return (double) entries.bytes() / positions;
    }

    @ParameterizedTest
    @CsvSource({
            "20000, 600000, 1.5", "100000, 600000, 1.5", "400000, 600000, 1.5",
            "20000, 2592000000, 3.4", "100000, 2592000000, 3.2", "400000, 2592000000, 3.2",
            "20000, 1, 0.05"})
    void aPositionTakesAtMost(int positions, long spreadMillis, double most) {
        double bytes = bytesOfOne(positions, spreadMillis);
        assertTrue(bytes <= most, () -> bytes + " bytes a position");
    }
}
