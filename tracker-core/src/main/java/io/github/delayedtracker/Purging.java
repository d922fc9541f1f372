/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.subscription.CandidateBatch;
import io.github.delayedtracker.subscription.Purge;
import io.github.delayedtracker.subscription.SubscriptionState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.bookkeeper.mledger.PositionFactory;

/**
 * Drops positions of one subscription that were acknowledged one by one above mark-delete, a short time after, and keeps the
 * figures of what a restart would bring back, and of what the topic keeps for the schedule alone.
 *
 * <p>A pass is wanted once anything was acknowledged since the one before began, or offered while there was something
 * acknowledged, or the topic has begun another ledger while something is scheduled, or a journal has taken in what the one before
 * called lost, or has ended; passes begin {@link #LEAST_GAP_MILLIS} apart at least. A pass takes a copy of what is acknowledged,
 * goes through the index with it, and asks the cursor once more about each position found: the copy may be older than a seek.
 * Where there is no copy the cursor is asked about each position. At most one pass is under way.
 */
class Purging extends Tidying {

    static final long LEAST_GAP_MILLIS = 10_000;

    private static final int SLICE = 1_024;

    private static final VarHandle BUSY = busy();

    final TrackerCounters counters;
    final FailureLog failures;
    /** While a pass is under way or waits for its turn; whoever has set it uses what follows. */
    private volatile boolean busy;
    private volatile Optional<Seen> seen = Optional.empty();
    private Pass pass;
    private volatile boolean begunBefore;
    private volatile long begunMillis;

    /** One subscription's. */
    Purging(SubscriptionState state, CursorView cursor, TrackerCounters counters, FailureLog failures) {
        super(state, cursor);
        this.counters = counters;
        this.failures = failures;
    }

    private static VarHandle busy() {
        try {
            return MethodHandles.lookup().findVarHandle(Purging.class, "busy", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * How things stood when a pass began that has ended.
     *
     * @param anyAcknowledged whether anything above mark-delete was, as far as the cursor could say it
     * @param writesToLedger whether the cursor wrote to a ledger of its own, which the figures depend on
     * @param figures acknowledgements that a restart would have brought back, where the cursor could say it
     * @param exact whether the pass has left nothing that it found
     * @param lastLedgerId the ledger of the topic that was written last
     * @param tellsHeld whether the cursor could say what the topic keeps for the schedule alone
     * @param journaled how many acknowledgements a journal had, -1 without one that counts
     */
    private record Seen(long consumed, long changes, boolean anyAcknowledged, boolean writesToLedger,
            Optional<AckFigures> figures, boolean exact, long lastLedgerId, boolean tellsHeld, long journaled) {

        Seen inexact() {
            return new Seen(consumed, changes, anyAcknowledged, writesToLedger, figures, false, lastLedgerId, tellsHeld,
                    journaled);
        }

        /** Whether the figures would be others with as many in the journal: one that has grown matters where some are lost. */
        boolean isOtherWith(long nowJournaled) {
            return nowJournaled < journaled
                    || nowJournaled > journaled && figures.map(AckFigures::isAnyLost).orElse(false);
        }
    }

    /** A pass and its findings so far. */
    private static final class Pass {
        private final Purge purge;
        private final Seen begun;
        private final Optional<HeldLook> held;
        private long found;
        private boolean passedOver;

        Pass(Purge purge, Seen begun, Optional<HeldLook> held) {
            this.purge = purge;
            this.begun = begun;
            this.held = held;
        }
    }

    /** How many of some acknowledgements a journal lacks; empty if there is none. */
    OptionalLong missingInJournal(AckedPositions acked) {
        return OptionalLong.empty();
    }

    /** How many acknowledgements a journal has that counts; -1 without one. A few field accesses. */
    long journaled() {
        return -1;
    }

    /** Queues a pass if one is wanted: a few compares, to be called where mark-delete has been looked at. From any thread. */
    void look(PurgeQueue queue, long nowMillis) {
        boolean tooSoon = begunBefore && nowMillis >= begunMillis && nowMillis < begunMillis + LEAST_GAP_MILLIS;
        if (tooSoon || busy || !BUSY.compareAndSet(this, false, true)) {
            return;
        }
        boolean wanted = false;
        try {
            wanted = isWanted();
            if (wanted) {
                begunMillis = nowMillis;
                begunBefore = true;
                queue.add(this);
            }
        } finally {
            if (!wanted) {
                busy = false;
            }
        }
    }

    /** Whether a pass may lower the count: not while nothing was acknowledged since one to which nothing was. Some compares. */
    final boolean mayLowerCount() {
        return state.count() > 0 && seen.map(last -> last.anyAcknowledged() || !last.exact()
                || cursor.consumed() != last.consumed()).orElse(true);
    }

    /** Whether another pass would lower no count: the last one has seen all acknowledgements and positions. Some compares. */
    final boolean isSettled() {
        return state.count() == 0 || seen.map(last -> last.exact() && cursor.consumed() == last.consumed()
                && (!last.anyAcknowledged() || counters.changes() == last.changes())).orElse(false);
    }

    /** Acknowledgements that a restart would bring back, as of the last pass; empty before, and if the cursor cannot say. */
    Optional<AckFigures> figures() {
        return seen.flatMap(Seen::figures);
    }

    /** The bytes that the topic keeps for the schedule alone, as of the last pass; empty before, and if the cursor cannot say. */
    OptionalLong heldBytes() {
        boolean isKnown = seen.isPresent() && seen.get().tellsHeld();
        return isKnown ? OptionalLong.of(state.count() == 0 ? 0 : cursor.heldBytes()) : OptionalLong.empty();
    }

    /** Whether anything above mark-delete was acknowledged, as of the last pass. */
    boolean hasSeenAcknowledgements() {
        return seen.isPresent() && seen.get().anyAcknowledged();
    }

    private boolean isWanted() {
        if (seen.isEmpty() || !seen.get().exact()) {
            return true;
        }
        Seen last = seen.get();
        boolean isOther = counters.changes() != last.changes() || cursor.writesToLedger() != last.writesToLedger()
                || last.isOtherWith(journaled());
        boolean isAnyClosed = state.count() > 0 && cursor.lastLedgerId() != last.lastLedgerId() && cursor.hasClosedLedger();
        return isAnyClosed || cursor.consumed() != last.consumed() || last.anyAcknowledged() && isOther;
    }

    /**
     * Does a part of the pass. For the queue.
     *
     * @param goesOn whether there is time left
     * @return whether there is more to do; else the pass has ended, well or not
     */
    boolean goOn(BooleanSupplier goesOn) {
        boolean more = false;
        try {
            more = part(goesOn);
        } catch (RuntimeException | Error e) {
            failures.report("purge", e, false);
        } finally {
            if (!more) {
                pass = null;
                busy = false;
            }
        }
        return more;
    }

    private boolean part(BooleanSupplier goesOn) {
        boolean first = pass == null;
        // Before the copy: a later acknowledgement is for the next pass.
        long consumed = cursor.consumed();
        long changes = counters.changes();
        long lastLedgerId = cursor.lastLedgerId();
        long journaled = journaled();
        Optional<AckedPositions> acked = cursor.acknowledged();
        if (first) {
            boolean any = acked.map(copy -> !copy.isEmpty()).orElse(true);
            acked.ifPresent(cursor::chooseForm);
            boolean writes = cursor.writesToLedger();
            Optional<AckFigures> figures = acked.map(copy -> cursor.figures(copy, writes)
                    .with(missingInJournal(copy)));
            Optional<HeldLook> held = acked.flatMap(cursor::lookAtHeld);
            pass = new Pass(state.purge(), new Seen(consumed, changes, any, writes, figures, true, lastLedgerId,
                    held.isPresent(), journaled), held);
        }
        boolean lists = acked.map(copy -> !copy.isEmpty()).orElse(true) || pass.held.map(HeldLook::isWanted).orElse(false);
        boolean more = lists && slices(pass, acked, goesOn);
        if (!more) {
            end(pass);
        }
        return more;
    }

    private boolean slices(Pass of, Optional<AckedPositions> acked, BooleanSupplier goesOn) {
        boolean more = true;
        while (more) {
            more = slice(of, acked);
            if (!goesOn.getAsBoolean()) {
                break;
            }
        }
        return more;
    }

    private boolean slice(Pass of, Optional<AckedPositions> acked) {
        try {
            CandidateBatch listed = new CandidateBatch();
            boolean more = of.purge.next(SLICE, listed);
            CandidateBatch gone = new CandidateBatch();
            for (int i = 0; i < listed.size(); i++) {
                long ledgerId = listed.ledgerId(i);
                long entryId = listed.entryId(i);
                of.held.ifPresent(look -> look.listed(ledgerId, entryId));
                if ((acked.isEmpty() || acked.get().contains(ledgerId, entryId))
                        && cursor.isAcknowledged(PositionFactory.create(ledgerId, entryId))) {
                    gone.accept(ledgerId, entryId);
                }
            }
            of.found += of.purge.forget(gone);
            of.passedOver |= of.purge.passedOver();
            return more;
        } finally {
            of.purge.end();
        }
    }

    private void end(Pass ended) {
        counters.purged(ended.found);
        ended.held.ifPresent(cursor::isHeld);
        seen = Optional.of(ended.passedOver ? ended.begun.inexact() : ended.begun);
        if (ended.found > 0) {
            soon();
        }
    }
}
