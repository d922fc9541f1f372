/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.wakeup.WakeUpTimer.Armed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WheelTimerTest {

    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final WheelTimer timer = new WheelTimer("wheel-test", 1, System::nanoTime, failures::add);

    @AfterEach
    void close() {
        timer.close();
    }

    @Test
    void aStepThatFailsEndsNothing() throws InterruptedException {
        AtomicReference<Thread> driver = new AtomicReference<>();
        AtomicInteger failing = new AtomicInteger(3);
        WheelTimer troubled = new WheelTimer("troubled", 1, () -> {
            if (Thread.currentThread() == driver.get() && failing.decrementAndGet() >= 0) {
                throw new InternalError("for the test");
            }
            return System.nanoTime();
        }, failure -> {
            failures.add(failure);
            throw new InternalError("told in vain, for the test");
        });
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        troubled.arm(0, () -> {
            driver.set(Thread.currentThread());
            first.countDown();
        });
        first.await();
        troubled.arm(5, second::countDown);
        second.await();
        assertEquals(3, failures.size());
        assertEquals(3, troubled.untoldFailures());
        troubled.close();
    }

    /** Runs a task on the timer's thread and waits for it; the thread has looked at everything armed before. */
    private Thread thread() throws InterruptedException {
        BlockingQueue<Thread> seen = new LinkedBlockingQueue<>();
        timer.arm(0, () -> seen.add(Thread.currentThread()));
        return seen.take();
    }

    /** Waits until a task of another timer has run. */
    private void letPass(long millis) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        WheelTimer other = new WheelTimer("other", 1, System::nanoTime, failures::add);
        other.arm(millis, over::countDown);
        over.await();
        other.close();
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void tasksRunOnOneDaemonThreadNeverEarly() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            int delayMillis = i / 2;
            long wantedNanos = System.nanoTime() + delayMillis * 1_000_000L;
            timer.arm(delayMillis, () -> {
                assertTrue(System.nanoTime() >= wantedNanos, "early");
                done.countDown();
            });
        }
        done.await();
        assertTrue(failures.isEmpty(), () -> failures.peek().toString());
        Thread thread = thread();
        assertTrue(thread.isDaemon());
        assertEquals("wheel-test", thread.getName());
        assertNotSame(Thread.currentThread(), thread);
        assertEquals(0, timer.armedCount());
    }

    @Test
    void theThreadSleepsOnWhileOnlyFarTasksAreArmed() throws InterruptedException {
        Random random = new Random(1);
        timer.arm(600_000, () -> { });
        awaitWaiting(thread());
        for (int i = 0; i < 100_000; i++) {
            timer.arm(600_001 + random.nextInt(86_400_000), () -> { });
        }
        assertEquals(100_001, timer.armedCount());
        long before = timer.wakeUpCount();
        letPass(1_500);
        assertEquals(before, timer.wakeUpCount());
    }

    @Test
    void anEarlierTaskWakesTheThreadFromALongSleep() throws InterruptedException {
        timer.arm(3_600_000, () -> { });
        awaitWaiting(thread());
        assertTrue(thread().isAlive());
        assertEquals(1, timer.armedCount());
    }

    @Test
    void aTaskThatThrowsOrInterruptsDoesNotEndTheThread() throws InterruptedException {
        Thread thread = thread();
        timer.arm(0, () -> {
            throw new IllegalStateException("thrown by the test");
        });
        assertEquals("thrown by the test", failures.take().getMessage());
        timer.arm(0, () -> Thread.currentThread().interrupt());
        assertSame(thread, thread());
        awaitWaiting(thread);
        long before = timer.wakeUpCount();
        letPass(100);
        assertTrue(timer.wakeUpCount() - before <= 1, () -> "it does not sleep, woken: " + (timer.wakeUpCount() - before));
        assertTrue(thread.isAlive());
    }

    @Test
    void closingFromATaskEndsTheThread() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        timer.arm(3_600_000, ran::incrementAndGet);
        Thread thread = thread();
        timer.arm(0, () -> {
            timer.close();
            timer.arm(0, ran::incrementAndGet);
        });
        thread.join();
        timer.arm(0, ran::incrementAndGet).cancel();
        assertEquals(0, timer.armedCount());
        assertEquals(0, ran.get());
    }

    @Test
    void aTimerThatWasNeverUsedIsClosedWithoutAThread() {
        timer.close();
        timer.close();
        assertEquals(0, timer.armedCount());
    }

    /** Four threads arm and cancel while the timer runs: each task runs at most once, and exactly once if not cancelled. */
    @Test
    void underLoadEachTaskRunsOnceOrIsCancelled() throws InterruptedException {
        long seed = new Random().nextLong();
        List<Thread> threads = new ArrayList<>();
        AtomicReference<String> wrong = new AtomicReference<>();
        AtomicInteger left = new AtomicInteger();
        for (int t = 0; t < 4; t++) {
            Random random = new Random(seed + t);
            Thread thread = new Thread(() -> armAndCancel(random, left, wrong));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        while (timer.armedCount() > 0) {
            Thread.onSpinWait();
        }
        thread();
        assertTrue(failures.isEmpty(), () -> "seed " + seed + ": " + failures.peek());
        assertEquals(null, wrong.get(), () -> "seed " + seed);
        assertEquals(0, left.get(), () -> "seed " + seed + ": not cancelled and not run");
    }

    private void armAndCancel(Random random, AtomicInteger left, AtomicReference<String> wrong) {
        Armed[] armed = new Armed[64];
        AtomicInteger[] runs = new AtomicInteger[armed.length];
        for (int i = 0; i < 100_000; i++) {
            int at = random.nextInt(armed.length);
            if (armed[at] != null && random.nextBoolean()) {
                armed[at].cancel();
                // What is neither run nor running now never runs.
                if (runs[at].getAndAdd(100) == 0) {
                    left.decrementAndGet();
                }
            }
            AtomicInteger count = new AtomicInteger();
            runs[at] = count;
            left.incrementAndGet();
            armed[at] = timer.arm(random.nextInt(20), () -> {
                int before = count.getAndIncrement();
                if (before == 0) {
                    left.decrementAndGet();
                } else if (before < 100) {
                    wrong.set("run twice");
                }
            });
        }
    }

    @Test
    void manyTasksOfOneTickAllRun() throws InterruptedException {
        CountDownLatch all = new CountDownLatch(100_000);
        for (int i = 0; i < 100_000; i++) {
            timer.arm(50, all::countDown);
        }
        assertTrue(all.await(30, SECONDS));
    }
}
