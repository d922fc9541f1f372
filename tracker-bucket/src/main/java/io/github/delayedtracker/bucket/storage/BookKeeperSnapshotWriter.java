/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.api.WriteHandle;

/**
 * A writer of one ledger. BookKeeper answers appends in order and fails all after a failed one, so the last append's answer
 * stands for all. BookKeeper's close would fail appends under way, so this close waits for them.
 */
final class BookKeeperSnapshotWriter implements SnapshotWriter {

    private final WriteHandle handle;
    private final BookKeeperSnapshotStorage storage;
    private CompletableFuture<Long> lastAppend = CompletableFuture.completedFuture(-1L);
    private boolean ended;

    BookKeeperSnapshotWriter(WriteHandle handle, BookKeeperSnapshotStorage storage) {
        this.handle = handle;
        this.storage = storage;
    }

    @Override
    public long ledgerId() {
        return handle.getId();
    }

    @Override
    public CompletableFuture<Long> append(ByteBuf entry) {
        int bytes = entry.readableBytes();
        if (ended || lastAppend.isCompletedExceptionally()) {
            entry.release();
            return StorageException.failed(Kind.CLOSED, "the writer of ledger " + ledgerId() + " is closed");
        }
        if (bytes > storage.maxEntryBytes()) {
            entry.release();
            lastAppend = StorageException.failed(Kind.TOO_LARGE, "an entry of ledger " + ledgerId() + " may have at most "
                    + storage.maxEntryBytes() + " bytes, got " + bytes);
            return lastAppend.copy();
        }
        return ForeignCalls.begin("appending to ledger " + ledgerId(), () -> begin(entry));
    }

    /**
     * Begins an append. If BookKeeper throws instead of answering, the entry is in the ledger's queue or not: no append follows
     * it, and closing the handle releases the queued entries.
     */
    private CompletableFuture<Long> begin(ByteBuf entry) {
        try {
            lastAppend = handle.appendAsync(entry);
        } catch (Throwable e) {
            lastAppend = CompletableFuture.failedFuture(e);
        }
        return lastAppend;
    }

    @Override
    public CompletableFuture<Void> close() {
        if (ended) {
            return StorageException.failed(Kind.CLOSED, "the writer of ledger " + ledgerId() + " is closed");
        }
        ended = true;
        return ForeignCalls.begin("sealing ledger " + ledgerId(), () -> lastAppend.thenCompose(last -> handle.closeAsync()));
    }

    @Override
    public CompletableFuture<Void> abandon() {
        ended = true;
        return ForeignCalls.begin("abandoning ledger " + ledgerId(),
                () -> ForeignCalls.begin("closing ledger " + ledgerId(), handle::closeAsync).exceptionally(failure -> null)
                        .thenCompose(done -> storage.delete(ledgerId())));
    }
}
