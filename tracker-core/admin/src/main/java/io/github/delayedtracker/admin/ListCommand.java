/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/**
 * Commands that list scheduled messages, the earliest first: {@code delayed list <topic>} and {@code delayed peek <topic>}. Print
 * subscription, id and due time, a line for each: a list whether a command has given the time, a peek what the message is. A last
 * line tells where to go on if there are more.
 */
final class ListCommand extends DelayedCommand {

    /** What is printed. */
    enum Kind {
        LIST("list", "Lists scheduled messages, the earliest first: subscription, id, due time.",
                "How many at most, up to 10000; 100 if left out"),
        PEEK("peek", "Shows scheduled messages, the earliest first: subscription, id, due time, publish time, key, bytes and"
                + " properties.", "How many at most, up to 100; 10 if left out");

        private final String action;
        private final String does;
        private final String limit;

        Kind(String action, String does, String limit) {
            this.action = action;
            this.does = does;
            this.limit = limit;
        }
    }

    private static final String FROM = "--from";
    private static final String TO = "--to";
    private static final String LIMIT = "--limit";
    private static final String AFTER = "--after";

    private final Kind kind;

    ListCommand(Kind kind, PrintStream out) {
        super(kind.action, kind.does, "public/default/orders --subscription billing --from 1h --to 6h --limit 20", out);
        this.kind = kind;
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.topicParameter(), Arguments.subscriptionParameter(),
                Arguments.option("Due from then on: from now (90s, 10m, 6h, 7d) or epoch milliseconds; all if left out",
                        FROM),
                Arguments.option("Due before that; all if left out", TO),
                Arguments.option(kind.limit, LIMIT),
                Arguments.option("Go on behind this: the next of an earlier list", AFTER), Arguments.jsonParameter());
    }

    @Override
    void run(Arguments arguments, Servlet servlet) throws CommandFailed {
        Request request = onTopic(arguments).with("from", arguments.text(FROM)).with("to", arguments.text(TO))
                .with("limit", arguments.text(LIMIT)).with("after", arguments.text(AFTER));
        ask(servlet, request, arguments, answer -> answer.path("subscriptions").forEach(this::page));
    }

    private void page(JsonNode subscription) {
        String name = subscription.path("subscription").asText();
        for (JsonNode message : subscription.path("messages")) {
            JsonNode due = message.path("dueMillis");
            List<String> parts = new ArrayList<>(List.of(name, message.path("id").asText(),
                    due.isNumber() ? Text.time(due.asLong()) : "overdue"));
            if (kind == Kind.PEEK) {
                parts.addAll(content(message.path("content")));
            } else if (message.path("moved").asBoolean()) {
                parts.add("moved");
            }
            print(parts);
        }
        JsonNode next = subscription.path("next");
        if (next.isTextual()) {
            print(name, "next", next.textValue());
        }
    }

    private static List<String> content(JsonNode content) {
        if (!content.isObject()) {
            return List.of("not read");
        }
        List<String> properties = new ArrayList<>();
        content.path("properties").fields().forEachRemaining(each ->
                properties.add(each.getKey() + "=" + each.getValue().asText()));
        JsonNode key = content.path("key");
        return List.of(Text.time(content.path("publishMillis").asLong()), key.isTextual() ? key.textValue() : "",
                Long.toString(content.path("bytes").asLong()), String.join(",", properties));
    }
}
