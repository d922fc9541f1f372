/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import com.google.errorprone.annotations.FormatMethod;
import java.util.concurrent.CompletableFuture;

/**
 * A promise that is checked while a scenario runs: after every event, at each call the broker makes, and at the end. One small
 * class each; the class name is the promise.
 */
abstract class Invariant {

    /** Whether {@link #afterEvent} does anything. */
    boolean watchesEvents() {
        return false;
    }

    /** After every event, for those that {@link #watchesEvents}. */
    void afterEvent(World world) {
        // most promises are about calls
    }

    /** The tracker answered whether it keeps an entry offered to it. */
    void offered(World world, TrackerProbe tracker, int entry, boolean kept) {
        // see afterEvent
    }

    /** The tracker answered whether a read may skip an entry; before the books are changed. */
    void askedToSkip(World world, TrackerProbe tracker, int entry, boolean skipped) {
        // see afterEvent
    }

    /** The tracker handed an entry out; before the books are changed. */
    void handedOut(World world, TrackerProbe tracker, int entry) {
        // see afterEvent
    }

    /** The dispatcher asked for what is due; after the books were changed. */
    void asked(World world, TrackerProbe tracker) {
        // see afterEvent
    }

    /** The tracker told how many positions it holds. */
    void counted(World world, TrackerProbe tracker, long count) {
        // see afterEvent
    }

    /** An entry goes to a consumer. */
    void sent(World world, int entry) {
        // see afterEvent
    }

    /** The tracker woke the dispatcher. */
    void woken(World world, TrackerProbe tracker) {
        // see afterEvent
    }

    /** The tracker acknowledges an entry that was not acknowledged. */
    void acknowledgedByTracker(World world, int entry) {
        // see afterEvent
    }

    /** The tracker has answered that an entry is cancelled. */
    void cancelled(World world, int entry) {
        // see afterEvent
    }

    /** The topic is unloaded: the broker has waited for the tracker and closed the cursor, which wrote its position or not. */
    void closed(World world, CompletableFuture<Void> over, long waitedMillis, boolean positionWritten) {
        // see afterEvent
    }

    /** Everything is delivered or given up, the consumers are still there. */
    void settled(World world) {
        // see afterEvent
    }

    /** The subscription is gone and the timers had time to run out. */
    void ended(World world) {
        // see afterEvent
    }

    /** Ends the scenario if the promise is broken. */
    @FormatMethod
    final void require(boolean kept, World world, String promise, Object... details) {
        if (!kept) {
            throw new Violation(getClass().getSimpleName(), world.describe(String.format(promise, details)), null);
        }
    }
}
