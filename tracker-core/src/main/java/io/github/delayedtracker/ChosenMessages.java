/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.Chosen;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Listed;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.ScheduleWalk;
import io.github.delayedtracker.subscription.ScheduleWalk.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Finds the messages that a command is for, and does it to them: not to more than {@value DelayedCommands#MOST_UNCONFIRMED} that
 * the caller has not said yes to, and to none in a dry run.
 */
record ChosenMessages(SubscriptionTracker tracker, Executor looks) {

    /** The messages of one command. */
    record Found(SubscriptionTracker tracker, List<MessageName> ids, boolean wholeBatches, boolean areScheduled,
            Optional<String> next) {

        /**
         * The command is done, unless it must not be.
         *
         * @return fails with a {@link RefusedException} if nothing was done
         */
        CompletableFuture<Result> after(Options options, int partition,
                Function<AskedMessages, CompletableFuture<List<Answer>>> command, Unscheduled unscheduled) {
            boolean areMany = ids.size() > DelayedCommands.MOST_UNCONFIRMED || next.isPresent();
            if (!options.dryRun() && !options.confirmed() && areMany) {
                return CommandQueue.refused(Reason.NOT_CONFIRMED, "this is for " + ids.size() + " messages"
                        + (next.isPresent() ? " and more" : "") + "; for more than " + DelayedCommands.MOST_UNCONFIRMED
                        + " say yes, or begin with a dry run");
            }
            AskedMessages asked = new AskedMessages(ids, wholeBatches, partition);
            CompletableFuture<List<Answer>> answers = !options.dryRun()
                    ? ids.isEmpty() ? CompletableFuture.completedFuture(List.of()) : command.apply(asked)
                    : tell(asked).explainedBy(unscheduled);
            return answers.thenApply(each -> new Result(tracker.commands.subscription(), ids, each, next));
        }

        private AskedMessages tell(AskedMessages asked) {
            PositionSet scheduled = areScheduled ? asked.positions() : ScheduleWalk.known(tracker.state(), asked.positions());
            asked.answer(scheduled, (ledgerId, entryId) -> Answer.SCHEDULED);
            return asked;
        }
    }

    /** Finds all of them, however many pages they are: {@link DelayedCommands#MOST_IDS} at most. Fails as {@link #find}. */
    CompletableFuture<Found> findAll(Chosen chosen, PositionTimes moved) {
        return findAll(chosen, moved, List.of());
    }

    private CompletableFuture<Found> findAll(Chosen chosen, PositionTimes moved, List<MessageName> before) {
        return find(chosen, moved).thenCompose(found -> {
            List<MessageName> all = new ArrayList<>(before);
            all.addAll(found.ids());
            if (all.size() > DelayedCommands.MOST_IDS || found.next().isPresent() && all.size() == DelayedCommands.MOST_IDS) {
                return CommandQueue.refused(Reason.BAD_REQUEST, "at most " + DelayedCommands.MOST_IDS + " messages of a time are"
                        + " moved by a distance, since a later call could meet them again: name shorter times, the latest first"
                        + " where messages are to be later, the earliest first where they are to be earlier");
            }
            return found.next().isEmpty()
                    ? CompletableFuture.completedFuture(new Found(tracker, all, found.wholeBatches(), found.areScheduled(),
                            Optional.empty()))
                    : findAll(((DueWithin) chosen).behind(found.next()), moved, all);
        });
    }

    /** Finds them. It fails with a {@link RefusedException}. */
    CompletableFuture<Found> find(Chosen chosen, PositionTimes moved) {
        if (chosen instanceof Named named) {
            return CompletableFuture.completedFuture(new Found(tracker, named.ids(), named.wholeBatches(), false,
                    Optional.empty()));
        }
        return new Listing(tracker, looks).page((DueWithin) chosen, moved, DelayedCommands.MOST_IDS)
                .thenApply(page -> new Found(tracker, page.rows().stream().map(ChosenMessages::name).toList(), true, true,
                        page.next()));
    }

    /** A row as a list shows it. */
    static Listed listed(Row row) {
        return new Listed(name(row), row.dueMillis(), row.isMoved());
    }

    private static MessageName name(Row row) {
        return new MessageName(row.ledgerId(), row.entryId(), MessageName.NONE, MessageName.NONE);
    }
}
