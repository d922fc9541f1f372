/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Ledgers of the durable world, as one broker reaches them. */
final class FaultySnapshotStorage implements SnapshotStorage {

    /** Who asks where no subscription can be told. */
    private static final String NOBODY = "";

    private final StorageLife life;
    private boolean closed;

    FaultySnapshotStorage(StorageLife life) {
        this.life = life;
    }

    @Override
    public int maxEntryBytes() {
        return life.parent().maxEntryBytes();
    }

    static String subscription(SnapshotOwner owner) {
        return owner == null ? NOBODY : DurableWorld.subscription(owner.topic(), owner.cursor());
    }

    private String subscription(long ledgerId) {
        DurableWorld.StoredLedger ledger = life.world().find(ledgerId);
        return ledger == null ? NOBODY : subscription(ledger.owner);
    }

    void refuseIfClosed() throws StorageException {
        if (closed) {
            throw new StorageException(StorageException.Kind.CLOSED, "the snapshot storage is closed");
        }
    }

    @Override
    public CompletableFuture<SnapshotWriter> create(SnapshotOwner owner) {
        return life.begin(Operation.CREATE, subscription(owner), new Work<SnapshotWriter>() {
            @Override
            SnapshotWriter take() throws StorageException {
                refuseIfClosed();
                long id = life.world().add(new DurableWorld.StoredLedger(owner));
                life.writers(1);
                return new FaultyWriter(life, id, owner);
            }

            @Override
            void dispose(SnapshotWriter writer) {
                // What cannot be deleted now, though it may throw, names its owner and is found by the listing.
                CompletableFuture.runAsync(() -> writer.abandon().isDone(), Runnable::run).isDone();
            }
        });
    }

    @Override
    public CompletableFuture<SnapshotReader> open(long ledgerId) {
        return life.beginOn(ledgerId, Operation.OPEN, subscription(ledgerId), new Work<SnapshotReader>() {
            @Override
            void strike(Fault.Kind kind) {
                life.world().loseLedger(ledgerId);
            }

            @Override
            SnapshotReader take() throws StorageException {
                refuseIfClosed();
                DurableWorld.StoredLedger ledger = life.world().get(ledgerId);
                ledger.sealed = true;
                life.readers(1);
                return new FaultyReader(life, ledgerId, subscription(ledger.owner), ledger);
            }

            @Override
            void dispose(SnapshotReader reader) {
                reader.close();
            }
        });
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return life.begin(Operation.DELETE, subscription(ledgerId), new Work<Void>() {
            @Override
            Void take() throws StorageException {
                refuseIfClosed();
                life.world().remove(ledgerId);
                life.deleted(ledgerId);
                return null;
            }
        });
    }

    @Override
    public CompletableFuture<Optional<SnapshotOwner>> ownerOf(long ledgerId) {
        return life.beginOn(ledgerId, Operation.OWNER_OF, subscription(ledgerId), new Work<Optional<SnapshotOwner>>() {
            @Override
            void strike(Fault.Kind kind) {
                life.world().loseLedger(ledgerId);
            }

            @Override
            Optional<SnapshotOwner> take() throws StorageException {
                refuseIfClosed();
                return Optional.ofNullable(life.world().get(ledgerId).owner);
            }
        });
    }

    @Override
    public CompletableFuture<List<Long>> list(long afterLedgerId, int limit) {
        return life.begin(Operation.LIST, NOBODY, new Work<List<Long>>() {
            @Override
            List<Long> take() throws StorageException {
                refuseIfClosed();
                return life.world().page(afterLedgerId, limit);
            }
        });
    }

    @Override
    public CompletableFuture<Void> close() {
        closed = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        life.after(0, () -> done.complete(null));
        return done;
    }
}
