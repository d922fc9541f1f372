/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Ledgers that are labelled as the stock bucket tracker labels its own; the rules are those of {@link SnapshotStorage}. */
public interface StockLedgers {

    /** Whose the ledger is; empty if it bears no such label; NO_SUCH_LEDGER if there is none. */
    CompletableFuture<Optional<StockOwner>> ownerOf(long ledgerId);

    /**
     * Makes an empty ledger that a property of the cursor is to name. After a failure a ledger may be left that nobody knows.
     *
     * @param property the whole name of the property
     */
    CompletableFuture<SnapshotWriter> create(StockOwner owner, String property);
}
