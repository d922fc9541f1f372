/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;

/**
 * While the dispatcher does not ask, wake-ups become rare: their gaps double up to a minute, and up to a second while it asks and
 * gets nothing and its read does not go on. And nothing, work on the storage neither, begins again at once for ever.
 */
final class NoIdleSpinning extends Invariant {

    private static final long WINDOW_MILLIS = 60_000;
    /** From a gap of 1 ms to one of a minute. */
    private static final int DOUBLINGS = 20;
    /** What waits for the normal read may be looked at once a second. */
    private static final int SECONDS = 60;

    /** Ten times what the busiest scenarios have; those with thousands of messages seal and merge them eight at a time. */
    private static final long MOST_EVENTS = 50_000;
    private static final long MOST_EVENTS_A_MESSAGE = 40;

    /** Of a call that has hung, when the storage is there again: it takes effect, is answered, and goes on. */
    private static final long MOST_EVENTS_A_CALL = 4;

    private long windowEndMillis;
    private long runBefore;
    private long callsBefore;

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        if (world.scheduler().nowMillis() >= windowEndMillis) {
            windowEndMillis = world.scheduler().nowMillis() + WINDOW_MILLIS;
            runBefore = world.scheduler().eventsRun();
            callsBefore = world.anyStorage().map(FaultyStorage::callsUnderWay).orElse(0);
        }
        long run = world.scheduler().eventsRun() - runBefore;
        long most = MOST_EVENTS + MOST_EVENTS_A_MESSAGE * world.topic().size() + MOST_EVENTS_A_CALL * callsBefore;
        require(run <= most, world, "%d events within a minute", run);
    }

    @Override
    void woken(World world, TrackerProbe tracker) {
        int seen = tracker.wakeUps().unasked(world.scheduler().nowMillis() - WINDOW_MILLIS);
        require(seen <= allowed(world), world, "%d wake-ups within a minute though the dispatcher never asked", seen);
    }

    @Override
    void asked(World world, TrackerProbe tracker) {
        int seen = tracker.wakeUps().inVain(world.scheduler().nowMillis() - WINDOW_MILLIS);
        require(seen <= allowed(world) + SECONDS, world, "%d wake-ups within a minute brought nothing", seen);
    }

    @Override
    void askedToSkip(World world, TrackerProbe tracker, int entry, boolean skipped) {
        tracker.wakeUps().readGoesOn();
    }

    private static int allowed(World world) {
        return DOUBLINGS + world.topic().size();
    }
}
