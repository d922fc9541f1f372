/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;

/** A check of the contents of all buckets against the figures of the index. */
final class BucketCheck {

    private final PositionSet contained;
    private final PositionSet seen = new PositionSet();
    private long bytes;
    private long positions;

    private long dueMillis;
    private long countInBucket;
    private long ledgerId;
    private long entryId;

    BucketCheck(PositionSet contained) {
        this.contained = contained;
    }

    void visit(long bucketDueMillis, Object bucket) {
        dueMillis = bucketDueMillis;
        countInBucket = 0;
        BucketForms.forEach(bucket, this::visitPosition);
        require(countInBucket > 0, "a bucket has positions", 1, countInBucket);
        require(countInBucket == BucketForms.count(bucket), "a bucket knows its count", countInBucket,
                BucketForms.count(bucket));
        bytes += HeapSizes.AVL_ENTRY + BucketForms.retainedBytes(bucket);
        positions += countInBucket;
    }

    void finish(long bytesBelieved, long positionsBelieved) {
        require(bytes == bytesBelieved, "bytes are the sum over the buckets", bytes, bytesBelieved);
        require(positions == positionsBelieved, "positions are the sum over the buckets", positions, positionsBelieved);
        require(seen.size() == contained.size(), "each contained position is in a bucket", contained.size(), seen.size());
    }

    private void visitPosition(long ledger, long entry) {
        if (countInBucket > 0) {
            require(ledger > ledgerId || ledger == ledgerId && entry > entryId, "positions ascend, ledger", ledgerId, ledger);
        }
        countInBucket++;
        ledgerId = ledger;
        entryId = entry;
        if (contained.contains(ledger, entry)) {
            seen.add(ledger, entry);
        }
    }

    private void require(boolean holds, String rule, long expected, long actual) {
        if (!holds) {
            throw new IllegalStateException("time-bucket index, bucket due at " + dueMillis + " ms: " + rule
                    + ": expected " + expected + " but is " + actual);
        }
    }
}
