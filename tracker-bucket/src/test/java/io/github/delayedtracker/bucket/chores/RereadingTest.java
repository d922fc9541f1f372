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

import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lost positions are handed out to be read again: one first, then bursts out of the broker's limit. */
class RereadingTest {

    private static final int MORE_BUCKETS = 9;
    /** The broker's limit, small enough for these buckets to take several bursts. */
    private static final int MOST_POSITIONS = 400;
    /** A burst of 5 s, and a position that is tried. */
    private static final long LONGEST_GAP_MILLIS = 6_500;

    private static final long LONGEST_REST_MILLIS = 60_000;
    private static final long BURST_MILLIS = 5_000;
    private static final long STEP_MILLIS = 100;
    private static final int TURNS = 5_000;

    private ChoreRig rig;
    private Rereading rereads;

    @BeforeEach
    void lose() throws Exception {
        rig = new ChoreRig();
        rereads = new Rereading(rig, rig.index, rig.tasks, new RereadLimit(rig.time), rig.clock, rig.log, () -> { });
        rig.seal(1, ChoreRig.FAR_MILLIS);
        rig.index.change(known -> known.lose(100, "on purpose"));
    }

    private List<Long> takeDue() {
        List<Long> taken = new ArrayList<>();
        rig.buckets.takeDue(rig.clock.nowMillis(), Integer.MAX_VALUE, (ledgerId, entryId) -> taken.add(entryId));
        return taken;
    }

    /** As the broker does that reads what it was given: it asks whether it may skip it, and gives it back with its time. */
    private void readAgain(List<Long> entries) {
        entries.forEach(entry -> {
            rig.buckets.contains(ChoreRig.LEDGER, entry);
            rig.buckets.add(ChoreRig.FAR_MILLIS + entry, ChoreRig.LEDGER, entry);
        });
    }

    @Test
    void nothingIsHandedOutBeforeItIsLookedAt() {
        assertEquals(List.of(), takeDue());
    }

    @Test
    void oneIsTriedFirst() {
        rereads.look();
        assertEquals(1, takeDue().size());
        assertEquals(List.of(), takeDue());
    }

    @Test
    void burstsFollowOneThatWasTakenUntilNothingIsLost() {
        rereads.look();
        int most = 0;
        for (int turn = 0; rig.buckets.losses().positions() > 0 && turn < 1_000; turn++) {
            List<Long> taken = takeDue();
            most = Math.max(most, taken.size());
            readAgain(taken);
            rereads.look();
            rig.runFor(1_000);
        }
        assertEquals(0, rig.buckets.losses().positions());
        int burst = most;
        assertTrue(burst > 1, () -> "bursts of " + burst);
        assertEquals(ChoreRig.SEAL, rig.buckets.size());
    }

    @Test
    @DisplayName("S2: a step for which the broker has no thread is begun later")
    void aStepWithoutAThreadIsBegunLater() throws Exception {
        for (int refused = 0; refused < 12; refused++) {
            rig = new ChoreRig();
            AtomicBoolean isTimer = new AtomicBoolean();
            AtomicInteger left = new AtomicInteger(refused);
            Executor threads = task -> {
                if (isTimer.get() && left.getAndDecrement() == 0) {
                    throw new InternalError("no thread, for the test");
                }
                rig.time.execute(task);
            };
            ChoreTasks tasks = new ChoreTasks(new KeyOrderedExecutor<>(threads, () -> 0), threads, timerThatTells(isTimer),
                    new BucketKey("topic", "cursor", BucketKey.WHOLE), rig.log);
            rereads = new Rereading(rig, rig.index, tasks, new RereadLimit(rig.time, MOST_POSITIONS), rig.clock, rig.log,
                    () -> { });
            rig.seal(MORE_BUCKETS, ChoreRig.FAR_MILLIS).forEach(id -> rig.index.change(known -> known.lose(id, "on purpose")));
            rereads.look();
            for (int turn = 0; rig.buckets.losses().positions() > 0 && turn < TURNS; turn++) {
                // Nobody takes any in each other minute.
                if (turn / 60 % 2 == 0) {
                    readAgain(takeDue());
                }
                rig.runFor(1_000);
            }
            assertTrue(left.get() < 0, "a thread was refused");
            assertEquals(0, rig.buckets.losses().positions(), "refused as number " + refused);
        }
    }

    private WakeUpTimer timerThatTells(AtomicBoolean isTimer) {
        return new WakeUpTimer() {
            @Override
            public Armed arm(long delayMillis, Runnable task) {
                return rig.time.arm(delayMillis, () -> {
                    isTimer.set(true);
                    task.run();
                    isTimer.set(false);
                });
            }

            @Override
            public int armedCount() {
                return rig.time.armedCount();
            }

            @Override
            public void close() {
                // the rig's own
            }
        };
    }

    /** The times between bursts of a small limit, of which the broker offers these entries again. */
    private List<Long> gapsMillis(LongPredicate isOffered) {
        rig.seal(MORE_BUCKETS, ChoreRig.FAR_MILLIS).forEach(ledgerId ->
                rig.index.change(known -> known.lose(ledgerId, "on purpose")));
        rereads = new Rereading(rig, rig.index, rig.tasks, new RereadLimit(rig.time, MOST_POSITIONS), rig.clock, rig.log,
                () -> { });
        rereads.look();
        List<Long> gaps = new ArrayList<>();
        long lastMillis = -1;
        for (int turn = 0; rig.buckets.losses().positions() > 0 && turn < TURNS; turn++) {
            List<Long> taken = takeDue();
            if (taken.size() > 1) {
                if (lastMillis >= 0) {
                    gaps.add(rig.clock.nowMillis() - lastMillis);
                }
                lastMillis = rig.clock.nowMillis();
            }
            readAgain(taken.stream().filter(isOffered::test).toList());
            rereads.look();
            rig.runFor(STEP_MILLIS);
        }
        return gaps;
    }

    /** A message whose key waits for a consumer that takes nothing is not offered again; the others of its burst are. */
    @Test
    void burstsOfWhichAPartComesBackFollowEachOtherWithoutLongRests() {
        List<Long> gaps = gapsMillis(entry -> entry % 4 == 0);
        assertEquals(0, rig.buckets.losses().positions(), gaps::toString);
        assertTrue(gaps.size() >= 3 && gaps.stream().allMatch(millis -> millis <= LONGEST_GAP_MILLIS), gaps::toString);
    }

    @Test
    void burstsOfWhichNothingComesBackFollowAfterLongerAndLongerRests() {
        List<Long> gaps = gapsMillis(entry -> false);
        assertTrue(gaps.get(gaps.size() - 1) > LONGEST_REST_MILLIS, gaps::toString);
    }

    /** With Key_Shared it does not ask again by itself while all that it was given waits for one consumer. */
    @Test
    void aDispatcherThatTakesAPartIsWokenForTheRest() {
        int[] wakes = {0};
        QuietHost host = new QuietHost() {
            @Override
            public void wake() {
                wakes[0]++;
            }
        };
        rereads = new Rereading(host, rig.index, rig.tasks, new RereadLimit(rig.time), rig.clock, rig.log, () -> { });
        rereads.look();
        takeDue();
        rereads.look();
        rig.runFor(0);
        assertEquals(1, wakes[0], "for the burst");
        rig.buckets.takeDue(rig.clock.nowMillis(), 3, (ledgerId, entryId) -> { });
        rig.runFor(STEP_MILLIS);
        assertEquals(2, wakes[0], "after it has taken some");
        rig.runFor(STEP_MILLIS * 10);
        assertEquals(2, wakes[0], "and takes no more");
    }

    @Test
    void noRestFollowsTheLastBurstOfABucketThoughNothingOfItComesBack() {
        rereads.look();
        takeDue();
        rereads.look();
        rig.runFor(0);
        takeDue();
        assertEquals(0, rig.buckets.losses().positions());
        rig.runFor(BURST_MILLIS - 1);
        assertFalse(rereads.isIdle(), "while it may come back");
        rig.runFor(1);
        assertTrue(rereads.isIdle());
        long next = rig.seal(1, ChoreRig.FAR_MILLIS).stream().max(Long::compare).orElseThrow();
        rig.index.change(known -> known.lose(next, "on purpose"));
        assertEquals(List.of(), takeDue(), "the rest of that burst is not for the next bucket");
    }

    @Test
    void nothingIsHandedOutOnceClosed() {
        rereads.close();
        rereads.look();
        rig.runFor(10_000);
        assertEquals(List.of(), takeDue());
    }
}
