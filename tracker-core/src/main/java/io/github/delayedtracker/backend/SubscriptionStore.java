/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import java.util.concurrent.CompletableFuture;

/**
 * The stored index of one subscription: an index in memory, and the work in the background that keeps the rest of it in a
 * storage. Safe from any thread, except that {@link #index} is guarded by the subscription's lock; no method blocks or throws.
 */
public interface SubscriptionStore {

    /** The index. All calls of it, the background work's included, are made under the subscription's lock. */
    DelayIndex index();

    /**
     * The positions due in a time, both ends inclusive, that {@link #index} has in storage only. Under the subscription's lock:
     * nothing is read yet. Linear in the segments.
     */
    StoredRuns storedRuns(long fromMillis, long untilMillis);

    /**
     * The time at which the first of what only the storage has begins, epoch milliseconds; {@link Long#MAX_VALUE} if there is
     * none. Never later than its first position is due. Under the subscription's lock; linear in the segments.
     */
    long nextStoredMillis();

    /**
     * The time at which the last of what only the storage has ends, epoch milliseconds; -1 if there is none. Never earlier than
     * its last position is due. Under the subscription's lock; linear in the segments.
     */
    long lastStoredMillis();

    /** What is stored. Under the subscription's lock; linear in the segments. */
    StoredParts storedParts();

    /** Begins to recover the stored part. Called once. */
    void start(IndexHost host);

    /** Begins a round of the background work. Called about once a minute. */
    void sweep();

    /**
     * Deletes everything stored: the cursor's backlog was cleared, or the subscription is about to be deleted. Positions that
     * are still wanted are read again by the broker. Completes normally in bounded time.
     */
    CompletableFuture<Void> clear();

    /**
     * Ends the background work; the stored part stays for the next owner. The cursor's properties are not written after this.
     *
     * @return completes when an update of the properties that was under way has ended, after 2 s at the latest; never fails
     */
    @CanIgnoreReturnValue
    CompletableFuture<Void> close();

    /** Figures for the statistics of the subscription. Fresh. */
    Samples samples();
}
