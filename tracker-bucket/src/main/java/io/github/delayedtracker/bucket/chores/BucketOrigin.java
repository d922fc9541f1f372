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
 * The subscription that buckets belong to, and the store of its record. It is asked each time chores are made, or everything is
 * removed without chores. It is asked outside the subscription's lock. The caller uses and closes the answer.
 */
public interface BucketOrigin {

    /** The subscription as a whole. */
    BucketKey key();

    /** An open store of the subscription's record. */
    CatalogueStore catalogue();

    /** The snapshots that the stock tracker may have left; empty for a cursor that never had any. */
    Optional<StockSnapshots> stock();

    /** The origin of a cursor that never had snapshots of the stock tracker. */
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
     * The snapshots that the stock bucket tracker may have left for one subscription, and is to find there again.
     *
     * @param ledgers reads the owner of a ledger from its stock label
     * @param owner the subscription, as the label names it
     * @param properties the properties of the cursor, by name without the stock prefix
     * @param kept whether the snapshots are kept as they are and new ones are written in their form; else they are imported
     */
    public record StockSnapshots(StockLedgers ledgers, StockOwner owner, CatalogueStore properties, boolean kept) {
    }
}
