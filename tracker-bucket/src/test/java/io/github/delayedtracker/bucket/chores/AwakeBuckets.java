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

    /** The index of buckets of a subscription that does not rest. */
    public static BucketIndex index(SubscriptionBuckets buckets) {
        return buckets.awakeIndex().orElseThrow(() -> new IllegalStateException("the subscription rests"));
    }
}
