/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WakeUpPlanTest {

    private static final long T0 = 1_000_000;
    private static final long TICK = 100;

    private final ManualTimer timer = new ManualTimer(T0);
    private final List<Long> wakeUps = new ArrayList<>();
    private final AtomicReference<Runnable> onWakeUp = new AtomicReference<>(() -> { });
    private final WakeUpPlan plan = new WakeUpPlan(timer, () -> {
        wakeUps.add(timer.nowMillis());
        onWakeUp.get().run();
    });

    private void want(long wantedMillis) {
        plan.want(wantedMillis, timer.nowMillis(), TICK);
    }

    @Test
    void aWakeUpComesAtTheWantedMillisecond() {
        want(T0 + 777);
        timer.advanceTo(T0 + 10_000);
        assertEquals(List.of(T0 + 777), wakeUps);
    }

    @Test
    void anEarlierTickReplacesTheArmedWakeUp() {
        want(T0 + 777);
        want(T0 + 250);
        assertEquals(1, timer.armedCount());
        timer.advanceTo(T0 + 10_000);
        assertEquals(List.of(T0 + 250), wakeUps);
    }

    @Test
    void anEarlierTimeInTheSameTickMovesTheArmedWakeUpWhileTheAllowanceLasts() {
        for (int i = 0; i < 50; i++) {
            want(T0 + 799 - i);
        }
        assertEquals(1 + WakeUpPlan.SPARE_MOVES, timer.armings());
        timer.advanceTo(T0 + 10_000);
        assertEquals(List.of(T0 + 799 - WakeUpPlan.SPARE_MOVES), wakeUps);
    }

    @Test
    void timesInRandomOrderAreMetToTheMillisecond() {
        Random random = new Random(7);
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < 100_000; i++) {
            long wantedMillis = T0 + 500 + random.nextInt(50_000);
            earliest = Math.min(earliest, wantedMillis);
            want(wantedMillis);
        }
        timer.advanceTo(T0 + 60_000);
        assertEquals(List.of(earliest), wakeUps);
    }

    @Test
    void aClockThatWasSetForwardIsFoundOutByTheNextRenewal() {
        want(T0 + 100_000);
        long setForwardMillis = 95_000;
        plan.renew(() -> T0 + 100_000, T0 + setForwardMillis, TICK);
        assertEquals(1, timer.armedCount());
        timer.advanceTo(T0 + 5_000);
        assertEquals(List.of(T0 + 5_000), wakeUps);
    }

    /** Nobody asks for what was overdue, and then it is gone: the gaps have grown. */
    private void wakeInVainUntil(long untilMillis) {
        onWakeUp.set(() -> want(T0));
        want(T0);
        timer.advanceTo(untilMillis);
        onWakeUp.set(() -> { });
        wakeUps.clear();
    }

    @Test
    void aRenewalJustBeforeAWakeUpComesAtItsTimeDoesNotPutItOff() {
        wakeInVainUntil(T0 + 30_000);
        long wantedMillis = T0 + 50_000;
        want(wantedMillis);
        plan.renew(() -> wantedMillis, wantedMillis, TICK);
        timer.advanceTo(wantedMillis);
        assertEquals(1, wakeUps.size(), () -> "wake-ups at " + wakeUps);
    }

    @Test
    void anotherTickJustBeforeAWakeUpComesAtItsTimeDoesNotPutItOff() {
        wakeInVainUntil(T0 + 30_000);
        long wantedMillis = T0 + 50_000;
        want(wantedMillis);
        plan.tickChanged(() -> wantedMillis, wantedMillis, 2 * TICK);
        timer.advanceTo(wantedMillis);
        assertEquals(1, wakeUps.size(), () -> "wake-ups at " + wakeUps);
    }

    @Test
    void aRenewalThatWantsNothingLeavesNothingArmed() {
        want(T0 + 100_000);
        plan.renew(() -> Long.MAX_VALUE, T0 + 3_600_000, TICK);
        assertEquals(0, timer.armedCount());
    }

    @Test
    void aRenewalLeavesTheGapsOfWhatIsOverdueAlone() {
        want(T0);
        plan.renew(() -> T0, T0, TICK);
        assertEquals(1, timer.armings());
    }

    @Test
    @DisplayName("B5: a renewal asks for the time after it has disarmed, so an earlier one published meanwhile is armed")
    void b5ARenewalMissesNothingPublishedMeanwhile() {
        want(T0 + 50_000);
        plan.renew(() -> {
            assertEquals(0, timer.armedCount(), "still armed while the time is asked for");
            want(T0 + 10);
            return T0 + 10;
        }, T0, TICK);
        timer.advanceTo(T0 + 60_000);
        assertEquals(List.of(T0 + 10), wakeUps);
    }

    @Test
    @DisplayName("B5: a time that was read before something became overdue does not disarm its wake-up")
    void b5AStaleTimeDoesNotDisarmWhatIsOverdue() {
        long[] published = {T0 + 50_000};
        assertTrue(plan.isMovedBy(published[0], T0));
        published[0] = 0;
        want(0);
        plan.want(() -> published[0], T0, TICK);
        timer.advanceTo(T0 + TICK);
        assertEquals(List.of(T0 + TICK), wakeUps);
    }

    @Test
    @DisplayName("B2: after the tick is lowered neither the moves nor the gaps of the longer tick hold for what comes")
    void b2WhatWasArmedByALongerTickIsArmedAnew() {
        long longTick = 60_000;
        long base = T0 - T0 % longTick + 2 * longTick;
        ManualTimer own = new ManualTimer(base - longTick);
        WakeUpPlan plans = new WakeUpPlan(own, () -> wakeUps.add(own.nowMillis()));
        for (int i = 0; i <= WakeUpPlan.SPARE_MOVES; i++) {
            plans.want(base + 50_000 - i, own.nowMillis(), longTick);
        }
        plans.tickChanged(() -> base + 50_000 - WakeUpPlan.SPARE_MOVES, own.nowMillis(), TICK);
        plans.want(base + 1_000, own.nowMillis(), TICK);
        own.advanceTo(base + 1_000);
        assertEquals(List.of(base + 1_000), wakeUps);
        plans.asked(false, own.nowMillis(), TICK);
        plans.want(0, own.nowMillis(), longTick);
        plans.tickChanged(() -> 0, own.nowMillis(), TICK);
        own.advanceTo(base + 1_000 + TICK);
        assertEquals(List.of(base + 1_000, base + 1_000 + TICK), wakeUps);
    }

    @Test
    void aLaterTimeDoesNotMoveTheArmedWakeUp() {
        want(T0 + 777);
        want(T0 + 5_000);
        assertEquals(1, timer.armings());
        timer.advanceTo(T0 + 1_000);
        assertEquals(List.of(T0 + 777), wakeUps);
    }

    @Test
    @DisplayName("S-11/T30: 100,000 wanted times in falling order arm once a tick, not once each")
    void s11FallingTimesArmOncePerTick() {
        long span = 50_000;
        for (int i = 0; i < 100_000; i++) {
            want(T0 + span - i / 2);
        }
        assertTrue(timer.armings() <= span / TICK + 2 + WakeUpPlan.SPARE_MOVES, "armed " + timer.armings() + " times");
        assertEquals(1, timer.armedCount());
    }

    @Test
    void timesBeyondTheHorizonAreNotArmed() {
        want(T0 + WakeUpPlan.HORIZON_MILLIS + 1);
        want(Long.MAX_VALUE);
        assertEquals(0, timer.armedCount());
        want(T0 + WakeUpPlan.HORIZON_MILLIS);
        assertEquals(1, timer.armedCount());
    }

    @Test
    void whileOverdueAndAskedForTheNextWakeUpFollowsOneTickLater() {
        onWakeUp.set(() -> {
            plan.asked(false, timer.nowMillis(), TICK);
            want(T0);
        });
        want(T0);
        timer.advanceTo(T0 + 5 * TICK);
        assertEquals(List.of(T0 + TICK, T0 + 2 * TICK, T0 + 3 * TICK, T0 + 4 * TICK, T0 + 5 * TICK), wakeUps);
    }

    @Test
    void whileOverdueAndNobodyAsksTheGapsDoubleUpToAMinute() {
        onWakeUp.set(() -> want(T0));
        want(T0);
        timer.advanceTo(T0 + 600_000);
        for (int i = 2; i < wakeUps.size(); i++) {
            long gap = wakeUps.get(i) - wakeUps.get(i - 1);
            long before = wakeUps.get(i - 1) - wakeUps.get(i - 2);
            assertTrue(gap >= before && gap <= WakeUpPlan.MAX_BACKOFF_MILLIS, "gap " + gap + " after " + before);
        }
        assertTrue(wakeUps.size() < 25, "woke " + wakeUps.size() + " times in ten minutes");
        assertEquals(60_000, wakeUps.get(wakeUps.size() - 1) - wakeUps.get(wakeUps.size() - 2));
    }

    @Test
    void whatWaitsForTheReadIsLookedAtInGapsThatDoubleUpToASecond() {
        plan.asked(true, T0, 1);
        assertEquals(T0 + 1, plan.readLookMillis());
        plan.asked(true, T0, 1);
        assertEquals(T0 + 1, plan.readLookMillis(), "asked again before that");
        List<Long> gaps = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            long nowMillis = plan.readLookMillis();
            plan.asked(true, nowMillis, 1);
            gaps.add(plan.readLookMillis() - nowMillis);
        }
        assertEquals(List.of(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 1_000L, 1_000L, 1_000L), gaps);
        assertEquals(WakeUpPlan.MAX_READ_GAP_MILLIS, gaps.get(gaps.size() - 1));
    }

    @Test
    void anAnswerEndsTheGapsOfWhatWaitedForTheRead() {
        for (int i = 0; i < 12; i++) {
            plan.asked(true, plan.readLookMillis(), 1);
        }
        plan.asked(false, T0, 1);
        assertEquals(0, plan.readLookMillis());
        plan.asked(true, T0, 1);
        assertEquals(T0 + 1, plan.readLookMillis());
    }

    @Test
    void aReadThatGoesOnEndsTheGapsAndALongTickIsTheGap() {
        assertFalse(plan.readGoesOn(), "nothing waits for a read");
        for (int i = 0; i < 12; i++) {
            plan.asked(true, plan.readLookMillis(), 1);
        }
        assertTrue(plan.readGoesOn());
        assertEquals(0, plan.readLookMillis());
        plan.asked(true, T0, 1);
        assertEquals(T0 + 1, plan.readLookMillis());
        plan.readGoesOn();
        plan.asked(true, T0, 60_000);
        assertEquals(T0 + 60_000, plan.readLookMillis());
    }

    @Test
    @DisplayName("After the clock was set back the look at what waits for the read is not far away")
    void aRenewalLooksAtOnce() {
        plan.asked(true, T0 + 86_400_000, TICK);
        plan.renew(() -> plan.readLookMillis(), T0, TICK);
        timer.advanceTo(T0 + TICK);
        assertEquals(List.of(T0 + TICK), wakeUps);
    }

    @Test
    void askingAfterALongBackOffBringsTheNextWakeUpWithinATick() {
        onWakeUp.set(() -> want(T0));
        want(T0);
        timer.advanceTo(T0 + 300_000);
        wakeUps.clear();
        plan.asked(false, timer.nowMillis(), TICK);
        want(T0);
        timer.advanceTo(timer.nowMillis() + TICK);
        assertEquals(1, wakeUps.size());
    }

    @Test
    void oneThingHandedOutLeavesNoIdleWakeUpBehind() {
        want(T0);
        assertEquals(1, timer.armedCount());
        want(T0 + WakeUpPlan.HORIZON_MILLIS + 1);
        assertEquals(0, timer.armedCount());
    }

    @Test
    void aReplacedWakeUpThatIsAboutToRunDoesNothing() {
        AtomicReference<Runnable> captured = new AtomicReference<>();
        WakeUpTimer capturing = new WakeUpTimer() {
            @Override
            public Armed arm(long delayMillis, Runnable task) {
                captured.compareAndSet(null, task);
                return () -> { };
            }

            @Override
            public int armedCount() {
                return 0;
            }

            @Override
            public void close() {
                // nothing to close
            }
        };
        WakeUpPlan raced = new WakeUpPlan(capturing, () -> wakeUps.add(0L));
        raced.want(T0 + 5_000, T0, TICK);
        raced.want(T0 + 1_000, T0, TICK);
        captured.get().run();
        assertTrue(wakeUps.isEmpty());
        assertTrue(raced.isArmed(), "the wake-up that replaced it is still armed");
    }

    @Test
    @DisplayName("S-10/T26: after close nothing is armed and nothing runs")
    void s10NothingRunsAfterClose() {
        want(T0 + 500);
        plan.close();
        want(T0 + 600);
        assertFalse(plan.isArmed());
        assertEquals(0, timer.armedCount());
        timer.advanceTo(T0 + 10_000);
        assertTrue(wakeUps.isEmpty());
    }
}
