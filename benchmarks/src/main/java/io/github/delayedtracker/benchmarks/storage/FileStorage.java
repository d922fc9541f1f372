/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A storage of snapshots in files, one a ledger, written and read by two threads of its own. Nothing is ever lost or refused; a
 * {@link Hang} makes one cursor wait. Thread safe.
 */
final class FileStorage implements SnapshotStorage {

    private static final int MOST_ENTRY_BYTES = 5 << 20;
    private static final int THREADS = 2;

    private final Path folder;
    private final Map<Long, FileLedger> ledgers = new ConcurrentHashMap<>();
    private final Hang hang = new Hang();
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "file-storage");
        thread.setDaemon(true);
        return thread;
    });

    FileStorage(Path folder) {
        this.folder = folder;
    }

    /** The bytes ever written. */
    long writtenBytes() {
        return written.get();
    }

    /** The bytes of the ledgers that exist. */
    long storedBytes() {
        return ledgers.values().stream().mapToLong(FileLedger::lengthBytes).sum();
    }

    /** The hang that it may have. */
    Hang hang() {
        return hang;
    }

    /** Does work on a ledger, which need not exist. */
    private <T> CompletableFuture<T> call(long ledgerId, Work<T> work) {
        FileLedger ledger = ledgers.get(ledgerId);
        return ledger == null ? begin(work) : hang.call(ledger.owner(), () -> begin(work));
    }

    /** A task that touches a file. */
    private interface Work<T> {
        T run() throws IOException, StorageException;
    }

    private <T> CompletableFuture<T> begin(Work<T> work) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return work.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (StorageException e) {
                throw new CompletionException(e);
            }
        }, threads);
    }

    private FileLedger find(long ledgerId) throws StorageException {
        FileLedger ledger = ledgers.get(ledgerId);
        if (ledger == null) {
            throw new StorageException(Kind.NO_SUCH_LEDGER, "there is no file for ledger " + ledgerId);
        }
        return ledger;
    }

    @Override
    public int maxEntryBytes() {
        return MOST_ENTRY_BYTES;
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        return hang.call(owner, () -> begin(() -> {
            long id = nextId.getAndIncrement();
            FileLedger ledger = new FileLedger(id, owner, FileChannel.open(folder.resolve("ledger-" + id),
                    StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
            ledgers.put(id, ledger);
            return new Writer(ledger);
        }));
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        return call(ledgerId, () -> new Reader(find(ledgerId)));
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return call(ledgerId, () -> remove(ledgerId));
    }

    private Void remove(long ledgerId) throws IOException {
        FileLedger ledger = ledgers.remove(ledgerId);
        if (ledger != null) {
            ledger.close();
            Files.delete(folder.resolve("ledger-" + ledgerId));
        }
        return null;
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return call(ledgerId, () -> Optional.of(find(ledgerId).owner()));
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return CompletableFuture.completedFuture(ledgers.keySet().stream().filter(id -> id > afterLedgerId).sorted()
                .limit(limit).toList());
    }

    @Override
    public CompletableFuture<Void> close() {
        threads.shutdown();
        return CompletableFuture.completedFuture(null);
    }

    /** A writer that appends in the order of the calls. */
    private final class Writer implements SnapshotWriter {
        private final FileLedger ledger;
        private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

        private Writer(FileLedger ledger) {
            this.ledger = ledger;
        }

        @Override
        public long ledgerId() {
            return ledger.id();
        }

        @Override
        public CompletableFuture<Long> append(ByteBuf entry) {
            return hang.call(ledger.owner(), () -> enqueue(entry));
        }

        private synchronized CompletableFuture<Long> enqueue(ByteBuf entry) {
            CompletableFuture<Long> appended = last.thenCompose(before -> begin(() -> {
                written.addAndGet(entry.readableBytes());
                try {
                    return ledger.append(entry.nioBuffer());
                } finally {
                    entry.release();
                }
            }));
            last = appended;
            return appended;
        }

        private synchronized CompletableFuture<Void> end() {
            return last.thenApply(done -> null);
        }

        @Override
        public CompletableFuture<Void> close() {
            return hang.call(ledger.owner(), this::end);
        }

        @Override
        public CompletableFuture<Void> abandon() {
            return hang.call(ledger.owner(), () -> end().handle((done, failure) -> null)
                    .thenCompose(done -> begin(() -> remove(ledger.id()))));
        }
    }

    /** A reader of the entries that were there when it was opened. */
    private final class Reader implements SnapshotReader {
        private final FileLedger ledger;

        private Reader(FileLedger ledger) {
            this.ledger = ledger;
        }

        @Override
        public long ledgerId() {
            return ledger.id();
        }

        @Override
        public long lastEntryId() {
            return ledger.entries() - 1L;
        }

        @Override
        public long lengthBytes() {
            return ledger.lengthBytes();
        }

        @Override
        public CompletableFuture<ByteBuf> read(long entryId) {
            return hang.call(ledger.owner(), () -> begin(() -> ledger.read(entryId)));
        }

        @Override
        public CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId) {
            return hang.call(ledger.owner(), () -> begin(() -> {
                List<ByteBuf> entries = new ArrayList<>();
                for (long entry = firstEntryId; entry <= lastEntryId; entry++) {
                    entries.add(ledger.read(entry));
                }
                return entries;
            }));
        }

        @Override
        public void close() {
            // the file stays open until the ledger is deleted
        }
    }
}
