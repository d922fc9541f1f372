/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/** Looks at a schedule: {@code delayed schedule <topic>}. Prints subscription, what, and its value, a line for each. */
final class ScheduleCommand implements CustomCommand {

    private static final String UNTIL = "--until";

    private final PrintStream out;

    ScheduleCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public String name() {
        return "schedule";
    }

    @Override
    public String description() {
        return "Shows how many messages are scheduled, and by when they are due.%n"
                + "Example: pulsar-admin delayed schedule public/default/orders --subscription billing --until 10m,6h,7d";
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.topicParameter(), Arguments.subscriptionParameter(),
                Arguments.option("Times to count up to, with commas between: from now (90s, 10m, 6h, 7d) or epoch milliseconds",
                        UNTIL), Arguments.jsonParameter());
    }

    @Override
    public boolean execute(Map<String, Object> parameters, CommandExecutionContext context) throws CommandFailed {
        Arguments arguments = new Arguments(parameters);
        String query = arguments.subscription().map(name -> "&subscription=" + TopicPath.encoded(name)).orElse("")
                + arguments.text(UNTIL).map(until -> "&until=" + TopicPath.encoded(until)).orElse("");
        String path = arguments.topic().path() + "schedule" + (query.isEmpty() ? "" : "?" + query.substring(1));
        String answer = Servlet.of(context).get(path);
        if (arguments.json()) {
            out.println(answer);
        } else {
            Servlet.json(answer).path("subscriptions").forEach(this::print);
        }
        return true;
    }

    private void print(JsonNode subscription) {
        String name = Text.line(subscription.path("subscription").asText());
        print(name, "scheduled", subscription.path("count").asText());
        print(name, "overdue", subscription.path("overdue").asText());
        print(name, "blocked", subscription.path("blocked").asText());
        JsonNode next = subscription.path("nextDueMillis");
        print(name, "next due", next.isNumber() ? Text.time(next.asLong()) : "none");
        for (JsonNode due : subscription.path("dueBy")) {
            print(name, "due by " + Text.time(due.path("untilMillis").asLong()), due.path("count").asText());
        }
    }

    private void print(String name, String what, String value) {
        out.println(name + "\t" + what + "\t" + Text.line(value));
    }
}
