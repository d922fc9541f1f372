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
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.DueBy;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.DelayedCommands.Schedule;
import io.github.delayedtracker.command.MessageName;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the commands answer, as JSON. */
final class Answers {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Answers() {
    }

    /** The answers to a command that changes something: how many of each kind, and one for each id in the order of the ids. */
    static JsonNode changed(String topic, List<MessageName> ids, List<Result> results) {
        ObjectNode body = JSON.objectNode().put("topic", topic);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Result result : results) {
            ObjectNode subscription = subscriptions.addObject().put("subscription", result.subscription());
            Map<Answer, Integer> counts = new EnumMap<>(Answer.class);
            result.answers().forEach(answer -> counts.merge(answer, 1, Integer::sum));
            ObjectNode counted = subscription.putObject("counts");
            counts.forEach((answer, count) -> counted.put(answer.text(), count));
            ArrayNode answers = subscription.putArray("answers");
            for (int i = 0; i < ids.size(); i++) {
                answers.addObject().put("id", ids.get(i).toString()).put("answer", result.answers().get(i).text());
            }
        }
        return body;
    }

    /** The schedules of the subscriptions; {@code nextDueMillis} is null where none is due. */
    static JsonNode schedules(String topic, List<Schedule> schedules) {
        ObjectNode body = JSON.objectNode().put("topic", topic);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Schedule schedule : schedules) {
            ObjectNode subscription = subscriptions.addObject()
                    .put("subscription", schedule.subscription())
                    .put("count", schedule.count())
                    .put("overdue", schedule.overdue());
            if (schedule.nextDueMillis().isPresent()) {
                subscription.put("nextDueMillis", schedule.nextDueMillis().getAsLong());
            } else {
                subscription.putNull("nextDueMillis");
            }
            ArrayNode dueBy = subscription.put("blocked", schedule.blocked()).putArray("dueBy");
            for (DueBy due : schedule.dueBy()) {
                dueBy.addObject().put("untilMillis", due.untilMillis()).put("count", due.count());
            }
        }
        return body;
    }
}
