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
import io.github.delayedtracker.command.DelayedCommands.Content;
import io.github.delayedtracker.command.DelayedCommands.DueBy;
import io.github.delayedtracker.command.DelayedCommands.LedgerUse;
import io.github.delayedtracker.command.DelayedCommands.LedgerUses;
import io.github.delayedtracker.command.DelayedCommands.Listed;
import io.github.delayedtracker.command.DelayedCommands.Page;
import io.github.delayedtracker.command.DelayedCommands.Peek;
import io.github.delayedtracker.command.DelayedCommands.Peeked;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.DelayedCommands.Schedule;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What the commands answer, as JSON. */
final class Answers {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Answers() {
    }

    /**
     * The answers to a command that changes something: how many of each kind, one for each id, and where to go on with the rest
     * of a time; null if there is none.
     */
    static JsonNode changed(String topic, List<Result> results, long nowMillis) {
        ObjectNode body = JSON.objectNode().put("topic", topic).put("nowMillis", nowMillis);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Result result : results) {
            ObjectNode subscription = subscriptions.addObject().put("subscription", result.subscription());
            Map<Answer, Integer> counts = new EnumMap<>(Answer.class);
            result.answers().forEach(answer -> counts.merge(answer, 1, Integer::sum));
            ObjectNode counted = subscription.putObject("counts");
            counts.forEach((answer, count) -> counted.put(answer.text(), count));
            ArrayNode answers = subscription.putArray("answers");
            for (int i = 0; i < result.ids().size(); i++) {
                answers.addObject().put("id", result.ids().get(i).toString()).put("answer", result.answers().get(i).text());
            }
            putNext(subscription, result.next(), nowMillis);
        }
        return body;
    }

    /** Scheduled messages; {@code dueMillis} is null for one that is overdue, {@code next} where there are no more. */
    static JsonNode pages(String topic, List<Page> pages, long nowMillis) {
        ObjectNode body = JSON.objectNode().put("topic", topic);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Page page : pages) {
            ObjectNode subscription = subscriptions.addObject().put("subscription", page.subscription())
                    .put("precisionMillis", page.precisionMillis());
            ArrayNode messages = subscription.putArray("messages");
            page.messages().forEach(listed -> put(messages.addObject(), listed));
            putNext(subscription, page.next(), nowMillis);
        }
        return body;
    }

    static void putNext(ObjectNode subscription, Optional<String> place, long nowMillis) {
        subscription.put("next", place.map(text -> Query.next(text, nowMillis)).orElse(null));
    }

    private static void put(ObjectNode message, Listed listed) {
        message.put("id", listed.id().toString());
        put(message, "dueMillis", listed.dueMillis());
        message.put("moved", listed.isMoved());
    }

    static void put(ObjectNode object, String name, OptionalLong number) {
        if (number.isPresent()) {
            object.put(name, number.getAsLong());
        } else {
            object.putNull(name);
        }
    }

    /**
     * The ledgers of a topic, all of them or those with messages that expire; {@code messages} is null where the broker does not
     * tell, {@code closedMillis} for the ledger that is written, {@code lastDueMillis} where none is scheduled.
     */
    static JsonNode ledgers(String topic, List<LedgerUses> uses, boolean onlyExpiring, long nowMillis) {
        ObjectNode body = JSON.objectNode().put("topic", topic).put("nowMillis", nowMillis);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (LedgerUses each : uses) {
            ObjectNode subscription = subscriptions.addObject().put("subscription", each.subscription());
            put(subscription, "timeToLiveSeconds", each.timeToLiveSeconds());
            ArrayNode ledgers = subscription.putArray("ledgers");
            for (LedgerUse use : each.ledgers()) {
                if (use.expiring() > 0 || !onlyExpiring) {
                    ObjectNode ledger = ledgers.addObject().put("ledgerId", use.ledgerId()).put("bytes", use.bytes());
                    put(ledger, "closedMillis", use.closedMillis());
                    put(ledger, "messages", use.messages());
                    ledger.put("scheduled", use.scheduled());
                    put(ledger, "lastDueMillis", use.lastDueMillis());
                    ledger.put("expiring", use.expiring());
                }
            }
            putNext(subscription, each.next(), nowMillis);
        }
        return body;
    }

    /** Scheduled messages and what they are; {@code content} is null for one that could not be read in time. */
    static JsonNode peeks(String topic, List<Peek> peeks, long nowMillis) {
        ObjectNode body = JSON.objectNode().put("topic", topic);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Peek peek : peeks) {
            ObjectNode subscription = subscriptions.addObject().put("subscription", peek.subscription());
            ArrayNode messages = subscription.putArray("messages");
            for (Peeked peeked : peek.messages()) {
                ObjectNode message = messages.addObject();
                put(message, peeked.listed());
                if (peeked.content().isPresent()) {
                    put(message.putObject("content"), peeked.content().get());
                } else {
                    message.putNull("content");
                }
            }
            putNext(subscription, peek.next(), nowMillis);
        }
        return body;
    }

    private static void put(ObjectNode object, Content content) {
        object.put("publishMillis", content.publishMillis());
        put(object, "deliverAtMillis", content.deliverAtMillis());
        object.put("key", content.key().orElse(null)).put("producer", content.producer()).put("messages", content.messages())
                .put("bytes", content.bytes());
        ObjectNode properties = object.putObject("properties");
        content.properties().forEach(properties::put);
    }

    /** The schedules of the subscriptions; {@code nextDueMillis} and {@code lastDueMillis} are null where none is due. */
    static JsonNode schedules(String topic, List<Schedule> schedules) {
        ObjectNode body = JSON.objectNode().put("topic", topic);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Schedule schedule : schedules) {
            ObjectNode subscription = subscriptions.addObject()
                    .put("subscription", schedule.subscription())
                    .put("count", schedule.count())
                    .put("overdue", schedule.overdue());
            put(subscription, "nextDueMillis", schedule.nextDueMillis());
            put(subscription, "lastDueMillis", schedule.lastDueMillis());
            ArrayNode dueBy = subscription.put("blocked", schedule.blocked()).putArray("dueBy");
            for (DueBy due : schedule.dueBy()) {
                dueBy.addObject().put("untilMillis", due.untilMillis()).put("count", due.count());
            }
        }
        return body;
    }
}
