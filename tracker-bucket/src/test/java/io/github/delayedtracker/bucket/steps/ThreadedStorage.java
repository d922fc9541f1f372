/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A storage in memory that answers on threads of its own, at random moments, and clears away what nobody waits for. */
final class ThreadedStorage implements SnapshotStorage {

    final AtomicInteger openHandles = new AtomicInteger();
    final AtomicInteger underWay = new AtomicInteger();
    private final Map<Long, Ledger> ledgers = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong(1);
    private final Executor threads;

    ThreadedStorage(Executor threads) {
        this.threads = threads;
    }

    private record Ledger(SnapshotOwner owner, List<byte[]> entries) {
    }

    private interface Effect<T> {
        T take() throws StorageException;
    }

    List<Long> ledgerIds() {
        return List.copyOf(ledgers.keySet());
    }

    private <T> CompletableFuture<T> later(Effect<T> effect, Consumer<T> dispose) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        underWay.incrementAndGet();
        threads.execute(() -> {
            int spins = ThreadLocalRandom.current().nextInt(50);
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            try {
                T value = effect.take();
                if (!answer.complete(value)) {
                    dispose.accept(value);
                }
            } catch (StorageException e) {
                answer.completeExceptionally(e);
            } finally {
                underWay.decrementAndGet();
            }
        });
        return answer;
    }

    private Ledger get(long ledgerId) throws StorageException {
        Ledger ledger = ledgers.get(ledgerId);
        if (ledger == null) {
            throw new StorageException(Kind.NO_SUCH_LEDGER, "ledger " + ledgerId);
        }
        return ledger;
    }

    @Override
    public int maxEntryBytes() {
        return 1 << 20;
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        return later(() -> {
            long id = nextId.getAndIncrement();
            ledgers.put(id, new Ledger(owner, new ArrayList<>()));
            openHandles.incrementAndGet();
            return new Writer(id);
        }, writer -> writer.abandon().isDone());
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        return later(() -> {
            Ledger ledger = get(ledgerId);
            openHandles.incrementAndGet();
            return new Reader(ledgerId, ledger.entries());
        }, SnapshotReader::close);
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return later(() -> {
            ledgers.remove(ledgerId);
            return null;
        }, done -> { });
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return later(() -> Optional.of(get(ledgerId).owner()), owner -> { });
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return CompletableFuture.completedFuture(ledgerIds());
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }

    private final class Writer implements SnapshotWriter {
        private final long ledgerId;
        private boolean ended;

        Writer(long ledgerId) {
            this.ledgerId = ledgerId;
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
            if (ledger == null || ended) {
                return CompletableFuture.failedFuture(new StorageException(Kind.CLOSED, "ledger " + ledgerId));
            }
            long number = ledger.entries().size();
            ledger.entries().add(bytes);
            return later(() -> number, done -> { });
        }

        @Override
        public CompletableFuture<Void> close() {
            end();
            return later(() -> null, done -> { });
        }

        @Override
        public CompletableFuture<Void> abandon() {
            end();
            return delete(ledgerId);
        }

        private void end() {
            openHandles.addAndGet(ended ? 0 : -1);
            ended = true;
        }
    }

    private final class Reader implements SnapshotReader {
        private final long ledgerId;
        private final List<byte[]> entries;
        private boolean closed;

        Reader(long ledgerId, List<byte[]> entries) {
            this.ledgerId = ledgerId;
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
            return later(() -> Unpooled.wrappedBuffer(entries.get((int) entryId)), ByteBuf::release);
        }

        @Override
        public CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId) {
            return CompletableFuture.failedFuture(new StorageException(Kind.UNEXPECTED, "heads are short here"));
        }

        @Override
        public synchronized void close() {
            openHandles.addAndGet(closed ? 0 : -1);
            closed = true;
        }
    }
}
