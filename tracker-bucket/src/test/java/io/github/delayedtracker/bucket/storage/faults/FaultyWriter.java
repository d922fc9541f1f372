/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Writes a ledger of the durable world: in order, and no more after the first failure. */
final class FaultyWriter implements SnapshotWriter {

    private final StorageLife life;
    private final long ledgerId;
    private final String subscription;
    private final Lane lane = new Lane();
    private CompletableFuture<Long> lastAppend = CompletableFuture.completedFuture(-1L);
    private int appended;
    private boolean ended;
    private StorageException broken;
    /** The append that failed first. */
    private int brokenBy;

    FaultyWriter(StorageLife life, long ledgerId, SnapshotOwner owner) {
        this.life = life;
        this.ledgerId = ledgerId;
        this.subscription = FaultySnapshotStorage.subscription(owner);
    }

    @Override
    public long ledgerId() {
        return ledgerId;
    }

    @Override
    public CompletableFuture<Long> append(ByteBuf entry) {
        boolean late = ended;
        int number = late ? -1 : appended++;
        life.held(1);
        Flight<Long> flight = life.beginIn(lane, Operation.APPEND, subscription, new Append(entry, number, late));
        if (!late) {
            lastAppend = flight.truth();
        }
        return flight.answer();
    }

    /** One entry on its way. Its buffer is read when it takes effect: what is done to it until then shows. */
    private final class Append extends Work<Long> {
        private final ByteBuf entry;
        private final int number;
        private final boolean late;
        private boolean lost;
        private boolean corrupt;

        Append(ByteBuf entry, int number, boolean late) {
            this.entry = entry;
            this.number = number;
            this.late = late;
        }

        @Override
        void strike(Fault.Kind kind) {
            lost = kind == Fault.Kind.LOSE;
            corrupt = kind == Fault.Kind.CORRUPT;
        }

        @Override
        Long take() throws StorageException {
            refuse();
            DurableWorld.StoredLedger ledger = life.world().find(ledgerId);
            if (ledger != null && ledger.sealed) {
                throw broken(Kind.FENCED, "ledger " + ledgerId + " was sealed by a reader");
            }
            return takeLate();
        }

        @Override
        Long takeLate() {
            DurableWorld.StoredLedger ledger = life.world().find(ledgerId);
            if (ledger != null && !ledger.sealed && number == ledger.entries.size()) {
                DurableWorld.StoredEntry stored = new DurableWorld.StoredEntry(ByteBufUtil.getBytes(entry));
                stored.lost = lost;
                stored.corrupt = corrupt;
                ledger.entries.add(stored);
            }
            return (long) number;
        }

        private void refuse() throws StorageException {
            life.refuseIfClosed();
            if (late) {
                throw new StorageException(Kind.CLOSED, "the writer of ledger " + ledgerId + " is closed");
            }
            if (entry.readableBytes() > life.parent().maxEntryBytes()) {
                throw broken(Kind.TOO_LARGE, "an entry of ledger " + ledgerId + " may have at most "
                        + life.parent().maxEntryBytes() + " bytes, got " + entry.readableBytes());
            }
            if (broken != null && brokenBy < number) {
                throw broken;
            }
        }

        private StorageException broken(Kind kind, String message) {
            failed(new StorageException(kind, message));
            return broken;
        }

        /** Answers come in order: what failed later is no matter of this one. */
        @Override
        StorageException objection() {
            return !late && broken != null && brokenBy < number ? broken : null;
        }

        @Override
        void failed(StorageException failure) {
            if (broken == null && !late) {
                broken = failure;
                brokenBy = number;
            }
        }

        @Override
        void thrown() {
            failed(new StorageException(Kind.CLOSED, "an append to ledger " + ledgerId + " was thrown out"));
        }

        @Override
        void over() {
            entry.release();
            life.held(-1);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        boolean late = !end();
        lastAppend.handle((number, failure) -> null).thenCompose(over ->
                life.begin(Operation.CLOSE_WRITER, subscription, new Seal(late))).whenComplete((done, notDone) -> {
                    if (notDone == null) {
                        answer.complete(null);
                    } else {
                        answer.completeExceptionally(notDone instanceof CompletionException ? notDone.getCause() : notDone);
                    }
                });
        return answer;
    }

    /** The last step of a snapshot. */
    private final class Seal extends Work<Void> {
        private final boolean late;

        Seal(boolean late) {
            this.late = late;
        }

        @Override
        Void take() throws StorageException {
            if (late) {
                throw new StorageException(Kind.CLOSED, "the writer of ledger " + ledgerId + " is closed");
            }
            if (broken != null) {
                throw broken;
            }
            DurableWorld.StoredLedger ledger = life.world().get(ledgerId);
            if (ledger.sealed && ledger.entries.size() != appended) {
                throw new StorageException(Kind.FENCED, "ledger " + ledgerId + " was sealed by a reader");
            }
            ledger.sealed = true;
            return null;
        }
    }

    @Override
    public CompletableFuture<Void> abandon() {
        end();
        return life.begin(Operation.ABANDON, subscription, new Work<Void>() {
            @Override
            Void take() {
                life.world().remove(ledgerId);
                return null;
            }
        });
    }

    private boolean end() {
        boolean first = !ended;
        if (first) {
            ended = true;
            life.writers(-1);
        }
        return first;
    }
}
