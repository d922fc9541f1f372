/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionTimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.Dispatcher;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.Topic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of one broker: finds the trackers of a topic that is loaded here, passes the command on to each, and writes a line
 * of audit for each that changes something. Thread safe.
 */
final class BrokerCommands implements DelayedCommands, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerCommands.class);

    /** The subscriptions that a call works on at a time: more where it reads few entries of the topic for each. */
    private static final int LEAST_AT_A_TIME = 8;
    private static final int MOST_READ_AT_A_TIME = 256;
    /** What has not been begun by then is refused: who has called waits for an answer. */
    private static final long LONGEST_BEGIN_MILLIS = 10_000;

    private final Supplier<BrokerService> broker;
    private final TrackerServices services;
    private final OrphanCommand orphans;
    /** The thread that finds messages by their due times. */
    private final IndexWorker looks = new IndexWorker("delayed-index-looks");

    /** The broker's service may be null while the broker starts. */
    BrokerCommands(Supplier<BrokerService> broker, TrackerServices services, OrphanCommand orphans) {
        this.broker = broker;
        this.orphans = orphans;
        this.services = services;
    }

    @Override
    public void close() {
        looks.close();
    }

    @Override
    public CompletableFuture<List<Result>> cancel(String topic, Optional<String> subscription, Chosen chosen, Options options,
            Caller caller) {
        return change("Cancel", topic, subscription, chosen, options, caller,
                (tracker, copy) -> tracker.commands.cancel(copy, options, looks));
    }

    @Override
    public CompletableFuture<List<Result>> move(String topic, Optional<String> subscription, Chosen chosen, NewDue due,
            Options options, Caller caller) {
        boolean isShift = due instanceof DueShifted;
        long millis = due instanceof DueShifted by ? by.byMillis() : ((DueAt) due).dueMillis();
        long least = isShift ? -PositionTimes.LATEST_MILLIS : 0;
        if (millis < least || millis > PositionTimes.LATEST_MILLIS) {
            return CompletableFuture.failedFuture(new RefusedException(Reason.BAD_REQUEST,
                    (isShift ? "messages are moved by " : "a time is from ") + least + " to " + PositionTimes.LATEST_MILLIS
                            + (isShift ? " ms" : " epoch milliseconds") + ", this is " + millis));
        }
        return change((isShift ? "Move by " : "Move to ") + millis, topic, subscription, chosen, options, caller,
                (tracker, copy) -> tracker.commands.move(copy, due, options, looks));
    }

    private CompletableFuture<List<Result>> change(String what, String topic, Optional<String> subscription, Chosen chosen,
            Options options, Caller caller, BiFunction<SubscriptionTracker, Chosen, CompletableFuture<Result>> command) {
        List<MessageName> ids = chosen instanceof Named named ? List.copyOf(named.ids()) : List.of();
        if (chosen instanceof Named && (ids.isEmpty() || ids.size() > MOST_IDS)) {
            return CompletableFuture.failedFuture(new RefusedException(Reason.BAD_REQUEST,
                    "a call names 1 to " + MOST_IDS + " messages, this one names " + ids.size()));
        }
        Chosen copy = chosen instanceof Named named ? new Named(ids, named.wholeBatches()) : chosen;
        AtomicBoolean isDone = new AtomicBoolean();
        List<Throwable> refusals = new CopyOnWriteArrayList<>();
        int most = chosen instanceof DueWithin ? 1 : MOST_ANSWERS / ids.size();
        int atATime = Math.max(LEAST_AT_A_TIME, MOST_READ_AT_A_TIME / Math.max(1, ids.size()));
        long begunMillis = services.nowMillis();
        return ofEach(topic, subscription, most, atATime, tracker -> begun(tracker, copy, begunMillis, command)
                .handle((result, failure) -> {
                    if (failure == null) {
                        isDone.set(true);
                        return result;
                    }
                    refusals.add(failure);
                    return new Result(subscriptionOf(tracker), ids, Collections.nCopies(ids.size(), answerTo(failure)),
                            Optional.empty());
                }))
                .thenCompose(results -> isDone.get() || refusals.isEmpty() ? CompletableFuture.completedFuture(results)
                        : CompletableFuture.<List<Result>>failedFuture(refusals.get(0)))
                .whenComplete((results, failure) ->
                        audit(options.dryRun() ? "Dry run: " + what : what, topic, chosen, caller, results, failure));
    }

    private CompletableFuture<Result> begun(SubscriptionTracker tracker, Chosen chosen, long begunMillis,
            BiFunction<SubscriptionTracker, Chosen, CompletableFuture<Result>> command) {
        long takenMillis = services.nowMillis() - begunMillis;
        if (takenMillis > LONGEST_BEGIN_MILLIS) {
            return CommandQueue.refused(Reason.TOO_MANY, "a call begins with no subscription after " + LONGEST_BEGIN_MILLIS
                    + " ms, and those before have taken " + takenMillis);
        }
        try {
            return command.apply(tracker, chosen);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<List<Schedule>> look(String topic, Optional<String> subscription, List<Long> untilMillis) {
        if (untilMillis.size() > MOST_TIMES) {
            return CompletableFuture.failedFuture(new RefusedException(Reason.BAD_REQUEST,
                    "a call asks for " + MOST_TIMES + " times at most, this one for " + untilMillis.size()));
        }
        long[] times = untilMillis.stream().mapToLong(Long::longValue).toArray();
        for (int i = 1; i < times.length; i++) {
            if (times[i] < times[i - 1]) {
                return CompletableFuture.failedFuture(new RefusedException(Reason.BAD_REQUEST,
                        "times are ascending, and " + times[i] + " follows " + times[i - 1]));
            }
        }
        return ofEach(topic, subscription, Integer.MAX_VALUE,
                tracker -> CompletableFuture.completedFuture(tracker.schedule(times)));
    }

    @Override
    public CompletableFuture<List<Page>> list(String topic, Optional<String> subscription, DueWithin within, int limit) {
        if (limit < 1 || limit > MOST_LISTED) {
            return CompletableFuture.failedFuture(new RefusedException(Reason.BAD_REQUEST,
                    "a page has 1 to " + MOST_LISTED + " messages, this one is to have " + limit));
        }
        return ofEach(topic, subscription, 1, tracker -> tracker.commands.list(within, limit, looks));
    }

    @Override
    public CompletableFuture<List<Peek>> peek(String topic, Optional<String> subscription, DueWithin within, int limit) {
        if (limit < 1 || limit > MOST_PEEKED) {
            return CompletableFuture.failedFuture(new RefusedException(Reason.BAD_REQUEST,
                    "a peek has 1 to " + MOST_PEEKED + " messages, this one is to have " + limit));
        }
        return ofEach(topic, subscription, 1, tracker -> tracker.commands.peek(within, limit, looks));
    }

    @Override
    public CompletableFuture<List<LedgerUses>> ledgers(String topic, Optional<String> subscription, Optional<String> after) {
        return ofEach(topic, subscription, 1, tracker -> tracker.commands.ledgers(after, looks));
    }

    @Override
    public CompletableFuture<List<Snapshots>> snapshots(String topic, Optional<String> subscription) {
        return ofEach(topic, subscription, Integer.MAX_VALUE, tracker -> tracker.commands.snapshots());
    }

    @Override
    public CompletableFuture<List<Verification>> verify(String topic, Optional<String> subscription, Optional<String> after) {
        return ofEach(topic, subscription, 1, tracker -> tracker.commands.verify(after, looks));
    }

    @Override
    public CompletableFuture<Sweep> sweep(OptionalLong after) {
        return orphans.sweep(after);
    }

    private <T> CompletableFuture<List<T>> ofEach(String topic, Optional<String> subscription, int most,
            Function<SubscriptionTracker, CompletableFuture<T>> command) {
        return ofEach(topic, subscription, most, LEAST_AT_A_TIME, command);
    }

    private <T> CompletableFuture<List<T>> ofEach(String topic, Optional<String> subscription, int most, int atATime,
            Function<SubscriptionTracker, CompletableFuture<T>> command) {
        try {
            List<SubscriptionTracker> found = trackers(topic, subscription);
            if (found.size() > most) {
                throw new RefusedException(Reason.BAD_REQUEST, (most == 1 ? "messages of a time are those of one subscription; "
                        : "a call has " + MOST_ANSWERS + " answers at most, so these ids may be for " + most + " subscriptions; ")
                        + AuditLine.printable(topic) + " has " + found.size() + " with a schedule: name one");
            }
            return InLanes.each(found, atATime, command, services.worker());
        } catch (RefusedException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private List<SubscriptionTracker> trackers(String topic, Optional<String> subscription) throws RefusedException {
        BrokerService service = broker.get();
        Topic loaded = (service == null ? Optional.<Topic>empty() : service.getTopicReference(topic))
                .orElseThrow(() -> new RefusedException(Reason.NO_SUCH_TOPIC,
                        "this broker has not loaded the topic " + AuditLine.printable(topic)));
        List<SubscriptionTracker> found = new ArrayList<>();
        if (subscription.isPresent()) {
            Subscription one = loaded.getSubscription(subscription.get());
            if (one == null) {
                throw new RefusedException(Reason.NO_SUCH_SUBSCRIPTION, AuditLine.printable(topic) + " has no subscription "
                        + AuditLine.printable(subscription.get()));
            }
            trackerOf(one).ifPresent(found::add);
        } else {
            loaded.getSubscriptions().values().forEach(each -> trackerOf(each).ifPresent(found::add));
        }
        if (found.isEmpty()) {
            throw new RefusedException(Reason.NO_SCHEDULE, "no delayed message was read here since the topic was loaded:"
                    + " connect a consumer of type Shared or Key_Shared");
        }
        return found;
    }

    private Optional<SubscriptionTracker> trackerOf(Subscription subscription) {
        Dispatcher dispatcher = subscription.getDispatcher();
        return services.registry().live().stream().filter(tracker -> tracker.dispatcher() == dispatcher).findFirst();
    }

    private static Answer answerTo(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof RefusedException ? Answer.REFUSED : Answer.OUTCOME_UNKNOWN;
    }

    private static String subscriptionOf(SubscriptionTracker tracker) {
        return tracker.dispatcher().getSubscription().getName();
    }

    private static void audit(String what, String topic, Chosen chosen, Caller caller, List<Result> results,
            Throwable failure) {
        if (failure != null) {
            LOG.info(AuditLine.refused(what, topic, chosen, caller, failure));
        } else {
            results.forEach(result -> LOG.info(AuditLine.done(what, topic, chosen, caller, result)));
        }
    }
}
