/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.Optional;

/**
 * What is left of the snapshots of a subscription that is deleted.
 *
 * @param ledgers what became of those that were known
 * @param recordFailure why the record is still there; empty if it is gone. It is kept while a ledger that it names is left, and
 *     when it cannot be read
 */
public record Removal(Deletions ledgers, Optional<StorageException> recordFailure) {

    /** Whether nothing is left. */
    public boolean isComplete() {
        return ledgers.left().isEmpty() && recordFailure.isEmpty();
    }
}
