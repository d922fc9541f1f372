/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.StockFigures;
import io.github.delayedtracker.bucket.chores.BucketOrigin.StockSnapshots;
import io.github.delayedtracker.bucket.chores.MergeRule.MergeAnything;
import io.github.delayedtracker.bucket.chores.MergeRule.MergeAtLedgers;
import io.github.delayedtracker.bucket.chores.SealRule.SealAnywhere;
import io.github.delayedtracker.bucket.chores.SealRule.SealAtLedgers;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.record.StockCatalogue;
import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.StockWriting;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.metrics.Samples;
import java.util.Optional;

/**
 * The form in which the snapshots of one subscription are written, and all that follows from it: where the record lives, when a
 * tail is sealed, which buckets may be merged. Thread safe.
 */
interface SnapshotForm {

    /** The store of the record. */
    CatalogueStore record();

    /** The way to write snapshots in the stock form; empty for the plugin's own. */
    Optional<StockWriting> stock();

    /** The rule of when tails are sealed. */
    SealRule seals();

    /** The rule of which buckets may be merged. */
    MergeRule merges();

    /** Prepares an empty index, under its lock. */
    void prepare(BucketIndex index);

    /** Whether the record names deleted ledgers until it is written again, and is therefore to be written again at once. */
    boolean rewritesAfterDeleting();

    /** Whether a subscription of which nothing is stored may rest. */
    boolean mayRest();

    /** Notes that an operation has succeeded, with the time it took. */
    void took(Operation operation, long millis);

    /** The figures of this form alone, in a new object. */
    Samples samples();

    /**
     * The plugin's own form: a tail ends anywhere, and any buckets may be merged.
     *
     * @param record the store of the record in one property of the cursor
     */
    record OwnForm(CatalogueStore record, SealRule seals, MergeRule merges) implements SnapshotForm {

        static OwnForm of(CatalogueStore record, BucketSettings settings) {
            return new OwnForm(record, new SealAnywhere(settings.ageSealPositions()),
                    new MergeAnything(settings.sealPositions()));
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
        public Samples samples() {
            return new Samples();
        }
    }

    /**
     * The form of the stock bucket tracker, which finds its own snapshots when the plugin is taken out. Each snapshot has one
     * property of the cursor. Tails end where ledgers of the topic do. Merges are of neighbours.
     */
    final class KeptStockForm implements SnapshotForm {

        private final StockWriting writing;
        private final CatalogueStore record;
        private final SealRule seals;
        private final MergeRule merges;
        private final StockFigures figures;

        /**
         * The form for one subscription.
         *
         * @param own the plugin's own properties of the cursor
         * @param mostEntryBytes the largest entry of the storage
         */
        KeptStockForm(CatalogueStore own, StockSnapshots stock, BucketSettings settings, int mostEntryBytes,
                BucketFigures figures) {
            StockRanges ranges = new StockRanges();
            this.writing = new StockWriting(stock.ledgers(), stock.owner(), ranges);
            this.record = new StockCatalogue(own, stock.properties(), ranges);
            this.seals = new SealAtLedgers(ranges);
            this.merges = new MergeAtLedgers(ranges, settings.sealPositions(), mostEntryBytes);
            this.figures = new StockFigures(figures);
        }

        @Override
        public CatalogueStore record() {
            return record;
        }

        @Override
        public Optional<StockWriting> stock() {
            return Optional.of(writing);
        }

        @Override
        public SealRule seals() {
            return seals;
        }

        @Override
        public MergeRule merges() {
            return merges;
        }

        @Override
        public void prepare(BucketIndex index) {
            index.seals().sealAtLedgers();
        }

        /** True, so that nothing but stock's own properties is left. */
        @Override
        public boolean rewritesAfterDeleting() {
            return true;
        }

        @Override
        public boolean mayRest() {
            return false;
        }

        @Override
        public void took(Operation operation, long millis) {
            figures.took(operation, millis);
        }

        @Override
        public Samples samples() {
            return figures.all(writing.ranges().snapshotBytes());
        }
    }
}
