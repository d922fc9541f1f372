/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.FrozenTail;
import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.BitSet;
import java.util.List;

/** The rule of when a tail with fewer positions than a seal is sealed, and which of them its snapshot may have. Thread safe. */
interface SealRule {

    /** The positions with which an old tail is sealed. A tail with a part of them is sealed early where memory is short. */
    int agePositions();

    /** Takes the positions that may not be in a snapshot out of the chosen ones. */
    void leaveOut(FrozenTail frozen, SegmentColumns all, BitSet chosen);

    /**
     * The time by which sealed positions have to be due to stay in memory.
     *
     * @param segments the segments of the new snapshot, the earliest first
     * @param loadUntilMillis positions due by then stay whatever the form
     */
    long staysUntilMillis(List<SegmentEntry> segments, long loadUntilMillis);

    /** Whether a tail that was not written for this reason never will be. */
    boolean isForEver(StorageException failure);

    /** The rule of the plugin's own form: tails end anywhere, and snapshots have all of their positions. */
    record SealAnywhere(int agePositions) implements SealRule {

        @Override
        public void leaveOut(FrozenTail frozen, SegmentColumns all, BitSet chosen) {
            // Nothing is left out.
        }

        @Override
        public long staysUntilMillis(List<SegmentEntry> segments, long loadUntilMillis) {
            return loadUntilMillis;
        }

        @Override
        public boolean isForEver(StorageException failure) {
            return false;
        }
    }

    /**
     * The rule of the stock form: tails end where ledgers of the topic do, and not for another reason. No two snapshots of that
     * form have a ledger of the topic in common, so positions that came late for an earlier one stay in memory.
     */
    final class SealAtLedgers implements SealRule {

        private final StockRanges ranges;

        SealAtLedgers(StockRanges ranges) {
            this.ranges = ranges;
        }

        @Override
        public int agePositions() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void leaveOut(FrozenTail frozen, SegmentColumns all, BitSet chosen) {
            long fromLedgerId = ranges.lastLedgerId() + 1;
            for (int at = chosen.nextSetBit(0); at >= 0 && all.ledgerId(at) < fromLedgerId; at = chosen.nextSetBit(at + 1)) {
                chosen.clear(at);
            }
            frozen.storedFrom(chosen.isEmpty() ? Long.MAX_VALUE : fromLedgerId);
        }

        /**
         * The first segment stays as a whole, as with stock: the keys that size a segment say how much of each bucket is in
         * memory. It does not where it is the only one, or the next begins at the time at which it ends: all of one time would
         * stay. A snapshot of which nothing sleeps goes, so the seal would have been for nothing.
         */
        @Override
        public long staysUntilMillis(List<SegmentEntry> segments, long loadUntilMillis) {
            long lastDueMillis = segments.get(0).lastDueMillis();
            boolean ends = segments.size() > 1 && lastDueMillis < segments.get(1).firstDueMillis();
            return ends ? Math.max(loadUntilMillis, lastDueMillis) : loadUntilMillis;
        }

        /** Whether it was too large, since its metadata are one entry. */
        @Override
        public boolean isForEver(StorageException failure) {
            return failure.kind() == StorageException.Kind.TOO_LARGE;
        }
    }
}
