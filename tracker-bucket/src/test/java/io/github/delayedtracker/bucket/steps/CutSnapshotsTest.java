/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.StockWriting;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.timebucket.CutRule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Into which segments snapshots are cut, written and merged, in both forms. */
class CutSnapshotsTest {

    private static final long MONTH_MILLIS = 2_592_000_000L;
    private static final CutRule RULE = new CutRule(1_000, 100, 300_000);
    private static final SnapshotSteps.Keep ALL = (source, columns) -> {
        BitSet all = new BitSet();
        all.set(0, columns.count());
        return CompletableFuture.completedFuture(all);
    };
    private static final SnapshotSteps.Pause AT_ONCE = bytes -> CompletableFuture.completedFuture(null);

    private final JobWorld world = new JobWorld(1, FaultRates.none(), JobLimits.DEFAULT, RULE);

    /** Positions of topic ledgers of their own. */
    private static SegmentColumns month(int number, int count) {
        SegmentColumns any = JobWorld.columns(number, count, 1_000_000, MONTH_MILLIS);
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            dueMillis[i] = any.dueMillis(i);
            ledgerIds[i] = 1_000L * number + any.ledgerId(i);
            entryIds[i] = any.entryId(i);
        }
        return new SegmentColumns(count, dueMillis, ledgerIds, entryIds);
    }

    private StockWriting stock() {
        StockLedgers ledgers = new StockLedgers() {
            @Override
            public CompletableFuture<Optional<StockOwner>> ownerOf(long ledgerId) {
                return CompletableFuture.completedFuture(Optional.of(StockWorld.STOCK_OWNER));
            }

            @Override
            public CompletableFuture<SnapshotWriter> create(StockOwner owner, String property) {
                return world.storage().create(new SnapshotOwner(owner.topic(), owner.cursor(), 1));
            }
        };
        return new StockWriting(ledgers, StockWorld.STOCK_OWNER, new StockRanges());
    }

    private static List<SegmentSource> sources(ReadSnapshot reads, List<WrittenSnapshot> written) {
        return written.stream().map(each -> reads.segments(each.ledgerId(), each.segments())).toList();
    }

    @Test
    void widelySpreadPositionsAreSealedIntoSegmentsOfTheLeast() throws Exception {
        WrittenSnapshot written = world.write(month(1, 950));
        assertEquals(List.of(100, 100, 100, 100, 100, 100, 100, 100, 100, 50),
                written.segments().stream().map(SegmentEntry::positions).toList());
        JobWorld.assertFollows(RULE, written.segments(), "sealed");
    }

    @Test
    void aMergeKeepsTheLeast() throws Exception {
        List<WrittenSnapshot> four = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            four.add(world.write(month(i, 260)));
        }
        WrittenSnapshot merged = world.get(world.merges().merge(sources(world.reads(), four), ALL, AT_ONCE)).orElseThrow();
        assertEquals(11, merged.segments().size(), "of 1,040 positions");
        JobWorld.assertFollows(RULE, merged.segments(), "merged");
    }

    @Test
    void theLeastGrowsWithTheBucket() throws Exception {
        List<WrittenSnapshot> four = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            four.add(world.write(month(i, 3_200)));
        }
        WrittenSnapshot merged = world.get(world.merges().merge(sources(world.reads(), four), ALL, AT_ONCE)).orElseThrow();
        assertEquals(64, merged.segments().size(), "of 12,800 positions");
        JobWorld.assertFollows(RULE.ofBucket(12_800), merged.segments(), "merged");
    }

    @Test
    void segmentsInTheStockFormAreNotLongerThanStocksOwnWrittenOrMerged() throws Exception {
        StockWriting stock = stock();
        SnapshotWriting writes = new WriteStockSnapshot(world.storage().maxEntryBytes(), JobWorld.OWNER, RULE, world.retries,
                world.leftovers, world.allocator, world.time::nowMillis, stock);
        List<WrittenSnapshot> four = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            four.add(world.get(writes.write(month(i, 260))));
        }
        four.forEach(each -> assertStrict(each, 200));
        MergeSnapshots merges = new MergeSnapshots(writes);
        ReadSnapshot reads = new ReadSnapshot(world.storage(), JobWorld.OWNER, world.retries, stock.ranges());
        assertStrict(world.get(merges.merge(sources(reads, four), ALL, AT_ONCE)).orElseThrow(), 700);
    }

    private static void assertStrict(WrittenSnapshot written, int leastSegments) {
        assertTrue(written.segments().size() >= leastSegments, () -> "segments: " + written.segments().size());
        JobWorld.assertFollows(RULE.strict(), written.segments(), "in the stock form");
    }
}
