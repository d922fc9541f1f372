/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Moment;
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Acknowledges again what the journal of a cursor that was just loaded has, if {@link JournalFence} says that it holds. The
 * positions go in ascending slices, each while no seek can reach the cursor, and only as long as the stamp is the same and all
 * that was seen first is still acknowledged. One restore a load.
 */
public final class AckRestore {

    /** Positions acknowledged at a time: some 0.1 ms. */
    static final int SLICE = 1_000;
    private static final long RETRY_MILLIS = 50;

    private final JournalCursor cursor;
    private final JournalLedgers ledgers;
    private final JournalHead head;
    private final Delay delay;
    private final long timeoutMillis;

    /** Runs something after a time. */
    @FunctionalInterface
    public interface Delay {
        /** Once, on any thread. */
        void after(long millis, Runnable task);
    }

    /** The end of a restore. */
    public enum End {
        /** The cursor names no journal. */
        NONE,
        /** All of the journal is acknowledged. */
        APPLIED,
        /** The journal does not hold any more, is gone or cannot be read. Nothing of it is acknowledged. */
        REFUSED,
        /** A newer version has written the journal: it is left as it is, and no other is begun before the next load. */
        NEWER,
        /** A reset came before the last slice. */
        RESET,
        /** No consumer was connected for too long. */
        NO_CONSUMER
    }

    /** How a restore ended and why, and how many positions it has acknowledged. */
    public record Outcome(End end, String reason, long positions) {
    }

    /** Nothing is read yet. */
    public AckRestore(JournalCursor cursor, JournalLedgers ledgers, JournalHead head, Delay delay, long timeoutMillis) {
        this.cursor = cursor;
        this.ledgers = ledgers;
        this.head = head;
        this.delay = delay;
        this.timeoutMillis = timeoutMillis;
    }

    /** Never fails. */
    public CompletableFuture<Outcome> run() {
        return atSeen(new CompletableFuture<>(), 0).handle((outcome, failure) -> {
            if (failure == null) {
                return outcome;
            }
            boolean newer = cause(failure) instanceof DamagedJournalException damaged && damaged.isNewer();
            return new Outcome(newer ? End.NEWER : End.REFUSED, cause(failure).toString(), 0);
        }).thenApply(this::withoutStamp);
    }

    /** A journal that is not applied counts no more: later acknowledgements must not make it look as if it did. */
    private Outcome withoutStamp(Outcome outcome) {
        if (outcome.end() == End.REFUSED || outcome.end() == End.RESET) {
            boolean unused = cursor.excluded(excluded -> {
                excluded.stamp(Optional.empty(), () -> { });
                return true;
            }).orElse(false);
        }
        return outcome;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private CompletableFuture<Outcome> atSeen(CompletableFuture<Outcome> end, long waitedMillis) {
        Optional<Moment> seen = cursor.excluded(JournalCursor.Excluded::moment);
        if (seen.isEmpty()) {
            if (waitedMillis >= timeoutMillis) {
                end.complete(new Outcome(End.NO_CONSUMER, "no consumer is connected", 0));
            } else {
                delay.after(RETRY_MILLIS, () -> pass(atSeen(new CompletableFuture<>(), waitedMillis + RETRY_MILLIS), end));
            }
            return end;
        }
        Optional<Stamp> stamp = seen.get().stamp();
        if (stamp.isEmpty()) {
            end.complete(new Outcome(End.NONE, "", 0));
            return end;
        }
        return ledgers.read(stamp.get().epoch()).thenCompose(entries -> {
            JournalFence.Verdict verdict;
            try {
                JournalContents journal = JournalContents.read(entries, seen.get().acked());
                verdict = JournalFence.judge(seen.get(), stamp.get(), head, journal);
            } catch (DamagedJournalException e) {
                return e.isNewer() ? CompletableFuture.failedFuture(e) : refuse(stamp.get(), e.getMessage());
            }
            if (verdict instanceof JournalFence.Holds holds) {
                new Slices(seen.get(), stamp.get(), holds.missing(), end).next(0);
                return end;
            }
            return refuse(stamp.get(), ((JournalFence.Refused) verdict).reason().toString());
        });
    }

    /** The journal is deleted at once: a stamp of it that an acknowledgement still holds means nothing then. */
    private CompletableFuture<Outcome> refuse(Stamp stamp, String reason) {
        return ledgers.delete(stamp.epoch()).thenApply(done -> new Outcome(End.REFUSED, reason, 0));
    }

    private static void pass(CompletableFuture<Outcome> from, CompletableFuture<Outcome> to) {
        CompletableFuture<Outcome> unused = from.whenComplete((outcome, failure) -> {
            if (failure == null) {
                to.complete(outcome);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    /** The slices of one journal, one after the other. */
    private final class Slices {

        private final Moment seen;
        private final Stamp stamp;
        private final CompletableFuture<Outcome> end;
        private AckedPositions left;
        private long done;

        Slices(Moment seen, Stamp stamp, AckedPositions missing, CompletableFuture<Outcome> end) {
            this.seen = seen;
            this.stamp = stamp;
            this.left = missing;
            this.end = end;
        }

        void next(long waitedMillis) {
            AckedPositions slice = left.first(SLICE);
            if (slice.isEmpty()) {
                end.complete(new Outcome(End.APPLIED, "", done));
                return;
            }
            Optional<Optional<CompletableFuture<Void>>> begun = cursor.excluded(excluded -> {
                Moment now = excluded.moment();
                boolean holds = now.stamp().map(stamp::equals).orElse(false) && now.hasAll(seen.acked());
                return holds ? Optional.of(excluded.acknowledge(slice)) : Optional.empty();
            });
            if (begun.isEmpty()) {
                waitOrEnd(waitedMillis);
            } else if (begun.get().isEmpty()) {
                end.complete(new Outcome(End.RESET, "the cursor was reset", done));
            } else {
                CompletableFuture<Void> unused = begun.get().get().whenComplete((acknowledged, failure) -> ended(slice, failure));
            }
        }

        private void waitOrEnd(long waitedMillis) {
            if (waitedMillis >= timeoutMillis) {
                end.complete(new Outcome(End.NO_CONSUMER, "no consumer is connected", done));
            } else {
                delay.after(RETRY_MILLIS, () -> next(waitedMillis + RETRY_MILLIS));
            }
        }

        private void ended(AckedPositions slice, Throwable failure) {
            if (failure != null) {
                end.completeExceptionally(failure);
                return;
            }
            done += slice.entries();
            left = left.behind(slice);
            next(0);
        }
    }
}
