/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.StockWriting;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.metrics.Samples;
import java.util.Optional;

/**
 * The form in which the snapshots of one subscription are written, and all that follows from it: where the record lives, when a
 * tail is sealed, which buckets may be merged. Thread safe.
 */
interface SnapshotForm {

    /** Where the record lives. */
    CatalogueStore record();

    /** How snapshots are written in the stock form; empty for the plugin's own. */
    Optional<StockWriting> stock();

    /** When tails are sealed. */
    SealRule seals();

    /** Which buckets may be merged. */
    MergeRule merges();

    /** Prepares an empty index, under its lock. */
    void prepare(BucketIndex index);

    /** Whether the record names deleted ledgers until it is written again, and is therefore to be written again at once. */
    boolean rewritesAfterDeleting();

    /** Whether a subscription of which nothing is stored may rest. */
    boolean mayRest();

    /** An operation that took a time has succeeded. */
    void took(Operation operation, long millis);

    /** Figures of this form alone. Fresh. */
    Samples figures();
}
