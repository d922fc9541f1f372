/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketOrigin.StockSnapshots;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.record.StockCatalogue;
import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.StockWriting;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.metrics.Samples;
import java.util.Optional;

/**
 * The form of the stock bucket tracker, so that it finds its own when the plugin is taken out: one property of the cursor for
 * each snapshot, tails that end where ledgers of the topic do, merges of neighbours.
 */
final class KeptStockForm implements SnapshotForm {

    private final StockWriting writing;
    private final CatalogueStore record;
    private final SealRule seals;
    private final MergeRule merges;
    private final StockFigures figures;

    /**
     * For one subscription.
     *
     * @param own the plugin's own properties of the cursor
     * @param mostEntryBytes of the storage
     */
    KeptStockForm(CatalogueStore own, StockSnapshots stock, BucketSettings settings, int mostEntryBytes, BucketFigures figures) {
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

    /** So that nothing but stock's own properties is left. */
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
    public Samples figures() {
        return figures.all(writing.ranges().snapshotBytes());
    }
}
