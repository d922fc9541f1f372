/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.DamagedJournalException;
import io.github.delayedtracker.acks.JournalHead;
import io.github.delayedtracker.acks.JournalLedgers;
import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.acks.Rest;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.DueShifted;
import io.github.delayedtracker.command.DelayedCommands.NewDue;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.moves.MoveJournal;
import io.github.delayedtracker.subscription.Rescheduled;
import io.github.delayedtracker.subscription.ScheduleWalk;
import io.github.delayedtracker.wakeup.Deadlines;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives messages of one subscription other due times, and keeps these durable.
 *
 * <p>Policy. A time counts at once, and the command is answered once it is durable. Nothing is begun before the times of an
 * earlier load are known, nor with more than {@value #MOST_HELD} of them. Once a minute those of messages that are gone
 * are forgotten. Times that cannot be read are tried again with each of these looks. Thread safe.
 */
final class Moving {

    private static final Logger LOG = LoggerFactory.getLogger(Moving.class);
    private static final int MOST_HELD = 1_000_000;
    private static final long CLOSE_MILLIS = 2_000;
    private static final long CLEAR_MILLIS = 10_000;
    /** A subscription is deleted within this time after its clear, or it goes on. */
    private static final long DELETED_MILLIS = 30_000;

    private final SubscriptionTracker tracker;
    private final CursorView cursor;
    private final JournalWork work;
    private final Rescheduled rescheduled;
    private final JournalLedgers ledgers;
    private final MoveJournal journal;
    /** Where positions came back from storage that are still to be given their times again. */
    private final AtomicReference<PositionRange> recovered = new AtomicReference<>();
    /** The last load. */
    private volatile CompletableFuture<Void> loading = CompletableFuture.completedFuture(null);
    private volatile long anewFromMillis;
    /** Between tries to write all times anew. */
    private final Rest rest = new Rest();
    private volatile boolean closed;

    Moving(SubscriptionTracker tracker, JournalLedgers ledgers) {
        this.tracker = tracker;
        this.cursor = tracker.cursor();
        this.work = new JournalWork(cursor.services(), tracker.failures);
        this.ledgers = ledgers;
        this.rescheduled = new Rescheduled(tracker.state());
        var broker = tracker.dispatcher().getCursor();
        this.journal = new MoveJournal(ledgers, new JournalHead(broker.getManagedLedger().getName(), broker.getName()));
    }

    /** The time by which a message is due: its own, unless a command has given it another. */
    long dueMillis(long ledgerId, long entryId, long ownMillis) {
        return rescheduled.dueMillis(ledgerId, entryId, ownMillis);
    }

    /** All times that commands have given. */
    PositionTimes times() {
        return rescheduled.times();
    }

    /** Reads the times given before the topic was loaded. Never fails: then messages have their own times. On the worker. */
    CompletableFuture<Void> load() {
        CompletableFuture<Void> load = journal.load(this::takeOver, work::begin).whenComplete((done, failure) -> isMoved());
        loading = load;
        return load.exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            boolean newer = cause instanceof DamagedJournalException damaged && damaged.isNewer();
            if (!(cause instanceof JournalException || cause instanceof DamagedJournalException)) {
                return tracker.failures.report("move", cause, null);
            }
            if (!closed) {
                warn("The due times that commands have given are not known" + (newer ? ", and no message can be moved" : "")
                        + "; messages come at their own times: " + cause);
            }
            return null;
        });
    }

    private void takeOver(PositionTimes before) {
        rescheduled.restore(before, cursor.services().nowMillis());
    }

    /** Stored positions within a range are in the index again, at the times of before. */
    void isRecovered(PositionRange range) {
        if (!rescheduled.isEmpty() && recovered.getAndAccumulate(range, Moving::both) == null) {
            work.begin(this::moveAgain);
        }
    }

    private static PositionRange both(PositionRange one, PositionRange other) {
        PositionRange both = new PositionRange();
        both.include(other);
        Optional.ofNullable(one).ifPresent(both::include);
        return both;
    }

    /** A dispatcher that was woken in vain for long, as it had no permits, would be left alone for a while: not now. */
    private void isMoved() {
        tracker.guarded("move", tracker::rearm);
        tracker.guarded("move", tracker::wake);
    }

    /** Until no more has come back meanwhile. What fails stays to be done, by the next sweep at the latest. */
    private void moveAgain() {
        try {
            for (PositionRange range = recovered.get(); range != null; range = recovered.get()) {
                rescheduled.again(range, cursor.services().nowMillis());
                recovered.compareAndSet(range, null);
            }
        } catch (RuntimeException | Error e) {
            tracker.failures.report("move", e, false);
        } finally {
            isMoved();
        }
    }

    /**
     * Gives messages other due times.
     *
     * @return an answer for each, in their order. It fails with a RefusedException if nothing was done
     */
    CompletableFuture<List<Answer>> move(AskedMessages asked, NewDue due, Unscheduled unscheduled) {
        if (closed || !journal.isLoaded()) {
            return CommandQueue.refused(Reason.NO_JOURNAL, closed ? "the topic is being closed"
                    : "the times that commands have given before are not known yet");
        }
        if (rescheduled.times().size() > MOST_HELD - asked.positions().size()) {
            return CommandQueue.refused(Reason.TOO_MANY,
                    "at most " + MOST_HELD + " messages of a subscription have another time");
        }
        if (due instanceof DueAt at) {
            return give(PositionTimes.of(asked.positions(), at.dueMillis()), asked, unscheduled);
        }
        PositionSet known = ScheduleWalk.known(tracker.state(), asked.positions());
        long byMillis = ((DueShifted) due).byMillis();
        return new OwnTimes(tracker.dispatcher().getCursor().getManagedLedger(), cursor.services().worker())
                .read(known, rescheduled.times()).thenComposeAsync(before -> {
                    asked.answer(known, (ledgerId, entryId) -> before.at(ledgerId, entryId).isPresent() ? null
                            : Answer.TIME_UNREAD);
                    return give(before.by(byMillis), asked, unscheduled);
                }, work::begin);
    }

    private CompletableFuture<List<Answer>> give(PositionTimes wanted, AskedMessages asked, Unscheduled unscheduled) {
        PositionTimes given;
        try {
            given = rescheduled.give(wanted.without(this::isGone), cursor.services().nowMillis());
        } finally {
            isMoved();
        }
        PositionSet moved = new PositionSet();
        given.forEach((ledgerId, entryId, atMillis) -> moved.add(ledgerId, entryId));
        CompletableFuture<Void> durable = given.isEmpty() ? CompletableFuture.completedFuture(null)
                : journal.append(given, rescheduled::times);
        return durable.handleAsync((done, failure) -> {
            if (failure != null) {
                notDurable(given.size(), failure);
            }
            asked.answer(moved, (ledgerId, entryId) -> failure == null ? Answer.MOVED : Answer.OUTCOME_UNKNOWN);
            return asked;
        }, work::begin).thenCompose(answered -> answered.explainedBy(unscheduled));
    }

    private boolean isGone(long ledgerId, long entryId) {
        return cursor.isGone(PositionFactory.create(ledgerId, entryId));
    }

    private void warn(String text) {
        cursor.services().warnings().write(LOG, tracker.name(), text);
    }

    /** A failure of storage is expected now and then. */
    private void notDurable(int messages, Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof JournalException) {
            warn(messages + " messages are moved, which may not be durable: " + cause);
        } else {
            tracker.failures.report("move", cause, false);
        }
    }

    /** Forgets the times of messages that are gone. Called about once a minute. */
    void sweep() {
        if (!closed && (!journal.isLoaded() || !rescheduled.isEmpty() || journal.isNamed())) {
            cursor.services().worker().execute(this::sweepNow);
        }
    }

    private void sweepNow() {
        try {
            if (!journal.isLoaded()) {
                loadUnlessUnderWay();
                return;
            }
            if (recovered.get() != null) {
                moveAgain();
            }
            rescheduled.forget(this::isGone);
            if (rescheduled.isEmpty() && journal.isNamed()) {
                logFailure("deleting the ledger", journal.clear(rescheduled::isEmpty));
            } else if (!rescheduled.isEmpty() && journal.isBehind()) {
                writeAnew(cursor.services().nowMillis());
            }
        } catch (RuntimeException | Error e) {
            tracker.failures.report("move", e, false);
        }
    }

    /** One at a time, or they would wait for each other as long as nothing can be read. */
    private void loadUnlessUnderWay() {
        if (loading.isDone()) {
            CompletableFuture<Void> unused = load();
        }
    }

    private void writeAnew(long nowMillis) {
        if (nowMillis >= anewFromMillis && !rest.lasts(nowMillis)) {
            rest.begin(nowMillis);
            logFailure("writing the times", journal.append(PositionTimes.NONE, rescheduled::times)
                    .thenRunAsync(rest::forget, work::begin));
        }
    }

    private void logFailure(String what, CompletableFuture<Void> step) {
        CompletableFuture<Void> unused = step.whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.debug("[{}] {} of moved messages failed; it is tried again", tracker.name(), what, failure);
            }
        });
    }

    /**
     * The backlog was cleared, or the subscription is about to be deleted, which cannot be told apart: nothing is left stored.
     * Times that are known, and still count a while later, are stored again; those that are still being read are given up. In
     * 10 s at the latest; never fails.
     */
    CompletableFuture<Void> clear() {
        anewFromMillis = cursor.services().nowMillis() + DELETED_MILLIS;
        return Deadlines.within(CLEAR_MILLIS, cursor.services().timer(), journal.clear(() -> true));
    }

    /** Ends: another broker may own the topic. In 2 s at the latest; never fails. */
    CompletableFuture<Void> close() {
        closed = true;
        return Deadlines.within(CLOSE_MILLIS, cursor.services().timer(),
                CompletableFuture.allOf(journal.close(), ledgers.close()));
    }
}
