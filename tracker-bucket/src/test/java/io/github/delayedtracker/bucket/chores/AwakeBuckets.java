/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.BucketIndex;

/** Looks into a subscription for tests of other packages. */
public final class AwakeBuckets {

    private AwakeBuckets() {
    }

    /** Whether a gate has all its permits: this many merges may begin now. */
    public static boolean isFree(MergeGate gate, int merges) {
        int entered = 0;
        while (entered < merges && gate.enter()) {
            entered++;
        }
        for (int i = 0; i < entered; i++) {
            gate.leave();
        }
        return entered == merges;
    }

    /** The index of buckets of a subscription that does not rest. */
    public static BucketIndex index(SubscriptionBuckets buckets) {
        return buckets.awakeIndex().orElseThrow(() -> new IllegalStateException("the subscription rests"));
    }
}
