/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup;

/**
 * A timer that runs a task once after a delay. One timer serves all subscriptions of a broker.
 *
 * <p>Safe to call from any thread, with or without locks held; neither method blocks. Tasks run on the timer's own
 * thread, one at a time, and must be short; a task that throws is logged and does not stop the timer.
 */
public interface WakeUpTimer {

    /**
     * Arms a task.
     *
     * @param delayMillis how long to wait, 0 or more
     * @return a handle to cancel it; after {@link #close} a handle of a task that never runs
     */
    Armed arm(long delayMillis, Runnable task);

    /** The number of armed tasks, neither run nor cancelled. */
    int armedCount();

    /** Cancels everything and ends the thread; waits for nothing. */
    void close();

    /** An armed task. */
    @FunctionalInterface
    interface Armed {

        /** Cancels the task unless it runs or has run already. Idempotent. */
        void cancel();
    }
}
