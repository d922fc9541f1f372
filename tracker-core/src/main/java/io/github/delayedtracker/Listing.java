/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.backend.StoredRuns.UnreadException;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.ScheduleWalk;
import io.github.delayedtracker.subscription.ScheduleWalk.Row;
import io.github.delayedtracker.subscription.Withdrawals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.PositionFactory;

/**
 * Finds the messages of one subscription that are due in a time, a page at a time: those in memory first taken under the lock,
 * then those in storage read, then both merged, on the thread for looks.
 */
final class Listing {

    private static final String OVERDUE = "overdue";

    private final SubscriptionTracker tracker;
    private final Executor looks;

    /** Of one subscription; the executor may be kept busy for a second. */
    Listing(SubscriptionTracker tracker, Executor looks) {
        this.tracker = tracker;
        this.looks = looks;
    }

    /** Reads a look that has all that it is to have, behind a row. On the thread for looks. */
    @FunctionalInterface
    interface Reading<T> {

        /** The answer. */
        T read(ScheduleWalk walk, Optional<Row> after) throws RefusedException;
    }

    /** Some rows, in order, and where to go on. */
    record Found(List<Row> rows, Optional<String> next) {
    }

    /**
     * A page; it fails with a {@link RefusedException}. A message that is to be read again for its time is not due in any until
     * then.
     */
    CompletableFuture<Found> page(DueWithin within, PositionTimes moved, int limit) {
        CursorView cursor = tracker.cursor();
        PositionTimes.Test gone = (ledgerId, entryId) -> cursor.isGone(PositionFactory.create(ledgerId, entryId));
        return look(within, moved, gone, Optional.of(tracker.commands.withdrawals()), (walk, after) -> {
            List<Row> rows = new ArrayList<>();
            Optional<Row> next = walk.pass(after, limit, rows::add);
            return new Found(rows, next.map(Listing::text));
        });
    }

    /**
     * Looks at what is due in a time; it fails with a {@link RefusedException}.
     *
     * @param gone whether a position is acknowledged, and so left out
     * @param withdrawals which positions are to be read again, to leave them out too
     */
    <T> CompletableFuture<T> look(DueWithin within, PositionTimes moved, PositionTimes.Test gone,
            Optional<Withdrawals> withdrawals, Reading<T> reading) {
        if (within.fromMillis() < 0 || within.untilMillis() < within.fromMillis()) {
            return CommandQueue.refused(Reason.BAD_REQUEST, "a time ends no earlier than it begins, from 0 on, this is from "
                    + within.fromMillis() + " to " + within.untilMillis());
        }
        Optional<Row> after;
        try {
            after = within.after().map(Listing::place);
        } catch (IllegalArgumentException e) {
            return CommandQueue.refused(Reason.BAD_REQUEST, e.getMessage());
        }
        long fromMillis = Math.max(within.fromMillis(), after.map(Row::dueMillis).orElse(OptionalLong.empty()).orElse(0));
        return CompletableFuture.supplyAsync(() -> {
            ScheduleWalk walk = new ScheduleWalk(tracker.state(), moved, gone, fromMillis, within.untilMillis(),
                    tracker.cursor().services().nowMillis());
            withdrawals.ifPresent(walk::leaveOutToBeRead);
            within.nowMillis().ifPresent(walk::countOverdueAt);
            if (after.isEmpty() || after.get().dueMillis().isEmpty()) {
                refuseIfEnded(walk, within);
            }
            return begin(walk, fromMillis, within.untilMillis());
        }, looks)
                .thenCompose(begun -> Listing.<StoredRuns.Read>begin(() -> begun.stored().read()).handleAsync((read, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(translated(failure));
                    }
                    begun.walk().include(read.runs(), read.completeUntilMillis());
                    return read(reading, begun.walk(), after);
                }, looks).whenComplete((answer, failure) -> begun.walk().close()));
    }

    /** What is overdue when the time has ended may have fallen due behind its end. */
    private void refuseIfEnded(ScheduleWalk walk, DueWithin within) {
        long askedMillis = within.nowMillis().orElse(Long.MAX_VALUE);
        boolean hasEnded = askedMillis >= within.fromMillis() && askedMillis <= within.untilMillis()
                && tracker.cursor().services().nowMillis() > within.untilMillis();
        if (hasEnded && walk.isAnyOverdue()) {
            throw new CompletionException(new RefusedException(Reason.BAD_REQUEST, "the time ended at " + within.untilMillis()
                    + ", after it was asked for, and what is overdue cannot be told from what fell due after that: name a later"
                    + " end"));
        }
    }

    private static <T> T read(Reading<T> reading, ScheduleWalk walk, Optional<Row> after) {
        try {
            return reading.read(walk, after);
        } catch (RefusedException e) {
            throw new CompletionException(e);
        }
    }

    private static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> step) {
        try {
            return step.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private record Begun(ScheduleWalk walk, StoredRuns stored) {
    }

    private Begun begin(ScheduleWalk walk, long fromMillis, long untilMillis) {
        Optional<Optional<StoredRuns>> stored;
        try {
            stored = walk.begin(() -> tracker.storedInUse().map(store -> store.storedRuns(fromMillis, untilMillis)));
        } catch (RuntimeException | Error e) {
            walk.close();
            throw e;
        }
        return new Begun(walk, stored.orElseThrow(() -> new CompletionException(
                new RefusedException(Reason.NO_SCHEDULE, "the topic is being closed")))
                .orElse(() -> CompletableFuture.completedFuture(new StoredRuns.Read(List.of(), Long.MAX_VALUE))));
    }

    private static Throwable translated(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof UnreadException ? new RefusedException(Reason.UNREAD, cause.getMessage()) : cause;
    }

    /** Where to go on, as a caller hands it back. */
    static String text(Row row) {
        return (row.dueMillis().isPresent() ? Long.toString(row.dueMillis().getAsLong()) : OVERDUE) + ":" + row.ledgerId() + ":"
                + row.entryId();
    }

    private static Row place(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 3) {
                OptionalLong due = parts[0].equals(OVERDUE) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parts[0]));
                return new Row(due, Long.parseLong(parts[1]), Long.parseLong(parts[2]), false);
            }
        } catch (NumberFormatException e) {
            throw badPlace();
        }
        throw badPlace();
    }

    private static IllegalArgumentException badPlace() {
        return new IllegalArgumentException("a place to go on after is the next of an earlier answer, as it came");
    }
}
