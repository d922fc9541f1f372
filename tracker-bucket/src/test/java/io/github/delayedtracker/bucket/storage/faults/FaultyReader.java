/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads a sealed ledger of the durable world. */
final class FaultyReader implements SnapshotReader {

    private final StorageLife life;
    private final long ledgerId;
    private final String subscription;
    private final DurableWorld.StoredLedger ledger;
    private boolean closed;

    FaultyReader(StorageLife life, long ledgerId, String subscription, DurableWorld.StoredLedger ledger) {
        this.life = life;
        this.ledgerId = ledgerId;
        this.subscription = subscription;
        this.ledger = ledger;
    }

    @Override
    public long ledgerId() {
        return ledgerId;
    }

    @Override
    public long lastEntryId() {
        return ledger.entries.size() - 1L;
    }

    @Override
    public long lengthBytes() {
        return ledger.entries.stream().mapToLong(entry -> entry.bytes.length).sum();
    }

    @Override
    public CompletableFuture<ByteBuf> read(long entryId) {
        return life.begin(Operation.READ, subscription, new Range<ByteBuf>(entryId, entryId) {
            @Override
            ByteBuf take() throws StorageException {
                return entries().get(0);
            }

            @Override
            void dispose(ByteBuf entry) {
                entry.release();
            }
        });
    }

    @Override
    public CompletableFuture<List<ByteBuf>> read(long firstEntryId, long lastEntryId) {
        return life.begin(Operation.READ, subscription, new Range<List<ByteBuf>>(firstEntryId, lastEntryId) {
            @Override
            List<ByteBuf> take() throws StorageException {
                return entries();
            }

            @Override
            void dispose(List<ByteBuf> entries) {
                entries.forEach(ByteBuf::release);
            }
        });
    }

    private abstract class Range<T> extends Work<T> {
        private final long first;
        private final long last;
        private final boolean late = closed;
        private boolean garbled;

        Range(long first, long last) {
            this.first = first;
            this.last = last;
        }

        @Override
        void strike(Fault.Kind kind) {
            if (first < 0 || first > lastEntryId()) {
                return;
            }
            DurableWorld.StoredEntry entry = ledger.entries.get((int) first);
            entry.lost |= kind == Fault.Kind.LOSE;
            entry.corrupt |= kind == Fault.Kind.CORRUPT;
            garbled = kind == Fault.Kind.GARBLE;
        }

        List<ByteBuf> entries() throws StorageException {
            refuse();
            List<ByteBuf> read = new ArrayList<>();
            for (int id = (int) first; id <= last; id++) {
                byte[] bytes = ledger.entries.get(id).bytes.clone();
                if (garbled && id == first && bytes.length > 0) {
                    bytes[life.random().nextInt(bytes.length)] ^= (byte) (1 << life.random().nextInt(8));
                }
                // Never the shared empty buffer, which cannot leak.
                read.add(life.handOut(Unpooled.buffer(bytes.length + 1).writeBytes(bytes)));
            }
            return read;
        }

        private void refuse() throws StorageException {
            life.refuseIfClosed();
            if (late) {
                throw new StorageException(Kind.CLOSED, "the reader of ledger " + ledgerId + " is closed");
            }
            if (first < 0 || first > last || last > lastEntryId()) {
                throw new StorageException(Kind.NO_SUCH_ENTRY, first + " to " + last + " of ledger " + ledgerId
                        + ", which ends at " + lastEntryId());
            }
            life.world().get(ledgerId);
            for (int id = (int) first; id <= last; id++) {
                DurableWorld.StoredEntry entry = ledger.entries.get(id);
                if (entry.lost || entry.corrupt) {
                    throw new StorageException(entry.lost ? Kind.NO_SUCH_ENTRY : Kind.CORRUPT,
                            "entry " + id + " of ledger " + ledgerId);
                }
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            life.readers(-1);
        }
    }
}
