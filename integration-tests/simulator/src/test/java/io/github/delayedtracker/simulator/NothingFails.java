/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Invariant 6: no call throws or answers null (see {@link TrackerProbe}), and none had to be rescued inside. */
final class NothingFails extends Invariant {

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker != null) {
            require(tracker.failures() <= world.brokers().shortages().failed(), world, "%d calls failed inside the tracker",
                    tracker.failures());
            if (world.isTimeToValidate()) {
                tracker.validate();
            }
        }
    }
}
