/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A storage that takes entries and drops them. It answers as late as it can, only once nothing more comes. Not thread safe. */
final class LateStorage implements SnapshotStorage {

    private static final int MOST_ENTRY_BYTES = 5 << 20;

    private record Pending(ByteBuf entry, CompletableFuture<Long> appended, long number) {
    }

    private final Queue<Pending> pending = new ArrayDeque<>();
    private long pendingBytes;
    private long mostPendingBytes;
    private long bytes;
    private long nextEntry;

    /** Takes an entry; the answer, its number, comes with {@link #answer}. */
    @CanIgnoreReturnValue
    CompletableFuture<Long> take(ByteBuf entry) {
        Pending taken = new Pending(entry, new CompletableFuture<>(), nextEntry++);
        pending.add(taken);
        bytes += entry.readableBytes();
        pendingBytes += entry.readableBytes();
        mostPendingBytes = Math.max(mostPendingBytes, pendingBytes);
        return taken.appended();
    }

    /** Answers all entries that are under way, and entries that come meanwhile. */
    void answer() {
        for (Pending next = pending.poll(); next != null; next = pending.poll()) {
            pendingBytes -= next.entry().readableBytes();
            next.entry().release();
            next.appended().complete(next.number());
        }
    }

    long bytes() {
        return bytes;
    }

    /** The most bytes of entries that were under way at a time. */
    long mostPendingBytes() {
        return mostPendingBytes;
    }

    @Override
    public int maxEntryBytes() {
        return MOST_ENTRY_BYTES;
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        return CompletableFuture.completedFuture(new SnapshotWriter() {
            @Override
            public long ledgerId() {
                return 1;
            }

            @Override
            public CompletableFuture<Long> append(ByteBuf entry) {
                return take(entry);
            }

            @Override
            public CompletableFuture<Void> close() {
                answer();
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public CompletableFuture<Void> abandon() {
                return close();
            }
        });
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        throw new UnsupportedOperationException("nothing is kept");
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }
}
