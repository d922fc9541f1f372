/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.backend.StoredRuns.UnreadException;
import io.github.delayedtracker.bucket.index.BucketState;
import io.github.delayedtracker.bucket.index.BucketSummary;
import io.github.delayedtracker.bucket.index.SegmentLoading.AsleepSegment;
import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.MergedRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Positions that sleep in storage are looked at: read once a segment, a limited number of segments, nothing of them kept. */
class StoredLookTest {

    private static final int SEALS = 4;

    private final ChoreRig rig;
    private final List<SegmentRef> reads = new ArrayList<>();

    StoredLookTest() throws Exception {
        rig = new ChoreRig();
    }

    private StoredLook look(List<AsleepSegment> asleep, long fromMillis, long untilMillis) {
        return new StoredLook((ledgerId, table, number) -> {
            reads.add(new SegmentRef(ledgerId, number));
            return rig.load(ledgerId, table, number);
        }, asleep, fromMillis, untilMillis);
    }

    private StoredRuns.Read read(StoredRuns look) throws Exception {
        CompletableFuture<StoredRuns.Read> read = look.read();
        rig.run(read);
        return read.get();
    }

    private static List<Long> due(List<DueRun> runs) {
        MergedRuns rows = new MergedRuns(runs);
        List<Long> due = new ArrayList<>();
        while (rows.next()) {
            due.add(rows.dueMillis());
        }
        return due;
    }

    /** Segments that are read as one position each, due at a time of their own. */
    private List<AsleepSegment> made(int count, long firstMillis, long apartMillis) {
        return IntStream.range(0, count).mapToObj(i -> new AsleepSegment(new SegmentRef(500 + i, 0),
                new SegmentEntry(firstMillis + i * apartMillis, firstMillis + i * apartMillis + 900_000, 1, 999), 1)).toList();
    }

    private StoredLook ofMade(List<AsleepSegment> asleep, long fromMillis) {
        return new StoredLook((ledgerId, table, number) -> {
            reads.add(new SegmentRef(ledgerId, number));
            return CompletableFuture.completedFuture(new SegmentColumns(1, new long[] {table.get(number).firstDueMillis()},
                    new long[] {1}, new long[] {ledgerId}));
        }, asleep, fromMillis, Long.MAX_VALUE);
    }

    @Test
    void whatSleepsIsReadOnceASegmentAndStaysAsleep() throws Exception {
        for (int i = 1; i <= SEALS; i++) {
            rig.seal(i, ChoreRig.FAR_MILLIS);
        }
        long sleeping = rig.buckets.sleepingPositions();
        assertTrue(sleeping >= SEALS * ChoreRig.SEAL, () -> sleeping + " sleep");
        List<AsleepSegment> asleep = rig.buckets.loads().asleep(0, Long.MAX_VALUE);
        StoredRuns.Read read = read(look(asleep, 0, Long.MAX_VALUE));
        List<Long> due = due(read.runs());
        assertEquals(sleeping, due.size());
        assertEquals(due.stream().sorted().toList(), due);
        assertEquals(asleep.size(), reads.size());
        assertEquals(Long.MAX_VALUE, read.completeUntilMillis());
        assertEquals(sleeping, rig.buckets.sleepingPositions());
        assertEquals(List.of(), rig.buckets.loads().asleep(0, ChoreRig.FAR_MILLIS - 1), "none begins before");
        assertEquals(asleep.stream().mapToLong(segment -> segment.entry().firstDueMillis()).min().orElseThrow(),
                rig.buckets.loads().nextAsleepMillis());
    }

    @Test
    void eachBucketIsToldWithWhatSleepsInIt() throws Exception {
        for (int i = 1; i <= SEALS; i++) {
            rig.seal(i, ChoreRig.FAR_MILLIS);
        }
        List<BucketSummary> parts = rig.buckets.summaries();
        assertEquals(rig.buckets.liveBuckets(), parts.size());
        assertEquals(rig.buckets.sleepingPositions(), parts.stream().mapToLong(BucketSummary::sleeping).sum());
        List<AsleepSegment> asleep = rig.buckets.loads().asleep(0, Long.MAX_VALUE);
        assertEquals(asleep.size(), parts.stream().mapToInt(BucketSummary::asleep).sum());
        assertEquals(asleep.stream().mapToLong(each -> each.entry().bytes()).sum(),
                parts.stream().mapToLong(BucketSummary::bytes).sum());
        for (BucketSummary part : parts) {
            assertEquals(BucketState.SEALED, part.state());
            assertTrue(part.isLive() && part.firstDueMillis() >= ChoreRig.FAR_MILLIS
                    && part.lastDueMillis() >= part.firstDueMillis(), part::toString);
        }
    }

    @Test
    void aTimeIsReadFromTheSegmentsThatMayHaveIt() throws Exception {
        rig.seal(1, ChoreRig.FAR_MILLIS);
        List<Long> all = due(read(look(rig.buckets.loads().asleep(0, Long.MAX_VALUE), 0, Long.MAX_VALUE)).runs());
        long fromMillis = all.get(10);
        long untilMillis = all.get(20);
        List<Long> some = due(read(look(rig.buckets.loads().asleep(fromMillis, untilMillis), fromMillis, untilMillis)).runs());
        assertEquals(all.stream().filter(due -> due >= fromMillis && due <= untilMillis).toList(), some);
        assertEquals(List.of(), rig.buckets.loads().asleep(all.get(all.size() - 1) + 1, Long.MAX_VALUE));
    }

    @Test
    void noMoreThanSixteenSegmentsAreReadAndTheLookTellsHowFarItCame() throws Exception {
        StoredRuns.Read read = read(ofMade(made(40, 1_000, 10), 0));
        assertEquals(StoredLook.MOST_READS, reads.size());
        assertEquals(1_000 + StoredLook.MOST_READS * 10 - 1, read.completeUntilMillis());
    }

    @Test
    void allThatBeginWhereTheLookDoesAreReadSoThatItGoesOn() throws Exception {
        StoredRuns.Read read = read(ofMade(made(40, 1_000, 10), 1_000 + 29 * 10));
        assertEquals(30, reads.size());
        assertEquals(1_000 + 30 * 10 - 1, read.completeUntilMillis());
    }

    @Test
    void aLookPageByPageComesToTheEndWhereManySegmentsBeginAtOneTime() throws Exception {
        List<AsleepSegment> asleep = new ArrayList<>(made(20, 1_000, 0));
        asleep.addAll(made(20, 2_000, 1));
        long fromMillis = 0;
        int looks = 0;
        for (long complete = 0; complete < Long.MAX_VALUE; looks++) {
            StoredRuns.Read read = read(ofMade(asleep, fromMillis));
            complete = read.completeUntilMillis();
            assertTrue(complete >= fromMillis, "it goes on");
            fromMillis = complete + 1;
        }
        assertTrue(looks < 40, looks + " looks");
        assertTrue(reads.size() >= 40, () -> reads.size() + " reads");
    }

    @Test
    void moreSegmentsAtOneTimeThanAreReadForOneAnswerAreRefused() {
        CompletableFuture<StoredRuns.Read> read = ofMade(made(StoredLook.MOST_AT_ONCE + 1, 1_000, 0), 1_000).read();
        ExecutionException failure = assertThrows(ExecutionException.class, read::get);
        assertInstanceOf(UnreadException.class, failure.getCause());
        assertEquals(List.of(), reads);
    }

    @Test
    void storageThatDoesNotAnswerEndsTheLook() throws Exception {
        rig.seal(1, ChoreRig.FAR_MILLIS);
        rig.fails = Kind.UNAVAILABLE;
        CompletableFuture<StoredRuns.Read> read = look(rig.buckets.loads().asleep(0, Long.MAX_VALUE), 0, Long.MAX_VALUE).read();
        rig.run(read.exceptionally(failure -> null));
        ExecutionException failure = assertThrows(ExecutionException.class, read::get);
        assertInstanceOf(UnreadException.class, failure.getCause());
        assertEquals(ChoreRig.SEAL, rig.buckets.sleepingPositions(), "nothing is lost for that");
    }
}
