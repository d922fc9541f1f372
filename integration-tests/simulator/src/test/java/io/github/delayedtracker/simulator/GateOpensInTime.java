/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;

/**
 * While the gate is shut nothing is handed out or sent, no longer than ten seconds before the same consumers; and what was held
 * goes out soon after.
 */
final class GateOpensInTime extends Invariant {

    private static final long LONGEST_MILLIS = 10_000;
    /** A restore is looked at once a second. */
    private static final long LOOK_MILLIS = 1_000;
    /** What was held is read and offered again in its order. */
    private static final long DRAINING_MILLIS = 30_000;
    /** Where consumers are slow, what comes before it keeps them busy. */
    private static final int MESSAGES_BEFORE = 2;

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker == null || tracker.isClosed()) {
            return;
        }
        long nowMillis = world.scheduler().nowMillis();
        GateBooks gate = tracker.gate();
        // What no wake-up could be armed for is looked at by the sweep.
        long shutSinceMillis = Math.max(gate.shutSinceMillis(), world.brokers().shortages().takenUpMillis());
        long shutMillis = nowMillis - Math.min(nowMillis, shutSinceMillis);
        require(shutMillis <= LONGEST_MILLIS + LOOK_MILLIS, world, "the gate has been shut for %d ms", shutMillis);
        long drainingMillis = DRAINING_MILLIS + MESSAGES_BEFORE * world.setup().get(Parameter.WORK);
        for (int entry = gate.nextHeld(0); entry >= 0; entry = gate.nextHeld(entry + 1)) {
            if (!world.cursor().isDeleted(entry) && entry < world.cursor().readEntry()) {
                long sinceMillis = Math.max(gate.openSinceMillis(entry), world.ableTimes().sinceMillis(world, entry));
                require(nowMillis - Math.min(nowMillis, sinceMillis) <= drainingMillis, world,
                        "entry %d is still held, %d ms after the gate was opened", entry, nowMillis - sinceMillis);
            }
        }
    }

    @Override
    void handedOut(World world, TrackerProbe tracker, int entry) {
        require(!tracker.isPaused(), world, "entry %d was handed out and the gate is shut", entry);
    }

    @Override
    void sent(World world, int entry) {
        TrackerProbe tracker = world.dispatcher().tracker();
        require(tracker == null || !tracker.isPaused() || !world.delaysMessages(), world,
                "entry %d was sent and the gate is shut", entry);
    }
}
