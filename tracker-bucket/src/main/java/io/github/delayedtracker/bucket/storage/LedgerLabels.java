/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The labels of ledgers, of whichever cluster that shares the bookies; the rules are those of {@link SnapshotStorage}. */
public interface LedgerLabels {

    /**
     * The label; empty if this plugin did not write the ledger, or in a cluster of another name; NO_SUCH_LEDGER if there is none.
     */
    CompletableFuture<Optional<LedgerLabel>> labelOf(long ledgerId);
}
