/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The live trackers of a factory, and the sweep that looks after each of them once a minute: it prunes by mark-delete,
 * arms wake-ups that have come near, and so notices a clock that was set. Half a minute after each sweep the trackers look for
 * acknowledgements once more. Without trackers nothing is armed.
 *
 * <p>Thread safe, lock-free.
 */
final class TrackerRegistry {

    static final long SWEEP_MILLIS = 60_000;

    private final Set<SubscriptionTracker> trackers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean sweepArmed = new AtomicBoolean();
    private final WakeUpTimer timer;

    TrackerRegistry(WakeUpTimer timer) {
        this.timer = timer;
    }

    /** Has the sweep look after it. Where that cannot be armed now, the tracker's next call does so. */
    void add(SubscriptionTracker tracker) {
        trackers.add(tracker);
        try {
            armSweep();
        } catch (RuntimeException | Error e) {
            tracker.failures.report("sweep", e, false);
        }
    }

    void remove(SubscriptionTracker tracker) {
        trackers.remove(tracker);
    }

    Collection<SubscriptionTracker> live() {
        return trackers;
    }

    /** Has the sweep go on where it could not be armed: a field access, unless that is so. */
    void goesOn() {
        if (!sweepArmed.get() && !trackers.isEmpty()) {
            armSweep();
        }
    }

    private void armSweep() {
        if (sweepArmed.compareAndSet(false, true)) {
            arm(SWEEP_MILLIS / 2, this::look);
        }
    }

    private void arm(long delayMillis, Runnable task) {
        boolean armed = false;
        try {
            timer.arm(delayMillis, task);
            armed = true;
        } finally {
            sweepArmed.set(armed);
        }
    }

    private void look() {
        try {
            // First, so that nothing which a tracker does can end it.
            arm(SWEEP_MILLIS - SWEEP_MILLIS / 2, this::sweep);
        } finally {
            each(SubscriptionTracker::look);
        }
    }

    private void sweep() {
        sweepArmed.set(false);
        each(SubscriptionTracker::sweep);
    }

    private void each(Consumer<SubscriptionTracker> task) {
        try {
            trackers.forEach(task);
        } finally {
            goesOnForSure();
        }
    }

    /** Where no tracker is called nobody else has the sweep go on: it is tried once more. */
    private void goesOnForSure() {
        try {
            goesOn();
        } catch (RuntimeException | Error e) {
            goesOn();
        }
    }
}
