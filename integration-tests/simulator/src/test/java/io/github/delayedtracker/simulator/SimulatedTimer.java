/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The timer of one broker life, in virtual time. Each tracker has its own view of it, so that an invariant can tell whether a
 * given tracker has a wake-up.
 */
final class SimulatedTimer implements WakeUpTimer {

    private final Scheduler scheduler;
    private final Shortages shortages;
    private final IdentityHashMap<Task, Object> armed = new IdentityHashMap<>();
    private boolean dead;

    SimulatedTimer(Scheduler scheduler, Shortages shortages) {
        this.scheduler = scheduler;
        this.shortages = shortages;
    }

    private static final class Task {
        private Scheduler.Event event;
    }

    @Override
    public Armed arm(long delayMillis, Runnable task) {
        return arm(delayMillis, task, this);
    }

    /** The same timer for one owner, whose tasks {@link #nextOf} then tells. */
    WakeUpTimer bookedOn(Object owner) {
        return new WakeUpTimer() {
            @Override
            public Armed arm(long delayMillis, Runnable task) {
                return SimulatedTimer.this.arm(delayMillis, task, owner);
            }

            @Override
            public int armedCount() {
                return SimulatedTimer.this.armedCount();
            }

            @Override
            public void close() {
                SimulatedTimer.this.close();
            }
        };
    }

    private Armed arm(long delayMillis, Runnable task, Object owner) {
        if (dead) {
            return () -> { };
        }
        if (delayMillis < 0) {
            throw new IllegalArgumentException("delayMillis must be 0 or more: " + delayMillis);
        }
        shortages.want(Shortages.Of.WAKE_UP);
        Task handle = new Task();
        handle.event = scheduler.unlockedAfter(delayMillis, () -> {
            armed.remove(handle);
            shortages.run(task);
        });
        armed.put(handle, owner);
        return () -> {
            if (armed.remove(handle) != null) {
                handle.event.cancel();
            }
        };
    }

    /** The earliest moment at which a task of the owner fires, or Long.MAX_VALUE. */
    long nextOf(Object wantedOwner) {
        long next = Long.MAX_VALUE;
        for (Map.Entry<Task, Object> entry : armed.entrySet()) {
            if (entry.getValue() == wantedOwner) {
                next = Math.min(next, entry.getKey().event.atMillis());
            }
        }
        return next;
    }

    @Override
    public int armedCount() {
        return armed.size();
    }

    /** The process is gone: nothing fires any more. */
    @Override
    public void close() {
        dead = true;
        armed.keySet().forEach(task -> task.event.cancel());
        armed.clear();
    }
}
