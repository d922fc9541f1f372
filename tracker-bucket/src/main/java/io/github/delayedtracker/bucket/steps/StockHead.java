/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.CorruptSnapshotException;
import io.github.delayedtracker.bucket.snapshot.StockMetadata;
import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockSegment;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.index.PositionSink;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads the metadata of a stock snapshot: its first entry. */
final class StockHead {

    private StockHead() {
    }

    /** The segments, checked against the entries there are; each position is passed on. */
    static CompletableFuture<List<StockSegment>> read(Retries retries, SnapshotReader reader, PositionSink positions) {
        String what = "the metadata of stock ledger " + reader.ledgerId();
        if (reader.lastEntryId() < 0) {
            return CompletableFuture.failedFuture(StorageException.corrupt(what, "there is an entry, found none", null));
        }
        return retries.once("reading " + what, () -> reader.read(0)).thenCompose(entry -> {
            try {
                List<StockSegment> table = StockMetadata.decode(entry.nioBuffer(), positions);
                return table.size() == reader.lastEntryId() ? CompletableFuture.completedFuture(table)
                        : CompletableFuture.failedFuture(StorageException.corrupt(what, "each of its " + table.size()
                                + " segments has an entry, found entries up to " + reader.lastEntryId(), null));
            } catch (CorruptSnapshotException | RuntimeException e) {
                return CompletableFuture.failedFuture(StorageException.corrupt(what, String.valueOf(e.getMessage()), e));
            } finally {
                entry.release();
            }
        });
    }
}
