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
 * The plugin's own form: a tail ends anywhere, and any buckets may be merged.
 *
 * @param record in one property of the cursor
 */
record OwnForm(CatalogueStore record, SealRule seals, MergeRule merges) implements SnapshotForm {

    static OwnForm of(CatalogueStore record, BucketSettings settings) {
        return new OwnForm(record, new SealAnywhere(settings.ageSealPositions()), new MergeAnything(settings.sealPositions()));
    }

    @Override
    public Optional<StockWriting> stock() {
        return Optional.empty();
    }

    @Override
    public void prepare(BucketIndex index) {
        // It is sealed by count and age.
    }

    @Override
    public boolean rewritesAfterDeleting() {
        return false;
    }

    @Override
    public boolean mayRest() {
        return true;
    }

    @Override
    public void took(Operation operation, long millis) {
        // Not measured.
    }

    @Override
    public Samples figures() {
        return new Samples();
    }
}
