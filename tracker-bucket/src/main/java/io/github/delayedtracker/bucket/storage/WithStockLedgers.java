/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A storage as one subscription sees it to which ledgers of the stock bucket tracker belong besides its own. Such a ledger counts
 * as the subscription's if the label names its topic and its cursor, so that it may be deleted; any other stays somebody else's.
 */
final class WithStockLedgers implements SnapshotStorage {

    private final SnapshotStorage storage;
    private final SnapshotOwner owner;
    private final StockLedgers stockLedgers;
    private final StockOwner stockOwner;

    /** A view; closing it closes the storage. */
    WithStockLedgers(SnapshotStorage storage, SnapshotOwner owner, StockLedgers stockLedgers, StockOwner stockOwner) {
        this.storage = storage;
        this.owner = owner;
        this.stockLedgers = stockLedgers;
        this.stockOwner = stockOwner;
    }

    @Override
    public int maxEntryBytes() {
        return storage.maxEntryBytes();
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner newOwner) {
        return storage.create(newOwner);
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        return storage.open(ledgerId);
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return storage.delete(ledgerId);
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return Futures.inParts("reading the owner of ledger " + ledgerId, parts ->
                parts.run(() -> storage.ownerOf(ledgerId), found -> {
                    if (found.filter(owner::isSameSubscription).isPresent()) {
                        parts.answer().complete(found);
                    } else {
                        parts.run(() -> stockLedgers.ownerOf(ledgerId), label -> parts.answer().complete(
                                label.filter(stockOwner::equals).isPresent() ? Optional.of(owner) : found));
                    }
                }));
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return storage.list(afterLedgerId, limit);
    }

    @Override
    public CompletableFuture<Void> close() {
        return storage.close();
    }
}
