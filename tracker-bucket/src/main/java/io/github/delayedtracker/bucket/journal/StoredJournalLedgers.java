/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.journal;

import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.bucket.record.JournalNames;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.DeleteLedgers;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Consequence;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The ledgers of one of a cursor's journals, labelled, written, read and deleted as its snapshots are. The journal itself tries
 * again what fails, so a call that writes is made once, with the timeout of the storage.
 */
public final class StoredJournalLedgers implements JournalLedgers {

    /** Entries that are read at a time. */
    private static final int READ_AT_A_TIME = 16;
    /** The bytes of a ledger that is read; a journal of 100 M positions has less. */
    private static final long MOST_BYTES = 256L << 20;

    private final SnapshotStorage storage;
    private final CatalogueStore store;
    private final SnapshotOwner owner;
    private final Retries retries;
    private final LongSupplier wallMillis;
    private final Runnable beforeCreate;
    private final String property;
    private volatile List<Long> named;

    /**
     * Nothing is read yet.
     *
     * @param property the property of the cursor's record that names the ledgers
     * @param named the ledgers that it names
     * @param beforeCreate run before a ledger is made
     */
    public StoredJournalLedgers(SnapshotStorage storage, CatalogueStore store, SnapshotOwner owner, Retries retries,
            LongSupplier wallMillis, String property, List<Long> named, Runnable beforeCreate) {
        this.property = property;
        this.storage = storage;
        this.store = store;
        this.owner = owner;
        this.retries = retries;
        this.wallMillis = wallMillis;
        this.named = List.copyOf(named);
        this.beforeCreate = beforeCreate;
    }

    @Override
    public int mostBytes() {
        return storage.maxEntryBytes();
    }

    private static <T> CompletableFuture<T> translated(String what, CompletableFuture<T> call) {
        return call.exceptionallyCompose(failure -> {
            StorageException known = StorageException.of(failure, what);
            return CompletableFuture.failedFuture(new JournalException(known.getMessage(), kindOf(known), known));
        });
    }

    private static JournalException.Kind kindOf(StorageException known) {
        return known.consequence() == Consequence.LOST ? JournalException.Kind.GONE
                : known.isRetryable() ? JournalException.Kind.AWAY : JournalException.Kind.FAILED;
    }

    private <T> CompletableFuture<T> once(String what, Supplier<CompletableFuture<T>> call) {
        return translated(what, retries.once(what, call));
    }

    private <T> CompletableFuture<T> next(String what, Supplier<CompletableFuture<T>> call) {
        return translated(what, retries.next(what, call));
    }

    @Override
    public CompletableFuture<Writer> create() {
        beforeCreate.run();
        SnapshotOwner now = new SnapshotOwner(owner.topic(), owner.cursor(), wallMillis.getAsLong());
        return once("making a journal for " + now, () -> storage.create(now)).thenApply(LedgerWriter::new);
    }

    @Override
    public CompletableFuture<List<ByteBuffer>> read(long ledgerId) {
        String what = "reading journal " + ledgerId;
        return translated(what, retries.call(what, () -> storage.open(ledgerId)).thenCompose(reader ->
                entries(what, reader).whenComplete((entries, failure) -> reader.close())));
    }

    private CompletableFuture<List<ByteBuffer>> entries(String what, SnapshotReader reader) {
        if (reader.lengthBytes() > MOST_BYTES) {
            return CompletableFuture.failedFuture(new StorageException(Kind.CORRUPT, "a journal has at most " + MOST_BYTES
                    + " bytes, " + reader.ledgerId() + " has " + reader.lengthBytes()));
        }
        List<ByteBuffer> all = new ArrayList<>();
        return Futures.whileTrue(() -> {
            long first = all.size();
            if (first > reader.lastEntryId()) {
                return Futures.NO_MORE;
            }
            long last = Math.min(reader.lastEntryId(), first + READ_AT_A_TIME - 1);
            return retries.call(what, () -> reader.read(first, last)).thenApply(read -> {
                read.forEach(entry -> all.add(copied(entry)));
                return true;
            });
        }).thenApply(done -> all);
    }

    private static ByteBuffer copied(ByteBuf entry) {
        ByteBuffer copy = ByteBuffer.allocate(entry.readableBytes());
        entry.readBytes(copy);
        entry.release();
        return copy.flip();
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        String what = "deleting journal " + ledgerId;
        return translated(what, new DeleteLedgers(storage, owner, retries).tryOnce(List.of(ledgerId), () -> true)
                .thenCompose(deletions -> deletions.left().isEmpty() ? Futures.DONE
                        : CompletableFuture.failedFuture(deletions.left().get(ledgerId))));
    }

    @Override
    public List<Long> named() {
        return named;
    }

    /** The names that are not written for certain count as named. */
    @Override
    public CompletableFuture<Void> name(List<Long> ledgerIds) {
        List<Long> copy = List.copyOf(ledgerIds);
        return once("naming the journal of " + owner, () -> copy.isEmpty() ? store.remove(property)
                : store.put(property, JournalNames.encode(copy))).thenRun(() -> named = copy);
    }

    @Override
    public CompletableFuture<Void> close() {
        return Futures.closed(store);
    }

    /** Deletes all that the record names, and the names. Completes normally in bounded time. */
    public CompletableFuture<Void> removeAll() {
        return new DeleteLedgers(storage, owner, retries).tryOnce(named, () -> true)
                .thenCompose(deletions -> name(List.copyOf(deletions.left().keySet())))
                .handle((done, failure) -> null);
    }

    /** The writer of one ledger. */
    private final class LedgerWriter implements Writer {

        private final SnapshotWriter writer;

        LedgerWriter(SnapshotWriter writer) {
            this.writer = writer;
        }

        @Override
        public long ledgerId() {
            return writer.ledgerId();
        }

        @Override
        public CompletableFuture<Long> append(ByteBuffer entry) {
            return next("appending to journal " + ledgerId(), () -> writer.append(Unpooled.wrappedBuffer(entry)));
        }

        @Override
        public CompletableFuture<Void> close() {
            String what = "ending journal " + ledgerId();
            return translated(what, retries.lastly(what, writer::close));
        }
    }
}
