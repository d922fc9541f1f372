/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.subscription.CandidateBatch;
import io.github.delayedtracker.subscription.Withdrawals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels messages of one subscription: takes them out of its schedule, acknowledges them in the cursor, and answers once that is
 * durable.
 *
 * <p>Policy. Nothing is begun unless a journal takes promises and a consumer is connected. Positions are acknowledged with the
 * dispatcher's monitor held, {@value #SLICE} at a time, so that no seek comes in between; the cursor then knows which are
 * acknowledged, whatever its answer: the others are read again. Thread safe.
 */
final class Cancelling implements DeleteCallback {

    private static final Logger LOG = LoggerFactory.getLogger(Cancelling.class);
    private static final int SLICE = 1_000;

    private final SubscriptionTracker tracker;
    private final AbstractPersistentDispatcherMultipleConsumers dispatcher;
    private final ManagedCursor broker;
    private final CursorView cursor;
    private final Withdrawals withdrawals;

    Cancelling(SubscriptionTracker tracker) {
        this.tracker = tracker;
        this.dispatcher = tracker.dispatcher();
        this.cursor = tracker.cursor();
        this.withdrawals = new Withdrawals(tracker.state());
        this.broker = dispatcher.getCursor();
    }

    /** Whether an entry is withdrawn. */
    boolean isWithdrawn(long ledgerId, long entryId) {
        return withdrawals.has(ledgerId, entryId);
    }

    Withdrawals withdrawals() {
        return withdrawals;
    }

    /** An entry is read, and about to be offered to the state. */
    void isRead(long ledgerId, long entryId) {
        withdrawals.isRead(ledgerId, entryId);
    }

    /** Called about once a minute. */
    void sweep() {
        Position markDelete = broker.getMarkDeletedPosition();
        if (markDelete != null) {
            withdrawals.forgetUpTo(markDelete.getLedgerId(), markDelete.getEntryId());
        }
    }

    /** Whether an entry that was just offered to the state is cancelled, and not to be sent. */
    boolean swallows(long ledgerId, long entryId) {
        if (!withdrawals.mayHave(ledgerId, entryId)) {
            return false;
        }
        if (withdrawals.swallows(ledgerId, entryId)) {
            return true;
        }
        boolean isCancelled = cursor.isAcknowledged(PositionFactory.create(ledgerId, entryId));
        if (isCancelled) {
            boolean unused = tracker.state().forget(ledgerId, entryId);
        }
        return isCancelled;
    }

    /**
     * Cancels messages. One command at a time.
     *
     * @return an answer for each, in their order. It fails with a {@link RefusedException} if nothing was done
     */
    CompletableFuture<List<Answer>> cancel(AskedMessages asked, Unscheduled unscheduled) {
        Optional<String> obstacle = tracker.acks.reasonNotToPersist();
        if (obstacle.isPresent()) {
            return CommandQueue.refused(Reason.NO_JOURNAL, "what is cancelled has to be durable: " + obstacle.get());
        }
        if (!dispatcher.isConsumerConnected()) {
            return CommandQueue.refused(Reason.NO_CONSUMER,
                    "what is cancelled has to be safe from a seek: no consumer is connected");
        }
        int most = Math.toIntExact(Math.max(1, asked.positions().size()));
        CandidateBatch positions = new CandidateBatch(most);
        asked.positions().forEach(positions);
        // What is withdrawn and not in here would be neither cancelled nor delivered.
        CandidateBatch withdrawn = new CandidateBatch(most);
        try {
            withdrawals.withdraw(positions, withdrawn);
        } catch (RuntimeException | Error e) {
            // What was withdrawn before has to be settled.
            tracker.failures.report("cancel", e, false);
        }
        PositionSet acknowledged = new PositionSet();
        return inSlices(withdrawn, 0, acknowledged).thenCompose(done -> durable(acknowledged)).thenCompose(isDurable -> {
            PositionSet taken = new PositionSet();
            for (int i = 0; i < withdrawn.size(); i++) {
                taken.add(withdrawn.ledgerId(i), withdrawn.entryId(i));
            }
            asked.answer(taken, (ledgerId, entryId) -> isDurable && acknowledged.contains(ledgerId, entryId) ? Answer.CANCELLED
                    : Answer.OUTCOME_UNKNOWN);
            return asked.explainedBy(unscheduled);
        });
    }

    /** Acknowledges what is withdrawn, each slice in a task of its own. What the cursor has not taken is read again. */
    private CompletableFuture<Void> inSlices(CandidateBatch withdrawn, int from, PositionSet acknowledged) {
        int end = Math.min(withdrawn.size(), from + SLICE);
        if (from == end) {
            return CompletableFuture.completedFuture(null);
        }
        try {
            return CompletableFuture.runAsync(() -> {
                guarded(() -> acknowledge(withdrawn, from, end));
                settle(withdrawn, from, end, acknowledged);
            }, cursor.services().worker()).thenCompose(done -> inSlices(withdrawn, end, acknowledged));
        } catch (RuntimeException | Error e) {
            // There is no thread, or no memory, for the next slice: what is left is given back here.
            tracker.failures.report("cancel", e, false);
            settle(withdrawn, from, withdrawn.size(), acknowledged);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void settle(CandidateBatch withdrawn, int from, int end, PositionSet acknowledged) {
        for (int i = from; i < end; i++) {
            long ledgerId = withdrawn.ledgerId(i);
            long entryId = withdrawn.entryId(i);
            guarded(() -> settle(ledgerId, entryId, acknowledged));
        }
        guarded(tracker::rearm);
    }

    /** One that fails keeps no other from being settled. */
    private void guarded(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error e) {
            tracker.failures.report("cancel", e, false);
        }
    }

    private void acknowledge(CandidateBatch withdrawn, int from, int end) {
        List<Position> positions = new ArrayList<>(end - from);
        for (int i = from; i < end; i++) {
            positions.add(PositionFactory.create(withdrawn.ledgerId(i), withdrawn.entryId(i)));
        }
        synchronized (dispatcher) {
            if (dispatcher.isConsumerConnected()) {
                broker.asyncDelete(positions, this, null);
            }
        }
    }

    private void settle(long ledgerId, long entryId, PositionSet acknowledged) {
        boolean isAcknowledged = false;
        try {
            isAcknowledged = cursor.isAcknowledged(PositionFactory.create(ledgerId, entryId));
        } finally {
            if (isAcknowledged) {
                acknowledged.add(ledgerId, entryId);
                withdrawals.isAcknowledged(ledgerId, entryId);
            } else {
                withdrawals.readAgain(ledgerId, entryId);
            }
        }
    }

    /** Consumers of Key_Shared subscriptions may wait for mark-delete. */
    @Override
    public void deleteComplete(Object context) {
        dispatcher.markDeletePositionMoveForward();
    }

    /** The record of it was not written: the cursor, or the journal, writes the next. */
    @Override
    public void deleteFailed(ManagedLedgerException failure, Object context) {
        LOG.debug("[{}] The record of cancelled messages was not written", dispatcher.getName(), failure);
    }

    private CompletableFuture<Boolean> durable(PositionSet acknowledged) {
        return acknowledged.isEmpty() ? CompletableFuture.completedFuture(true)
                : tracker.acks.persist(acknowledged).handle((done, failure) -> {
                    if (failure != null) {
                        cursor.services().warnings().write(LOG, dispatcher.getName(), acknowledged.size()
                                + " messages are cancelled, which may not be durable: " + failure);
                    }
                    return failure == null;
                });
    }
}
