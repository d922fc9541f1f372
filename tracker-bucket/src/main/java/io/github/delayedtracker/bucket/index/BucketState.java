/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import java.util.EnumSet;
import java.util.Set;

/** The state of a bucket: the place of its positions, its durable part, and the states that may follow. */
public enum BucketState {
    /** The positions are in the tail, or in a frozen tail that is not being sealed. Nothing is durable. */
    OPEN,
    /** The positions are in a frozen tail; a ledger that nobody names yet is being written, or has just been named. */
    SEALING,
    /** The positions are in the ledger, which the record names; positions of loaded segments are in memory. */
    SEALED,
    /** The positions are as in {@link #SEALED}, and on the way into the ledger of a new bucket. */
    MERGING,
    /** The positions are nowhere; the ledger is there, to be deleted. */
    DELETING,
    /** The positions are nowhere; nothing is durable. */
    GONE;

    /** The states from which this one may be reached. */
    public Set<BucketState> predecessors() {
        return switch (this) {
            case OPEN -> EnumSet.of(SEALING);
            case SEALING -> EnumSet.of(OPEN);
            case SEALED -> EnumSet.of(SEALING, MERGING);
            case MERGING -> EnumSet.of(SEALED);
            case DELETING -> EnumSet.of(SEALING, SEALED, MERGING);
            case GONE -> EnumSet.of(DELETING);
        };
    }

    /** A watcher of the changes of state of an index's buckets, which tells of them elsewhere: an index logs nothing. */
    @FunctionalInterface
    public interface BucketWatcher {

        /**
         * Hears that a bucket has changed its state. Called under the subscription's lock: note the change, and look at it
         * without the lock.
         *
         * @param ledgerId the ledger of the bucket, or -1 if it has none
         * @param reason the reason, for a human
         */
        void changed(long ledgerId, BucketState from, BucketState to, String reason);
    }
}
