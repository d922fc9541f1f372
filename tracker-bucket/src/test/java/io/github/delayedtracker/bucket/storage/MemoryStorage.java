/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Ledgers in memory without faults; when a call answers, and on which thread, is said by the class that extends it. */
public abstract class MemoryStorage implements SnapshotStorage {

    private final ConcurrentSkipListMap<Long, Ledger> ledgers = new ConcurrentSkipListMap<>();
    private final AtomicLong nextId = new AtomicLong(1);
    private final AtomicInteger openHandles = new AtomicInteger();
    private final int maxEntryBytes;

    protected MemoryStorage(int maxEntryBytes) {
        this.maxEntryBytes = maxEntryBytes;
    }

    private record Ledger(SnapshotOwner owner, List<byte[]> entries) {
    }

    /** What a call does. */
    protected interface Effect<T> {
        T take() throws StorageException;
    }

    /**
     * Has a call done and answered.
     *
     * @param call the name of the method
     * @param dispose clears away what nobody waits for
     */
    protected abstract <T> CompletableFuture<T> answer(String call, Effect<T> effect, Consumer<T> dispose);

    private <T> CompletableFuture<T> answer(String call, Effect<T> effect) {
        return answer(call, effect, done -> { });
    }

    /** Those that exist, ascending. */
    public final List<Long> ledgerIds() {
        return List.copyOf(ledgers.keySet());
    }

    /** Writers and readers that were not let go. */
    public final int openHandles() {
        return openHandles.get();
    }

    private Ledger get(long ledgerId) throws StorageException {
        return Optional.ofNullable(ledgers.get(ledgerId))
                .orElseThrow(() -> new StorageException(Kind.NO_SUCH_LEDGER, "ledger " + ledgerId));
    }

    @Override
    public final int maxEntryBytes() {
        return maxEntryBytes;
    }

    @Override
    public final CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        return answer("create", () -> {
            long id = nextId.getAndIncrement();
            ledgers.put(id, new Ledger(owner, new ArrayList<>()));
            return new Writer(id);
        }, writer -> writer.abandon().isDone());
    }

    @Override
    public final CompletableFuture<SnapshotReader> open(long ledgerId) {
        return answer("open", () -> new Reader(ledgerId, get(ledgerId).entries()), SnapshotReader::close);
    }

    @Override
    public final CompletableFuture<Void> delete(long ledgerId) {
        return answer("delete", () -> {
            ledgers.remove(ledgerId);
            return null;
        });
    }

    @Override
    public final CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return answer("ownerOf", () -> Optional.of(get(ledgerId).owner()));
    }

    @Override
    public final CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return answer("list", () -> ledgers.tailMap(afterLedgerId, false).keySet().stream().limit(limit).toList());
    }

    @Override
    public final CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }

    /** What is open until it is closed. */
    private abstract class Handle {
        final long ledgerId;
        private boolean closed;

        Handle(long ledgerId) {
            this.ledgerId = ledgerId;
            openHandles.incrementAndGet();
        }

        synchronized void end() {
            openHandles.addAndGet(closed ? 0 : -1);
            closed = true;
        }

        synchronized boolean isClosed() {
            return closed;
        }
    }

    private final class Writer extends Handle implements SnapshotWriter {

        Writer(long ledgerId) {
            super(ledgerId);
        }

        @Override
        public long ledgerId() {
            return ledgerId;
        }

        /** The entry stands in its place at once; the answer comes later. */
        @Override
        public CompletableFuture<Long> append(ByteBuf entry) {
            byte[] bytes = ByteBufUtil.getBytes(entry);
            entry.release();
            Ledger ledger = ledgers.get(ledgerId);
            if (ledger == null || isClosed()) {
                return StorageException.failed(Kind.CLOSED, "ledger " + ledgerId);
            }
            long number = ledger.entries().size();
            ledger.entries().add(bytes);
            return answer("append", () -> number);
        }

        @Override
        public CompletableFuture<Void> close() {
            end();
            return answer("close", () -> null);
        }

        @Override
        public CompletableFuture<Void> abandon() {
            end();
            return delete(ledgerId);
        }
    }

    private final class Reader extends Handle implements SnapshotReader {
        private final List<byte[]> entries;

        Reader(long ledgerId, List<byte[]> entries) {
            super(ledgerId);
            this.entries = entries;
        }

        @Override
        public long ledgerId() {
            return ledgerId;
        }

        @Override
        public long lastEntryId() {
            return entries.size() - 1L;
        }

        @Override
        public long lengthBytes() {
            return entries.stream().mapToLong(entry -> entry.length).sum();
        }

        @Override
        public CompletableFuture<ByteBuf> read(long entryId) {
            return answer("read", () -> Unpooled.wrappedBuffer(entries.get((int) entryId)), ByteBuf::release);
        }

        @Override
        public CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId) {
            return answer("read", () -> entries.subList((int) firstEntryId, (int) lastEntryId + 1).stream()
                    .map(Unpooled::wrappedBuffer).toList(), read -> read.forEach(ByteBuf::release));
        }

        @Override
        public void close() {
            end();
        }
    }
}
