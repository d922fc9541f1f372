/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;

/**
 * While buckets can be written and recorded they are merged, or at least tried to, whatever else of the storage does not answer.
 * After an outage of all the storage a late ledger rests for a while before it is tried.
 */
final class MergingGoesOn extends Invariant {

    /** So many are never there for long: three of a class stay. */
    private static final long MANY_BUCKETS = 11;
    private static final long LONGEST_MILLIS = 6 * SimulatedBuckets.PAUSE_MILLIS;
    private static final long LONGEST_AFTER_AN_OUTAGE_MILLIS = 10 * SimulatedBuckets.PAUSE_MILLIS;

    /** A merge is tried four times as a whole, and each of its calls four times. */
    private static final long LONGEST_MERGE_MILLIS = 12 * SimulatedBuckets.PAUSE_MILLIS;

    /** Updates of the record that meet conflicts rest for sixteen pauses, and four tries of four calls follow. */
    private static final long LONGEST_AFTER_CONFLICTS_MILLIS = 22 * SimulatedBuckets.PAUSE_MILLIS;

    private BrokerLife life;
    private long manySinceMillis;
    private long recordFailures;

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
        long failures = world.life().buckets().filter(SimulatedBuckets::isOpen)
                .map(buckets -> buckets.figure("bucket_record_failures_total")).orElse(0L);
        if (world.life() != life || world.storage().filter(FaultyStorage::isAway).isPresent() || failures != recordFailures
                || world.brokers().twoOwners().isPresent() || !hasManyUnmerged(world)) {
            recordFailures = failures;
            life = world.life();
            manySinceMillis = nowMillis;
        }
        manySinceMillis = Math.max(manySinceMillis, world.brokers().shortages().takenUpMillis());
        if (nowMillis <= manySinceMillis + LONGEST_MILLIS) {
            return;
        }
        long longestMillis = failures > 0 ? LONGEST_AFTER_CONFLICTS_MILLIS
                : world.life().buckets().filter(SimulatedBuckets::isMerging).isPresent() ? LONGEST_MERGE_MILLIS
                : world.storage().filter(FaultyStorage::wasAway).isPresent() ? LONGEST_AFTER_AN_OUTAGE_MILLIS : LONGEST_MILLIS;
        require(nowMillis <= manySinceMillis + longestMillis, world, "no merge was tried for %d ms, though there were %d buckets"
                + " and more", nowMillis - manySinceMillis, MANY_BUCKETS);
    }

    private static boolean hasManyUnmerged(World world) {
        return world.life().buckets().filter(SimulatedBuckets::isOpen).filter(buckets ->
                buckets.figure("bucket_buckets") >= MANY_BUCKETS
                && buckets.figure("bucket_merges_total") + buckets.figure("bucket_merge_failures_total") == 0).isPresent();
    }
}
