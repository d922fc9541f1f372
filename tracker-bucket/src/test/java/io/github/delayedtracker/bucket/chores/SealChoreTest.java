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
import io.github.delayedtracker.bucket.index.BucketState;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A seal by itself: freeze, write, record, settle. */
class SealChoreTest {

    private ChoreRig rig;
    private SealChore seals;
    private int sealed;

    @BeforeEach
    void open() throws Exception {
        rig = new ChoreRig();
        seals = rig.seals(() -> sealed++);
    }

    @Test
    void aFullTailIsWrittenRecordedAndSleeps() {
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
        rig.run(seals.run());
        assertEquals(ChoreRig.SEAL, rig.snapshots.get(100L).count());
        assertEquals(List.of(100L), rig.live());
        assertEquals(BucketState.SEALED, rig.buckets.state(100));
        assertEquals(ChoreRig.SEAL, rig.buckets.sleepingPositions());
        assertEquals(1, sealed);
        assertEquals(1, rig.figure(Figure.SEALS_TOTAL));
    }

    /** A look for each slice to choose from; a change for each that settles, one to begin that, two before and two after. */
    @Test
    void aSealTakesTheLockOnceForEachSliceOfItsPositionsTwiceAndFiveTimesMore() {
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
        int slices = (ChoreRig.SEAL + ChoreRig.SLICE - 1) / ChoreRig.SLICE;
        rig.reads = 0;
        rig.changes = 0;
        rig.run(seals.run());
        assertEquals(slices, rig.reads);
        assertEquals(5 + slices, rig.changes);
    }

    @Test
    void whatWasTakenWhileItWasWrittenIsNotAsleepAfterwards() {
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
        SealChore slow = new SealChore(rig.index, rig.record, live -> {
            rig.buckets.forget(ChoreRig.LEDGER, 3);
            return rig.write(live);
        }, rig.report.form().seals(), rig.clock, rig.report, ChoreRig.SETTINGS, rig.budget, rig.ages, () -> { }, () -> { });
        rig.run(slow.run());
        assertEquals(ChoreRig.SEAL - 1, rig.buckets.sleepingPositions());
    }

    @Test
    void aWriteThatFailsKeepsTheTailInMemoryAndRestsForHalfAPauseAtLeast() {
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
        rig.fails = Kind.UNAVAILABLE;
        rig.run(seals.run());
        assertEquals(ChoreRig.SEAL, rig.buckets.size());
        assertEquals(1, rig.figure(Figure.SEAL_FAILURES_TOTAL));
        assertFalse(seals.isIdle(), "a frozen tail is to be sealed again");
        assertFalse(seals.mayRun());
        assertTrue(seals.nextMillis() >= ChoreRig.PAUSE_MILLIS / 2, () -> "next " + seals.nextMillis());
        rig.fails = null;
        rig.runFor(ChoreRig.PAUSE_MILLIS);
        rig.run(seals.run());
        assertEquals(1, rig.figure(Figure.SEALS_TOTAL));
        assertTrue(seals.isIdle());
    }

    @Test
    void aSealOfUnknownOutcomeSettlesOnceALaterUpdateIsDurable() {
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
        rig.recordFails = true;
        rig.run(seals.run());
        assertEquals(0, rig.figure(Figure.SEALS_TOTAL));
        assertEquals(BucketState.GONE, rig.buckets.state(100));
        rig.recordFails = false;
        assertTrue(rig.run(rig.record.settle()));
        assertEquals(1, rig.figure(Figure.SEALS_TOTAL));
        assertEquals(BucketState.SEALED, rig.buckets.state(100));
    }

    @Test
    void aSealOfUnknownOutcomeIsGivenUpWhereAllRecordsAreRemoved() {
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
        rig.recordFails = true;
        rig.run(seals.run());
        rig.record.giveUp();
        assertEquals(0, rig.figure(Figure.SEALS_TOTAL));
        assertEquals(ChoreRig.SEAL, rig.buckets.size());
        assertEquals(0, rig.buckets.sleepingPositions());
    }

    @Test
    void aShortTailIsSealedOnceItIsOld() {
        seals.tailGrows();
        rig.add(ChoreRig.SEAL / 2, ChoreRig.FAR_MILLIS);
        rig.run(seals.run());
        assertEquals(0, rig.figure(Figure.SEALS_TOTAL));
        rig.runFor(seals.nextMillis() - rig.clock.nowMillis());
        rig.run(seals.run());
        assertEquals(0, rig.figure(Figure.SEALS_TOTAL), "its turn in the broker has been asked for");
        rig.run(seals.run());
        assertEquals(ChoreRig.SEAL / 2, rig.figure(Figure.SEALED_POSITIONS_TOTAL));
    }

    @Test
    void anOldTailThatWaitsForItsTurnIsSealedForAnotherReasonAndWaitsNoLonger() {
        rig.ages.ask(new Ignoring(), 0);
        seals.tailGrows();
        rig.add(ChoreRig.SEAL / 2, ChoreRig.FAR_MILLIS);
        rig.runFor(ChoreRig.SETTINGS.sealAgeMillis());
        rig.ages.ask(new Ignoring(), 0);
        rig.run(seals.run());
        assertEquals(1, rig.ages.samples().get("bucket_age_seals_waiting"));
        assertEquals(Long.MAX_VALUE, seals.nextMillis(), "it is told");
        rig.add(ChoreRig.SEAL / 2, ChoreRig.FAR_MILLIS);
        rig.run(seals.run());
        assertEquals(1, rig.figure(Figure.SEALS_TOTAL));
        assertEquals(0, rig.ages.samples().get("bucket_age_seals_waiting"));
    }

    private static final class Ignoring implements AgeSeals.Owner {
        @Override
        public void mayBeSealed() {
            // Another subscription.
        }

        @Override
        public void forgotten() {
            throw new AssertionError("nobody refuses");
        }
    }

    @Test
    void nothingIsSealedWhileItCouldNotBeRecorded() {
        rig.add(ChoreRig.SEAL, ChoreRig.FAR_MILLIS);
        seals.forbid(true);
        rig.run(seals.run());
        assertEquals(0, rig.snapshots.size());
        assertEquals(Long.MAX_VALUE, seals.nextMillis());
    }
}
