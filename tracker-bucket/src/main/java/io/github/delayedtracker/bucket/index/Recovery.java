/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.BucketIndex.RecoveredBucket;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import java.util.OptionalLong;

/**
 * The answers given about positions while buckets were not registered yet. A position that was answered false for, offered,
 * loaded or forgotten meanwhile is <em>given</em>: somebody else sees to it, so a bucket registered later must not have it. Not
 * thread safe.
 */
final class Recovery {

    private static final int OBJECT_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Long.BYTES);

    /** The given positions; null while nothing is to be registered. */
    private PositionSet given;
    private long forgottenUpToLedgerId = -1;
    private long forgottenUpToEntryId = -1;

    void begin() {
        given = new PositionSet();
    }

    void end() {
        given = null;
        forgottenUpToLedgerId = -1;
        forgottenUpToEntryId = -1;
    }

    /** The number of positions given one by one; empty if nothing is to be registered. */
    OptionalLong given() {
        return given == null ? OptionalLong.empty() : OptionalLong.of(given.size());
    }

    void give(long ledgerId, long entryId) {
        if (given != null) {
            given.add(ledgerId, entryId);
        }
    }

    void giveUpTo(long ledgerId, long entryId) {
        if (given != null && (forgottenUpToLedgerId < ledgerId
                || forgottenUpToLedgerId == ledgerId && forgottenUpToEntryId < entryId)) {
            forgottenUpToLedgerId = ledgerId;
            forgottenUpToEntryId = entryId;
            given.removeUpTo(ledgerId, entryId);
        }
    }

    /** Adds a bucket with its positions that are not given, lost, or in another bucket; returns how many these are. */
    long register(RecoveredBucket recovered, BucketTable table) {
        if (given == null) {
            throw new IllegalStateException("a bucket is registered during recovery, but not that of ledger "
                    + recovered.ledgerId);
        }
        table.checkIsNew(recovered.ledgerId);
        subtractFrom(recovered, table);
        Bucket bucket = Bucket.sealed(recovered.ledgerId, recovered.segments, recovered.sleeping, recovered.range);
        bucket.segments().loadedUntil(recovered.pastMillis);
        table.add(bucket);
        long brought = recovered.sleeping.size();
        table.loseIfLoaded(bucket);
        return brought;
    }

    private void subtractFrom(RecoveredBucket recovered, BucketTable table) {
        PositionSet sleeping = recovered.sleeping;
        if (forgottenUpToLedgerId >= 0) {
            sleeping.removeUpTo(forgottenUpToLedgerId, forgottenUpToEntryId);
        }
        subtract(sleeping, given);
        table.lost().removeFrom(sleeping);
        for (Bucket bucket : table.buckets()) {
            if (bucket.range().overlaps(recovered.range)) {
                subtract(sleeping, bucket.sleeping());
            }
        }
    }

    /** Takes one set out of another. Linear in the smaller set. */
    private static void subtract(PositionSet from, PositionSet what) {
        if (what.size() <= from.size()) {
            what.forEach(from::remove);
            return;
        }
        PositionSet both = new PositionSet();
        from.forEach((l, e) -> {
            if (what.contains(l, e)) {
                both.add(l, e);
            }
        });
        both.forEach(from::remove);
    }

    long retainedBytes() {
        return OBJECT_BYTES + (given == null ? 0 : given.retainedBytes());
    }
}
