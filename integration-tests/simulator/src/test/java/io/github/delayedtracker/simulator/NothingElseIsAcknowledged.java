/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Ruling 30: the tracker acknowledges nothing that no user has acknowledged since the last seek that was answered. */
final class NothingElseIsAcknowledged extends Invariant {

    @Override
    void acknowledgedByTracker(World world, int entry) {
        require(world.userAcks().isAcknowledged(entry), world, "entry %d was acknowledged by the tracker, and by no user since"
                + " the last seek", entry);
    }
}
