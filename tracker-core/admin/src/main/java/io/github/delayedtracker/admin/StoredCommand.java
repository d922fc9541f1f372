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
import java.util.Map;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/**
 * Commands about what is behind a schedule: {@code delayed snapshots <topic>} lists what is stored, {@code delayed verify
 * <topic>} compares the schedule with the topic, the cursor and the record, and fails where they differ.
 */
final class StoredCommand implements CustomCommand {

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
    private final PrintStream out;

    StoredCommand(Kind kind, PrintStream out) {
        this.kind = kind;
        this.out = out;
    }

    @Override
    public String name() {
        return kind.action;
    }

    @Override
    public String description() {
        return kind.does + "%nExample: pulsar-admin delayed " + kind.action
                + " public/default/orders --subscription billing";
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.topicParameter(), Arguments.subscriptionParameter(), Arguments.jsonParameter());
    }

    @Override
    public boolean execute(Map<String, Object> parameters, CommandExecutionContext context) throws CommandFailed {
        Arguments arguments = new Arguments(parameters);
        Servlet servlet = Servlet.of(context);
        String path = arguments.topic().path() + kind.action + "?"
                + arguments.subscription().map(name -> "subscription=" + TopicPath.encoded(name) + "&").orElse("");
        if (kind == Kind.VERIFY) {
            verify(arguments, servlet, path);
            return true;
        }
        String answer = servlet.get(path);
        if (arguments.json()) {
            out.println(answer);
            return true;
        }
        for (JsonNode subscription : Servlet.json(answer).path("subscriptions")) {
            String name = Text.line(subscription.path("subscription").asText());
            subscription.path("snapshots").forEach(snapshot -> out.println(String.join("\t", name,
                    Text.line(snapshot.path("ledgerId").asText()), Text.line(snapshot.path("state").asText()),
                    snapshot.path("positions").asText(), snapshot.path("bytes").asText(),
                    snapshot.path("asleep").asText() + " of " + snapshot.path("segments").asText(),
                    time(snapshot.path("firstDueMillis")), time(snapshot.path("lastDueMillis")))));
        }
        return true;
    }

    private static String time(JsonNode millis) {
        return millis.isNumber() ? Text.time(millis.asLong()) : "none";
    }

    /** Page by page; what differs is told once all is printed. */
    private void verify(Arguments arguments, Servlet servlet, String path) throws CommandFailed {
        long scheduled = 0;
        long acknowledged = 0;
        JsonNode first = null;
        String after = "";
        do {
            String answer = servlet.get(path + after);
            if (arguments.json()) {
                out.println(answer);
            }
            JsonNode page = Servlet.json(answer).path("subscriptions").path(0);
            first = first == null ? page : first;
            scheduled += page.path("scheduled").asLong();
            acknowledged += page.path("acknowledged").asLong();
            String next = page.path("next").textValue();
            after = next == null ? "" : "after=" + TopicPath.encoded(next);
        } while (!after.isEmpty());
        String name = Text.line(first.path("subscription").asText());
        if (!arguments.json()) {
            out.println(name + "\tscheduled\t" + scheduled);
            out.println(name + "\tacknowledged, and still in the schedule\t" + acknowledged);
            out.println(name + "\tentries of the topic sampled\t" + first.path("sampled").asInt());
            out.println(name + "\tof these to be scheduled\t" + first.path("delayed").asInt());
            out.println(name + "\twait for a consumer, or are with one\t" + first.path("elsewhere").asLong());
        }
        List<String> differences = new ArrayList<>();
        if (first.path("elsewhere").asLong() == 0) {
            differ(differences, "messages that are not in the schedule", first.path("missing"));
        } else if (!arguments.json()) {
            first.path("missing").forEach(id -> out.println(name + "\tnot in the schedule, perhaps with these\t"
                    + Text.line(id.asText())));
        }
        differ(differences, "ledgers that only the record names", first.path("onlyInRecord"));
        differ(differences, "ledgers that only the index has", first.path("onlyInIndex"));
        if (!differences.isEmpty()) {
            throw new CommandFailed(String.join("; ", differences));
        }
    }

    private static void differ(List<String> differences, String what, JsonNode all) {
        List<String> each = new ArrayList<>();
        all.forEach(one -> each.add(Text.line(one.asText())));
        if (!each.isEmpty()) {
            differences.add(what + ": " + String.join(", ", each));
        }
    }
}
