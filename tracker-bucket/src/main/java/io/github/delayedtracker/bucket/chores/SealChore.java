/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.index.FrozenTail;
import io.github.delayedtracker.bucket.index.Sealing.SealReason;
import io.github.delayedtracker.bucket.record.DurableRecord;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The chore that seals the tail by count, by age, and early where memory is short. It freezes the tail, writes it, records it,
 * and lets it settle. A tail whose seal has failed stays in memory and is sealed again after a pause. {@link #run} is called once
 * at a time, the other methods from any thread.
 */
final class SealChore implements Chore, AgeSeals.Owner {

    /** A tail is sealed early if it has a tenth of the positions with which age counts. */
    private static final int EARLY_PART = 10;

    /** Writes positions, at least one, as a new snapshot. */
    @FunctionalInterface
    interface Write {
        CompletableFuture<WrittenSnapshot> write(SegmentColumns live);
    }

    private final GuardedIndex index;
    private final DurableRecord record;
    private final Write write;
    private final SealRule rule;
    private final ChoreClock clock;
    private final ChoreReport report;
    private final BucketSettings settings;
    private final MemoryBudget budget;
    private final AgeSeals ages;
    private final Runnable whenOld;
    private final Runnable whenSealed;
    /** The time at which the tail is old; Long.MAX_VALUE while it is short. */
    private volatile long oldAtMillis = Long.MAX_VALUE;
    private volatile long restsUntilMillis;
    private volatile boolean suspended;
    private volatile boolean forbidden;
    /** Whether the tail is to be sealed because memory is short. */
    private volatile boolean early;
    private final AtomicReference<AgeTurn> ageTurn = new AtomicReference<>(AgeTurn.NONE);
    /** Steps of seals, one under way and others that an Error has cut short, to be run again before anything else is sealed. */
    private final Queue<Runnable> unfinished = new ConcurrentLinkedQueue<>();

    /** The turn of an old tail among those of the broker. */
    private enum AgeTurn { NONE, ASKED_FOR, GIVEN }

    /**
     * A chore that has sealed nothing yet.
     *
     * @param whenOld told when it is the turn of an old tail
     * @param whenSealed told when there is another bucket
     */
    SealChore(GuardedIndex index, DurableRecord record, Write write, SealRule rule, ChoreClock clock, ChoreReport report,
            BucketSettings settings, MemoryBudget budget, AgeSeals ages, Runnable whenOld, Runnable whenSealed) {
        this.index = index;
        this.record = record;
        this.write = write;
        this.rule = rule;
        this.clock = clock;
        this.report = report;
        this.settings = settings;
        this.budget = budget;
        this.ages = ages;
        this.whenOld = whenOld;
        this.whenSealed = whenSealed;
    }

    /** The tail has reached the length at which age counts. */
    void tailGrows() {
        suspended = false;
        oldAtMillis = Math.min(oldAtMillis, clock.nowMillis() + settings.sealAgeMillis());
    }

    /** Seals nothing until the tail has grown again. */
    void suspend() {
        suspended = true;
        early = false;
        forgetAge();
    }

    private void forgetAge() {
        oldAtMillis = Long.MAX_VALUE;
        if (ageTurn.getAndSet(AgeTurn.NONE) == AgeTurn.ASKED_FOR) {
            ages.leave(this);
        }
    }

    @Override
    public void mayBeSealed() {
        if (ageTurn.compareAndSet(AgeTurn.ASKED_FOR, AgeTurn.GIVEN)) {
            whenOld.run();
        }
    }

    @Override
    public void forgotten() {
        ageTurn.set(AgeTurn.NONE);
    }

    /** Waits for nothing any more. */
    void close() {
        forgetAge();
    }

    /** Forbids all seals, however long or old a tail is, since they could not be recorded; or allows them again. */
    void forbid(boolean sealing) {
        forbidden = sealing;
    }

    /** Has the tail sealed in the next round, short and young as it is; false if it may not be, or is not worth a ledger. */
    boolean sealEarly() {
        early = mayRun() && tailPositions() >= worthALedger(rule.agePositions());
        return early;
    }

    /** The least positions of a tail that is sealed for any reason, where age counts from this number on. */
    static int worthALedger(int agePositions) {
        return Math.max(1, agePositions / EARLY_PART);
    }

    @Override
    public long nextMillis() {
        if (suspended || forbidden) {
            return Long.MAX_VALUE;
        }
        if (clock.nowMillis() < restsUntilMillis) {
            return restsUntilMillis;
        }
        return ageTurn.get() == AgeTurn.ASKED_FOR ? Long.MAX_VALUE : oldAtMillis;
    }

    /** Whether a tail that is long enough may be sealed now. */
    boolean mayRun() {
        return !suspended && !forbidden && clock.nowMillis() >= restsUntilMillis;
    }

    /** Whether no tail is frozen: a frozen one may be sealed again, any other stays a tail. */
    @Override
    public boolean isIdle() {
        return index.read(known -> known.seals().frozenTails() == 0);
    }

    @Override
    public CompletableFuture<Void> run() {
        List.copyOf(unfinished).forEach(this::finish);
        if (mayRun()) {
            refill();
        }
        Optional<FrozenTail> next = mayRun() ? index.changeAndGet(this::next) : Optional.empty();
        if (next.isEmpty()) {
            if (mayRun() && oldAtMillis <= clock.nowMillis() && ageTurn.compareAndSet(AgeTurn.NONE, AgeTurn.ASKED_FOR)) {
                ages.ask(this, oldAtMillis);
            }
            return Futures.DONE;
        }
        return seal(next.get()).thenCompose(sealed -> sealed ? run() : Futures.DONE);
    }

    /** Refills the tail with the positions that came while nothing could be sealed, slice by slice. */
    private void refill() {
        boolean grows = index.changeWhileMore((known, positions) -> known.seals().refill(positions));
        if (grows && tailPositions() >= rule.agePositions()) {
            tailGrows();
        }
    }

    private long tailPositions() {
        return index.read(known -> known.seals().tailPositions());
    }

    private Optional<FrozenTail> next(BucketIndex known) {
        Optional<FrozenTail> again = known.seals().sealAgain();
        if (again.isPresent()) {
            return again;
        }
        boolean isOld = known.seals().tailPositions() >= rule.agePositions() && oldAtMillis <= clock.nowMillis();
        Optional<FrozenTail> frozen = known.seals().isWanted() ? known.seals().freeze(SealReason.COUNT)
                : isOld && ageTurn.get() == AgeTurn.GIVEN ? known.seals().freeze(SealReason.AGE)
                : early ? freezeEarly(known) : Optional.empty();
        early = false;
        if (frozen.isPresent() || oldAtMillis <= clock.nowMillis() && !isOld) {
            forgetAge();
        }
        return frozen;
    }

    /** Runs a step that may be run twice; if it fails it is run again with the next round. */
    private void toTheEnd(Runnable step) {
        unfinished.add(step);
        finish(step);
    }

    private void finish(Runnable step) {
        step.run();
        unfinished.remove(step);
    }

    private Optional<FrozenTail> freezeEarly(BucketIndex known) {
        Optional<FrozenTail> frozen = known.seals().freeze(SealReason.MEMORY);
        frozen.ifPresent(tail -> budget.sealedEarly());
        return frozen;
    }

    private CompletableFuture<Boolean> seal(FrozenTail frozen) {
        SegmentColumns live;
        try {
            live = live(frozen);
        } catch (Throwable e) {
            giveUp(frozen, e);
            return CompletableFuture.completedFuture(false);
        }
        if (live.count() == 0) {
            giveBack(frozen, "nothing is left in it");
            return CompletableFuture.completedFuture(true);
        }
        long begunMillis = clock.nowMillis();
        CompletableFuture<WrittenSnapshot> writing = Futures.begun(() -> write.write(live));
        return Futures.either(writing, written -> record(frozen, written, begunMillis), failure -> {
            if (Futures.cause(failure) instanceof StorageException known && rule.isForEver(known)) {
                frozen.storedFrom(Long.MAX_VALUE);
            }
            giveUp(frozen, failure);
            return CompletableFuture.completedFuture(false);
        });
    }

    private SegmentColumns live(FrozenTail frozen) {
        SegmentColumns all = frozen.columns();
        BitSet chosen = index.chosen(all, (known, from, to, into) -> known.seals().live(frozen, from, to, into));
        rule.leaveOut(frozen, all, chosen);
        return all.selected(chosen);
    }

    private void giveBack(FrozenTail frozen, String reason) {
        toTheEnd(() -> index.change(known -> {
            if (known.seals().isSealing(frozen, false)) {
                known.seals().giveUp(frozen, reason);
            }
        }));
    }

    private CompletableFuture<Boolean> record(FrozenTail frozen, WrittenSnapshot written, long begunMillis) {
        CompletableFuture<Void> following = record.update(before -> before.sealed(written.ledgerId())).thenAccept(durable -> {
            if (durable) {
                report.took(Operation.CREATE, begunMillis, written.bytes());
                toTheEnd(() -> settle(frozen, written, begunMillis));
                whenSealed.run();
            } else {
                giveBack(frozen, "its ledger is removed with all others");
            }
        });
        return record.settled(following);
    }

    private void giveUp(FrozenTail frozen, Throwable failure) {
        restsUntilMillis = clock.restUntilMillis();
        oldAtMillis = restsUntilMillis;
        report.count(Figure.SEAL_FAILURES_TOTAL);
        report.warn("A seal of " + frozen.logged() + " positions failed; they stay in memory until it succeeds", failure);
        giveBack(frozen, Futures.cause(failure).toString());
    }

    private void settle(FrozenTail frozen, WrittenSnapshot written, long begunMillis) {
        index.change(known -> {
            if (known.seals().isSealing(frozen, false)) {
                known.seals().beginSettling(frozen, written.ledgerId(), written.segments());
            }
        });
        long loadAheadMillis = budget.loadAheadMillis(settings.prefetchMillis());
        long loadUntilMillis = rule.staysUntilMillis(written.segments(), clock.nowMillis() + loadAheadMillis);
        index.changeWhileMore((known, positions) -> known.seals().isSealing(frozen, true)
                && !known.seals().settle(frozen, loadUntilMillis, positions));
        report.count(Figure.SEALS_TOTAL);
        report.count(Figure.SEALED_POSITIONS_TOTAL, written.positions().size());
        report.debug("Sealed ledger {}: {} positions in {} segments, {} bytes, {} ms", written.ledgerId(),
                written.positions().size(), written.segments().size(), written.bytes(), clock.nowMillis() - begunMillis);
    }
}
