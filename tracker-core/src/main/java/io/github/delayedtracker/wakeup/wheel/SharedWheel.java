/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A {@link TimingWheel} that any thread may arm and cancel while one thread drives it by {@link #step}.
 *
 * <p>Policy. One lock is held for a constant number of link operations, or for {@link #MOVES_PER_STEP} tasks placed anew. Tasks,
 * the wake-up of the driver and the handler of failures run without it. A task leaves the wheel when its turn has come and not
 * before, one at a time, so the number of armed tasks is exact and a task can be cancelled until it starts. The driver is woken
 * only for a deadline before the deadline it sleeps for. It sleeps for the earliest deadline of the next slot and not for the
 * beginning of that slot, so far tasks cost no wake-up on their way to finer wheels. It may wake once too often for a task that
 * was cancelled.
 *
 * <p>Thread safe; the lock is a leaf.
 */
final class SharedWheel {

    /** The answer of {@link #step} when nothing is left to be done. */
    static final long CLOSED = -1;

    /** The most tasks placed anew in one step. */
    static final int MOVES_PER_STEP = 64;

    /** A tick before every deadline. */
    private static final long AWAKE = Long.MIN_VALUE;

    private final TickScale scale;
    private final LongSupplier nanoClock;
    private final Runnable wakeDriver;
    private final Consumer<Throwable> onFailure;
    private final BriefLock lock = new BriefLock();

    @GuardedBy("lock")
    private TimingWheel wheel = new TimingWheel();
    /** The tick that the driver sleeps for. */
    @GuardedBy("lock")
    private long asleepUntilTick = AWAKE;
    @GuardedBy("lock")
    private boolean closed;

    /**
     * An empty wheel; time begins now.
     *
     * @param nanoClock a clock that never goes back, nanoseconds from any origin
     * @param tickMillis length of a tick, at least 1
     * @param wakeDriver makes the driver call {@link #step} soon, and at once if it is about to sleep
     * @param onFailure takes the exception of a task, on the driver's thread; must not throw
     */
    SharedWheel(LongSupplier nanoClock, long tickMillis, Runnable wakeDriver, Consumer<Throwable> onFailure) {
        this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock");
        this.scale = new TickScale(nanoClock.getAsLong(), tickMillis);
        this.wakeDriver = wakeDriver;
        this.onFailure = onFailure;
    }

    /** Arms a task; a negative delay counts as 0. After {@link #close} the task never runs. */
    ArmedTask arm(long delayMillis, Runnable body) {
        Objects.requireNonNull(body, "body");
        long nowNanos = nanoClock.getAsLong();
        ArmedTask task = new ArmedTask(this, body, scale.deadlineTick(nowNanos, Math.max(0, delayMillis)));
        long nowTick = scale.tickAt(nowNanos);
        boolean wake;
        lock.lock();
        try {
            if (closed) {
                return task;
            }
            wheel.advanceFreely(nowTick);
            wheel.arm(task);
            wake = task.deadlineTick() < asleepUntilTick;
            if (wake) {
                asleepUntilTick = AWAKE;
            }
        } finally {
            lock.unlock();
        }
        if (wake) {
            wakeDriver.run();
        }
        return task;
    }

    /** Cancels a task of this wheel unless its turn has come. */
    void cancel(ArmedTask task) {
        lock.lock();
        try {
            if (!closed) {
                wheel.cancel(task);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of armed tasks: their turn has not come and they are not cancelled. */
    int armedCount() {
        lock.lock();
        try {
            return wheel.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs at most one due task. For one thread at a time.
     *
     * @return how long to wait until the next step, in nanoseconds; {@link Long#MAX_VALUE} for until woken; {@link #CLOSED}
     */
    long step() {
        long nowNanos = nanoClock.getAsLong();
        long nowTick = scale.tickAt(nowNanos);
        ArmedTask task;
        lock.lock();
        try {
            if (closed) {
                return CLOSED;
            }
            asleepUntilTick = AWAKE;
            boolean arrived = wheel.advance(nowTick, MOVES_PER_STEP);
            task = (ArmedTask) wheel.takeDue();
            if (task == null && arrived) {
                asleepUntilTick = wheel.nextTick();
                return scale.nanosUntil(asleepUntilTick, nowNanos);
            }
        } finally {
            lock.unlock();
        }
        if (task != null) {
            runGuarded(task);
        }
        return 0;
    }

    /** Cancels everything, for good. */
    void close() {
        lock.lock();
        try {
            closed = true;
            wheel = new TimingWheel();
        } finally {
            lock.unlock();
        }
        wakeDriver.run();
    }

    private void runGuarded(ArmedTask task) {
        try {
            task.run();
        } catch (Throwable failure) {
            tell(failure);
        }
    }

    private void tell(Throwable failure) {
        try {
            onFailure.accept(failure);
        } catch (Throwable unsaid) {
            // There is nobody else to tell, and the driver goes on for everybody.
        }
    }
}
