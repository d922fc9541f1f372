/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.backend.JournalStore.Content;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.common.naming.TopicName;

/**
 * The commands on the schedule of one subscription. Their parts are made with the first command, or when the topic is loaded and
 * messages have been moved before, so that a subscription without commands has none. Thread safe.
 */
final class SubscriptionCommands {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final SubscriptionTracker tracker;
    /** Null until they are needed. */
    private volatile Parts parts;

    SubscriptionCommands(SubscriptionTracker tracker) {
        this.tracker = tracker;
    }

    /** The parts: which commands wait, and who does them. */
    private record Parts(CommandQueue queue, Unscheduled unscheduled, Cancelling cancelling, Optional<Moving> moving,
            CommandCounts counts) {
    }

    private ManagedCursor cursor() {
        return tracker.dispatcher().getCursor();
    }

    private int partition() {
        return TopicName.getPartitionIndex(cursor().getManagedLedger().getName());
    }

    private Parts parts() {
        if (parts == null) {
            synchronized (this) {
                parts = parts == null ? new Parts(new CommandQueue(tracker.cursor().services().worker()),
                        new Unscheduled(tracker.cursor(), cursor().getManagedLedger()), new Cancelling(tracker), newMoving(),
                        new CommandCounts())
                        : parts;
            }
        }
        return parts;
    }

    private Optional<Moving> newMoving() {
        return tracker.acks.keepsJournal() ? tracker.cursor().services().journals()
                .flatMap(store -> store.open(cursor(), Content.MOVES)).map(ledgers -> new Moving(tracker, ledgers))
                : Optional.empty();
    }

    private Optional<Moving> moving() {
        Parts made = parts;
        return made == null ? Optional.empty() : made.moving();
    }

    /** Whether messages were moved before the topic was loaded, as far as the cursor's record tells. */
    boolean hasMoved() {
        Optional<JournalStore> store = tracker.cursor().services().journals();
        return store.isPresent() && store.get().isNamed(cursor(), Content.MOVES);
    }

    /** Reads what was moved before the topic was loaded. On the worker; never fails. */
    CompletableFuture<Void> load() {
        try {
            return hasMoved() ? parts().moving().map(Moving::load).orElse(DONE) : DONE;
        } catch (RuntimeException | Error e) {
            return tracker.failures.report("move", e, DONE);
        }
    }

    /**
     * Offers a message to the state with the time that counts. A command that gives it another time meanwhile has found it known
     * there, or its time counts here.
     */
    boolean offer(long ledgerId, long entryId, long ownMillis, long nowMillis) {
        long dueMillis = dueMillis(ledgerId, entryId, ownMillis);
        boolean tracked = tracker.state().offer(ledgerId, entryId, dueMillis, nowMillis);
        for (long now = dueMillis(ledgerId, entryId, ownMillis); now != dueMillis;
                now = dueMillis(ledgerId, entryId, ownMillis)) {
            dueMillis = now;
            tracked = tracker.state().offer(ledgerId, entryId, now, nowMillis);
        }
        return tracked;
    }

    private long dueMillis(long ledgerId, long entryId, long ownMillis) {
        Parts made = parts;
        return made == null || made.moving().isEmpty() ? ownMillis
                : made.moving().get().dueMillis(ledgerId, entryId, ownMillis);
    }

    /** Whether an entry that was just offered to the state is cancelled, and not to be sent. */
    boolean swallows(long ledgerId, long entryId) {
        Parts made = parts;
        return made != null && made.cancelling().swallows(ledgerId, entryId);
    }

    /** Whether an entry is being cancelled: it will be acknowledged, or handed out. */
    boolean isWithdrawn(long ledgerId, long entryId) {
        Parts made = parts;
        return made != null && made.cancelling().isWithdrawn(ledgerId, entryId);
    }

    /**
     * Cancels messages.
     *
     * @return an answer for each, in their order. It fails with a RefusedException if nothing was done
     */
    CompletableFuture<List<Answer>> cancel(List<MessageName> ids, boolean wholeBatches) {
        Parts with = parts();
        return with.queue().inTurn(() -> with.cancelling().cancel(new AskedMessages(ids, wholeBatches, partition()),
                with.unscheduled())).whenComplete(with.counts()::ended);
    }

    /** Gives messages a due time; the same answers. */
    CompletableFuture<List<Answer>> move(List<MessageName> ids, long dueMillis, boolean wholeBatches) {
        Parts with = parts();
        CompletableFuture<List<Answer>> answers = with.moving().isEmpty()
                ? CommandQueue.refused(Reason.NO_JOURNAL, "what is moved has to be durable: the subscription keeps no journal")
                : with.queue().inTurn(() -> with.moving().get().move(new AskedMessages(ids, wholeBatches, partition()), dueMillis,
                        with.unscheduled()));
        return answers.whenComplete(with.counts()::ended);
    }

    /** The figures for the statistics of the subscription. Fresh; none before the first command. */
    Samples samples() {
        Parts made = parts;
        return made == null ? new Samples()
                : made.counts().samples(made.moving().map(Moving::times).orElse(PositionTimes.NONE));
    }

    /** Stored positions are in the index again. */
    void isRecovered() {
        moving().ifPresent(Moving::isRecovered);
    }

    /** Called about once a minute. */
    void sweep() {
        moving().ifPresent(Moving::sweep);
    }

    /** The backlog was cleared, or the subscription is about to be deleted. Never fails. */
    CompletableFuture<Void> clear() {
        return moving().map(Moving::clear).orElse(DONE);
    }

    /** Ends what writes; nothing is begun any more. Never fails. */
    CompletableFuture<Void> close() {
        return moving().map(Moving::close).orElse(DONE);
    }
}
