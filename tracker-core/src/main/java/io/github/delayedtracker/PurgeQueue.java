/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The passes over the indexes of one broker: a few milliseconds at a time on the factory's worker, the subscriptions in turn, and
 * after that a rest of forty-nine times as long. So all passes together take a fiftieth of one core at most, however many
 * subscriptions there are and however long their passes take, and a short pass waits for no long one to end.
 *
 * <p>Thread safe. Each subscription is in the queue once at most. No pass is begun or gone on with under the monitor.
 */
final class PurgeQueue {

    /** How long is worked without a rest. */
    static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    /** The rest after work, as a multiple of it. */
    static final int REST = 49;
    /** The time to another try where the worker has no thread now. */
    static final long AGAIN_MILLIS = 1_000;

    private final Executor worker;
    private final WakeUpTimer timer;
    private final LongSupplier nanos;
    private final HeldLedgers held = new HeldLedgers();
    @GuardedBy("this")
    private final Deque<Purging> waiting = new ArrayDeque<>();
    /** Work is under way, is about to be, or is rested from. */
    @GuardedBy("this")
    private boolean active;
    @GuardedBy("this")
    private long workedNanos;
    @GuardedBy("this")
    private long ended;

    /**
     * Empty.
     *
     * @param nanos a clock that only goes forward
     */
    PurgeQueue(Executor worker, WakeUpTimer timer, LongSupplier nanos) {
        this.worker = worker;
        this.timer = timer;
        this.nanos = nanos;
    }

    /** Has a pass begun, or gone on with, when its turn comes. */
    void add(Purging purging) {
        boolean begins;
        synchronized (this) {
            waiting.addLast(purging);
            begins = !active;
            active = true;
        }
        if (begins) {
            begin();
        }
    }

    /** Has the worker begin. Where it cannot, it is asked again, and the failure goes to whoever asked. */
    private void begin() {
        try {
            worker.execute(this::work);
        } catch (RuntimeException | Error e) {
            goOnAfter(AGAIN_MILLIS);
            throw e;
        }
    }

    /** What the passes have found topics to keep for schedules alone. */
    HeldLedgers held() {
        return held;
    }

    /** How many subscriptions wait for their turn. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** How many passes have ended, well or not. Only grows. */
    synchronized long ended() {
        return ended;
    }

    /** How long was worked. Only grows. */
    synchronized long workedNanos() {
        return workedNanos;
    }

    private void work() {
        long beginNanos = nanos.getAsLong();
        try {
            Optional<Purging> next = next();
            while (next.isPresent()) {
                boolean more = next.get().goOn(() -> nanos.getAsLong() - beginNanos < WORK_NANOS);
                if (more) {
                    comeBack(next.get());
                } else {
                    countEnded();
                }
                next = nanos.getAsLong() - beginNanos < WORK_NANOS ? next() : Optional.empty();
            }
        } finally {
            rest(Math.max(0, nanos.getAsLong() - beginNanos));
        }
    }

    private synchronized Optional<Purging> next() {
        return Optional.ofNullable(waiting.pollFirst());
    }

    private synchronized void countEnded() {
        ended++;
    }

    private synchronized void comeBack(Purging purging) {
        waiting.addLast(purging);
    }

    private void rest(long worked) {
        synchronized (this) {
            workedNanos += worked;
        }
        goOnAfter(1 + TimeUnit.NANOSECONDS.toMillis(worked * REST));
    }

    private void goOnAfter(long millis) {
        boolean isArmed = false;
        try {
            timer.arm(millis, () -> {
                if (goesOn()) {
                    begin();
                }
            });
            isArmed = true;
        } finally {
            if (!isArmed) {
                restsUnarmed();
            }
        }
    }

    /** The next pass to be added begins the work again. */
    private synchronized void restsUnarmed() {
        active = false;
    }

    private synchronized boolean goesOn() {
        active = !waiting.isEmpty();
        return active;
    }
}
