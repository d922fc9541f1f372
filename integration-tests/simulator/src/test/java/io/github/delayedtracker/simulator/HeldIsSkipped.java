/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/**
 * What is held and was never due is not read again: a reconnect costs next to nothing. What is to be read again because its
 * bucket is lost may be given to a read.
 */
final class HeldIsSkipped extends Invariant {

    @Override
    void askedToSkip(World world, TrackerProbe tracker, int entry, boolean skipped) {
        boolean maybeAgain = tracker.mayReread() || world.userAcks().cancels().mayBePutBack(entry)
                || world.userAcks().moves().mayBeTwice(entry);
        require(skipped || !tracker.holds(entry) || tracker.wasOpen(entry) || maybeAgain, world,
                "entry %d is held and was never due, and a read was told to take it", entry);
    }
}
