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

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deleting by itself: doomed by the record first, deleted after the hold. */
class DeleteChoreTest {

    private ChoreRig rig;
    private DeleteChore deletes;

    @BeforeEach
    void seal() throws Exception {
        rig = new ChoreRig();
        deletes = rig.deletes();
        rig.seal(1, ChoreRig.FAR_MILLIS);
    }

    private void acknowledgeAll() {
        rig.buckets.forgetUpTo(ChoreRig.LEDGER, ChoreRig.SEAL);
    }

    @Test
    void aBucketInWhichSomethingSleepsStays() {
        rig.run(deletes.run());
        assertEquals(List.of(100L), rig.live());
        assertTrue(deletes.isIdle());
    }

    @Test
    void anEmptyBucketIsDoomedAtOnceAndDeletedAfterItsHold() {
        acknowledgeAll();
        rig.run(deletes.run());
        assertEquals(List.of(), rig.live());
        assertEquals(Set.of(100L), rig.keeper.doomed());
        assertEquals(ChoreRig.SETTINGS.holdMillis(), deletes.nextMillis());
        rig.runFor(ChoreRig.SETTINGS.holdMillis() - 1);
        rig.run(deletes.run());
        assertEquals(List.of(), rig.deleted);
        rig.runFor(1);
        rig.run(deletes.run());
        assertEquals(List.of(100L), rig.deleted);
    }

    @Test
    void aLedgerThatTheRecordOfBeforeHasDoomedIsDeletedAtOnce() {
        acknowledgeAll();
        rig.run(deletes.run());
        DeleteChore next = rig.deletes();
        next.found(List.of(100L));
        rig.run(next.run());
        assertEquals(List.of(100L), rig.deleted);
    }

    @Test
    void nothingIsDeletedThatTheRecordCouldNotDoom() {
        acknowledgeAll();
        rig.recordFails = true;
        rig.run(deletes.run());
        rig.runFor(2 * ChoreRig.SETTINGS.holdMillis());
        rig.run(deletes.run());
        assertEquals(List.of(), rig.deleted);
    }

    @Test
    void aLedgerWithoutABucketIsDroppedFromTheRecord() {
        deletes.drop(100);
        assertFalse(deletes.isIdle());
        rig.run(deletes.run());
        assertEquals(List.of(), rig.live());
        assertTrue(deletes.isIdle());
    }

    @Test
    void aLedgerOfANewerVersionStaysInTheRecordWhateverBecomesOfIt() {
        deletes.keep(100);
        acknowledgeAll();
        rig.run(deletes.run());
        assertEquals(List.of(100L), rig.live());
    }
}
