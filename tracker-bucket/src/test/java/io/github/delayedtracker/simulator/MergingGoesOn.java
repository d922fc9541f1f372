/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** While buckets can be written they are merged, or at least tried to, whatever else of the storage does not answer. */
final class MergingGoesOn extends Invariant {

    /** So many are never there for long: three of a class stay. */
    private static final long MANY_BUCKETS = 11;
    private static final long LONGEST_MILLIS = 6 * SimulatedBuckets.PAUSE_MILLIS;

    private BrokerLife life;
    private long manySinceMillis;

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        if (!world.isTimeForMetrics()) {
            return;
        }
        long nowMillis = world.scheduler().nowMillis();
        if (world.life() != life || !hasManyUnmerged(world)) {
            life = world.life();
            manySinceMillis = nowMillis;
        }
        require(nowMillis <= manySinceMillis + LONGEST_MILLIS, world, "no merge was tried for %d ms, though there were %d buckets"
                + " and more", nowMillis - manySinceMillis, MANY_BUCKETS);
    }

    private static boolean hasManyUnmerged(World world) {
        return world.life().buckets().filter(SimulatedBuckets::isOpen).filter(buckets ->
                buckets.figure("bucket_buckets") >= MANY_BUCKETS
                && buckets.figure("bucket_merges_total") + buckets.figure("bucket_merge_failures_total") == 0).isPresent();
    }
}
