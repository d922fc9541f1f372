/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

/**
 * A bucket as a look at what is stored shows it.
 *
 * @param ledgerId its ledger; -1 while it has none
 * @param sleeping positions that are in storage only
 * @param bytes of its segments
 * @param asleep how many of the segments are not loaded
 * @param firstDueMillis when the first segment begins, epoch milliseconds; 0 without segments
 * @param lastDueMillis when the last one ends
 */
public record BucketSummary(long ledgerId, BucketState state, boolean isLive, long sleeping, long bytes, int segments, int asleep,
        long firstDueMillis, long lastDueMillis) {
}
