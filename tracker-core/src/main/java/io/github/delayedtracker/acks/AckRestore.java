/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Excluded;
import io.github.delayedtracker.acks.JournalCursor.Moment;
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * Acknowledges again what the journal of a cursor that was just loaded has, if {@link JournalFence} says that it holds. The
 * positions go in ascending slices, each while no seek can reach the cursor, and only as long as the stamp is the same and all
 * that was seen first is still acknowledged. One restore a load. Thread safe.
 */
public final class AckRestore {

    /** Positions acknowledged at a time: some 0.1 ms. Each slice looks at the whole cursor first, so that more are few slices. */
    private static final int LEAST_SLICE = 1_000;
    private static final int LONGEST_SLICE = 20_000;
    private static final int SLICES = 200;
    /** Between two slices, so that the threads of the broker get their turn: at most this, and at most so much in all. */
    private static final long LONGEST_REST_MILLIS = 5;
    private static final long ALL_RESTS_MILLIS = 1_000;
    /** After a slice that has failed: each try copies the cursor. */
    private static final long FAILED_REST_MILLIS = 1_000;
    /** After a ledger could not be read, which has taken several tries. */
    private static final long AWAY_REST_MILLIS = 2_000;

    private final JournalCursor cursor;
    private final JournalLedgers ledgers;
    private final JournalHead head;
    private final Executor soon;
    private final Later later;
    private final BooleanSupplier noSeek;
    private final CompletableFuture<Outcome> end = new CompletableFuture<>();
    private final AtomicLong done = new AtomicLong();
    /** The cursor as it was recovered; null before the first look. */
    private volatile Moment seen;
    /** Whether consumers may get messages before it has ended. */
    private volatile boolean isLate;
    /** Whether its end was seen to: a journal that is not applied has no stamp any more. */
    private volatile boolean isSeenTo;
    /** What the journal was kept for, once it is read. */
    private volatile Optional<AckedPositions> kept = Optional.empty();
    /** The step that waits for a consumer, or is to be tried again; null if none is. */
    private final AtomicReference<Runnable> waiting = new AtomicReference<>();

    /** Runs a step after a rest. */
    @FunctionalInterface
    public interface Later {

        /** Runs it as the executor of a restore does, some milliseconds later. */
        void run(long restMillis, Runnable step);
    }

    /** The end of a restore. */
    public enum End {
        /** The cursor names no journal. */
        NONE,
        /** All of the journal is acknowledged. */
        APPLIED,
        /**
         * The cursor's record has all that was acknowledged when it was written. Nothing of the journal is acknowledged. It stays
         * as it is: the cursor may have more by now, of which no record is written.
         */
        NOT_NEEDED,
        /** The journal does not hold any more, is gone or cannot be read. Nothing more of it is acknowledged. */
        REFUSED,
        /** A newer version has written the journal: it is left as it is, and no other is begun before the next load. */
        NEWER,
        /** A reset came before the last slice. */
        RESET,
        /** The topic was closed first: the journal is left as it is, for the next load. */
        LEFT
    }

    /**
     * How a restore ended.
     *
     * @param reason why, for people; empty where that is plain
     * @param positions how many it has acknowledged
     * @param kept positions for which the journal was not to end, as it was written: some may not be acknowledged
     * @param applied what was acknowledged when the last of the journal was; none of it if the journal was not applied
     */
    public record Outcome(End end, String reason, long positions, AckedPositions kept, AckedPositions applied) {

        private static final AckedPositions NOTHING = new AckedPositions(Map.of(), true);

        /** One without a journal that was read. */
        public Outcome(End end, String reason, long positions) {
            this(end, reason, positions, NOTHING, NOTHING);
        }

        private Outcome withKept(AckedPositions positions) {
            return new Outcome(end, reason, this.positions, positions, applied);
        }

        /** The same without the positions. */
        public Outcome forStatistics() {
            return new Outcome(end, reason, positions);
        }
    }

    /**
     * Nothing is read yet.
     *
     * @param soon runs a step later, outside the call that passes it and on no thread of the storage
     * @param later runs a step of a long restore so much later, which may be never once the restore {@link #leave}s
     * @param noSeek whether it is known that none can have come since the restore was begun; asked while none can reach the
     *     cursor, before each slice
     */
    public AckRestore(JournalCursor cursor, JournalLedgers ledgers, JournalHead head, Executor soon, Later later,
            BooleanSupplier noSeek) {
        this.cursor = cursor;
        this.ledgers = ledgers;
        this.head = head;
        this.soon = soon;
        this.later = later;
        this.noSeek = noSeek;
    }

    /** Begins. While no consumer is connected it waits for {@link #goOn}. The answer never fails. */
    public CompletableFuture<Outcome> run() {
        CompletableFuture<Outcome> cleared = end.handleAsync((outcome, failure) -> {
            if (failure == null) {
                return outcome;
            }
            boolean newer = cause(failure) instanceof DamagedJournalException damaged && damaged.isNewer();
            return new Outcome(newer ? End.NEWER : End.REFUSED, cause(failure).toString(), done.get());
        }, soon).thenApply(this::withoutStamp).thenApply(outcome -> {
            isSeenTo = true;
            return withKept(outcome);
        });
        guarded(this::begin);
        return cleared;
    }

    /** Whether it has seen the cursor as it was recovered. */
    public boolean hasSeen() {
        return seen != null;
    }

    /**
     * Consumers are about to get messages without the journal, and to acknowledge some. Before that it is refused if a seek may
     * have come: later acknowledgements must not make it look as if none had. To be called again before consumers that have come
     * back get any.
     *
     * @return whether that could be told; not while no consumer is connected
     */
    public boolean letMessagesGo() {
        return cursor.excluded(excluded -> {
            Moment first = seen;
            if (!isSeenTo && (first == null || isRefused() || !holds(first, excluded.moment()))) {
                excluded.stamp(Optional.empty(), () -> { });
                end.complete(first == null ? new Outcome(End.REFUSED, "it was not begun in time", 0)
                        : new Outcome(End.RESET, "the cursor may have been reset", done.get()));
            }
            isLate = true;
            return true;
        }).orElse(false);
    }

    private boolean isRefused() {
        return end.isDone() && !end.isCompletedExceptionally() && takesStampAway(end.join());
    }

    private static boolean takesStampAway(Outcome outcome) {
        return outcome.end() == End.REFUSED || outcome.end() == End.RESET;
    }

    /** Whether its end is near: nothing of the journal is acknowledged from now on. */
    public boolean isEnding() {
        return end.isDone();
    }

    /** Whether the cursor still is as it was seen first, but for acknowledgements since. */
    private boolean holds(Moment first, Moment now) {
        // A seek takes all acknowledgements and moves mark-delete, perhaps beyond what was seen. Acknowledgements move it too.
        boolean isWhereItWas = now.ledgerId() == first.ledgerId() && now.entryId() == first.entryId();
        return now.stamp().map(Stamp::epoch).equals(first.stamp().map(Stamp::epoch)) && now.hasAll(first.acked())
                && (noSeek.getAsBoolean() || !isLate && isWhereItWas);
    }

    /** Goes on if it waits for a consumer, or for a cursor that can write: one may be connected now. */
    public void goOn() {
        Runnable step = waiting.getAndSet(null);
        if (step != null && !end.isDone()) {
            boolean isBegun = false;
            try {
                soon.execute(() -> guarded(step));
                isBegun = true;
            } finally {
                if (!isBegun) {
                    waiting.compareAndSet(null, step);
                }
            }
        }
    }

    /** The journal is refused if it is not applied yet: what waits for it goes on without. */
    public void giveUp(String why) {
        end.complete(new Outcome(End.REFUSED, why, done.get()));
    }

    /** Ends without a verdict: the topic is closed. */
    public void leave() {
        end.complete(new Outcome(End.LEFT, "the topic was closed", done.get()));
    }

    private Outcome withKept(Outcome outcome) {
        return kept.map(outcome::withKept).orElse(outcome);
    }

    /** A journal that is not applied counts no more: later acknowledgements must not make it look as if it did. */
    private Outcome withoutStamp(Outcome outcome) {
        if (!takesStampAway(outcome) && outcome.end() != End.NOT_NEEDED) {
            return outcome;
        }
        boolean keeps = outcome.end() == End.NOT_NEEDED;
        try {
            boolean unused = cursor.excluded(excluded -> {
                excluded.stamp(keeps ? excluded.moment().stamp().map(Stamp::forKeptOnly) : Optional.empty(), () -> { });
                return true;
            }).orElse(false);
            return outcome;
        } catch (RuntimeException | Error e) {
            return new Outcome(outcome.end(), outcome.reason() + "; its stamp stays: " + e, outcome.positions());
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
    }

    private void begin() {
        if (end.isDone()) {
            return;
        }
        Optional<Moment> first = cursor.excluded(AckRestore::look);
        if (first.isEmpty()) {
            if (cursor.moment().isPresent()) {
                waiting.set(this::begin);
            } else {
                giveUp("the cursor cannot tell its acknowledgements");
            }
            return;
        }
        seen = first.get();
        Optional<Stamp> stamp = seen.stamp();
        if (stamp.isEmpty()) {
            end.complete(new Outcome(End.NONE, "", 0));
            return;
        }
        read(first.get(), stamp.get());
    }

    /** Tries again as long as the storage is away. Messages do not wait for that, see {@link #letMessagesGo}. */
    private void read(Moment first, Stamp stamp) {
        if (end.isDone()) {
            return;
        }
        CompletableFuture<Void> unused = ledgers.read(stamp.epoch()).handleAsync((entries, failure) -> {
            if (end.isDone()) {
                return null;
            }
            if (failure == null) {
                guarded(() -> judge(first, stamp, entries));
            } else if (cause(failure) instanceof JournalException known && known.isAway()) {
                later.run(AWAY_REST_MILLIS, () -> guarded(() -> read(first, stamp)));
            } else {
                end.completeExceptionally(failure);
            }
            return null;
        }, soon);
    }

    /** The cursor now. A journal that it cannot need counts no more from here on, whatever is acknowledged before it is read. */
    private static Moment look(Excluded excluded) {
        Moment now = excluded.moment();
        if (now.stamp().isPresent() && !now.stamp().get().isForKeptOnly() && !JournalFence.mayBeCutOff(now)) {
            excluded.stamp(now.stamp().map(Stamp::forKeptOnly), () -> { });
        }
        return now;
    }

    private void judge(Moment first, Stamp stamp, List<ByteBuffer> entries) {
        JournalFence.Verdict verdict;
        try {
            JournalContents contents = JournalContents.read(entries, stamp.sequence(), first.acked());
            kept = Optional.of(contents.kept());
            verdict = JournalFence.judge(first, stamp, head, contents);
        } catch (DamagedJournalException e) {
            if (e.isNewer()) {
                end.completeExceptionally(e);
            } else {
                refuse(stamp, e.getMessage());
            }
            return;
        }
        if (verdict instanceof JournalFence.Holds holds) {
            new Slices(first, holds.missing()).next();
        } else {
            JournalFence.Refusal reason = ((JournalFence.Refused) verdict).reason();
            if (reason == JournalFence.Refusal.RECORD_HAS_ALL) {
                end.complete(new Outcome(End.NOT_NEEDED, reason.toString(), 0, first.acked().none(), first.acked()));
            } else {
                refuse(stamp, reason.toString());
            }
        }
    }

    /** The journal is deleted at once: a stamp of it that an acknowledgement still holds means nothing then. */
    private void refuse(Stamp stamp, String reason) {
        if (!end.isDone()) {
            CompletableFuture<Boolean> unused = ledgers.delete(stamp.epoch()).handle((deleted, failure) -> end.complete(
                    new Outcome(End.REFUSED, failure == null ? reason : reason + "; " + cause(failure), 0)));
        }
    }

    /** The slices of one journal, one after the other. */
    private final class Slices {

        private final Moment first;
        private final AckedPositions missing;
        private final int size;
        private final long restMillis;
        private AckedPositions left;

        Slices(Moment first, AckedPositions missing) {
            this.first = first;
            this.missing = missing;
            this.left = missing;
            this.size = (int) Math.min(LONGEST_SLICE, Math.max(LEAST_SLICE, missing.entries() / SLICES));
            this.restMillis = Math.min(LONGEST_REST_MILLIS, ALL_RESTS_MILLIS * size / Math.max(1, missing.entries()));
        }

        void next() {
            AckedPositions slice = left.first(size);
            if (slice.isEmpty()) {
                AckedPositions all = first.acked().plus(missing);
                end.complete(new Outcome(End.APPLIED, "", done.get(), all.none(), all));
                return;
            }
            Optional<Optional<CompletableFuture<Void>>> begun = cursor.excluded(excluded ->
                    !end.isDone() && holds(first, excluded.moment()) ? Optional.of(excluded.acknowledge(slice))
                            : Optional.empty());
            if (begun.isEmpty()) {
                waiting.set(this::next);
            } else if (begun.get().isEmpty()) {
                end.complete(new Outcome(End.RESET, "the cursor was reset", done.get()));
            } else {
                CompletableFuture<Void> unused = begun.get().get().whenComplete((acknowledged, failure) -> ended(slice, failure));
            }
        }

        /** The next slice is begun by another thread, since this one may be inside the call that has begun the one before. */
        private void ended(AckedPositions slice, Throwable failure) {
            if (failure != null) {
                // The cursor could not write its record, soon after a load perhaps: it is asked again when this is to go on.
                later.run(FAILED_REST_MILLIS, () -> waiting.set(this::next));
                return;
            }
            done.addAndGet(slice.entries());
            left = left.behind(slice);
            if (left.isEmpty() || restMillis == 0) {
                soon.execute(() -> guarded(this::next));
            } else {
                later.run(restMillis, () -> guarded(this::next));
            }
        }
    }
}
