/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import io.github.delayedtracker.acks.JournalLedgers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;

/** The journals of one broker, whatever the backends of their subscriptions. Safe from any thread. */
public interface JournalStore {

    /** What a journal holds. */
    enum Content {
        /** Acknowledgements that the cursor's record leaves out. */
        ACKNOWLEDGEMENTS,
        /** Due times that commands have given. */
        MOVES
    }

    /** Whether the record of a cursor names ledgers of a journal. One look at properties in memory. */
    boolean isNamed(ManagedCursor cursor, Content content);

    /**
     * The ledgers of a journal of a durable cursor.
     *
     * @return empty if a newer version of the plugin keeps it
     */
    Optional<JournalLedgers> open(ManagedCursor cursor, Content content);

    /** Deletes what journals have left of a cursor without a tracker. Completes normally in bounded time. */
    CompletableFuture<Void> removeAll(ManagedCursor cursor);
}
