/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.storage.Futures;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S2: an Error in the middle of a seal leaves nothing behind that nobody goes on with. */
class ErrorsInSealsTest {

    private static final int ROUNDS = 5;

    private ChoreRig rig;
    private ErrorHost host;
    private SealChore seals;
    private LoadChore loads;

    private void fillATail() throws Exception {
        rig = new ChoreRig();
        host = new ErrorHost(rig);
        GuardedIndex index = new GuardedIndex(host, rig.buckets, ChoreRig.SLICE);
        seals = new SealChore(index, rig.record, rig::write, rig.report.form().seals(), rig.clock, rig.report, ChoreRig.SETTINGS,
                rig.budget, rig.ages, () -> { }, () -> { });
        loads = new LoadChore(index, rig.tasks, rig::load, rig.deletes(), rig.clock, rig.report, ChoreRig.SETTINGS, rig.budget,
                () -> { });
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
    }

    private void round() {
        CompletableFuture<Void> over = Futures.begun(seals::run);
        rig.runFor(1);
        assertTrue(over.isDone());
    }

    /** Rounds after the seal, and then until all that was sealed is due; how many positions were handed out. */
    private int takeAllAfterMoreRounds() {
        for (int i = 0; i < ROUNDS; i++) {
            rig.runFor(ChoreRig.PAUSE_MILLIS);
            round();
        }
        int taken = 0;
        while (rig.clock.nowMillis() < ChoreRig.FAR_MILLIS + 2 * ChoreRig.PAUSE_MILLIS) {
            rig.runFor(ChoreRig.PAUSE_MILLIS / 2);
            loads.begin();
            rig.runFor(0);
            taken += rig.buckets.takeDue(rig.clock.nowMillis(), Integer.MAX_VALUE, (ledgerId, entryId) -> { });
        }
        return taken;
    }

    @Test
    @DisplayName("S2: a seal that an Error has cut short is ended by a later round, and its positions are handed out")
    void aSealThatAnErrorHasCutShortIsEndedByALaterRound() throws Exception {
        fillATail();
        round();
        int calls = host.calls();
        assertEquals(1, rig.figure(Figure.SEALS_TOTAL));
        for (int failing = 0; failing < calls; failing++) {
            fillATail();
            host.failIn(failing);
            round();
            String at = "an Error in call " + failing + " of " + calls;
            assertEquals(ChoreRig.SEAL, takeAllAfterMoreRounds(), at);
            assertEquals(0, rig.buckets.seals().frozenTails(), at);
            assertEquals(1, rig.figure(Figure.SEALS_TOTAL), at);
        }
    }
}
