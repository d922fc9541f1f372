/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class TimingWheelTest {

    private final TimingWheel wheel = new TimingWheel();

    private static final class Plain extends Task {
        Plain(long deadlineTick) {
            super(deadlineTick);
        }
    }

    private Task arm(long deadlineTick) {
        Task task = new Plain(deadlineTick);
        wheel.arm(task);
        return task;
    }

    private void advance(long toTick) {
        assertTrue(wheel.advance(toTick, Integer.MAX_VALUE));
    }

    @Test
    void aTaskIsDueAtItsTickAndNotBefore() {
        for (long deadlineTick : new long[] {1, 63, 64, 65, 4_095, 4_096, 1L << 36, (1L << 60) + 7, Long.MAX_VALUE}) {
            TimingWheel fresh = new TimingWheel();
            Task task = new Plain(deadlineTick);
            fresh.arm(task);
            assertTrue(fresh.advance(deadlineTick - 1, 100));
            assertNull(fresh.takeDue(), () -> "early: " + deadlineTick);
            assertTrue(fresh.advance(deadlineTick, 100));
            assertSame(task, fresh.takeDue(), () -> "late: " + deadlineTick);
        }
    }

    /** Else a task that has left its slot could be lost, and the wheel be wrong, for want of memory. */
    @Test
    void timeThatGoesOnAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 40; i++) {
            arm((1L << i) + i);
        }
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        while (!wheel.advance(1L << 41, 1_000)) {
            wheel.takeDue();
        }
        assertEquals(before, threads.getCurrentThreadAllocatedBytes());
    }

    @Test
    void aTaskWhoseDeadlineHasPassedIsDueAtOnce() {
        advance(1_000);
        Task past = arm(10);
        Task present = arm(1_000);
        assertEquals(1_000, wheel.nextTick());
        assertSame(past, wheel.takeDue());
        assertSame(present, wheel.takeDue());
    }

    @Test
    void aNegativeDeadlineIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Plain(-1));
    }

    @Test
    void theNextTickIsTheDeadlineItselfHoweverFar() {
        arm(Long.MAX_VALUE - 1);
        arm(1L << 40);
        assertEquals(1L << 40, wheel.nextTick());
        arm(123_456_789);
        assertEquals(123_456_789, wheel.nextTick());
        arm(123_456_700);
        assertEquals(123_456_700, wheel.nextTick());
    }

    @Test
    void aCancelledTaskIsGoneAtOnceAndItsEmptySlotWithIt() {
        Task far = arm(1L << 50);
        Task near = arm(100);
        assertEquals(100, wheel.nextTick());
        assertTrue(wheel.cancel(near));
        assertEquals(1, wheel.size());
        assertEquals(1L << 50, wheel.nextTick());
        assertTrue(wheel.cancel(far));
        assertEquals(0, wheel.size());
        assertEquals(TimingWheel.NEVER, wheel.nextTick());
    }

    @Test
    void aTaskIsCancelledInEveryStateButNotTwiceAndNotOnceTaken() {
        Task waiting = arm(100);
        Task moving = arm(4_096 + 1);
        Task behind = arm(4_096 + 2);
        Task due = arm(50);
        assertTrue(wheel.cancel(waiting));
        assertFalse(wheel.cancel(waiting));
        assertFalse(wheel.advance(5_000, 2));
        assertEquals(4_096, wheel.nowTick());
        assertTrue(wheel.cancel(due), "among the due");
        assertTrue(wheel.cancel(moving), "to be placed anew");
        assertEquals(1, wheel.size());
        advance(5_000);
        assertSame(behind, wheel.takeDue());
        assertFalse(wheel.cancel(behind));
        assertEquals(0, wheel.size());
        assertFalse(wheel.isBusy());
    }

    @Test
    void timeGoesOnInBoundedStepsAndLosesNothingInBetween() {
        for (int i = 0; i < 1_000; i++) {
            arm(10_000 + i % 7);
        }
        int calls = 1;
        while (!wheel.advance(1_000_000, 10)) {
            calls++;
            assertTrue(wheel.isBusy());
        }
        assertTrue(calls >= 100, "1,000 tasks were placed anew in calls: " + calls);
        for (int i = 0; i < 1_000; i++) {
            assertNotNull(wheel.takeDue());
        }
        assertNull(wheel.takeDue());
    }

    @Test
    void aSlotOfTheFinestWheelFallsDueInOneStepHoweverManyItHolds() {
        for (int i = 0; i < 100_000; i++) {
            arm(5);
        }
        assertTrue(wheel.advance(5, 2));
        assertEquals(100_000, wheel.size());
    }

    @Test
    void tasksOfALaterTickDoNotWaitForAllOfAnEarlierOne() {
        for (int i = 0; i < 100_000; i++) {
            arm(5);
        }
        advance(5);
        for (int i = 0; i < 10; i++) {
            assertNotNull(wheel.takeDue());
        }
        Task later = arm(6);
        Task atOnce = arm(3);
        advance(6);
        int taken = 0;
        int found = 0;
        while (found < 2) {
            Task task = wheel.takeDue();
            found += task == later || task == atOnce ? 1 : 0;
            taken++;
        }
        assertTrue(taken <= 5, "taken until both had their turn: " + taken);
        assertEquals(100_000 + 2 - 10 - taken, wheel.size());
    }

    @Test
    void timeThatPassesFreelyPutsNewTasksIntoFinerWheelsAndStopsBeforeASlot() {
        arm(1_000_000);
        wheel.advanceFreely(500_000);
        assertEquals(500_000, wheel.nowTick());
        wheel.advanceFreely(1_000_000);
        assertEquals(500_000, wheel.nowTick());
        wheel.advanceFreely(1);
        assertEquals(500_000, wheel.nowTick());
    }

    @Test
    void timeNeverGoesBack() {
        advance(100);
        advance(50);
        assertEquals(100, wheel.nowTick());
    }
}
