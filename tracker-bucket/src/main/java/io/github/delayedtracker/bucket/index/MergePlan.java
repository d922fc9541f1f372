/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import java.util.ArrayList;
import java.util.List;

/**
 * A merge under way: the buckets that become one, and the positions that have left them since it began. Guarded by the lock of
 * the index, except {@link #sources}.
 */
public final class MergePlan {

    private static final int OBJECT_BYTES = Footprint.object(3 * Footprint.REFERENCE + 2 * Long.BYTES + 3);

    private final List<Long> sources;
    private final List<Bucket> buckets;
    /** The positions that have left; never more than the buckets held when the merge began. */
    private final PositionSet removed = new PositionSet();
    private long removedUpToLedgerId = -1;
    private long removedUpToEntryId = -1;
    private boolean open = true;
    private boolean beingRecorded;
    private boolean sourceLost;

    MergePlan(List<Bucket> buckets) {
        this.buckets = new ArrayList<>(buckets);
        this.sources = buckets.stream().map(Bucket::ledgerId).toList();
    }

    /** The ledgers whose segments become one bucket, oldest first. From any thread. */
    public List<Long> sources() {
        return sources;
    }

    /** Whether the merge was neither committed nor given up. */
    public boolean isOpen() {
        return open;
    }

    /**
     * Notes that the record is about to name the new bucket: until its outcome nobody else ends the merge. False if it has ended.
     */
    public boolean beginRecording() {
        beingRecorded = open;
        return open;
    }

    boolean isBeingRecorded() {
        return beingRecorded;
    }

    /** Notes that all positions that slept in one of the buckets have left it, and are not noted. */
    void sourceLost() {
        sourceLost = true;
    }

    boolean hasLostSource() {
        return sourceLost;
    }

    List<Bucket> buckets() {
        return buckets;
    }

    void close() {
        open = false;
        buckets.clear();
        removed.clear();
    }

    void note(long ledgerId, long entryId) {
        removed.add(ledgerId, entryId);
    }

    void noteUpTo(long ledgerId, long entryId) {
        if (removedUpToLedgerId < ledgerId || removedUpToLedgerId == ledgerId && removedUpToEntryId < entryId) {
            removedUpToLedgerId = ledgerId;
            removedUpToEntryId = entryId;
        }
        removed.removeUpTo(ledgerId, entryId);
    }

    /** Takes noted positions out of a set, a number of them at most one by one; returns how many are left. */
    int drain(PositionSet merged, int budget) {
        if (removedUpToLedgerId >= 0) {
            merged.removeUpTo(removedUpToLedgerId, removedUpToEntryId);
        }
        for (int drained = 0; drained < budget && !removed.isEmpty();) {
            int taken = removed.takeBelow(Long.MAX_VALUE, Long.MAX_VALUE, budget - drained, merged::remove);
            drained += taken;
            if (taken == 0) {
                merged.remove(Long.MAX_VALUE, Long.MAX_VALUE);
                removed.clear();
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, removed.size());
    }

    /** Bytes of heap kept alive. */
    long retainedBytes() {
        return OBJECT_BYTES + removed.retainedBytes();
    }
}
