/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Appends to one ledger, so many at a time: when the window is full, the next append waits for the oldest. The storage answers
 * in order and fails all that follow a failed one, so the oldest answer tells. An entry that could not be made was never
 * appended, and the storage knows nothing of it: the ledger may be sealed once {@link #drained} has answered well. One caller at
 * a time.
 */
final class AppendWindow {

    private final SnapshotWriter writer;
    private final Retries retries;
    private final ArrayDeque<CompletableFuture<Long>> underWay = new ArrayDeque<>();

    AppendWindow(SnapshotWriter writer, Retries retries) {
        this.writer = writer;
        this.retries = retries;
    }

    /**
     * Appends one entry. Answers when the next may be appended, which is before this one is durable.
     *
     * @param entry makes the entry, or is never asked
     */
    CompletableFuture<Void> append(Supplier<ByteBuf> entry) {
        underWay.add(retries.next("appending to ledger " + writer.ledgerId(), () -> writer.append(entry.get())));
        return underWay.size() < retries.limits().appendsUnderWay() ? Futures.DONE : underWay.poll().thenApply(number -> null);
    }

    /** Appends several entries, and releases those that are not appended because one before them failed. */
    CompletableFuture<Void> appendAll(List<ByteBuf> entries) {
        ArrayDeque<ByteBuf> left = new ArrayDeque<>(entries);
        return Futures.whileTrue(() -> left.isEmpty() ? Futures.NO_MORE : append(left::poll).thenApply(done -> true))
                .whenComplete((done, failure) -> left.forEach(ByteBuf::release));
    }

    /** Answers when all appends have, and as the first of them that failed. */
    CompletableFuture<Void> drained() {
        CompletableFuture<Void> all = Futures.DONE;
        for (CompletableFuture<Long> append : underWay) {
            all = all.thenCompose(before -> append.thenApply(number -> null));
        }
        return all;
    }

    /** Waits for no append any more. */
    void giveUp() {
        underWay.forEach(append -> append.cancel(false));
        underWay.clear();
    }
}
