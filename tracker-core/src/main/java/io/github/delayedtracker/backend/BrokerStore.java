/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import io.github.delayedtracker.metrics.Samples;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;

/** The stored indexes of one broker. Safe from any thread; no method blocks or throws. */
public interface BrokerStore {

    /** The index of a durable cursor, empty until {@link SubscriptionStore#start}. */
    SubscriptionStore open(ManagedCursor cursor);

    /**
     * Deletes everything stored for a cursor without a tracker, because its subscription is about to be deleted. Completes
     * normally in bounded time; a ledger that could not be deleted by then stays, and names its owner in its metadata.
     */
    CompletableFuture<Void> removeAll(ManagedCursor cursor);

    /** The journals of acknowledgements in the same storage; empty where this one keeps none. */
    default Optional<JournalStore> journals() {
        return Optional.empty();
    }

    /**
     * Looks for ledgers of the cluster that no cursor names, a page of them behind a ledger; changes nothing. Answers within
     * half a minute, or fails. Empty where nothing is stored.
     */
    default Optional<CompletableFuture<StoredOrphans>> orphans(long afterLedgerId) {
        return Optional.empty();
    }

    /** Figures of the broker as a whole, each of a metric without labels. Fresh. */
    default Samples samples() {
        return new Samples();
    }

    /** Ends all background work, then lets the storage go. Never fails. */
    CompletableFuture<Void> close();
}
