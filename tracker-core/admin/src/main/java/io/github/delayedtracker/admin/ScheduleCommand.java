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
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/** Looks at a schedule: {@code delayed schedule <topic>}. Prints subscription, what, and its value, a line for each. */
final class ScheduleCommand extends DelayedCommand {

    private static final String UNTIL = "--until";

    ScheduleCommand(PrintStream out) {
        super("schedule", "Shows how many messages are scheduled, and by when they are due.",
                "public/default/orders --subscription billing --until 10m,6h,7d", out);
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.topicParameter(), Arguments.subscriptionParameter(),
                Arguments.option("Times to count up to, with commas between: from now (90s, 10m, 6h, 7d) or epoch milliseconds",
                        UNTIL), Arguments.jsonParameter());
    }

    @Override
    void run(Arguments arguments, Servlet servlet) throws CommandFailed {
        ask(servlet, onTopic(arguments).with("until", arguments.text(UNTIL)), arguments,
                answer -> answer.path("subscriptions").forEach(this::schedule));
    }

    private void schedule(JsonNode subscription) {
        String name = subscription.path("subscription").asText();
        print(name, "scheduled", subscription.path("count").asText());
        print(name, "overdue", subscription.path("overdue").asText());
        print(name, "blocked", subscription.path("blocked").asText());
        print(name, "next due", time(subscription.path("nextDueMillis")));
        print(name, "last due", time(subscription.path("lastDueMillis")));
        for (JsonNode due : subscription.path("dueBy")) {
            print(name, "due by " + Text.time(due.path("untilMillis").asLong()), due.path("count").asText());
        }
    }

    private static String time(JsonNode millis) {
        return millis.isNumber() ? Text.time(millis.asLong()) : "none";
    }
}
