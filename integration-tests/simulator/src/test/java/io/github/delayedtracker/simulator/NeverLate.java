/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Invariant 4, second half: two ticks, the precision and the time to read, while the consumers take messages. */
final class NeverLate extends Invariant {

    /** The time that reads, a queue of other due messages and their acknowledgements may take. */
    private static final long READING_MILLIS = 4_000;

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker == null) {
            return;
        }
        for (int entry = tracker.nextHeld(0); entry >= 0; entry = tracker.nextHeld(entry + 1)) {
            if (!tracker.isDue(entry) || world.cursor().isDeleted(entry) || world.userAcks().cancels().mayBePutBack(entry)) {
                continue;
            }
            long lateMillis = world.scheduler().nowMillis() - tracker.dueSinceMillis(entry);
            long allowedMillis = tracker.latenessMillis(entry) + READING_MILLIS;
            require(lateMillis <= allowedMillis, world, "entry %d is held %d ms after it was due, %d ms are allowed", entry,
                    lateMillis, allowedMillis);
        }
    }
}
