/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The wake-up timer on a hierarchical timing wheel: one daemon thread, started with the first task, asleep until the earliest
 * task is due, for good while nothing is armed.
 *
 * <p>Arm and cancel take the same time whatever the number of armed tasks, and a cancelled task is gone at once. An armed task
 * takes 40 bytes. A task never runs early, and at most one tick late plus the work before it: other due tasks, and tasks on their
 * way to finer wheels. Among due tasks no order is promised, but tasks of a later tick do not wait for all tasks of an earlier
 * one. Delays are measured by the clock given, so setting the wall clock changes nothing.
 */
public final class WheelTimer implements WakeUpTimer {

    private static final long AGAIN_NANOS = 1_000_000;

    private final SharedWheel wheel;
    private final Thread thread;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicLong wakeUps = new AtomicLong();
    private final Consumer<Throwable> onFailure;
    private final AtomicLong untoldFailures = new AtomicLong();

    /**
     * A timer that has started no thread yet.
     *
     * @param tickMillis the unit that delays are rounded up to, 1 ms to 1 day
     * @param nanoClock a clock that never goes back, nanoseconds from any origin
     * @param onFailure takes the exception of a task, on the timer's thread; must not throw
     */
    public WheelTimer(String threadName, long tickMillis, LongSupplier nanoClock, Consumer<Throwable> onFailure) {
        this.onFailure = onFailure;
        thread = new Thread(this::drive, threadName);
        thread.setDaemon(true);
        wheel = new SharedWheel(nanoClock, tickMillis, () -> LockSupport.unpark(thread), onFailure);
    }

    @Override
    public Armed arm(long delayMillis, Runnable task) {
        Armed armed = wheel.arm(delayMillis, task);
        if (!started.get() && started.compareAndSet(false, true)) {
            start();
        }
        return armed;
    }

    /** Starts the thread. A JVM that has no thread to give now is asked again when the next task is armed. */
    private void start() {
        boolean running = false;
        try {
            thread.start();
            running = true;
        } finally {
            started.set(running);
        }
    }

    @Override
    public int armedCount() {
        return wheel.armedCount();
    }

    /** How often the thread has woken from its sleep. Tasks that are armed behind others need not wake it. */
    public long wakeUpCount() {
        return wakeUps.get();
    }

    @Override
    public void close() {
        wheel.close();
    }

    private void drive() {
        long waitNanos = step();
        while (waitNanos != SharedWheel.CLOSED) {
            if (waitNanos > 0) {
                sleep(waitNanos);
            }
            waitNanos = step();
        }
    }

    /** A step; one that fails, for want of memory say, is taken again a little later: nobody else would run the tasks. */
    private long step() {
        try {
            return wheel.step();
        } catch (Throwable e) {
            tell(e);
            return AGAIN_NANOS;
        }
    }

    private void tell(Throwable failure) {
        try {
            onFailure.accept(failure);
        } catch (Throwable untold) {
            // There is no memory to tell it either.
            untoldFailures.incrementAndGet();
        }
    }

    /** How many failures of the timer itself could not be told. */
    long untoldFailures() {
        return untoldFailures.get();
    }

    private void sleep(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(wheel);
        } else {
            LockSupport.parkNanos(wheel, nanos);
        }
        wakeUps.incrementAndGet();
        // a task may have interrupted its own thread, which would never sleep again
        Thread.interrupted();
    }
}
