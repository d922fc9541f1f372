/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** While the dispatcher does not ask, wake-ups become rare: their gaps double up to a minute. */
final class NoIdleSpinning extends Invariant {

    private static final long WINDOW_MILLIS = 60_000;
    /** From a gap of 1 ms to one of a minute. */
    private static final int DOUBLINGS = 20;

    @Override
    void woken(World world, TrackerProbe tracker) {
        int allowed = DOUBLINGS + world.topic().size();
        int seen = tracker.wakeUpsSinceAsked(world.scheduler().nowMillis() - WINDOW_MILLIS);
        require(seen <= allowed, world, "%d wake-ups within a minute though the dispatcher never asked", seen);
    }
}
