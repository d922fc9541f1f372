/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.Orphan;
import io.github.delayedtracker.command.DelayedCommands.Sweep;
import io.github.delayedtracker.http.Authorization.Asking;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import javax.servlet.http.HttpServletRequest;

/** The way of the one request that is of no topic: which ledgers of the cluster nothing names. Every broker answers it. */
final class SweepCall {

    static final String PATH = DelayedServlets.BASE_PATH + "/sweep";

    private final Authorization authorization;

    SweepCall(Authorization authorization) {
        this.authorization = authorization;
    }

    static boolean isMeant(HttpServletRequest request) {
        return PATH.equals(request.getRequestURI());
    }

    /** Answers it; throws a {@link Failure} if it is not well-formed. */
    CompletableFuture<Reply> answer(HttpServletRequest request, Asking asking, DelayedCommands commands) {
        if (!"GET".equals(request.getMethod())) {
            throw Failure.ofMethod("sweep is asked by GET", "GET");
        }
        OptionalLong after = Query.ofSweep(request.getQueryString()).afterLedger();
        return authorization.superuser(asking).thenCompose(allowed -> commands.sweep(after))
                .thenApply(page -> Reply.ok(body(page)));
    }

    /** {@code next} is null after the last ledger, {@code firstUnknown} where all is known. */
    private static JsonNode body(Sweep page) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("lookedAt", page.lookedAt()).put("own", page.own())
                .put("young", page.young()).put("minAgeMillis", page.minAgeMillis()).put("withoutId", page.withoutId())
                .put("ofAnotherId", page.ofAnotherId()).put("unknown", page.unknown())
                .put("firstUnknown", page.firstUnknown().map(Printable::line).orElse(null));
        ArrayNode orphans = body.putArray("orphans");
        for (Orphan orphan : page.orphans()) {
            orphans.addObject().put("ledgerId", orphan.ledgerId()).put("topic", orphan.topic())
                    .put("subscription", orphan.subscription()).put("createdMillis", orphan.createdMillis());
        }
        Answers.put(body, "next", page.next());
        return body;
    }
}
