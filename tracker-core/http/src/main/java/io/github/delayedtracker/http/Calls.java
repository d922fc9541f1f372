/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.Chosen;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.NewDue;
import io.github.delayedtracker.http.Authorization.Asking;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.servlet.http.HttpServletRequest;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.common.naming.TopicName;

/**
 * The way of a request, step by step: who asks, what for, its body, whether the caller may, which broker serves the
 * topic, the topic loaded, the command.
 */
final class Calls {

    private static final int USUAL_LISTED = 100;
    private static final int USUAL_PEEKED = 10;

    private final PulsarService pulsar;
    private final Authorization authorization;

    Calls(PulsarService pulsar) {
        this.pulsar = pulsar;
        authorization = new Authorization(pulsar);
    }

    /** What a request asks for, read in full. */
    record Call(Route route, Asking asking, Query query, Optional<String> subscription, Optional<Chosen> chosen,
            Optional<NewDue> due, List<Long> timesMillis, long nowMillis) {

        TopicName topic() {
            return route.topic();
        }

        CompletableFuture<Void> allowed(Authorization authorization) {
            return authorization.allowed(asking, topic(), route.action().operation(), subscription);
        }
    }

    /**
     * Answers a request. What it has to wait for is read with the thread that calls; the rest does not block.
     *
     * @throws Failure if the request is not well-formed
     * @throws IOException if the client goes away
     */
    CompletableFuture<Reply> answer(HttpServletRequest request) throws IOException {
        Asking asking = authorization.asking(request);
        DelayedCommands commands = Plugin.commands(pulsar);
        if (SweepCall.isMeant(request)) {
            return new SweepCall(authorization).answer(request, asking, commands);
        }
        Call call = read(request, asking, pulsar.getClock().millis());
        boolean https = request.isSecure();
        String path = request.getRequestURI();
        String query = request.getQueryString();
        return call.allowed(authorization)
                .thenCompose(allowed -> new Ownership(pulsar).elsewhere(call.topic(), call.query().authoritative(), https))
                .thenCompose(elsewhere -> elsewhere.isPresent()
                        ? CompletableFuture.completedFuture(Reply.goesOn(elsewhere.get().location(path, query)))
                        : here(commands, call));
    }

    /**
     * Reads a request, with the thread that calls.
     *
     * @throws Failure 400 to 415 if it is not well-formed
     * @throws IOException if the client goes away
     */
    static Call read(HttpServletRequest request, Asking asking, long clockMillis) throws IOException {
        Route route = Route.of(request.getMethod(), request.getRequestURI());
        Query query = Query.of(route.action(), request.getQueryString());
        query.authoritative();
        Optional<String> subscription = query.subscription();
        long nowMillis = query.nowMillis(clockMillis);
        Optional<NewDue> due = switch (route.action()) {
            case RESCHEDULE -> Optional.of(query.newDue(nowMillis));
            case DELIVER_NOW -> Optional.of(new DueAt(nowMillis));
            default -> Optional.empty();
        };
        List<Long> timesMillis = route.action() == Route.Action.SCHEDULE ? query.untilMillis(nowMillis) : List.of();
        Optional<Chosen> chosen = switch (route.action()) {
            case CANCEL, RESCHEDULE, DELIVER_NOW -> Optional.of(WhichMessages.of(request, query, nowMillis));
            case LIST, PEEK -> Optional.of(query.listed(nowMillis));
            default -> Optional.empty();
        };
        return new Call(route, asking, query, subscription, chosen, due, timesMillis, nowMillis);
    }

    private CompletableFuture<Optional<Topic>> load(TopicName topic) {
        return pulsar.getBrokerService().getTopicIfExists(topic.toString()).exceptionally(failure -> {
            throw new CompletionException(Failures.ofLoad(topic, failure));
        });
    }

    private CompletableFuture<Reply> here(DelayedCommands commands, Call call) {
        return load(call.topic()).thenCompose(loaded -> {
            if (loaded.isEmpty()) {
                throw new Failure(404, "there is no topic " + call.topic()
                        + "; a partitioned topic is named by its partition, as x-partition-0");
            }
            return switch (call.route().action()) {
                case CANCEL, RESCHEDULE, DELIVER_NOW -> change(commands, call, loaded.get());
                case SCHEDULE -> look(commands, call);
                case LIST -> list(commands, call);
                case HOLDING, EXPIRING -> ledgers(commands, call);
                case SNAPSHOTS -> commands.snapshots(call.topic().toString(), call.subscription())
                        .thenApply(stored -> Reply.ok(StoredAnswers.snapshots(call.topic().toString(), stored)));
                case VERIFY -> commands.verify(call.topic().toString(), call.subscription(), call.query().after())
                        .thenApply(each -> Reply.ok(StoredAnswers.verified(call.topic().toString(), each, call.nowMillis())));
                case PEEK -> peek(commands, call);
            };
        });
    }

    private CompletableFuture<Reply> change(DelayedCommands commands, Call call, Topic topic) {
        Caller caller = authorization.caller(call.asking());
        return allowedForAll(call, topic, Set.of())
                .thenCompose(allowed -> call.route().action() == Route.Action.CANCEL
                        ? commands.cancel(call.topic().toString(), call.subscription(), call.chosen().orElseThrow(),
                                call.query().options(), caller)
                        : commands.move(call.topic().toString(), call.subscription(), call.chosen().orElseThrow(),
                                call.due().orElseThrow(), call.query().options(), caller))
                .thenApply(results -> Reply.ok(Answers.changed(call.topic().toString(), results, call.nowMillis())));
    }

    /**
     * Who may change one subscription may not change the others: where all are meant each is asked for, and those that are made
     * meanwhile too.
     */
    private CompletableFuture<Void> allowedForAll(Call call, Topic topic, Set<String> asked) {
        Set<String> all = call.subscription().isPresent() ? Set.of() : Set.copyOf(topic.getSubscriptions().keySet());
        List<String> more = all.stream().filter(name -> !asked.contains(name)).sorted().toList();
        if (more.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return authorization.allowedForEach(call.asking(), call.topic(), call.route().action().operation(), more)
                .thenCompose(allowed -> allowedForAll(call, topic, all));
    }

    private CompletableFuture<Reply> look(DelayedCommands commands, Call call) {
        return commands.look(call.topic().toString(), call.subscription(), call.timesMillis())
                .thenApply(schedules -> Reply.ok(Answers.schedules(call.topic().toString(), schedules)));
    }

    private CompletableFuture<Reply> list(DelayedCommands commands, Call call) {
        return commands.list(call.topic().toString(), call.subscription(), (DueWithin) call.chosen().orElseThrow(),
                call.query().limit(USUAL_LISTED, DelayedCommands.MOST_LISTED))
                .thenApply(pages -> Reply.ok(Answers.pages(call.topic().toString(), pages, call.nowMillis())));
    }

    private CompletableFuture<Reply> ledgers(DelayedCommands commands, Call call) {
        boolean onlyExpiring = call.route().action() == Route.Action.EXPIRING;
        return commands.ledgers(call.topic().toString(), call.subscription(), call.query().after())
                .thenApply(uses -> Reply.ok(Answers.ledgers(call.topic().toString(), uses, onlyExpiring, call.nowMillis())));
    }

    private CompletableFuture<Reply> peek(DelayedCommands commands, Call call) {
        return commands.peek(call.topic().toString(), call.subscription(), (DueWithin) call.chosen().orElseThrow(),
                call.query().limit(USUAL_PEEKED, DelayedCommands.MOST_PEEKED))
                .thenApply(peeks -> Reply.ok(Answers.peeks(call.topic().toString(), peeks, call.nowMillis())));
    }
}
