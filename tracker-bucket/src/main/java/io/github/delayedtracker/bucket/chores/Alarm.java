/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.wakeup.WakeUpTimer;

/** An alarm that runs one task once, at the earliest of the times asked for. Then it has to be asked again. Thread safe. */
final class Alarm {

    private final WakeUpTimer timer;
    private final Runnable task;
    @GuardedBy("this")
    private WakeUpTimer.Armed armed;
    @GuardedBy("this")
    private long armedForMillis = Long.MAX_VALUE;
    @GuardedBy("this")
    private boolean closed;

    Alarm(WakeUpTimer timer, Runnable task) {
        this.timer = timer;
        this.task = task;
    }

    /** Asks for a run at a time, in epoch milliseconds like now; Long.MAX_VALUE for never. */
    void at(long wantedMillis, long nowMillis) {
        synchronized (this) {
            if (closed || wantedMillis >= armedForMillis) {
                return;
            }
            disarm();
            armed = timer.arm(Math.max(0, wantedMillis - nowMillis), this::ring);
            armedForMillis = wantedMillis;
        }
    }

    /** Drops the time asked for, since the clock may have been set. */
    void reset() {
        synchronized (this) {
            disarm();
        }
    }

    void close() {
        synchronized (this) {
            closed = true;
            disarm();
        }
    }

    private void ring() {
        synchronized (this) {
            if (closed) {
                return;
            }
            armed = null;
            armedForMillis = Long.MAX_VALUE;
        }
        task.run();
    }

    @GuardedBy("this")
    private void disarm() {
        if (armed != null) {
            armed.cancel();
            armed = null;
        }
        armedForMillis = Long.MAX_VALUE;
    }
}
