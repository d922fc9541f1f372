/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Invariant 3: only what was added is handed out, once, below the read position, and while it can be read. */
final class HandedOutOncePerAdd extends Invariant {

    @Override
    void handedOut(World world, TrackerProbe tracker, int entry) {
        require(tracker.mayHold(entry) || tracker.gate().isHeld(entry), world, "entry %d was handed out and is not held", entry);
        require(entry < world.cursor().readEntry(), world, "entry %d was handed out, and the read at %d is about to reach it",
                entry, world.cursor().readEntry());
        require(!world.cursor().isDeleted(entry) && !world.topic().isTrimmed(entry), world,
                "entry %d was handed out and is acknowledged or in a deleted ledger", entry);
    }
}
