/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The deletion of ledgers, {@code deletesUnderWay} at a time. The owner of each is asked first: a record may have been copied
 * from another cursor. A ledger that cannot be deleted does not hold up the others. No caller waits for a pass, which tries each
 * ledger once, at the end those that failed before. It begins none after the time of one call, or after {@code deletesUnderWay}
 * failures in a row: a pass must not cost more, nor hold up its subscription longer, the more ledgers there are.
 */
public final class DeleteLedgers {

    /**
     * The outcome of a deletion of ledgers.
     *
     * @param gone the ledgers that do not exist any more
     * @param foreign the ledgers of other owners, which were left alone
     * @param left the ledgers that may still exist, and why; to be deleted again
     */
    public record Deletions(Set<Long> gone, Set<Long> foreign, Map<Long, StorageException> left) {

        /** The outcome for no ledgers. */
        public static final Deletions NONE = new Deletions(Set.of(), Set.of(), Map.of());

        /** Whether no ledger is gone and none is known to be another owner's. */
        public boolean isInVain() {
            return gone.isEmpty() && foreign.isEmpty();
        }

        /** The outcome where all ledgers are left, for one reason. */
        public static Deletions none(Set<Long> left, StorageException why) {
            Map<Long, StorageException> all = new HashMap<>();
            left.forEach(ledgerId -> all.put(ledgerId, why));
            return new Deletions(Set.of(), Set.of(), all);
        }
    }

    private final SnapshotStorage storage;
    private final SnapshotOwner owner;
    private final Retries retries;
    /** The ledgers that failed when they were tried last in a pass. */
    private final Set<Long> failed = ConcurrentHashMap.newKeySet();

    public DeleteLedgers(SnapshotStorage storage, SnapshotOwner owner, Retries retries) {
        this.storage = storage;
        this.owner = owner;
        this.retries = retries;
    }

    /** Tries each ledger while that may help; never fails. */
    public CompletableFuture<Deletions> deleteAll(Collection<Long> ledgerIds) {
        return new Pass(new TreeSet<>(ledgerIds), false, () -> true).run();
    }

    /**
     * Runs one pass: tries each ledger once, until {@code deletesUnderWay} fail in a row or one call's time is over; never fails.
     *
     * @param goesOn whether another deletion may be begun
     */
    public CompletableFuture<Deletions> tryOnce(Collection<Long> ledgerIds, BooleanSupplier goesOn) {
        failed.retainAll(ledgerIds);
        List<Long> order = new ArrayList<>(new TreeSet<>(ledgerIds));
        order.removeAll(failed);
        List<Long> last = new ArrayList<>(new TreeSet<>(failed));
        if (last.size() > retries.limits().deletesUnderWay()) {
            // The first of them may be ledgers that can never be deleted.
            Collections.rotate(last, retries.draw(last.size()));
        }
        order.addAll(last);
        AtomicBoolean over = new AtomicBoolean();
        WakeUpTimer.Armed end = retries.afterOneCall(() -> over.set(true));
        return new Pass(order, true, () -> !over.get() && goesOn.getAsBoolean()).run().thenApply(deletions -> {
            end.cancel();
            return deletions;
        });
    }

    /** One pass over some ledgers. */
    private final class Pass {

        private final Queue<Long> toDo;
        private final boolean once;
        private final BooleanSupplier goesOn;
        private final Set<Long> gone = new ConcurrentSkipListSet<>();
        private final Set<Long> foreign = new ConcurrentSkipListSet<>();
        private final Map<Long, StorageException> left = new ConcurrentHashMap<>();
        private final AtomicInteger failuresInARow = new AtomicInteger();

        Pass(Collection<Long> ledgerIds, boolean once, BooleanSupplier goesOn) {
            toDo = new ConcurrentLinkedQueue<>(ledgerIds);
            this.once = once;
            this.goesOn = goesOn;
        }

        CompletableFuture<Deletions> run() {
            CompletableFuture<?>[] lanes = new CompletableFuture<?>[Math.min(toDo.size(), retries.limits().deletesUnderWay())];
            for (int lane = 0; lane < lanes.length; lane++) {
                lanes[lane] = Futures.whileTrue(this::next);
            }
            return CompletableFuture.allOf(lanes).thenApply(all -> {
                toDo.forEach(ledgerId -> left.put(ledgerId, new StorageException(Kind.UNAVAILABLE, "ledger " + ledgerId
                        + " was not tried: the pass ended after " + failuresInARow + " failures in a row, or in time")));
                return new Deletions(gone, foreign, Map.copyOf(left));
            });
        }

        private CompletableFuture<Boolean> next() {
            boolean isOver = once && failuresInARow.get() >= retries.limits().deletesUnderWay() || !goesOn.getAsBoolean();
            Long ledgerId = isOver ? null : toDo.poll();
            return ledgerId == null ? Futures.NO_MORE : delete(ledgerId, once).handle((isOurs, failure) -> {
                if (failure == null) {
                    failuresInARow.set(0);
                    failed.remove(ledgerId);
                    (isOurs ? gone : foreign).add(ledgerId);
                } else {
                    failuresInARow.incrementAndGet();
                    failed.add(ledgerId);
                    left.put(ledgerId, StorageException.of(failure, "deleting ledger " + ledgerId));
                }
                return true;
            });
        }
    }

    /** Deletes one ledger; true once it is gone, false if it has another owner. */
    private CompletableFuture<Boolean> delete(long ledgerId, boolean once) {
        String what = "deleting ledger " + ledgerId;
        return retries.repeat(what, () -> attempt(ledgerId, what), failure -> !once && failure.isRetryable())
                .exceptionallyCompose(failure -> switch (StorageException.of(failure, what).kind()) {
                    case NO_SUCH_LEDGER -> CompletableFuture.completedFuture(true);
                    case UNAUTHORIZED -> CompletableFuture.completedFuture(false);
                    default -> CompletableFuture.failedFuture(failure);
                });
    }

    private CompletableFuture<Boolean> attempt(long ledgerId, String what) {
        return retries.once(what, () -> storage.ownerOf(ledgerId)).thenCompose(found ->
                found.filter(owner::isSameSubscription).isEmpty()
                        ? StorageException.foreign(ledgerId, found, owner)
                        : retries.once(what, () -> storage.delete(ledgerId)).thenApply(done -> true));
    }
}
