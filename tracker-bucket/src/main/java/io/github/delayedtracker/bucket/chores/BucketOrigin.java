/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whose buckets they are, and where their record stands. Asked each time chores are made, or all is removed without any, outside
 * the subscription's lock; whoever asked uses and closes the answer.
 */
public interface BucketOrigin {

    /** The subscription as a whole. */
    BucketKey key();

    /** A store of its record that is open. */
    CatalogueStore catalogue();

    /** What the stock tracker may have left; empty for a cursor that never had its snapshots. */
    Optional<StockSnapshots> stock();

    /** A cursor that never had snapshots of the stock tracker. */
    static BucketOrigin of(BucketKey key, Supplier<CatalogueStore> catalogue) {
        return new BucketOrigin() {
            @Override
            public BucketKey key() {
                return key;
            }

            @Override
            public CatalogueStore catalogue() {
                return catalogue.get();
            }

            @Override
            public Optional<StockSnapshots> stock() {
                return Optional.empty();
            }
        };
    }

    /**
     * What the stock bucket tracker may have left for one subscription, and is to find there again.
     *
     * @param ledgers tells whose a ledger is by the stock label
     * @param owner the subscription, as the label names it
     * @param properties of the cursor, by name without the stock prefix
     * @param kept whether they are kept as they are and new ones are written in their form; else they are imported
     */
    public record StockSnapshots(StockLedgers ledgers, StockOwner owner, CatalogueStore properties, boolean kept) {
    }
}
