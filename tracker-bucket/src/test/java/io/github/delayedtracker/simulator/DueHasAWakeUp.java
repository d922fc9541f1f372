/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Invariant 8: a due position has a wake-up armed, or the dispatcher reads, or it could not take anything. */
final class DueHasAWakeUp extends Invariant {

    private static final long LONGEST_SLEEP_MILLIS = 60_000;

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker == null || world.isBlocked() || world.dispatcher().hasReadUnderWay()) {
            return;
        }
        long nowMillis = world.scheduler().nowMillis();
        for (int entry = tracker.nextHeld(0); entry >= 0; entry = tracker.nextHeld(entry + 1)) {
            if (tracker.isDue(entry) && !world.cursor().isDeleted(entry)
                    && tracker.dueSinceMillis(entry) + tracker.latenessMillis(entry) < nowMillis) {
                long nextMillis = tracker.nextWakeUpMillis();
                require(nextMillis <= nowMillis + LONGEST_SLEEP_MILLIS, world,
                        "entry %d is due, nobody reads, and the next wake-up is %d ms away", entry, nextMillis - nowMillis);
                return;
            }
        }
    }
}
