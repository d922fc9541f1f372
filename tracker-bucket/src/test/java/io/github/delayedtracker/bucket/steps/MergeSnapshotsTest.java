/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.JobWorld.Position;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.StorageException.Consequence;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.timebucket.CutRule;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MergeSnapshotsTest {

    private static final SnapshotSteps.Pause AT_ONCE = bytes -> Futures.DONE;
    private static final SnapshotSteps.Keep ALL = (source, columns) -> {
        BitSet all = new BitSet();
        all.set(0, columns.count());
        return CompletableFuture.completedFuture(all);
    };

    private JobWorld world = new JobWorld(1);

    @AfterEach
    void nothingIsHeld() {
        world.assertNothingHeld("");
    }

    private List<SegmentSource> write(List<SegmentColumns> sources) throws Exception {
        List<SegmentSource> written = new ArrayList<>();
        for (SegmentColumns columns : sources) {
            WrittenSnapshot snapshot = world.write(columns);
            written.add(world.reads().segments(snapshot.ledgerId(), snapshot.segments()));
        }
        return written;
    }

    private static List<SegmentColumns> four(int count) {
        List<SegmentColumns> four = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long[] ledgerIds = new long[count];
            long[] entryIds = new long[count];
            long[] dueMillis = new long[count];
            for (int at = 0; at < count; at++) {
                ledgerIds[at] = 10L + i;
                entryIds[at] = at;
                dueMillis[at] = 1_000_000 + (at * 7919L + i * 31L) % 500_000;
            }
            four.add(new SegmentColumns(count, dueMillis, ledgerIds, entryIds));
        }
        return four;
    }

    private WrittenSnapshot merge(List<SegmentSource> sources) throws Exception {
        return world.get(world.merges().merge(sources, ALL, AT_ONCE)).orElseThrow();
    }

    @Test
    void fourBecomeOneThatHoldsAllOfThem() throws Exception {
        List<SegmentColumns> four = four(700);
        WrittenSnapshot merged = merge(write(four));
        assertEquals(0, world.life.openReaders());
        assertEquals(JobWorld.map(four), world.contentOf(merged.ledgerId()));
        assertEquals(2_800, merged.positions().size());
        assertEquals(28, merged.segments().size());
        assertTrue(world.faulty.world().isSealed(merged.ledgerId()));
        assertEquals(5, world.faulty.world().ledgerIds().size(), "sources stay");
        long stored = world.get(world.storage().open(merged.ledgerId()).thenApply(reader -> {
            reader.close();
            return reader.lengthBytes();
        }));
        assertEquals(stored, merged.bytes());
    }

    @Test
    void nothingKeptIsNoLedger() throws Exception {
        List<SegmentSource> sources = write(four(300));
        long creates = world.faulty.counts().of(Operation.CREATE, Fault.Kind.NONE);
        assertEquals(Optional.empty(), world.get(world.merges().merge(sources,
                (source, columns) -> CompletableFuture.completedFuture(new BitSet()), AT_ONCE)));
        assertEquals(Optional.empty(), world.get(world.merges().merge(List.of(), ALL, AT_ONCE)));
        assertEquals(creates, world.faulty.counts().of(Operation.CREATE, Fault.Kind.NONE));
    }

    /** #26251: positions that a merge takes a second time were delivered twice. */
    @Test
    void i26251_aPositionThatSeveralSourcesHoldIsKeptOnceAtItsEarliestKeptTime() throws Exception {
        List<SegmentSource> sources = write(List.of(
                new SegmentColumns(3, new long[] {10, 20, 30}, new long[] {1, 1, 1}, new long[] {1, 2, 3}),
                new SegmentColumns(3, new long[] {30, 10, 20}, new long[] {1, 1, 1}, new long[] {1, 2, 3}),
                new SegmentColumns(3, new long[] {20, 30, 10}, new long[] {1, 1, 1}, new long[] {1, 2, 3})));
        SnapshotSteps.Keep notTheFirstOfTheFirst = (source, columns) -> {
            BitSet keep = new BitSet();
            keep.set(source == 0 ? 1 : 0, columns.count());
            return CompletableFuture.completedFuture(keep);
        };
        WrittenSnapshot merged = world.get(world.merges().merge(sources, notTheFirstOfTheFirst, AT_ONCE)).orElseThrow();
        assertEquals(Map.of(new Position(1, 1), 20L, new Position(1, 2), 10L, new Position(1, 3), 10L),
                world.contentOf(merged.ledgerId()));
    }

    /** Random sources, duplicates, filters and limits against a sorted map. */
    @Test
    void randomMergesAgreeWithANaiveTwin() throws Exception {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int mostPositions = 1 + random.nextInt(60);
            CutRule rule = new CutRule(mostPositions, 1 + random.nextInt(mostPositions), 1 + random.nextInt(400));
            JobLimits limits = new SomeLimits().appendsUnderWay(1 + random.nextInt(4)).make();
            world = new JobWorld(seed, new FaultRates(random.nextInt(3), 0), limits, rule);
            List<SegmentColumns> columns = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                columns.add(randomColumns(random));
            }
            long salt = random.nextLong();
            int keepOf4 = random.nextInt(5);
            Map<Position, Long> twin = new TreeMap<>();
            for (int i = 0; i < columns.size(); i++) {
                for (int at = 0; at < columns.get(i).count(); at++) {
                    if (isKept(salt, keepOf4, i, columns.get(i), at)) {
                        twin.merge(new Position(columns.get(i).ledgerId(at), columns.get(i).entryId(at)),
                                columns.get(i).dueMillis(at), Math::min);
                    }
                }
            }
            BitSet keep = new BitSet();
            Optional<WrittenSnapshot> merged = world.get(world.merges().merge(write(columns), (source, read) -> {
                keep.clear();
                for (int at = 0; at < read.count(); at++) {
                    keep.set(at, isKept(salt, keepOf4, source, read, at));
                }
                CompletableFuture<BitSet> later = new CompletableFuture<>();
                world.time.after(random.nextInt(3), () -> later.complete(keep));
                return later;
            }, AT_ONCE));
            assertEquals(!twin.isEmpty(), merged.isPresent(), "seed " + seed);
            if (merged.isPresent()) {
                assertEquals(twin, world.contentOf(merged.get().ledgerId()), "seed " + seed);
                assertEquals(twin.size(), merged.get().positions().size(), "seed " + seed);
                JobWorld.assertFollows(rule.ofBucket(columns.stream().mapToLong(SegmentColumns::count).sum()),
                        merged.get().segments(), "seed " + seed);
            }
            world.assertNothingHeld("seed " + seed);
        }
    }

    private static SegmentColumns randomColumns(Random random) {
        int count = 1 + random.nextInt(250);
        long spanMillis = 1L + random.nextInt(1_000);
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        long[] dueMillis = new long[count];
        Set<Long> seen = new HashSet<>();
        int used = 0;
        for (int i = 0; i < count; i++) {
            long ledgerId = random.nextInt(3);
            long entryId = random.nextInt(300);
            if (seen.add(ledgerId * 1_000 + entryId)) {
                ledgerIds[used] = ledgerId;
                entryIds[used] = entryId;
                dueMillis[used++] = 5_000 + random.nextLong(spanMillis);
            }
        }
        return new SegmentColumns(used, dueMillis, ledgerIds, entryIds);
    }

    private static boolean isKept(long salt, int keepOf4, int source, SegmentColumns columns, int at) {
        long mixed = (salt ^ source * 31L ^ columns.ledgerId(at) * 1_000_003L ^ columns.entryId(at)) * 0x9E3779B97F4A7C15L;
        return (mixed >>> 40 & 3) < keepOf4;
    }

    @Test
    void atMostTwoDecodedSegmentsOfEachSourceAreInMemoryInBothPasses() throws Exception {
        List<WeakReference<SegmentColumns>> decoded = new ArrayList<>();
        List<WatchedSource> watched = new ArrayList<>();
        for (SegmentSource source : write(four(700))) {
            watched.add(new WatchedSource(source, decoded));
        }
        WrittenSnapshot merged = world.get(world.merges().merge(watched, ALL, AT_ONCE)).orElseThrow();
        assertEquals(56, decoded.size(), "each segment is read twice");
        long mostAlive = watched.stream().mapToLong(each -> each.mostAlive()).max().orElseThrow();
        assertTrue(mostAlive > 4 && mostAlive <= 8, () -> mostAlive + " of four sources");
        assertEquals(2_800, merged.positions().size());
    }

    @Test
    void aSegmentOfWhichNothingIsKeptIsNotReadTwice() throws Exception {
        List<WeakReference<SegmentColumns>> decoded = new ArrayList<>();
        SegmentSource source = new WatchedSource(write(List.of(four(700).get(0))).get(0), decoded);
        int[] kept = new int[2];
        WrittenSnapshot merged = world.get(world.merges().merge(List.of(source), (number, columns) -> {
            BitSet keep = new BitSet();
            keep.set(0, columns.dueMillis(0) > 1_300_000 ? columns.count() : 0);
            kept[0] += keep.isEmpty() ? 0 : 1;
            kept[1] += keep.cardinality();
            return CompletableFuture.completedFuture(keep);
        }, AT_ONCE)).orElseThrow();
        assertEquals(source.segments() + kept[0], decoded.size());
        assertEquals(kept[1], merged.positions().size());
        assertTrue(kept[0] > 0 && kept[0] < source.segments());
    }

    @Test
    void theDriverIsAskedForAPauseAfterEachSegmentReadAndWritten() throws Exception {
        List<Long> paused = new ArrayList<>();
        List<SegmentSource> sources = write(four(300));
        long begun = world.time.nowMillis();
        WrittenSnapshot merged = world.get(world.merges().merge(sources, ALL, bytes -> {
            paused.add(bytes);
            CompletableFuture<Void> later = new CompletableFuture<>();
            world.time.after(10, () -> later.complete(null));
            return later;
        })).orElseThrow();
        assertEquals(2 * 12 + merged.segments().size(), paused.size());
        assertTrue(world.time.nowMillis() - begun >= 10L * paused.size());
        long read = sources.stream().flatMap(each -> IntStream.range(0, each.segments()).mapToObj(each::bytes))
                .mapToLong(Integer::longValue).sum();
        assertEquals(2 * read + merged.segments().stream().mapToLong(SegmentEntry::bytes).sum(),
                paused.stream().mapToLong(each -> each).sum());
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"CREATE", "APPEND", "CLOSE_WRITER", "OPEN", "READ"})
    void whatPassesIsTriedAgainAndLeavesOneLedger(Operation operation) throws Exception {
        List<SegmentColumns> four = four(300);
        for (Fault fault : List.of(Fault.failBefore(Kind.UNAVAILABLE), Fault.failAfter(Kind.UNAVAILABLE), Fault.answerTwice(500),
                Fault.hangBefore(), Fault.hangAfter(), Fault.answerLate(60_000))) {
            for (int nth = 1; nth <= (operation == Operation.READ || operation == Operation.APPEND ? 13 : 1); nth += 4) {
                world = new JobWorld(nth);
                List<SegmentSource> sources = write(four);
                List<Long> before = world.faulty.world().ledgerIds();
                world.leftovers.all().forEach(world.leftovers::settled);
                world.faulty.onCall(operation, "*", nth, fault);
                WrittenSnapshot merged = merge(sources);
                world.faulty.heal();
                world.assertNothingHeld(operation + " " + fault);
                assertEquals(JobWorld.map(four), world.contentOf(merged.ledgerId()));
                List<Long> after = new ArrayList<>(world.faulty.world().ledgerIds());
                after.removeAll(before);
                assertEquals(List.of(merged.ledgerId()), after, operation + " " + fault);
                assertEquals(after, world.leftovers.all());
            }
        }
    }

    /** #26239, #26401: sources of a merge that failed were deleted. */
    @Test
    void i26239_aMergeThatFailsLeavesItsSourcesAndNothingElse() throws Exception {
        for (Operation operation : List.of(Operation.CREATE, Operation.APPEND, Operation.CLOSE_WRITER, Operation.READ)) {
            world = new JobWorld(1);
            List<SegmentSource> sources = write(four(300));
            List<Long> before = world.faulty.world().ledgerIds();
            world.faulty.onEvery(operation, "*", Fault.failBefore(Kind.UNAVAILABLE));
            world.failure(Kind.UNAVAILABLE, world.merges().merge(sources, ALL, AT_ONCE));
            world.time.runAll();
            long tries = operation == Operation.APPEND ? world.faulty.counts().of(Operation.CREATE, Fault.Kind.NONE) - 4
                    : world.faulty.counts().of(operation, Fault.Kind.FAIL_BEFORE);
            assertEquals(10, tries, operation + " is tried ten times");
            world.assertNothingHeld(operation.toString());
            assertEquals(before, world.faulty.world().ledgerIds(), operation.toString());
            world.faulty.heal();
            assertEquals(1_200, merge(sources).positions().size(), "and can be merged later");
        }
    }

    @Test
    void readingThatFailsForGoodInTheSecondPassIsNotTriedWithNewLedgers() throws Exception {
        List<SegmentSource> sources = write(four(300));
        long creates = world.faulty.counts().of(Operation.CREATE, Fault.Kind.NONE);
        for (int nth = 15; nth < 55; nth++) {
            world.faulty.onCall(Operation.READ, "*", nth, Fault.failBefore(Kind.UNAVAILABLE));
        }
        world.failure(Kind.UNAVAILABLE, world.merges().merge(sources, ALL, AT_ONCE));
        assertEquals(creates + 1, world.faulty.counts().of(Operation.CREATE, Fault.Kind.NONE));
        world.time.runAll();
        assertEquals(4, world.faulty.world().ledgerIds().size());
    }

    @Test
    void aDamagedSourceIsNamedByItself() throws Exception {
        List<SegmentSource> sources = write(four(300));
        world.faulty.world().corruptEntry(sources.get(2).ledgerId(), 2);
        world.failure(Kind.CORRUPT, world.merges().merge(sources, ALL, AT_ONCE));
        for (int i = 0; i < 4; i++) {
            assertEquals(i == 2 ? Optional.of(Consequence.LOST) : Optional.empty(),
                    sources.get(i).failure().map(StorageException::consequence));
        }
    }

    @Test
    void aFilterThatFailsOrThrowsIsAFailureOfTheStep() throws Exception {
        List<SegmentSource> sources = write(four(300));
        world.failure(Kind.UNEXPECTED, world.merges().merge(sources, (source, columns) -> {
            throw new IllegalStateException("a defect");
        }, AT_ONCE));
        world.failure(Kind.UNEXPECTED, world.merges().merge(sources, (source, columns) -> {
            BitSet tooMany = new BitSet();
            tooMany.set(columns.count());
            return CompletableFuture.completedFuture(tooMany);
        }, AT_ONCE));
        world.failure(Kind.UNEXPECTED, world.merges().merge(sources, ALL, bytes -> {
            throw new IllegalStateException("a defect");
        }));
        world.time.runAll();
        assertEquals(0, world.life.openReaders());
    }

    @Test
    void abandoningAtAnyEventLeavesTheSourcesAndNothingOpen() throws Exception {
        int midway = 0;
        for (int events = 0; events < 400; events += 7) {
            world = new JobWorld(events);
            List<SegmentSource> sources = write(four(300));
            List<Long> before = world.faulty.world().ledgerIds();
            CompletableFuture<Optional<WrittenSnapshot>> answer = world.merges().merge(sources, ALL, AT_ONCE);
            world.time.run(events);
            world.retries.abandon();
            world.assertNothingHeld("abandoned after " + events);
            assertTrue(answer.isDone());
            if (answer.isCompletedExceptionally()) {
                midway++;
                world.failure(Kind.CLOSED, answer);
                assertEquals(before, world.faulty.world().ledgerIds(), "abandoned after " + events);
            }
        }
        assertTrue(midway > 10, "midway " + midway);
        assertFalse(midway == 58, "some end");
    }
}
