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
import io.github.delayedtracker.command.DelayedCommands.Snapshot;
import io.github.delayedtracker.command.DelayedCommands.Snapshots;
import io.github.delayedtracker.command.DelayedCommands.Verification;
import java.util.List;

/** The answers about what is stored of a schedule, as JSON. */
final class StoredAnswers {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private StoredAnswers() {
    }

    /** What is stored; {@code ledgerId} is null for a snapshot that has no ledger yet, the times for one without segments. */
    static JsonNode snapshots(String topic, List<Snapshots> stored) {
        ObjectNode body = JSON.objectNode().put("topic", topic);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Snapshots each : stored) {
            ArrayNode snapshots = subscriptions.addObject().put("subscription", each.subscription()).putArray("snapshots");
            for (Snapshot snapshot : each.snapshots()) {
                ObjectNode one = snapshots.addObject();
                Answers.put(one, "ledgerId", snapshot.ledgerId());
                one.put("state", snapshot.state()).put("positions", snapshot.positions()).put("bytes", snapshot.bytes())
                        .put("segments", snapshot.segments()).put("asleep", snapshot.asleep());
                Answers.put(one, "firstDueMillis", snapshot.firstDueMillis());
                Answers.put(one, "lastDueMillis", snapshot.lastDueMillis());
            }
        }
        return body;
    }

    /** How schedules compare with their topic; pages are added up. */
    static JsonNode verified(String topic, List<Verification> all, long nowMillis) {
        ObjectNode body = JSON.objectNode().put("topic", topic);
        ArrayNode subscriptions = body.putArray("subscriptions");
        for (Verification each : all) {
            ObjectNode subscription = subscriptions.addObject().put("subscription", each.subscription())
                    .put("scheduled", each.scheduled()).put("acknowledged", each.acknowledged()).put("sampled", each.sampled())
                    .put("delayed", each.delayed());
            ArrayNode missing = subscription.putArray("missing");
            each.missing().forEach(id -> missing.add(id.toString()));
            subscription.put("elsewhere", each.elsewhere());
            ArrayNode onlyInRecord = subscription.putArray("onlyInRecord");
            each.onlyInRecord().forEach(onlyInRecord::add);
            ArrayNode onlyInIndex = subscription.putArray("onlyInIndex");
            each.onlyInIndex().forEach(onlyInIndex::add);
            Answers.putNext(subscription, each.next(), nowMillis);
        }
        return body;
    }
}
