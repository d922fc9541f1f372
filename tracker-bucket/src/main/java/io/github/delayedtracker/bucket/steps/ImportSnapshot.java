/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.steps.StockForm.StockHead;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Writes what a snapshot of the stock bucket tracker holds as one of this plugin's, streaming as a merge does; the stock ledger
 * is not changed. Whose it is is asked before it is opened. What follows from a failure is its
 * {@link StorageException#consequence}.
 *
 * <p>In memory as for a merge of one source; a segment has as many positions as fit into an entry of the storage.
 *
 * @param storage to which the subscription's stock ledgers are its own
 */
record ImportSnapshot(SnapshotStorage storage, SnapshotOwner owner, Retries retries, MergeSnapshots merges) {

    /**
     * Imports one snapshot; nothing is left open.
     *
     * @param keep decides what is kept of it, its only source
     * @return the new snapshot; empty, and no ledger made, if nothing is kept
     */
    CompletableFuture<Optional<WrittenSnapshot>> run(long ledgerId, SnapshotSteps.Keep keep, SnapshotSteps.Pause pause) {
        return Futures.step("importing ledger " + ledgerId,
                () -> open(ledgerId).thenCompose(source -> merges.merge(List.of(source), keep, pause)
                        .whenComplete((done, failure) -> source.close())));
    }

    /** Opens a stock snapshot and reads its metadata. The caller closes it. */
    CompletableFuture<SegmentSource> open(long ledgerId) {
        String what = "reading the metadata of stock ledger " + ledgerId;
        return Futures.step(what, () -> retries.repeat(what, () -> attempt(ledgerId), StorageException::isRetryable));
    }

    private CompletableFuture<SegmentSource> attempt(long ledgerId) {
        return retries.once("asking whose ledger " + ledgerId + " is", () -> storage.ownerOf(ledgerId))
                .thenCompose(found -> found.filter(owner::isSameSubscription).isPresent()
                        ? retries.once("opening ledger " + ledgerId, () -> storage.open(ledgerId))
                        : StorageException.<SnapshotReader>foreign(ledgerId, found, owner))
                .thenCompose(reader -> Futures.begun(() -> source(reader)).whenComplete((source, failure) -> {
                    if (failure != null) {
                        Futures.close(reader);
                    }
                }));
    }

    private CompletableFuture<SegmentSource> source(SnapshotReader reader) {
        return StockHead.read(retries, reader, (ledger, entry) -> { }).thenApply(table -> {
            SnapshotSegments segments = new SnapshotSegments(storage, retries, reader.ledgerId(),
                    new StockForm(table, reader.lengthBytes()));
            segments.adopt(reader);
            return segments;
        });
    }
}
