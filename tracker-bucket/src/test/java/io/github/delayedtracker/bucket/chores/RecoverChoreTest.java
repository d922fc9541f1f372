/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.record.RecordTexts;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Recovery by itself: the record is read, its buckets come back or are given up. */
class RecoverChoreTest {

    private static final int BUCKETS = 3;

    private ChoreRig rig;
    private DeleteChore deletes;
    private RecoverChore recovery;
    private int over;

    @BeforeEach
    void unload() throws Exception {
        ChoreRig before = new ChoreRig();
        before.seal(BUCKETS, ChoreRig.FAR_MILLIS);
        rig = before.reloaded();
        deletes = rig.deletes();
        recovery = new RecoverChore(rig, rig.index, rig.tasks, rig.keeper, rig::recover, rig.leftovers, deletes, rig.imports(),
                rig.clock, rig.report, () -> over++);
        recovery.prepare();
    }

    @Test
    void everyBucketOfTheRecordSleepsAgain() {
        rig.run(recovery.run());
        assertTrue(recovery.isIdle());
        assertTrue(recovery.mayMerge());
        assertEquals(BUCKETS * ChoreRig.SEAL, rig.buckets.sleepingPositions());
        assertEquals(0, rig.figure(Figure.RECOVERING));
        assertTrue(over > 0, "what comes next is looked at");
    }

    @Test
    void whatMarkDeleteHasPassedDoesNotComeBack() {
        rig.markDelete = new long[] {ChoreRig.LEDGER, ChoreRig.SEAL - 1};
        rig.run(recovery.run());
        assertEquals((BUCKETS - 1) * ChoreRig.SEAL, rig.buckets.sleepingPositions());
    }

    @Test
    void aBucketThatIsGoneLeavesTheRecordAndTheOthersComeBack() {
        rig.snapshots.remove(101L);
        RecoverChore some = new RecoverChore(rig, rig.index, rig.tasks, rig.keeper, (ledgerId, now, ledger, entry) -> {
            rig.fails = rig.snapshots.containsKey(ledgerId) ? null : Kind.NO_SUCH_LEDGER;
            return rig.recover(ledgerId, now, ledger, entry);
        }, rig.leftovers, deletes, rig.imports(), rig.clock, rig.report, () -> { });
        rig.run(some.run());
        assertEquals(1, rig.figure(Figure.LOST_BUCKETS_TOTAL));
        assertEquals((BUCKETS - 1) * ChoreRig.SEAL, rig.buckets.sleepingPositions());
        rig.run(deletes.run());
        assertEquals(List.of(100L, 102L), rig.live());
    }

    @Test
    void aBucketThatIsNotThereNowIsTriedAgainAndKeepsNobodyFromMergingForLong() {
        rig.fails = Kind.UNAVAILABLE;
        rig.run(recovery.run());
        assertFalse(recovery.isIdle());
        assertEquals(BUCKETS, rig.figure(Figure.LATE_BUCKETS));
        assertTrue(recovery.mayMerge(), "each was tried");
        rig.fails = null;
        rig.runFor(2 * ChoreRig.PAUSE_MILLIS);
        assertTrue(recovery.isIdle());
        assertEquals(BUCKETS * ChoreRig.SEAL, rig.buckets.sleepingPositions());
    }

    @Test
    void theHostHearsOfEachBucketThatIsBackThoughAnotherIsLate() {
        boolean[] late = {true};
        RecoverChore some = new RecoverChore(rig, rig.index, rig.tasks, rig.keeper, (ledgerId, now, ledger, entry) -> {
            rig.fails = late[0] && ledgerId == 101 ? Kind.UNAVAILABLE : null;
            return rig.recover(ledgerId, now, ledger, entry);
        }, rig.leftovers, deletes, rig.imports(), rig.clock, rig.report, () -> { });
        rig.run(some.run());
        assertFalse(some.isIdle());
        assertEquals(2, rig.recovered.size());
        assertTrue(rig.recovered.get(0).contains(ChoreRig.LEDGER, 2L * ChoreRig.SEAL), "the youngest first");
        assertTrue(rig.recovered.get(1).contains(ChoreRig.LEDGER, 0));
        late[0] = false;
        rig.runFor(2 * ChoreRig.PAUSE_MILLIS);
        assertTrue(some.isIdle());
        assertEquals(3, rig.recovered.size());
        assertTrue(rig.recovered.get(2).contains(ChoreRig.LEDGER, ChoreRig.SEAL));
    }

    @Test
    void aRecordOfANewerVersionRestsAsItIs() {
        String newer = RecordTexts.nextVersionOf(rig.properties.get("index"));
        rig.properties.put("index", newer);
        rig.run(recovery.run());
        assertTrue(recovery.isRecordNewer());
        assertFalse(recovery.isRecordLate());
        assertEquals(1, rig.figure(Figure.RECORD_NEWER));
        assertEquals(newer, rig.properties.get("index"));
    }

    @Test
    void aDamagedRecordCountsAsNone() {
        rig.properties.put("index", "?");
        rig.run(recovery.run());
        assertTrue(recovery.isRecordRead());
        assertTrue(recovery.isIdle());
        assertEquals(1, rig.figure(Figure.RECORD_DAMAGED));
        assertEquals(0, rig.buckets.sleepingPositions());
    }
}
