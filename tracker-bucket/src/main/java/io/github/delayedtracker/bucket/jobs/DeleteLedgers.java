/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.jobs;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Deletes ledgers, few at a time, each after a look at whose it is: a record may have been copied from another cursor. One that
 * cannot be deleted does not keep the others.
 */
final class DeleteLedgers {

    private final SnapshotStorage storage;
    private final SnapshotOwner owner;
    private final Retries retries;

    DeleteLedgers(SnapshotStorage storage, SnapshotOwner owner, Retries retries) {
        this.storage = storage;
        this.owner = owner;
        this.retries = retries;
    }

    private enum Outcome { GONE, FOREIGN }

    /** Deletes them all; never fails. */
    CompletableFuture<Deletions> delete(Collection<Long> ledgerIds) {
        Queue<Long> toDo = new ConcurrentLinkedQueue<>(new TreeSet<>(ledgerIds));
        Map<Long, Outcome> done = new ConcurrentHashMap<>();
        Map<Long, StorageException> left = new ConcurrentHashMap<>();
        CompletableFuture<?>[] lanes = new CompletableFuture<?>[Math.min(toDo.size(), retries.limits().deletesUnderWay())];
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] = Chain.whileTrue(() -> {
                Long next = toDo.poll();
                return next == null ? Chain.NO_MORE : delete(next).handle((outcome, failure) -> {
                    if (failure == null) {
                        done.put(next, outcome);
                    } else {
                        left.put(next, Failures.of(failure, "deleting ledger " + next));
                    }
                    return true;
                });
            });
        }
        return CompletableFuture.allOf(lanes).thenApply(all ->
                new Deletions(with(done, Outcome.GONE), with(done, Outcome.FOREIGN), Map.copyOf(left)));
    }

    private static Set<Long> with(Map<Long, Outcome> outcomes, Outcome wanted) {
        Set<Long> ids = new TreeSet<>();
        outcomes.forEach((ledgerId, outcome) -> {
            if (outcome == wanted) {
                ids.add(ledgerId);
            }
        });
        return ids;
    }

    private CompletableFuture<Outcome> delete(long ledgerId) {
        String what = "deleting ledger " + ledgerId;
        return retries.repeat(what, () -> attempt(ledgerId, what), StorageException::isRetryable)
                .exceptionallyCompose(failure -> switch (Failures.of(failure, what).kind()) {
                    case NO_SUCH_LEDGER -> CompletableFuture.completedFuture(Outcome.GONE);
                    case UNAUTHORIZED -> CompletableFuture.completedFuture(Outcome.FOREIGN);
                    default -> CompletableFuture.failedFuture(failure);
                });
    }

    private CompletableFuture<Outcome> attempt(long ledgerId, String what) {
        return retries.once(what, () -> storage.ownerOf(ledgerId)).thenCompose(found ->
                found.filter(owner::isSameSubscription).isEmpty()
                        ? Failures.failed(Kind.UNAUTHORIZED, "ledger " + ledgerId + " belongs to "
                                + found.map(Object::toString).orElse("somebody else"))
                        : retries.once(what, () -> storage.delete(ledgerId)).thenApply(done -> Outcome.GONE));
    }
}
