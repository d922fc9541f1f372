/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** Invariant 4, first half: strict never before its time, otherwise never more than a tick before it; and not kept once due. */
final class NeverEarly extends Invariant {

    @Override
    void sent(World world, int entry) {
        require(!world.delaysMessages() || world.isOpen(entry), world, "entry %d was sent %d ms early", entry,
                earliness(world, entry));
    }

    // What was due before the clock or the tick was set back may be handed out: it is offered again and kept.
    @Override
    void handedOut(World world, TrackerProbe tracker, int entry) {
        boolean wasHeld = tracker.gate().isHeld(entry);
        boolean maybeAgain = tracker.mayReread() || world.userAcks().cancels().mayBePutBack(entry)
                || world.userAcks().moves().mayBeTwice(entry);
        require(wasHeld || tracker.wasOpen(entry) || maybeAgain, world, "entry %d was handed out %d ms early", entry,
                earliness(world, entry));
    }

    @Override
    void offered(World world, TrackerProbe tracker, int entry, boolean kept) {
        require(kept || world.isOpen(entry), world, "entry %d was let through %d ms early", entry, earliness(world, entry));
        Moves moves = world.userAcks().moves();
        boolean due = moves.latestMillis(entry) <= world.scheduler().wallMillis();
        // What is acknowledged between the first and the last that was cancelled is swallowed like these.
        boolean mayBeKept = !due || tracker.isClosed() || world.cursor().isDeleted(entry) || tracker.gate().isHeld(entry)
                || world.userAcks().cancels().mayBePutBack(entry) || moves.mayBeTwice(entry);
        require(!kept || mayBeKept, world, "entry %d is plain or due and was not let through", entry);
    }

    private static long earliness(World world, int entry) {
        return world.userAcks().moves().earliestMillis(entry) - world.scheduler().wallMillis();
    }
}
