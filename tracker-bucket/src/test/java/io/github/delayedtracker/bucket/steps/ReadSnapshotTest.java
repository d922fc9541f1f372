/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.snapshot.SnapshotHead;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.OpenSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException.Consequence;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.github.delayedtracker.timebucket.TimeCut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadSnapshotTest {

    private static final SegmentColumns COLUMNS = JobWorld.columns(1, 1_500, 1_000_000, 600_000);

    private JobWorld world = new JobWorld(1);

    @AfterEach
    void nothingIsHeld() {
        world.assertNothingHeld("");
    }

    private Consequence consequence(CompletableFuture<?> answer) {
        return assertThrows(StorageException.class, () -> world.get(answer)).consequence();
    }

    /** A ledger of this or another subscription with whatever entries. */
    private long ledger(SnapshotOwner owner, List<ByteBuf> entries) throws Exception {
        SnapshotWriter writer = world.get(world.storage().create(owner));
        for (ByteBuf entry : entries) {
            world.get(writer.append(entry));
        }
        world.get(writer.close());
        return writer.ledgerId();
    }

    private List<ByteBuf> entriesOf(long ledgerId) throws Exception {
        var reader = world.get(world.storage().open(ledgerId));
        List<ByteBuf> copies = new ArrayList<>();
        for (ByteBuf entry : world.get(reader.read(0, reader.lastEntryId()))) {
            copies.add(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(entry)));
            entry.release();
        }
        reader.close();
        return copies;
    }

    @Test
    void aSegmentIsReadByItsPlaceAmongTheLastEntriesOfTheLedger() throws Exception {
        for (int maxEntryBytes : new int[] {5 << 20, 600}) {
            world.faulty.withMaxEntryBytes(maxEntryBytes);
            WrittenSnapshot written = world.write(COLUMNS);
            List<SegmentColumns> parts = new ArrayList<>();
            for (int i = 0; i < written.segments().size(); i++) {
                parts.add(world.get(world.reads().segment(written.ledgerId(), written.segments(), i)));
                assertEquals(written.segments().get(i).firstDueMillis(), parts.get(i).dueMillis(0));
                assertEquals(0, world.life.openReaders(), "S-22: nothing is left open after a load");
            }
            assertEquals(JobWorld.map(List.of(COLUMNS)), JobWorld.map(parts));
        }
    }

    @Test
    void anOpenSnapshotHoldsOneHandleUntilClosedAndOpensItAgainOnDemand() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        OpenSnapshot open = world.get(world.reads().open(written.ledgerId()));
        world.get(open.segments().read(0));
        world.get(open.segments().read(1));
        assertEquals(1, world.life.openReaders());
        assertEquals(1, world.faulty.counts().of(Operation.OPEN, Fault.Kind.NONE));
        open.close();
        open.close();
        assertEquals(0, world.life.openReaders());
        world.get(open.segments().read(2));
        assertEquals(1, world.life.openReaders());
        open.close();
    }

    /** S-20: a handle that was kept did not know the bookie that had taken another one's place. */
    @Test
    void s20_aReadThatFailedIsTriedAgainThroughANewHandle() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        OpenSnapshot open = world.get(world.reads().open(written.ledgerId()));
        world.faulty.onCall(Operation.READ, "*", 1, Fault.failBefore(Kind.UNAVAILABLE));
        world.faulty.onCall(Operation.READ, "*", 2, Fault.hangBefore());
        world.get(open.segments().read(0));
        assertEquals(3, world.faulty.counts().of(Operation.OPEN, Fault.Kind.NONE));
        open.close();
        world.faulty.heal();
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"OWNER_OF", "OPEN", "READ"})
    void whatPassesIsTriedAgainAndLeavesNothing(Operation operation) throws Exception {
        for (Fault fault : List.of(Fault.failBefore(Kind.UNAVAILABLE), Fault.failAfter(Kind.UNEXPECTED), Fault.answerTwice(500),
                Fault.hangBefore(), Fault.hangAfter(), Fault.answerLate(60_000), Fault.delay(60_000))) {
            for (int nth = 1; nth <= (operation == Operation.READ ? 3 : 1); nth++) {
                world = new JobWorld(nth);
                world.faulty.withMaxEntryBytes(700);
                long ledgerId = world.write(COLUMNS).ledgerId();
                world.faulty.onCall(operation, "*", nth, fault);
                assertEquals(JobWorld.map(List.of(COLUMNS)), world.contentOf(ledgerId), operation + " " + fault);
                world.faulty.heal();
                world.assertNothingHeld(operation + " " + fault);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"OWNER_OF", "OPEN", "READ"})
    void whatDoesNotPassIsTriedTenTimesAndSaysTryLater(Operation operation) throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        world.faulty.onEvery(operation, "*", Fault.failBefore(Kind.UNAVAILABLE));
        assertEquals(Consequence.TRY_LATER, consequence(world.reads().open(written.ledgerId())));
        assertEquals(10, world.faulty.counts().of(operation, Fault.Kind.FAIL_BEFORE));
        if (operation != Operation.OWNER_OF) {
            assertEquals(Consequence.TRY_LATER, consequence(world.reads().segment(written.ledgerId(), written.segments(), 0)));
            assertEquals(20, world.faulty.counts().of(operation, Fault.Kind.FAIL_BEFORE));
        }
    }

    /** S-18: a missing ledger was not recognised because its exception came wrapped in another. */
    @Test
    void s18_aMissingLedgerOrEntryIsLost() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        world.faulty.world().loseEntry(written.ledgerId(), 2);
        assertEquals(Consequence.LOST, consequence(world.reads().segment(written.ledgerId(), written.segments(), 1)));
        world.faulty.world().loseEntry(written.ledgerId(), 0);
        assertEquals(Consequence.LOST, consequence(world.reads().open(written.ledgerId())));
        world.faulty.world().loseLedger(written.ledgerId());
        world.failure(Kind.NO_SUCH_LEDGER, world.reads().open(written.ledgerId()));
        world.failure(Kind.NO_SUCH_LEDGER, world.reads().segment(written.ledgerId(), written.segments(), 1));
        assertEquals(0, world.faulty.counts().of(Operation.READ, Fault.Kind.FAIL_BEFORE));
    }

    /** Opening a ledger that somebody writes ends it: somebody else's is not opened at all. */
    @Test
    void aForeignLedgerIsNotEvenOpened() throws Exception {
        List<ByteBuf> entries = entriesOf(world.write(COLUMNS).ledgerId());
        long othersCursor = ledger(new SnapshotOwner(JobWorld.TOPIC, "other", 1), entries);
        long opened = world.faulty.counts().of(Operation.OPEN, Fault.Kind.NONE);
        for (long foreign : new long[] {othersCursor, world.faulty.world().addForeignLedger()}) {
            assertEquals(Consequence.FOREIGN, consequence(world.reads().open(foreign)));
        }
        assertEquals(opened, world.faulty.counts().of(Operation.OPEN, Fault.Kind.NONE));
    }

    @Test
    void aHeadOfAnotherSubscriptionIsForeignWhateverTheMetadataSays() throws Exception {
        WriteSnapshot others = world.writes(new SnapshotOwner("other", JobWorld.CURSOR, 1), world.allocator);
        long ledgerId = ledger(JobWorld.OWNER, entriesOf(world.get(others.write(COLUMNS)).ledgerId()));
        assertEquals(Consequence.FOREIGN, consequence(world.reads().open(ledgerId)));
    }

    /** #26160: what is decoded does not depend on a buffer that is released right after. */
    @Test
    void i26160_everyBitThatDiffersIsFoundAndNamed() throws Exception {
        for (int maxEntryBytes : new int[] {5 << 20, 600}) {
            for (int seed = 0; seed < 150; seed++) {
                world = new JobWorld(seed);
                world.faulty.withMaxEntryBytes(maxEntryBytes);
                WrittenSnapshot written = world.write(COLUMNS);
                int number = seed % written.segments().size();
                world.faulty.onEvery(Operation.READ, "*", Fault.garble());
                StorageException head = world.failure(Kind.CORRUPT, world.reads().open(written.ledgerId()));
                assertTrue(head.getMessage().contains("head of ledger " + written.ledgerId()),
                        "seed " + seed + head.getMessage());
                StorageException segment = world.failure(Kind.CORRUPT,
                        world.reads().segment(written.ledgerId(), written.segments(), number));
                assertTrue(segment.getMessage().contains("segment " + number + " of ledger " + written.ledgerId()),
                        "seed " + seed + segment.getMessage());
                world.assertNothingHeld("seed " + seed);
                assertEquals(Consequence.LOST, segment.consequence());
            }
        }
    }

    @Test
    void aSegmentThatIsNotTheOneTheHeadSpeaksOfIsCorrupt() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        List<ByteBuf> entries = entriesOf(written.ledgerId());
        entries.add(entries.remove(1));
        long swapped = ledger(JobWorld.OWNER, entries);
        world.failure(Kind.CORRUPT, world.reads().segment(swapped, written.segments(), 0));
        SegmentEntry real = written.segments().get(0);
        for (SegmentEntry wrong : List.of(
                new SegmentEntry(real.firstDueMillis() + 1, real.lastDueMillis(), real.positions(), real.bytes()),
                new SegmentEntry(real.firstDueMillis(), real.lastDueMillis() + 1, real.positions(), real.bytes()),
                new SegmentEntry(real.firstDueMillis(), real.lastDueMillis(), real.positions() + 1, real.bytes()),
                new SegmentEntry(real.firstDueMillis(), real.lastDueMillis(), real.positions(), real.bytes() + 8))) {
            List<SegmentEntry> table = new ArrayList<>(written.segments());
            table.set(0, wrong);
            world.failure(Kind.CORRUPT, world.reads().segment(written.ledgerId(), table, 0));
        }
    }

    @Test
    void segmentsThatOverlapInTimeAreCorrupt() throws Exception {
        List<SealedSegment> segments = new ArrayList<>();
        PositionSet positions = new PositionSet();
        for (int i = 0; i < 2; i++) {
            long[] dueMillis = {100 + i * 50L, 200 + i * 50L};
            segments.addAll(TimeCut.cut(2, new long[] {i, i}, new long[] {1, 2}, dueMillis, CutRule.usual(10, 1_000)));
            positions.add(i, 1);
            positions.add(i, 2);
        }
        SnapshotHead head = new SnapshotHead(JobWorld.TOPIC, JobWorld.CURSOR, 1,
                segments.stream().map(world.writes()::entryOf).toList(), positions);
        List<ByteBuf> all = new ArrayList<>(new SnapshotEntries(head, 1 << 20).head(world.allocator));
        segments.forEach(segment -> all.add(world.writes().bytesOf(segment)));
        StorageException failure = world.failure(Kind.CORRUPT, world.reads().open(ledger(JobWorld.OWNER, all)));
        assertTrue(failure.getMessage().contains("150"), failure.getMessage());
    }

    @Test
    void aLedgerWithTooFewOrTooManyEntriesIsCorrupt() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        List<ByteBuf> entries = entriesOf(written.ledgerId());
        assertNotEquals(0, entries.size());
        for (int count : new int[] {0, 1, 2, entries.size() - 1}) {
            long ledgerId = ledger(JobWorld.OWNER, entriesOf(written.ledgerId()).subList(0, count));
            world.failure(Kind.CORRUPT, world.reads().open(ledgerId));
            world.failure(Kind.CORRUPT, world.reads().segment(ledgerId, written.segments(), 0));
        }
        for (int headBytes : new int[] {1 << 20, Integer.MAX_VALUE}) {
            List<ByteBuf> tooLong = entriesOf(written.ledgerId());
            tooLong.get(0).setInt(5, headBytes);
            world.failure(Kind.CORRUPT, world.reads().open(ledger(JobWorld.OWNER, tooLong)));
        }
        entries.add(Unpooled.wrappedBuffer(new byte[100]));
        world.failure(Kind.CORRUPT, world.reads().open(ledger(JobWorld.OWNER, entries)));
        world.failure(Kind.CORRUPT, world.reads().open(ledger(JobWorld.OWNER,
                List.of(Unpooled.wrappedBuffer(new byte[1]), Unpooled.wrappedBuffer(new byte[1])))));
    }

    /** S-07: one slow read held up every other one of the subscription. */
    @Test
    void s07_aLoadThatHangsDoesNotKeepAnotherOne() throws Exception {
        WrittenSnapshot slow = world.write(COLUMNS);
        WrittenSnapshot other = world.write(COLUMNS);
        world.faulty.onCall(Operation.READ, "*", 1, Fault.hangBefore());
        CompletableFuture<SegmentColumns> hangs = world.reads().segment(slow.ledgerId(), slow.segments(), 0);
        world.time.runUntil(world.time.nowMillis() + 1_000);
        long atMillis = world.time.nowMillis();
        assertEquals(100, world.get(world.reads().segment(other.ledgerId(), other.segments(), 0)).count());
        assertEquals(atMillis, world.time.nowMillis());
        assertEquals(100, world.get(hangs).count());
        assertTrue(world.time.nowMillis() >= 30_000, "given up and tried again");
        world.faulty.heal();
    }

    @Test
    void aLateAnswerOfAHandleOrAReadIsHarmless() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        world.faulty.onEvery(Operation.READ, "*", Fault.answerLate(45_000));
        assertEquals(Consequence.TRY_LATER, consequence(world.reads().segment(written.ledgerId(), written.segments(), 0)));
        world.assertNothingHeld("late reads");
        world.faulty.heal();
        world.faulty.onEvery(Operation.OPEN, "*", Fault.answerLate(45_000));
        assertEquals(Consequence.TRY_LATER, consequence(world.reads().open(written.ledgerId())));
        world.assertNothingHeld("late handles");
    }

    @Test
    void abandoningAtAnyEventLeavesNothingOpen() throws Exception {
        for (int events = 0; events < 40; events++) {
            world = new JobWorld(events);
            world.faulty.withMaxEntryBytes(600);
            WrittenSnapshot written = world.write(COLUMNS);
            world.time.runAll();
            CompletableFuture<OpenSnapshot> opening = world.reads().open(written.ledgerId());
            CompletableFuture<SegmentColumns> loading = world.reads().segment(written.ledgerId(), written.segments(), 3);
            world.time.run(events);
            world.retries.abandon();
            world.time.runAll();
            assertTrue(loading.isDone() && opening.isDone());
            if (opening.isCompletedExceptionally()) {
                assertEquals(Consequence.GIVEN_UP, consequence(opening));
            } else {
                opening.join().close();
            }
            world.assertNothingHeld("abandoned after " + events);
        }
    }

    @Test
    void everyKindHasAConsequenceAndOnlyWhatIsLostForGoodIsLost() {
        List<Kind> lost = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (new StorageException(kind, "").consequence() == Consequence.LOST) {
                lost.add(kind);
            }
        }
        assertEquals(List.of(Kind.NO_SUCH_LEDGER, Kind.NO_SUCH_ENTRY, Kind.CORRUPT), lost);
        assertEquals(Consequence.FOREIGN, new StorageException(Kind.UNAUTHORIZED, "").consequence());
    }
}
