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
 * Commands about what is behind a schedule: {@code delayed snapshots <topic>} lists what is stored, {@code delayed verify
 * <topic>} compares the schedule with the topic, the cursor and the record, and fails where they differ.
 */
final class StoredCommand extends DelayedCommand {

    /** What is told. */
    enum Kind {
        SNAPSHOTS("snapshots", "Lists what the backend bucket has stored: ledger, state, messages that are only there, bytes,"
                + " segments not in memory of all, first and last due time."),
        VERIFY("verify", "Compares the schedule with the cursor, with a sample of the topic, and with the record of what is"
                + " stored. Reads only. Fails if a message is missing or a snapshot is in the record or the index only.");

        private final String action;
        private final String does;

        Kind(String action, String does) {
            this.action = action;
            this.does = does;
        }
    }

    private final Kind kind;

    StoredCommand(Kind kind, PrintStream out) {
        super(kind.action, kind.does, "public/default/orders --subscription billing", out);
        this.kind = kind;
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.topicParameter(), Arguments.subscriptionParameter(), Arguments.jsonParameter());
    }

    @Override
    void run(Arguments arguments, Servlet servlet) throws CommandFailed {
        if (kind == Kind.VERIFY) {
            verify(arguments, servlet);
        } else {
            ask(servlet, onTopic(arguments), arguments, answer -> answer.path("subscriptions").forEach(this::snapshots));
        }
    }

    private void snapshots(JsonNode subscription) {
        String name = subscription.path("subscription").asText();
        subscription.path("snapshots").forEach(snapshot -> print(name, snapshot.path("ledgerId").asText(),
                snapshot.path("state").asText(), snapshot.path("positions").asText(),
                snapshot.path("bytes").asText(), snapshot.path("asleep").asText() + " of " + snapshot.path("segments").asText(),
                time(snapshot.path("firstDueMillis")), time(snapshot.path("lastDueMillis"))));
    }

    private static String time(JsonNode millis) {
        return millis.isNumber() ? Text.time(millis.asLong()) : "none";
    }

    /** Page by page; what differs is told once all is printed. */
    private void verify(Arguments arguments, Servlet servlet) throws CommandFailed {
        List<JsonNode> pages = new ArrayList<>();
        pages(servlet, onTopic(arguments), arguments, DelayedCommand::nextOfTheOne,
                page -> pages.add(page.path("subscriptions").path(0)));
        JsonNode first = pages.get(0);
        String name = first.path("subscription").asText();
        boolean isElsewhere = first.path("elsewhere").asLong() > 0;
        if (!arguments.json()) {
            print(name, "scheduled", sum(pages, "scheduled"));
            print(name, "acknowledged, and still in the schedule", sum(pages, "acknowledged"));
            print(name, "entries of the topic sampled", first.path("sampled").asText());
            print(name, "of these to be scheduled", first.path("delayed").asText());
            print(name, "wait for a consumer, or are with one", first.path("elsewhere").asText());
            if (isElsewhere) {
                first.path("missing").forEach(id ->
                        print(name, "not in the schedule, perhaps with these", id.asText()));
            }
        }
        List<String> differences = new ArrayList<>();
        if (!isElsewhere) {
            differ(differences, "messages that are not in the schedule", first.path("missing"));
        }
        differ(differences, "ledgers that only the record names", first.path("onlyInRecord"));
        differ(differences, "ledgers that only the index has", first.path("onlyInIndex"));
        if (!differences.isEmpty()) {
            throw new CommandFailed(String.join("; ", differences));
        }
    }

    private static String sum(List<JsonNode> pages, String field) {
        return Long.toString(pages.stream().mapToLong(page -> page.path(field).asLong()).sum());
    }

    private static void differ(List<String> differences, String what, JsonNode all) {
        List<String> each = new ArrayList<>();
        all.forEach(one -> each.add(one.asText()));
        if (!each.isEmpty()) {
            differences.add(what + ": " + String.join(", ", each));
        }
    }
}
