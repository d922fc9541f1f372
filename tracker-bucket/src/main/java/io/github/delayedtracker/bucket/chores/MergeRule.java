/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.MergeTiers;
import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.Collection;

/** The rule of which buckets may be merged. Thread safe. */
interface MergeRule {

    /** The size classes that say which buckets to merge next. */
    MergeTiers tiers();

    /** Whether buckets may be merged at all while these ledgers are recorded as live. */
    boolean allows(Collection<Long> live);

    /** A merge has failed for this reason. */
    void failed(StorageException failure);

    /** The rule of the plugin's own form: any buckets of a size class may be merged. */
    record MergeAnything(MergeTiers tiers) implements MergeRule {

        MergeAnything(int sealPositions) {
            this(new MergeTiers(sealPositions));
        }

        @Override
        public boolean allows(Collection<Long> live) {
            return true;
        }

        @Override
        public void failed(StorageException failure) {
            // The next one is as large.
        }
    }

    /**
     * The rule of the stock form: only neighbours may be merged, and only while every bucket is in it. No two of its snapshots
     * share a ledger of the topic. The metadata of one are a single entry, so a merge that was too large halves the next.
     */
    final class MergeAtLedgers implements MergeRule {

        /** The bytes that a position takes in the metadata, about. */
        private static final int BYTES_A_POSITION = 4;

        private final StockRanges ranges;
        private final int sealPositions;
        private volatile long mostPositions;

        MergeAtLedgers(StockRanges ranges, int sealPositions, int mostEntryBytes) {
            this.ranges = ranges;
            this.sealPositions = sealPositions;
            this.mostPositions = mostEntryBytes / BYTES_A_POSITION;
        }

        @Override
        public MergeTiers tiers() {
            return MergeTiers.ofNeighbours(sealPositions, mostPositions);
        }

        @Override
        public boolean allows(Collection<Long> live) {
            return ranges.containsAll(live);
        }

        @Override
        public synchronized void failed(StorageException failure) {
            if (failure.kind() == Kind.TOO_LARGE) {
                mostPositions /= 2;
            }
        }
    }
}
