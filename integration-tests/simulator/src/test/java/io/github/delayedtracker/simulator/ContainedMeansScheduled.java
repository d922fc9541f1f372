/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Invariant 1: what a read was told to skip is held by the tracker and will be handed out. */
final class ContainedMeansScheduled extends Invariant {

    @Override
    void askedToSkip(World world, TrackerProbe tracker, int entry, boolean skipped) {
        require(!skipped || tracker.mayHold(entry), world, "a read was told to skip entry %d, which is not held", entry);
    }
}
