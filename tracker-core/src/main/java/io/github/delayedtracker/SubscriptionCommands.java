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
import io.github.delayedtracker.command.DelayedCommands.Chosen;
import io.github.delayedtracker.command.DelayedCommands.DueShifted;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.LedgerUses;
import io.github.delayedtracker.command.DelayedCommands.NewDue;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Page;
import io.github.delayedtracker.command.DelayedCommands.Peek;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.DelayedCommands.Snapshots;
import io.github.delayedtracker.command.DelayedCommands.Verification;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.subscription.Withdrawals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.util.Codec;

/**
 * The commands on the schedule of one subscription. Their parts are made with the first command, or when the topic is loaded and
 * messages have been moved before, so that a subscription without commands has none. Thread safe.
 */
final class SubscriptionCommands {

    private static final String PASSED = "the schedule is being passed";
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final SubscriptionTracker tracker;
    /** Null until they are needed. */
    private volatile Parts parts;

    SubscriptionCommands(SubscriptionTracker tracker) {
        this.tracker = tracker;
    }

    /** The parts: which commands wait, and who does them. */
    private record Parts(CommandRate rate, CommandQueue queue, CommandQueue lists, OneAtATime passes, Unscheduled unscheduled,
            Cancelling cancelling, Optional<Moving> moving, CommandCounts counts) {
    }

    private ManagedCursor cursor() {
        return tracker.dispatcher().getCursor();
    }

    /** Its name, which its cursor has in an encoded form. */
    String subscription() {
        return Codec.decode(cursor().getName());
    }

    private int partition() {
        return TopicName.getPartitionIndex(cursor().getManagedLedger().getName());
    }

    private Parts parts() {
        if (parts == null) {
            synchronized (this) {
                parts = parts == null ? newParts() : parts;
            }
        }
        return parts;
    }

    private Parts newParts() {
        Executor worker = tracker.cursor().services().worker();
        return new Parts(new CommandRate(), new CommandQueue(worker), new CommandQueue(worker), new OneAtATime(),
                new Unscheduled(tracker.cursor(), cursor().getManagedLedger()), new Cancelling(tracker), newMoving(),
                new CommandCounts());
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
        Parts made = parts;
        if (made != null) {
            made.cancelling().isRead(ledgerId, entryId);
        }
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
     * @param looks finds messages by their due times
     * @return the answers. It fails with a {@link RefusedException} if nothing was done
     */
    CompletableFuture<Result> cancel(Chosen chosen, Options options, Executor looks) {
        Parts with = parts();
        return change(with, chosen, options, looks, asked -> with.cancelling().cancel(asked, with.unscheduled()), false);
    }

    /** Gives messages other due times; the same answers. */
    CompletableFuture<Result> move(Chosen chosen, NewDue due, Options options, Executor looks) {
        Parts with = parts();
        if (with.moving().isEmpty()) {
            CompletableFuture<Result> refused = CommandQueue.refused(Reason.NO_JOURNAL,
                    "what is moved has to be durable: the subscription keeps no journal");
            return refused.whenComplete((result, failure) -> with.counts().ended(List.of(), failure));
        }
        Moving moving = with.moving().get();
        return change(with, chosen, options, looks, asked -> moving.move(asked, due, with.unscheduled()),
                due instanceof DueShifted);
    }

    private CompletableFuture<Result> change(Parts with, Chosen chosen, Options options, Executor looks,
            Function<AskedMessages, CompletableFuture<List<Answer>>> command, boolean needsAll) {
        ChosenMessages messages = new ChosenMessages(tracker, looks);
        return admitted(with, () -> with.queue().inTurn(() ->
                (needsAll ? messages.findAll(chosen, times()) : messages.find(chosen, times()))
                        .thenComposeAsync(found -> found.after(options, partition(), command, with.unscheduled()),
                                tracker.cursor().services().worker())))
                .whenComplete((result, failure) -> with.counts().ended(options.dryRun() || failure != null ? List.of()
                        : result.answers(), failure))
                // The schedule's next due time is that of a message that waits.
                .thenApply(result -> {
                    tracker.guarded("tidy", tracker.acks::inSlices);
                    return result;
                });
    }

    /** Lists messages by their due times. It fails with a {@link RefusedException}. */
    CompletableFuture<Page> list(DueWithin within, int limit, Executor looks) {
        Parts with = parts();
        return admitted(with, () -> with.lists().inTurn(() -> page(within, limit, looks)));
    }

    private CompletableFuture<Page> page(DueWithin within, int limit, Executor looks) {
        TimeRules rules = tracker.state().rules();
        long precisionMillis = Math.max(rules.precisionMillis(), rules.adaptive().maxMillis());
        return new Listing(tracker, looks).page(within, times(), limit).thenApply(found -> new Page(
                subscription(), precisionMillis,
                found.rows().stream().map(ChosenMessages::listed).toList(), found.next()));
    }

    /** The same with what they are, read from the topic. */
    CompletableFuture<Peek> peek(DueWithin within, int limit, Executor looks) {
        Parts with = parts();
        Peeking peeking = new Peeking(cursor().getManagedLedger(), tracker.cursor().services().worker());
        return admitted(with, () -> with.lists().inTurn(() -> page(within, limit, looks)
                .thenCompose(page -> peeking.read(page.messages())
                        .thenApply(messages -> new Peek(page.subscription(), messages, page.next())))));
    }

    /** Tells by ledger what waits. It fails with a {@link RefusedException}. */
    CompletableFuture<LedgerUses> ledgers(Optional<String> after, Executor looks) {
        Parts with = parts();
        return admitted(with, () -> with.passes().one(PASSED, () -> with.lists().inTurn(() -> {
            WholePass pass = new WholePass(tracker, looks, after);
            OptionalLong timeToLiveSeconds = timeToLiveSeconds();
            LedgerLook look = new LedgerLook(cursor().getManagedLedger(), timeToLiveSeconds,
                    tracker.cursor().services().nowMillis());
            return pass.over(times(), tracker.cursor().acknowledgedByNow(), look, next ->
                    new LedgerUses(subscription(), timeToLiveSeconds, look.uses(tracker.cursor()), next));
        })));
    }

    /** Tells what is stored. It fails with a {@link RefusedException}. */
    CompletableFuture<Snapshots> snapshots() {
        return admitted(parts(), () -> CompletableFuture.completedFuture(
                new Snapshots(subscription(), Verifying.stored(tracker).parts().stream().map(Verifying::snapshot).toList())));
    }

    /** Compares the schedule with the topic, the cursor and the record. It fails with a {@link RefusedException}. */
    CompletableFuture<Verification> verify(Optional<String> after, Executor looks) {
        Parts with = parts();
        return admitted(with, () -> with.passes().one(PASSED, () -> with.lists().inTurn(() ->
                new Verifying(tracker).verify(new WholePass(tracker, looks, after), times()))));
    }

    /** How long the topic keeps a message that nobody acknowledges, if not for ever. */
    OptionalLong timeToLiveSeconds() {
        Integer seconds = tracker.dispatcher().getTopic().getHierarchyTopicPolicies().getMessageTTLInSeconds().get();
        return seconds == null || seconds <= 0 ? OptionalLong.empty() : OptionalLong.of(seconds);
    }

    private <T> CompletableFuture<T> admitted(Parts with, Supplier<CompletableFuture<T>> command) {
        return with.rate().admits(tracker.cursor().services().nowMillis()) ? command.get()
                : CommandQueue.refused(Reason.TOO_MANY,
                        "at most " + CommandRate.A_SECOND + " commands a second for a subscription");
    }

    /** The times that commands have given. */
    private PositionTimes times() {
        return moving().map(Moving::times).orElse(PositionTimes.NONE);
    }

    /** Puts the figures for the statistics of the subscription; none before the first command. */
    void putSamples(Samples samples) {
        Parts made = parts;
        if (made != null) {
            made.counts().putSamples(samples, times());
        }
    }

    /** Stored positions within a range are in the index again. */
    void isRecovered(PositionRange range) {
        moving().ifPresent(moving -> moving.isRecovered(range));
    }

    /** What commands are taking out of the schedule. */
    Withdrawals withdrawals() {
        return parts().cancelling().withdrawals();
    }

    /** Called about once a minute. */
    void sweep() {
        Parts made = parts;
        if (made != null) {
            made.cancelling().sweep();
            made.moving().ifPresent(Moving::sweep);
        }
    }

    /** The backlog was cleared, or the subscription is about to be deleted. Never fails. */
    CompletableFuture<Void> clear() {
        return (hasMoved() ? parts().moving() : moving()).map(Moving::clear).orElse(DONE);
    }

    /** Ends what writes; nothing is begun any more. Never fails. */
    CompletableFuture<Void> close() {
        return moving().map(Moving::close).orElse(DONE);
    }
}
