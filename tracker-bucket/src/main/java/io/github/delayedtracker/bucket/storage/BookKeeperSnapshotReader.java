/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;

/** A reader of one sealed ledger. Entries keep BookKeeper's own buffers: nothing is copied. */
final class BookKeeperSnapshotReader implements SnapshotReader {

    private final ReadHandle handle;
    private final AtomicBoolean closed = new AtomicBoolean();

    BookKeeperSnapshotReader(ReadHandle handle) {
        this.handle = handle;
    }

    @Override
    public long ledgerId() {
        return handle.getId();
    }

    @Override
    public long lastEntryId() {
        return handle.getLastAddConfirmed();
    }

    @Override
    public long lengthBytes() {
        return handle.getLength();
    }

    @Override
    public CompletableFuture<ByteBuf> read(long entryId) {
        return answer(entryId, entryId, entries -> entries.get(0), ByteBuf::release);
    }

    @Override
    public CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId) {
        return answer(firstEntryId, lastEntryId, entries -> entries, entries -> entries.forEach(ByteBuf::release));
    }

    private <T> CompletableFuture<T> answer(long first, long last, Function<List<ByteBuf>, T> shape,
            Consumer<T> dispose) {
        String what = "reading entries " + first + " to " + last + " of ledger " + ledgerId();
        if (closed.get()) {
            return StorageException.failed(Kind.CLOSED, what + " after its reader was closed");
        }
        if (first < 0 || first > last || last > lastEntryId()) {
            return StorageException.failed(Kind.NO_SUCH_ENTRY, what + ", which ends at " + lastEntryId());
        }
        return ForeignCalls.begin(what, () -> handle.readAsync(first, last), entries -> shape.apply(take(entries)), dispose);
    }

    private static List<ByteBuf> take(LedgerEntries entries) {
        List<ByteBuf> taken = new ArrayList<>();
        try (entries) {
            for (LedgerEntry entry : entries) {
                taken.add(entry.getEntryBuffer());
            }
            // Last, so that an exception before leaves the entries as the only owner of the buffers.
            taken.forEach(ByteBuf::retain);
        }
        return taken;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            // A sealed ledger's handle holds nothing whose release could fail.
            Futures.whenDone(ForeignCalls.begin("closing ledger " + ledgerId(), handle::closeAsync), (done, failure) -> { });
        }
    }
}
