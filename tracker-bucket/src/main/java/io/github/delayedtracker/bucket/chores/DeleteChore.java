/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.storage.Deletions;
import io.github.delayedtracker.bucket.storage.Futures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Deletes the ledgers of buckets in which nothing sleeps any more, and of those that cannot be read: first the record dooms them,
 * then, after the time that {@link HeldLedgers} gives them, they are deleted. What the record doomed when it was read is deleted
 * at once: whoever loads the topic later reads so too. Ledgers of somebody else leave the record and are not touched. After a
 * pass that leaves some nothing is deleted for a rest, which doubles while nothing can be. One call at a time.
 */
final class DeleteChore {

    private final Site site;
    private final RecordWork record;
    private final Supplier<Set<Long>> held;
    /** Live by the record, and not in the index. */
    private final Set<Long> unreadable = ConcurrentHashMap.newKeySet();
    /** Of a newer version: neither doomed nor deleted, though nothing of them is in the index. */
    private final Set<Long> kept = ConcurrentHashMap.newKeySet();
    /** Doomed by somebody before. */
    private volatile Set<Long> found = Set.of();
    /** Null while nothing is held back. */
    private HeldLedgers hold;
    private volatile boolean left;
    private int passesInVain;
    /** What is left is not tried before. By the clock of the limit, which nobody sets, as the next one. */
    private volatile long restsUntilMillis;
    private volatile long heldUntilMillis = Long.MAX_VALUE;

    /**
     * Nothing is thrown away yet.
     *
     * @param held doomed ledgers that are to stay for now
     */
    DeleteChore(Site site, RecordWork record, Supplier<Set<Long>> held) {
        this.site = site;
        this.record = record;
        this.held = held;
    }

    /** The record as it was read dooms these: the owner before has not got to deleting them. From any thread. */
    void found(List<Long> doomed) {
        found = Set.copyOf(doomed);
    }

    /** A recorded ledger that has no bucket and will not get one. From any thread. */
    void drop(long ledgerId) {
        unreadable.add(ledgerId);
    }

    /** A ledger that a newer version has written stays live in the record whatever becomes of its bucket. From any thread. */
    void keep(long ledgerId) {
        if (kept.add(ledgerId)) {
            site.figures.set(Figure.NEWER_BUCKETS, kept.size());
        }
    }

    /** When to try again what could not be deleted, or never. */
    long nextMillis() {
        long untilMillis = left ? restsUntilMillis : heldUntilMillis;
        return untilMillis == Long.MAX_VALUE ? untilMillis
                : site.nowMillis() + Math.max(0, untilMillis - site.services.holds().nowMillis());
    }

    /** Whether everything thrown away so far is gone. */
    boolean isIdle() {
        return !left && unreadable.isEmpty();
    }

    CompletableFuture<Void> run() {
        Set<Long> doomed = new HashSet<>(unreadable);
        site.change(() -> {
            site.index.exhausted();
            doomed.addAll(site.index.doomed());
        });
        List<Long> drop = new ArrayList<>(site.keeper.wish().orElse(CatalogueRecord.EMPTY).live());
        unreadable.retainAll(drop);
        drop.retainAll(doomed);
        drop.removeAll(kept);
        if (drop.isEmpty()) {
            return delete();
        }
        return record.update(before -> before.dropped(drop), () -> unreadable.removeAll(drop), () -> { })
                .thenCompose(recorded -> recorded ? delete() : Futures.DONE);
    }

    private CompletableFuture<Void> delete() {
        Set<Long> doomed = site.keeper.doomed();
        // The record names them, the index need not.
        forget(doomed);
        Set<Long> stay = heldBack(doomed);
        stay.addAll(held.get());
        boolean isAny = !doomed.isEmpty() || !site.leftovers.unwanted().isEmpty();
        if (isAny && left && site.services.holds().nowMillis() < restsUntilMillis) {
            return Futures.DONE;
        }
        return site.keeper.deleteDoomed(stay).thenCompose(deletions -> {
            done(deletions);
            boolean isVain = !deletions.left().isEmpty() && deletions.isInVain();
            return (isVain ? CompletableFuture.completedFuture(Deletions.NONE) : site.keeper.deleteLeftovers())
                    .thenAccept(leftovers -> passed(deletions, leftovers))
                    .thenCompose(done -> site.stockWriting.isPresent() && !deletions.gone().isEmpty() ? clear() : Futures.DONE);
        });
    }

    private void passed(Deletions deletions, Deletions leftovers) {
        boolean isLeft = !deletions.left().isEmpty() || !leftovers.left().isEmpty();
        boolean inVain = isLeft && deletions.isInVain() && leftovers.isInVain();
        long restMillis = site.restUntilMillis(inVain ? Math.min(passesInVain, RecordWork.MOST_DOUBLINGS) : 0) - site.nowMillis();
        restsUntilMillis = site.services.holds().nowMillis() + Math.max(0, restMillis);
        passesInVain = inVain ? passesInVain + 1 : 0;
        left = isLeft;
    }

    private Set<Long> heldBack(Set<Long> doomed) {
        Set<Long> later = new HashSet<>(doomed);
        later.removeAll(found);
        if (later.size() == doomed.size()) {
            found = Set.of();
        }
        if (later.isEmpty()) {
            end();
            return later;
        }
        if (hold == null) {
            hold = new HeldLedgers(site.services.holds(), site.settings().holdMillis());
        }
        Set<Long> stay = hold.of(later);
        heldUntilMillis = hold.nextMillis();
        return stay;
    }

    /** Nothing is held back any more; in the subscription's order. */
    void end() {
        heldUntilMillis = Long.MAX_VALUE;
        if (hold != null) {
            hold.end();
            hold = null;
        }
    }

    /** What is deleted leaves the record at once, so that nothing but stock's own properties is left. */
    private CompletableFuture<Void> clear() {
        return record.update(UnaryOperator.identity(), () -> { }, () -> { }).thenAccept(recorded -> { });
    }

    private void done(Deletions deletions) {
        deletions.left().forEach((ledgerId, why) -> site.debug("Doomed ledger {} stays for now: {}", ledgerId, why.getMessage()));
        site.figures.add(Figure.DELETED_LEDGERS_TOTAL, deletions.gone().size());
        forget(deletions);
    }

    /** Takes the buckets of deleted ledgers out of the index. */
    void forget(Deletions deletions) {
        Set<Long> over = new HashSet<>(deletions.gone());
        over.addAll(deletions.foreign());
        kept.removeAll(over);
        site.figures.set(Figure.NEWER_BUCKETS, kept.size());
        forget(over);
    }

    private void forget(Collection<Long> over) {
        if (!over.isEmpty()) {
            site.change(() -> {
                Set<Long> doomed = new HashSet<>(site.index.doomed());
                doomed.retainAll(over);
                doomed.forEach(site.index::deleted);
            });
        }
    }
}
