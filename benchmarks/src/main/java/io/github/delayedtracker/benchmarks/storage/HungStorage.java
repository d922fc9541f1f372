/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A storage that, while it hangs, answers nothing about the ledgers of one cursor, neither well nor with a failure, and
 * everything about others. Calls that came meanwhile are done once it has come back. Thread safe.
 */
final class HungStorage implements SnapshotStorage {

    private final SnapshotStorage storage;
    private final String cursor;
    private final Set<Long> ledgers = ConcurrentHashMap.newKeySet();
    @GuardedBy("this")
    private final List<Runnable> waiting = new ArrayList<>();
    @GuardedBy("this")
    private boolean hangs;

    HungStorage(SnapshotStorage storage, String cursor) {
        this.storage = storage;
        this.cursor = cursor;
    }

    synchronized void hang() {
        hangs = true;
    }

    /** Answers everything; returns the number of calls that had waited. */
    int comeBack() {
        List<Runnable> late;
        synchronized (this) {
            hangs = false;
            late = List.copyOf(waiting);
            waiting.clear();
        }
        late.forEach(Runnable::run);
        return late.size();
    }

    private <T> CompletableFuture<T> call(boolean itsOwn, Supplier<CompletableFuture<T>> call) {
        synchronized (this) {
            if (itsOwn && hangs) {
                CompletableFuture<T> answer = new CompletableFuture<>();
                waiting.add(() -> {
                    CompletableFuture<T> unused = call.get().whenComplete((value, failure) -> {
                        if (failure == null) {
                            answer.complete(value);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    });
                });
                return answer;
            }
        }
        return call.get();
    }

    @Override
    public int maxEntryBytes() {
        return storage.maxEntryBytes();
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        boolean itsOwn = owner.cursor().equals(cursor);
        CompletableFuture<SnapshotWriter> made = call(itsOwn, () -> storage.create(owner));
        return itsOwn ? made.thenApply(writer -> {
            ledgers.add(writer.ledgerId());
            return new Writer(writer);
        }) : made;
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        boolean itsOwn = ledgers.contains(ledgerId);
        CompletableFuture<SnapshotReader> opened = call(itsOwn, () -> storage.open(ledgerId));
        return itsOwn ? opened.thenApply(Reader::new) : opened;
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return call(ledgers.contains(ledgerId), () -> storage.delete(ledgerId));
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return call(ledgers.contains(ledgerId), () -> storage.ownerOf(ledgerId));
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return storage.list(afterLedgerId, limit);
    }

    @Override
    public CompletableFuture<Void> close() {
        return storage.close();
    }

    /** A part that hangs with the storage. */
    private final class Writer implements SnapshotWriter {
        private final SnapshotWriter writer;

        private Writer(SnapshotWriter writer) {
            this.writer = writer;
        }

        @Override
        public long ledgerId() {
            return writer.ledgerId();
        }

        @Override
        public CompletableFuture<Long> append(ByteBuf entry) {
            return call(true, () -> writer.append(entry));
        }

        @Override
        public CompletableFuture<Void> close() {
            return call(true, writer::close);
        }

        @Override
        public CompletableFuture<Void> abandon() {
            return call(true, writer::abandon);
        }
    }

    /** A part that hangs with the storage. */
    private final class Reader implements SnapshotReader {
        private final SnapshotReader reader;

        private Reader(SnapshotReader reader) {
            this.reader = reader;
        }

        @Override
        public long ledgerId() {
            return reader.ledgerId();
        }

        @Override
        public long lastEntryId() {
            return reader.lastEntryId();
        }

        @Override
        public long lengthBytes() {
            return reader.lengthBytes();
        }

        @Override
        public CompletableFuture<ByteBuf> read(long entryId) {
            return call(true, () -> reader.read(entryId));
        }

        @Override
        public CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId) {
            return call(true, () -> reader.read(firstEntryId, lastEntryId));
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
