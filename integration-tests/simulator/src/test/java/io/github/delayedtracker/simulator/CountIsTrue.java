/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/**
 * Invariant 5: the count is what is held. Entries acknowledged by themselves may be counted for a minute, but the count is never
 * above the backlog below the read position.
 */
final class CountIsTrue extends Invariant {

    @Override
    void counted(World world, TrackerProbe tracker, long count) {
        long least = tracker.heldForSure();
        long most = tracker.heldAtMost();
        long backlog = tracker.backlogBelowRead();
        require(count <= backlog, world, "the count is %d, and %d entries are not acknowledged", count, backlog);
        require(count >= least && count <= most, world, "the count is %d, and %d to %d positions are held", count, least, most);
    }

    @Override
    void settled(World world) {
        TrackerProbe tracker = world.dispatcher().tracker();
        if (tracker != null) {
            require(tracker.count() == 0, world, "everything is delivered and the count is %d", tracker.count());
            // A record that cannot be written until the topic is loaded anew stays as it is, and the buckets with it.
            boolean staleRecord = world.life().buckets().filter(SimulatedBuckets::isRecordStale).isPresent();
            require(tracker.bytes() <= TrackerProbe.EMPTY_BYTES || staleRecord, world,
                    "everything is delivered and %d bytes are kept", tracker.bytes());
        }
    }
}
