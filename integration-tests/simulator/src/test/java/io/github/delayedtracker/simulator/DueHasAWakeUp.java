/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.wakeup.WakeUpPlan;

/**
 * Invariant 8: a due position has a wake-up armed, or the dispatcher reads, or it could not take anything. When the dispatcher
 * has just asked and a due one stays behind, the wake-up is near: a second away at most if the normal read is to pass it first.
 */
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
        requireWakeUp(world, tracker, LONGEST_SLEEP_MILLIS, "nobody reads");
    }

    @Override
    void asked(World world, TrackerProbe tracker) {
        requireWakeUp(world, tracker, 2 * world.longestTickMillis(), "the dispatcher has just asked");
    }

    private void requireWakeUp(World world, TrackerProbe tracker, long withinMillis, String when) {
        long nowMillis = world.scheduler().nowMillis();
        for (int entry = tracker.nextHeld(0); entry >= 0; entry = tracker.nextHeld(entry + 1)) {
            if (tracker.isDue(entry) && !world.cursor().isDeleted(entry) && !world.userAcks().cancels().isUnderWay(entry)
                    && tracker.dueSinceMillis(entry) + tracker.latenessMillis(entry) < nowMillis) {
                long nextMillis = tracker.nextWakeUpMillis();
                long readMillis = entry >= world.cursor().readEntry() ? WakeUpPlan.MAX_READ_GAP_MILLIS : 0;
                require(nextMillis <= nowMillis + Math.max(withinMillis, readMillis), world,
                        "entry %d is due, %s, and the next wake-up is %d ms away", entry, when, nextMillis - nowMillis);
                return;
            }
        }
    }
}
