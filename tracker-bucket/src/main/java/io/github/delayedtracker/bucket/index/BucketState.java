/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import java.util.EnumSet;
import java.util.Set;

/** The life of a bucket: where its positions live, what of it is durable, and where it may go from there. */
public enum BucketState {
    /** In the tail, or in a frozen tail whose seal was given up. Nothing is durable. */
    OPEN,
    /** In a frozen tail; a ledger that nobody names yet is being written, or has just been named. */
    SEALING,
    /** In the ledger, which the record names; those of loaded segments in memory. */
    SEALED,
    /** As {@link #SEALED}, and on the way into the ledger of a new bucket. */
    MERGING,
    /** Nowhere; the ledger is there, to be deleted. */
    DELETING,
    /** Nowhere; nothing is durable. */
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

    /** Is told of the changes of state of an index's buckets, to tell of them elsewhere: an index logs nothing. */
    @FunctionalInterface
    public interface BucketWatcher {

        /**
         * A bucket has changed its state. Called under the subscription's lock: to be noted, and looked at without it.
         *
         * @param ledgerId where it is stored, or -1 if it is not
         * @param reason why, for a human
         */
        void changed(long ledgerId, BucketState from, BucketState to, String reason);
    }
}
