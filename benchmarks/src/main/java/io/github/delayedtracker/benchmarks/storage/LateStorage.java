/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A storage that takes entries and drops them. It answers as late as it can, only once nothing more comes. Not thread safe. */
final class LateStorage {

    private static final int MOST_ENTRY_BYTES = 5 << 20;

    private record Pending(ByteBuf entry, CompletableFuture<Long> appended, long number) {
    }

    private final SnapshotWriter writer = Answering.with(SnapshotWriter.class, this::answerWriter);
    private final SnapshotStorage snapshots = Answering.with(SnapshotStorage.class, (call, arguments) -> switch (call) {
        case "maxEntryBytes" -> MOST_ENTRY_BYTES;
        case "create" -> CompletableFuture.completedFuture(writer);
        default -> throw new UnsupportedOperationException(call);
    });
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

    /** The same as a storage of snapshots, which has one ledger. */
    SnapshotStorage snapshots() {
        return snapshots;
    }

    private Object answerWriter(String call, Object[] arguments) {
        return switch (call) {
            case "ledgerId" -> 1L;
            case "append" -> take((ByteBuf) arguments[0]);
            default -> {
                answer();
                yield CompletableFuture.completedFuture(null);
            }
        };
    }
}
