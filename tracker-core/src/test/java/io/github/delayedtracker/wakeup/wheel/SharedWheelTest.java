/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.wakeup.WakeUpTimer.Armed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;

/** The driver's steps in virtual time, without a thread. */
class SharedWheelTest {

    private static final long MILLI = 1_000_000;

    private long nowNanos = -5 * MILLI + 123;
    private int wakes;
    private int sleeps;
    private final List<Throwable> failures = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private SharedWheel wheel = withTick(1);

    private SharedWheel withTick(long tickMillis) {
        return new SharedWheel(() -> nowNanos, tickMillis, () -> wakes++, failures::add);
    }

    /** Steps until the driver would sleep, and returns for how long. */
    private long settle() {
        long waitNanos = wheel.step();
        while (waitNanos == 0) {
            waitNanos = wheel.step();
        }
        return waitNanos;
    }

    /** Sleeps as the driver does, until nothing happens before the given time any more. */
    private void sleepUntil(long endNanos) {
        long waitNanos = settle();
        while (waitNanos <= endNanos - nowNanos) {
            nowNanos += waitNanos;
            sleeps++;
            waitNanos = settle();
        }
        nowNanos = endNanos;
    }

    @Test
    void noTaskIsEarlyAndNoneMoreThanATickLate() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (long tickMillis : new long[] {1, 3, 100}) {
            wheel = withTick(tickMillis);
            int[] left = {20_000};
            for (int i = 0; i < 20_000; i++) {
                long delayMillis = random.nextInt(3) == 0 ? random.nextInt(50) : random.nextInt(5_000_000);
                long wantedNanos = nowNanos + delayMillis * MILLI;
                wheel.arm(delayMillis, () -> {
                    left[0]--;
                    assertTrue(nowNanos >= wantedNanos, "early, seed " + seed);
                    assertTrue(nowNanos - wantedNanos <= tickMillis * MILLI, "late, seed " + seed);
                });
                if (random.nextInt(10) == 0) {
                    sleepUntil(nowNanos + random.nextInt((int) (20 * MILLI)));
                }
            }
            sleepUntil(nowNanos + 6_000_000 * MILLI);
            assertTrue(failures.isEmpty(), () -> failures.get(0).getMessage());
            assertEquals(0, left[0], "seed " + seed);
            assertEquals(0, wheel.armedCount());
        }
    }

    @Test
    void farTasksCostNoWakeUpOnTheirWayToFinerWheels() {
        for (int i = 0; i < 100_000; i++) {
            wheel.arm(3_600_000 + i, () -> { });
        }
        sleepUntil(nowNanos + 3_599_999 * MILLI);
        assertEquals(0, sleeps);
        sleepUntil(nowNanos + 1_000 * MILLI);
        assertTrue(sleeps >= 990 && sleeps <= 1_010, "one for each tick with tasks: " + sleeps);
    }

    @Test
    void theDriverSleepsForGoodWhileNothingIsArmed() {
        assertEquals(Long.MAX_VALUE, settle());
        Armed armed = wheel.arm(10, () -> { });
        assertTrue(settle() <= 11 * MILLI);
        armed.cancel();
        assertEquals(Long.MAX_VALUE, settle());
    }

    @Test
    void theDriverIsWokenOnlyForADeadlineBeforeTheOneItSleepsFor() {
        settle();
        wheel.arm(1_000, () -> { });
        assertEquals(1, wakes);
        wheel.arm(500, () -> { });
        assertEquals(1, wakes, "it is awake already");
        settle();
        wheel.arm(500, () -> { });
        wheel.arm(2_000, () -> { });
        assertEquals(1, wakes);
        wheel.arm(400, () -> { });
        assertEquals(2, wakes);
    }

    @Test
    void aTaskIsCancelledUntilItStarts() {
        Armed[] second = new Armed[1];
        wheel.arm(5, () -> {
            ran.add("first");
            second[0].cancel();
            assertEquals(0, wheel.armedCount());
        });
        second[0] = wheel.arm(5, () -> ran.add("second"));
        assertEquals(2, wheel.armedCount());
        sleepUntil(nowNanos + 10 * MILLI);
        assertEquals(List.of("first"), ran);
        assertTrue(failures.isEmpty());
        second[0].cancel();
        assertEquals(0, wheel.armedCount());
    }

    @Test
    void aTaskThatRunsIsNotArmedAndMayArmAnother() {
        Armed[] own = new Armed[1];
        own[0] = wheel.arm(1, () -> {
            ran.add("armed " + wheel.armedCount());
            own[0].cancel();
            wheel.arm(0, () -> ran.add("next"));
        });
        sleepUntil(nowNanos + 10 * MILLI);
        assertEquals(List.of("armed 0", "next"), ran);
    }

    @Test
    void aTaskThatThrowsIsReportedAndTheNextRuns() {
        Error error = new AssertionError("thrown by the test");
        wheel.arm(1, () -> {
            throw error;
        });
        wheel.arm(1, () -> ran.add("next"));
        sleepUntil(nowNanos + 10 * MILLI);
        assertSame(error, failures.get(0));
        assertEquals(List.of("next"), ran);
    }

    @Test
    void aNearTaskHasItsTurnWhileVeryManyFellDueInOneTick() {
        for (int i = 0; i < 100_000; i++) {
            wheel.arm(5, () -> nowNanos += MILLI / 100);
        }
        long nearNanos = nowNanos + 300 * MILLI;
        wheel.arm(300, () -> assertTrue(nowNanos - nearNanos <= 2 * MILLI, "late by ns: " + (nowNanos - nearNanos)));
        sleepUntil(nowNanos + 2_000 * MILLI);
        assertEquals(0, wheel.armedCount());
        assertTrue(failures.isEmpty(), () -> failures.get(0).getMessage());
    }

    @Test
    void afterALongStandStillEverythingRuns() {
        int[] left = {50_000};
        for (int i = 0; i < 50_000; i++) {
            wheel.arm(i * 1_000L, () -> left[0]--);
        }
        nowNanos += 365L * 86_400_000 * MILLI;
        settle();
        assertEquals(0, left[0]);
        assertEquals(0, wheel.armedCount());
    }

    @Test
    void nothingRunsAfterCloseAndNothingIsArmed() {
        Armed armed = wheel.arm(1, () -> ran.add("armed before"));
        wheel.close();
        assertEquals(1, wakes);
        assertEquals(0, wheel.armedCount());
        wheel.arm(0, () -> ran.add("armed after")).cancel();
        armed.cancel();
        nowNanos += 10 * MILLI;
        assertEquals(SharedWheel.CLOSED, wheel.step());
        assertEquals(List.of(), ran);
        assertEquals(0, wheel.armedCount());
    }

    @Test
    void aDelayBelowZeroCountsAsZeroAndTheLongestIsKept() {
        wheel.arm(Long.MIN_VALUE, () -> ran.add("at once"));
        Armed longest = wheel.arm(Long.MAX_VALUE, () -> ran.add("never"));
        sleepUntil(nowNanos + MILLI);
        assertEquals(List.of("at once"), ran);
        assertEquals(1, wheel.armedCount());
        longest.cancel();
        assertEquals(0, wheel.armedCount());
    }

    @Test
    void anArmedTaskTakes40Bytes() {
        assertEquals(40, ClassLayout.parseClass(ArmedTask.class).instanceSize());
    }
}
