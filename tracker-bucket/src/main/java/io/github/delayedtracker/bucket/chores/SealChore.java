/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.chores.StockFigures.Operation;
import io.github.delayedtracker.bucket.index.FrozenTail;
import io.github.delayedtracker.bucket.index.SealReason;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Seals the tail by count, by age, and early where memory is short: freezes it, writes it, has it recorded, lets it settle. A
 * tail whose seal has failed stays in memory and is sealed again after a pause. {@link #run} is called once at a time, the rest
 * from any thread.
 */
final class SealChore {

    /** A tail is sealed early if it has this part of the positions with which age counts. */
    private static final int EARLY_PART = 10;

    private final Site site;
    private final RecordWork record;
    private final SealRule rule;
    private final Runnable whenSealed;
    /** When the tail is old; never, while it is short. */
    private volatile long oldAtMillis = Long.MAX_VALUE;
    private volatile long restsUntilMillis;
    private volatile boolean suspended;
    private volatile boolean forbidden;
    /** Whether the tail is to be sealed because memory is short. */
    private volatile boolean early;

    /**
     * Nothing is sealed yet.
     *
     * @param whenSealed told when there is another bucket
     */
    SealChore(Site site, RecordWork record, Runnable whenSealed) {
        this.site = site;
        this.record = record;
        this.whenSealed = whenSealed;
        this.rule = site.stockWriting.<SealRule>map(stock -> new SealAtLedgers(stock.ranges()))
                .orElseGet(() -> new SealAnywhere(site.settings().ageSealPositions()));
    }

    /** The tail has reached the length at which age counts. */
    void tailGrows() {
        suspended = false;
        oldAtMillis = Math.min(oldAtMillis, site.nowMillis() + site.settings().sealAgeMillis());
    }

    /** Nothing is sealed until the tail has grown again. */
    void suspend() {
        suspended = true;
        early = false;
        oldAtMillis = Long.MAX_VALUE;
    }

    /** Whether nothing may be sealed at all, however long or old a tail is, since it could not be recorded. */
    void forbid(boolean sealing) {
        forbidden = sealing;
    }

    /** Has the tail sealed in the next round, short and young as it is; false if it may not be, or is not worth a ledger. */
    boolean sealEarly() {
        early = mayRun() && site.locked(site.index::tailPositions) >= worthALedger(rule.agePositions());
        return early;
    }

    /** How many positions a tail has at least that is sealed for whatever reason, where age counts from so many on. */
    static int worthALedger(int agePositions) {
        return Math.max(1, agePositions / EARLY_PART);
    }

    /** When to look again, or never. */
    long nextMillis() {
        return suspended || forbidden || oldAtMillis == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(oldAtMillis, restsUntilMillis);
    }

    /** Whether a tail that is long enough may be sealed now. */
    boolean mayRun() {
        return !suspended && !forbidden && site.nowMillis() >= restsUntilMillis;
    }

    /** Seals whatever is to be sealed. */
    CompletableFuture<Void> run() {
        if (mayRun()) {
            refill();
        }
        Optional<FrozenTail> next = mayRun() ? site.locked(this::next) : Optional.empty();
        return next.isEmpty() ? Futures.DONE : seal(next.get()).thenCompose(sealed -> sealed ? run() : Futures.DONE);
    }

    /** With what came while nothing could be sealed, slice by slice. */
    private void refill() {
        boolean more = site.locked(() -> site.index.refill(site.settings().slice()));
        boolean grows = more;
        while (more) {
            more = site.locked(() -> site.index.refill(site.settings().slice()));
        }
        if (grows && site.locked(site.index::tailPositions) >= rule.agePositions()) {
            tailGrows();
        }
    }

    private Optional<FrozenTail> next() {
        Optional<FrozenTail> again = site.index.sealAgain();
        if (again.isPresent()) {
            return again;
        }
        boolean old = site.index.tailPositions() >= rule.agePositions() && oldAtMillis <= site.nowMillis();
        Optional<FrozenTail> frozen = site.index.sealWanted() ? site.index.freeze(SealReason.COUNT)
                : old ? site.index.freeze(SealReason.AGE) : early ? freezeEarly() : Optional.empty();
        early = false;
        if (frozen.isPresent() || oldAtMillis <= site.nowMillis() && !old) {
            oldAtMillis = Long.MAX_VALUE;
        }
        return frozen;
    }

    private Optional<FrozenTail> freezeEarly() {
        Optional<FrozenTail> frozen = site.index.freeze(SealReason.MEMORY);
        frozen.ifPresent(tail -> site.services.budget().sealedEarly());
        return frozen;
    }

    private CompletableFuture<Boolean> seal(FrozenTail frozen) {
        SegmentColumns all = frozen.columns();
        BitSet chosen = site.chosen(all, (from, to, into) -> site.index.live(frozen, from, to, into));
        rule.leaveOut(frozen, all, chosen);
        SegmentColumns live = all.selected(chosen);
        if (live.count() == 0) {
            site.change(() -> site.index.giveUpSeal(frozen, "nothing is left in it"));
            return CompletableFuture.completedFuture(true);
        }
        long begunMillis = site.nowMillis();
        return Futures.either(site.steps().write().write(live), written -> record.update(
                before -> before.sealed(written.ledgerId()), () -> {
                    site.took(Operation.CREATE, begunMillis);
                    settle(frozen, written, begunMillis);
                },
                () -> site.change(() -> site.index.giveUpSeal(frozen, "its ledger is removed with all others"))), failure -> {
                    if (Futures.cause(failure) instanceof StorageException known && rule.isForEver(known)) {
                        frozen.storedFrom(Long.MAX_VALUE);
                    }
                    giveUp(frozen, failure);
                    return CompletableFuture.completedFuture(false);
                });
    }

    private void giveUp(FrozenTail frozen, Throwable failure) {
        site.figures.add(Figure.SEAL_FAILURES_TOTAL, 1);
        site.warn("A seal of " + frozen.logged() + " positions failed; they stay in memory until it succeeds", failure);
        site.change(() -> site.index.giveUpSeal(frozen, Futures.cause(failure).toString()));
        restsUntilMillis = site.restUntilMillis();
        oldAtMillis = restsUntilMillis;
    }

    private void settle(FrozenTail frozen, WrittenSnapshot written, long begunMillis) {
        site.change(() -> site.index.beginSettling(frozen, written.ledgerId(), written.segments()));
        long loadUntilMillis = rule.staysUntilMillis(written.segments(), site.nowMillis() + site.loadAheadMillis());
        boolean settled = false;
        while (!settled) {
            settled = site.locked(() -> site.index.settle(frozen, loadUntilMillis, site.settings().slice()));
        }
        site.figures.add(Figure.SEALS_TOTAL, 1);
        site.figures.add(Figure.SEALED_POSITIONS_TOTAL, written.positions().size());
        site.debug("Sealed ledger {}: {} positions in {} segments, {} bytes, {} ms", written.ledgerId(),
                written.positions().size(), written.segments().size(), written.bytes(), site.nowMillis() - begunMillis);
        whenSealed.run();
    }
}
