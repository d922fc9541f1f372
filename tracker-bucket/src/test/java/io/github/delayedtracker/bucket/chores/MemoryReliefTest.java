/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.MemoryBudget.MemoryRelief;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one subscription gives back where memory is short. */
class MemoryReliefTest {

    private static final long LIMIT_BYTES = 100;

    private ChoreRig rig;
    private MemoryBudget budget;
    private SealChore seals;
    private MemoryRelief relief;
    private int rounds;

    @BeforeEach
    void seal() throws Exception {
        rig = new ChoreRig();
        budget = new MemoryBudget(LIMIT_BYTES, rig.time, rig.time, rig.time::nowMillis, 1_000_000);
        seals = rig.seals(() -> { });
        relief = new MemoryRelief(rig.index, rig.tasks, seals, budget, rig.clock, ChoreRig.SETTINGS.prefetchMillis(),
                () -> rounds++, () -> { });
    }

    private long bytes() {
        return rig.buckets.memoryUse().bytes();
    }

    @Test
    void aLoadedSegmentThatIsNotDueSoonSleepsAgain() {
        rig.seal(1, ChoreRig.FAR_MILLIS);
        LoadChore loads = new LoadChore(rig.index, rig.tasks, rig::load, rig.deletes(), rig.clock, rig.report,
                new SomeSettings().seal(ChoreRig.SEAL).slice(ChoreRig.SLICE)
                        .prefetchMillis(2 * ChoreRig.FAR_MILLIS).make(), rig.budget, () -> { });
        rig.run(loads.run());
        assertEquals(0, rig.buckets.sleepingPositions());
        relief.report(bytes());
        relief.makeRoom();
        assertEquals(ChoreRig.SEAL, rig.buckets.sleepingPositions());
    }

    @Test
    void aTailThatIsWorthALedgerIsSealedEarlyInTheNextRound() {
        rig.add(SealChore.worthALedger(ChoreRig.SETTINGS.ageSealPositions()), ChoreRig.FAR_MILLIS);
        relief.report(bytes());
        relief.makeRoom();
        assertEquals(1, rounds);
        rig.run(seals.run());
        assertTrue(rig.buckets.sleepingPositions() > 0);
    }

    @Test
    void aTailThatIsNotWorthALedgerStays() {
        rig.add(SealChore.worthALedger(ChoreRig.SETTINGS.ageSealPositions()) - 1, ChoreRig.FAR_MILLIS);
        relief.report(bytes());
        relief.makeRoom();
        assertEquals(0, rounds);
    }

    @Test
    void nothingIsDoneOnceClosed() {
        rig.add(ChoreRig.SEAL / 2, ChoreRig.FAR_MILLIS);
        relief.report(bytes());
        rig.tasks.close();
        relief.makeRoom();
        assertEquals(0, rounds);
    }
}
