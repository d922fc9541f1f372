/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.JobWorld.Position;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.RecoveredSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Consequence;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecoverBucketTest {

    private static final SegmentColumns COLUMNS = JobWorld.columns(1, 1_500, 1_000_000, 600_000);

    private JobWorld world = new JobWorld(1);

    @AfterEach
    void nothingIsHeld() {
        world.assertNothingHeld("");
    }

    private RecoveredSnapshot recover(long ledgerId, long nowMillis, long ledger, long entry) throws Exception {
        return world.get(world.recovers().recover(ledgerId, nowMillis, ledger, entry));
    }

    private long reads() {
        return world.faulty.counts().of(Operation.READ, Fault.Kind.NONE);
    }

    private static List<Position> positions(RecoveredSnapshot bucket) {
        List<Position> positions = new ArrayList<>();
        bucket.sleeping().forEach((ledgerId, entryId) -> positions.add(new Position(ledgerId, entryId)));
        return positions;
    }

    @Test
    void whatIsPastOrMarkDeletedIsTakenOutAsANaiveTwinDoes() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            world = new JobWorld(seed, new FaultRates(random.nextInt(3), 0));
            SegmentColumns columns = JobWorld.columns(seed, 1 + random.nextInt(800), 1_000_000, 1 + random.nextInt(2_000));
            long now = 999_990L + random.nextInt(2_020);
            long ledger = random.nextInt(18) - 1L;
            long entry = ledger < 0 ? -1 : random.nextInt(220) - 1L;
            TreeSet<Position> twin = new TreeSet<>();
            for (int i = 0; i < columns.count(); i++) {
                boolean deleted = columns.ledgerId(i) < ledger || columns.ledgerId(i) == ledger && columns.entryId(i) <= entry;
                if (columns.dueMillis(i) > now && !deleted) {
                    twin.add(new Position(columns.ledgerId(i), columns.entryId(i)));
                }
            }
            WrittenSnapshot written = world.write(columns);
            RecoveredSnapshot bucket = recover(written.ledgerId(), now, ledger, entry);
            assertEquals(new ArrayList<>(twin), positions(bucket), "seed " + seed);
            assertEquals(written.segments(), bucket.segments(), "seed " + seed);
            assertEquals(written.ledgerId(), bucket.ledgerId());
            assertEquals(now, bucket.pastMillis());
            assertEquals(0, world.life.openReaders(), "seed " + seed);
        }
    }

    @Test
    void onlySegmentsThatBeginInThePastAreReadAndOnce() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        long before = reads();
        recover(written.ledgerId(), 999_999, -1, -1);
        assertEquals(before + 1, reads(), "the head alone");
        long now = written.segments().get(4).firstDueMillis();
        recover(written.ledgerId(), now, -1, -1);
        assertEquals(before + 2 + 5, reads());
    }

    @Test
    void noSegmentIsReadOnceNothingIsLeft() throws Exception {
        WrittenSnapshot written = world.write(COLUMNS);
        long before = reads();
        RecoveredSnapshot bucket = recover(written.ledgerId(), Long.MAX_VALUE, 1_000, 0);
        assertTrue(bucket.sleeping().isEmpty());
        assertEquals(before + 1, reads());
    }

    /** S-18: one ledger that is missing, damaged or foreign is told from storage that is not there. */
    @Test
    void s18_failuresAreToldApart() throws Exception {
        WrittenSnapshot lost = world.write(COLUMNS);
        WrittenSnapshot damagedSegment = world.write(COLUMNS);
        WrittenSnapshot damagedHead = world.write(COLUMNS);
        WrittenSnapshot away = world.write(COLUMNS);
        long foreign = world.get(world.writes(new SnapshotOwner("other", "cursor", 1), world.allocator).write(COLUMNS))
                .ledgerId();
        world.faulty.world().loseLedger(lost.ledgerId());
        world.faulty.world().corruptEntry(damagedSegment.ledgerId(), 1);
        world.faulty.world().loseEntry(damagedHead.ledgerId(), 0);
        assertEquals(Consequence.LOST, consequence(lost.ledgerId()));
        assertEquals(Consequence.LOST, consequence(damagedSegment.ledgerId()));
        assertEquals(Consequence.LOST, consequence(damagedHead.ledgerId()));
        assertEquals(Consequence.FOREIGN, consequence(foreign));
        assertEquals(COLUMNS.count(), recover(damagedSegment.ledgerId(), 0, -1, -1).sleeping().size(), "its past is not read");
        world.faulty.onEvery(Operation.READ, "*", Fault.hangBefore());
        assertEquals(Consequence.TRY_LATER, consequence(away.ledgerId()));
        world.faulty.heal();
        assertTrue(recover(away.ledgerId(), 1_100_000, -1, -1).sleeping().size() < COLUMNS.count());
        assertEquals(4, world.faulty.world().ledgerIds().size(), "nothing is deleted by looking");
    }

    private Consequence consequence(long ledgerId) {
        return assertThrows(StorageException.class, () -> recover(ledgerId, 1_100_000, -1, -1)).consequence();
    }

    @Test
    void abandoningAtAnyEventLeavesNothingOpen() throws Exception {
        for (int events = 0; events < 60; events++) {
            world = new JobWorld(events);
            WrittenSnapshot written = world.write(COLUMNS);
            CompletableFuture<RecoveredSnapshot> answer = world.recovers().recover(written.ledgerId(), 1_200_000, -1, -1);
            world.time.run(events);
            world.retries.abandon();
            world.assertNothingHeld("abandoned after " + events);
            assertTrue(answer.isDone());
        }
    }
}
