/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.EnumSet;
import java.util.Set;

/** What the subscription may be in the middle of when something happens to it; the rows of the report. */
enum Step {
    /** A tracker was asked for and is not there yet. */
    TRACKER_BEING_MADE,
    /** A normal read is under way. */
    READ_UNDER_WAY,
    /** A normal read waits at the end of the topic. */
    READ_PARKED,
    /** Entries handed out are being read. */
    REPLAY_UNDER_WAY,
    /** The index has work in the background. */
    SEALING,
    /** The tracker holds positions that are due. */
    DUE,
    /** The tracker holds positions, none of them due. */
    WAITING,
    /** Nothing of all that. */
    IDLE;

    /** All that is under way. */
    static Set<Step> of(World world) {
        Set<Step> steps = EnumSet.noneOf(Step.class);
        world.dispatcher().addStepsTo(steps);
        if (world.life().tasksUnderWay() > 0) {
            steps.add(SEALING);
        }
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker != null && tracker.holdsAnything()) {
            steps.add(tracker.holdsAnythingDue() ? DUE : WAITING);
        }
        if (steps.isEmpty()) {
            steps.add(IDLE);
        }
        return steps;
    }
}
