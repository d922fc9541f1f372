/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** However long nothing could be sealed: no seal is larger than it is configured. */
final class SealsKeepTheirSize extends Invariant {

    @Override
    void counted(World world, TrackerProbe tracker, long count) {
        check(world);
    }

    @Override
    void settled(World world) {
        check(world);
    }

    private void check(World world) {
        world.life().buckets().filter(SimulatedBuckets::isOpened).ifPresent(buckets -> {
            long seals = buckets.figure("bucket_seals_total");
            long positions = buckets.figure("bucket_sealed_positions_total");
            require(positions <= seals * SimulatedBuckets.SEAL_POSITIONS, world, "%d positions are in %d seals of %d at most",
                    positions, seals, SimulatedBuckets.SEAL_POSITIONS);
        });
    }
}
