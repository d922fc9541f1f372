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

import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.JobWorld.Position;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.OpenSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WriteSnapshotTest {

    private static final SegmentColumns COLUMNS = JobWorld.columns(1, 2_500, 1_000_000, 600_000);

    private JobWorld world = new JobWorld(1);

    @AfterEach
    void nothingIsHeld() {
        world.assertNothingHeld("");
    }

    private void assertWritten(WrittenSnapshot written) throws Exception {
        assertEquals(JobWorld.map(List.of(COLUMNS)), world.contentOf(written.ledgerId()));
        assertEquals(COLUMNS.count(), written.positions().size());
        assertTrue(world.faulty.world().isSealed(written.ledgerId()));
        assertTrue(world.leftovers.all().contains(written.ledgerId()), "until a record names it");
        assertFalse(world.leftovers.unwanted().contains(written.ledgerId()));
    }

    private List<Long> ledgers() {
        return world.faulty.world().ledgerIds();
    }

    @Test
    void whatWasWrittenIsReadAgainInTimeOrder() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        assertWritten(written);
        long before = 0;
        for (SegmentEntry segment : written.segments()) {
            assertTrue(segment.firstDueMillis() >= before);
            assertTrue(segment.positions() <= 100);
            before = segment.lastDueMillis();
        }
        long stored = world.get(world.storage().open(written.ledgerId()).thenApply(reader -> {
            reader.close();
            return reader.lengthBytes();
        }));
        assertEquals(stored, written.bytes());
        assertEquals(List.of(written.ledgerId()), ledgers());
    }

    @Test
    void positionsInAnyOrderAreTakenAndTheLastOfOneCounts() throws Exception {
        SegmentColumns mixed = new SegmentColumns(4, new long[] {40, 30, 20, 10}, new long[] {7, 3, 7, 3},
                new long[] {2, 9, 2, 1});
        WrittenSnapshot written = world.write(mixed);
        assertEquals(Map.of(new Position(3, 1), 10L, new Position(3, 9), 30L, new Position(7, 2), 20L),
                world.contentOf(written.ledgerId()));
    }

    @Test
    void nothingToWriteIsAFailureAndMakesNoLedger() {
        world.failure(Kind.UNEXPECTED, world.writes().write(SegmentColumns.empty()));
        assertEquals(List.of(), ledgers());
    }

    /** S-24: the head of a large sparse bucket is larger than an entry may be. */
    @Test
    void s24_aHeadLargerThanAnEntryAndSegmentsThatFitOne() throws Exception {
        world.faulty.withMaxEntryBytes(700);
        WrittenSnapshot written = world.write(COLUMNS);
        assertWritten(written);
        assertTrue(world.faulty.world().entriesOf(written.ledgerId()) > written.segments().size() + 1);
        assertTrue(written.segments().stream().allMatch(segment -> segment.bytes() <= 700));
        OpenSnapshot open = world.get(world.reads().open(written.ledgerId()));
        assertEquals(world.faulty.world().entriesOf(written.ledgerId()) - written.segments().size(), open.firstSegmentEntry());
        open.close();
    }

    /** 512 bytes are those of a broker whose messages have at most 1,024. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 512})
    void segmentsAreCutSmallerWhereAnEntryIsTooShortForThem(int entryBytes) throws Exception {
        world.faulty.withMaxEntryBytes(entryBytes);
        Random random = new Random(1);
        long[] dueMillis = new long[400];
        long[] ledgerIds = new long[400];
        long[] entryIds = new long[400];
        for (int i = 0; i < 400; i++) {
            ledgerIds[i] = random.nextLong(1L << 60);
            entryIds[i] = random.nextLong(1L << 60);
            dueMillis[i] = 1_000_000L + random.nextInt(200_000);
        }
        SegmentColumns scattered = new SegmentColumns(400, dueMillis, ledgerIds, entryIds);
        assertEquals(JobWorld.map(List.of(scattered)), world.contentOf(world.write(scattered).ledgerId()));
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"CREATE", "APPEND", "CLOSE_WRITER"})
    void aFailureAtAnyCallIsFollowedByANewLedgerAndTheOldOneGoes(Operation operation) throws Exception {
        for (Fault fault : List.of(Fault.failBefore(Kind.UNAVAILABLE), Fault.failAfter(Kind.UNAVAILABLE),
                Fault.answerTwice(500), Fault.hangBefore(), Fault.hangAfter(), Fault.answerLate(60_000), Fault.delay(60_000),
                Fault.failBefore(Kind.FENCED), Fault.failBefore(Kind.NO_SUCH_LEDGER), Fault.failBefore(Kind.UNEXPECTED))) {
            if (operation == Operation.CREATE && fault.error() != null && !fault.error().equals(Kind.UNAVAILABLE)) {
                continue;
            }
            for (int nth = 1; nth <= (operation == Operation.APPEND ? 28 : 1); nth += 9) {
                world = new JobWorld(nth);
                world.faulty.onCall(operation, "*", nth, fault);
                WrittenSnapshot written = world.write(COLUMNS);
                world.faulty.heal();
                world.assertNothingHeld(operation + " " + fault);
                assertWritten(written);
                assertEquals(List.of(written.ledgerId()), ledgers(), operation + " " + fault);
                assertEquals(List.of(written.ledgerId()), world.leftovers.all(), operation + " " + fault);
            }
        }
    }

    @Test
    void aPermanentFailureIsNotTriedAgain() {
        for (Kind kind : List.of(Kind.TOO_LARGE, Kind.CLOSED, Kind.UNAUTHORIZED)) {
            world = new JobWorld(1);
            world.faulty.onEvery(Operation.APPEND, "*", Fault.failBefore(kind));
            world.failure(kind, world.writes().write(COLUMNS));
            world.assertNothingHeld(kind.toString());
            assertEquals(List.of(), ledgers());
            assertEquals(1, world.faulty.counts().of(Operation.CREATE, Fault.Kind.NONE));
        }
    }

    @Test
    void appendsThatHangBehindOneThatFailedAreGivenUpAtOnce() {
        world.faulty.onCall(Operation.APPEND, "*", 3, Fault.failBefore(Kind.TOO_LARGE));
        world.faulty.onCall(Operation.APPEND, "*", 5, Fault.hangBefore());
        world.failure(Kind.TOO_LARGE, world.writes().write(COLUMNS));
        assertTrue(world.time.armedCount() <= 1, "the timeout of abandoning alone, found " + world.time.armedCount());
        world.faulty.heal();
        assertEquals(0, world.time.nowMillis());
    }

    @Test
    void tenLedgersAreTriedAndNoneIsLeft() {
        world.faulty.onEvery(Operation.CLOSE_WRITER, "*", Fault.failAfter(Kind.UNAVAILABLE));
        world.failure(Kind.UNAVAILABLE, world.writes().write(COLUMNS));
        world.assertNothingHeld("");
        assertEquals(10, world.faulty.counts().of(Operation.CREATE, Fault.Kind.NONE));
        assertEquals(List.of(), ledgers());
        assertEquals(List.of(), world.leftovers.all());
    }

    /** #26238: a ledger written and not recorded is remembered; here even deleting it fails at first. */
    @Test
    void i26238_aLedgerThatCannotBeAbandonedIsRememberedAndDeletedLater() throws Exception {
        world.faulty.onCall(Operation.APPEND, "*", 3, Fault.failBefore(Kind.UNAVAILABLE));
        world.faulty.onCall(Operation.ABANDON, "*", 1, Fault.failBefore(Kind.UNAVAILABLE));
        WrittenSnapshot written = world.write(COLUMNS);
        world.time.runAll();
        assertEquals(2, ledgers().size());
        long abandoned = ledgers().get(0);
        assertEquals(List.of(abandoned), world.leftovers.unwanted());
        CatalogueKeeper keeper = world.loadedKeeper();
        Deletions deletions = world.get(keeper.deleteLeftovers());
        assertEquals("[" + abandoned + "]", deletions.gone().toString());
        assertEquals(List.of(written.ledgerId()), ledgers());
        assertEquals(List.of(), world.leftovers.unwanted());
        assertEquals(List.of(written.ledgerId()), world.leftovers.all());
    }

    @Test
    void abandoningMidwayAnswersAtOnceAndTheLedgerGoes() {
        int midway = 0;
        for (int events = 0; events < 120; events++) {
            world = new JobWorld(events, new FaultRates(5, 0));
            CompletableFuture<WrittenSnapshot> answer = world.writes().write(COLUMNS);
            world.time.run(events);
            if (answer.isDone()) {
                continue;
            }
            midway++;
            long atMillis = world.time.nowMillis();
            world.retries.abandon();
            world.time.runUntil(atMillis);
            assertTrue(answer.isDone(), "abandoned after " + events);
            world.assertNothingHeld("abandoned after " + events);
            if (answer.isCompletedExceptionally()) {
                world.failure(Kind.CLOSED, answer);
                assertEquals(List.of(), ledgers(), "abandoned after " + events);
            }
            assertEquals(ledgers(), world.leftovers.all());
        }
        assertTrue(midway > 60, midway + " of 120");
    }

    /** S-06: nothing went on when a create that was held for long had ended. */
    @Test
    void s06_aCreateThatIsHeldForTenSecondsGoesOnByItselfWhenItEnds() throws Exception {
        world.faulty.onCall(Operation.CREATE, "*", 1, Fault.delay(10_000));
        assertWritten(world.write(COLUMNS));
        assertEquals(10_000, world.time.nowMillis());
        assertEquals(1, ledgers().size());
    }

    @Test
    void soManyAppendsAreUnderWayAndNoMore() throws Exception {
        world = new JobWorld(1, new FaultRates(50, 0));
        int[] most = {0};
        world.time.afterEach(() -> most[0] = Math.max(most[0], world.life.unreleasedBuffers()));
        world.write(COLUMNS);
        assertEquals(16, most[0]);
    }

    @Test
    void anAllocatorThatFailsIsAFailureOfTheStepAndLeavesNothing() {
        WriteSnapshot writes = world.writes(JobWorld.OWNER, new RefusingAllocator(world.allocator, 5));
        world.failure(Kind.UNEXPECTED, writes.write(COLUMNS));
        world.assertNothingHeld("");
        assertEquals(List.of(), ledgers());
    }

    /** Steps 3 and 4 of a seal: a crash leaves a ledger that nobody names, and that the sweeper can tell by its owner. */
    @Test
    void aCrashAtAnyEventLeavesAtMostOneLedgerWithItsOwner() throws Exception {
        world.write(COLUMNS);
        world.time.runAll();
        long events = world.time.eventsRun();
        int left = 0;
        for (int crashAt = 0; crashAt < events; crashAt++) {
            world = new JobWorld(crashAt);
            CompletableFuture<WrittenSnapshot> answer = world.writes().write(COLUMNS);
            world.time.run(crashAt);
            world.life.crash();
            assertEquals(ledgers(), world.faulty.world().ledgersOf(JobWorld.TOPIC, JobWorld.CURSOR), "crash at " + crashAt);
            assertTrue(ledgers().size() <= 1 && (!answer.isDone() || ledgers().size() == 1), "crash at " + crashAt);
            left += ledgers().size();
            world.newLife();
            world.time.close();
        }
        assertTrue(left > 0);
    }
}
