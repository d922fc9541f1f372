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
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Loads by themselves: what sleeps comes back before it is due. */
class LoadChoreTest {

    private static final long AHEAD_MILLIS = ChoreRig.SETTINGS.prefetchMillis();

    private ChoreRig rig;
    private DeleteChore deletes;
    private LoadChore loads;
    private int loaded;

    @BeforeEach
    void seal() throws Exception {
        rig = new ChoreRig();
        deletes = rig.deletes();
        loads = new LoadChore(rig.index, rig.tasks, rig::load, deletes, rig.clock, rig.report, ChoreRig.SETTINGS, rig.budget,
                () -> loaded++);
        rig.seal(1, ChoreRig.FAR_MILLIS);
    }

    private List<Long> takeDue() {
        List<Long> taken = new ArrayList<>();
        rig.buckets.takeDue(rig.clock.nowMillis(), Integer.MAX_VALUE, (ledgerId, entryId) -> taken.add(entryId));
        return taken;
    }

    private void runUntil(long millis) {
        rig.runFor(millis - rig.clock.nowMillis());
    }

    @Test
    void nothingIsLoadedBeforeItIsTime() {
        assertEquals(ChoreRig.FAR_MILLIS - AHEAD_MILLIS, loads.nextMillis());
        runUntil(loads.nextMillis() - 1);
        rig.run(loads.run());
        assertEquals(0, rig.figure(Figure.LOADS_TOTAL));
    }

    @Test
    void aSegmentIsInMemoryBeforeItsFirstPositionIsDue() {
        runUntil(loads.nextMillis());
        rig.run(loads.run());
        assertEquals(1, loaded);
        assertEquals(0, rig.buckets.sleepingPositions());
        runUntil(ChoreRig.FAR_MILLIS + ChoreRig.SEAL);
        assertEquals(ChoreRig.SEAL, takeDue().size());
    }

    @Test
    @DisplayName("S2: a segment whose load an Error has cut short is read again, and its bucket is not given up")
    void aLoadThatAnErrorHasCutShortBeginsAgain() {
        ErrorHost host = new ErrorHost(rig);
        loads = new LoadChore(new GuardedIndex(host, rig.buckets, ChoreRig.SLICE), rig.tasks, rig::load, deletes, rig.clock,
                rig.report, ChoreRig.SETTINGS, rig.budget, () -> loaded++);
        runUntil(loads.nextMillis());
        int before = host.calls();
        rig.run(loads.run());
        int calls = host.calls() - before;
        assertEquals(1, rig.figure(Figure.LOADS_TOTAL));
        for (int failing = 1; failing < calls; failing++) {
            rig.seal(1, rig.clock.nowMillis() + 2 * AHEAD_MILLIS);
            runUntil(loads.nextMillis());
            host.failIn(failing);
            rig.run(loads.run());
            runUntil(rig.clock.nowMillis() + 2 * AHEAD_MILLIS);
            assertEquals(0, rig.figure(Figure.LOST_BUCKETS_TOTAL), "an Error in call " + failing);
            assertEquals(0, rig.buckets.sleepingPositions(), "an Error in call " + failing);
            takeDue();
        }
    }

    @Test
    void aBucketThatIsGoneIsReadAgainFromTheTopicAtOnce() {
        runUntil(loads.nextMillis());
        rig.fails = Kind.NO_SUCH_LEDGER;
        rig.run(loads.run());
        assertEquals(1, rig.figure(Figure.LOST_BUCKETS_TOTAL));
        assertEquals(ChoreRig.SEAL, rig.buckets.losses().positions());
    }

    @Test
    void aBucketOfANewerVersionIsKeptInTheRecord() {
        runUntil(loads.nextMillis());
        rig.fails = Kind.NEWER_VERSION;
        rig.run(loads.run());
        rig.run(deletes.run());
        assertEquals(List.of(100L), rig.live());
        assertEquals(1, rig.figure(Figure.NEWER_BUCKETS));
    }

    @Test
    void aSegmentThatIsNotThereNowIsTriedAgainUntilItComes() {
        runUntil(loads.nextMillis());
        rig.fails = Kind.UNAVAILABLE;
        rig.run(loads.run());
        rig.runFor(AHEAD_MILLIS / 2);
        assertTrue(rig.figure(Figure.LOAD_FAILURES_TOTAL) > 1, () -> rig.figure(Figure.LOAD_FAILURES_TOTAL) + " tries");
        rig.fails = null;
        rig.runFor(LoadChore.longestRestMillis(ChoreRig.SETTINGS));
        assertEquals(1, rig.figure(Figure.LOADS_TOTAL));
        assertEquals(0, rig.figure(Figure.LOST_BUCKETS_TOTAL));
    }

    @Test
    void aSegmentThatIsOverdueAndWasNotReadForItsTimeIsGivenUpWithItsBucket() {
        runUntil(loads.nextMillis());
        rig.fails = Kind.UNAVAILABLE;
        rig.run(loads.run());
        runUntil(ChoreRig.FAR_MILLIS - 1);
        assertEquals(0, rig.figure(Figure.LOST_BUCKETS_TOTAL));
        runUntil(ChoreRig.FAR_MILLIS + ChoreRig.SETTINGS.unreadableMillis());
        assertEquals(1, rig.figure(Figure.LOST_BUCKETS_TOTAL));
    }

    /** Its loads have written the warning of the minute. */
    @Test
    void aBucketThatIsGivenUpIsToldBesideItsLoads() {
        runUntil(loads.nextMillis());
        List<String> lines = CapturedLog.of(ChoreLog.class, Level.WARN, () -> {
            rig.fails = Kind.UNAVAILABLE;
            rig.run(loads.run());
            runUntil(ChoreRig.FAR_MILLIS + ChoreRig.SETTINGS.unreadableMillis());
        }).stream().map(event -> event.getMessage().getFormattedMessage()).toList();
        assertEquals(1, lines.stream().filter(line -> line.contains(" is given up; ")).count(), lines::toString);
    }

    @Test
    void nothingIsBegunOnceClosed() {
        runUntil(loads.nextMillis());
        rig.tasks.close();
        rig.run(loads.run());
        assertEquals(ChoreRig.SEAL, rig.buckets.sleepingPositions());
    }
}
