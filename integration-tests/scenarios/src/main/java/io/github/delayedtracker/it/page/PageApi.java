/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.delayedtracker.it.page.BrokerCalls.Answer;
import io.github.delayedtracker.it.page.Metrics.Name;
import io.github.delayedtracker.it.page.Samples.Sample;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The answers that the page draws, as JSON. Thread safe. */
final class PageApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** Up to so many messages are counted one by one; above it the counts of the schedule are taken. */
    private static final int MOST_LISTED = 20_000;
    private static final Pattern TIMES = Pattern.compile("\\d{1,15}(,\\d{1,15}){0,99}");
    private static final Pattern ID = Pattern.compile("\\d{1,19}:\\d{1,19}(:-?\\d{1,9}){0,2}");

    private final BrokerCalls broker;
    private final Samples samples;

    PageApi(BrokerCalls broker, Samples samples) {
        this.broker = broker;
        this.samples = samples;
    }

    /** The subscriptions that can be looked at. */
    Answer subscriptions() throws IOException {
        ArrayNode all = JSON.createArrayNode();
        Metrics metrics = samples.latest();
        metrics.tracked().stream().limit(Samples.MOST_SUBSCRIPTIONS).forEach(name ->
                all.addObject().put("topic", name.topic()).put("subscription", name.subscription()));
        return ok(all);
    }

    /** One subscription: sentences, the last ten minutes, and how many messages are due by each of the times asked for. */
    Answer state(Map<String, String> query) throws IOException, InterruptedException {
        Name name = name(query);
        long nowMillis = System.currentTimeMillis();
        long[] untilMillis = times(query.getOrDefault("until", ""), nowMillis);
        String until = Arrays.stream(untilMillis).mapToObj(Long::toString).collect(Collectors.joining(","));
        Answer schedule = broker.look(name.topic(), "schedule", Map.of("subscription", name.subscription(), "until", until));
        if (schedule.status() != HttpURLConnection.HTTP_OK) {
            return schedule;
        }
        ObjectNode state = JSON.createObjectNode();
        JsonNode subscription = JSON.readTree(schedule.body()).path("subscriptions").path(0);
        long count = subscription.path("count").asLong();
        Optional<long[]> exact = count > MOST_LISTED ? Optional.empty() : DueCounts.exact(broker, name, untilMillis);
        state.put("scheduled", count);
        state.put("exact", exact.isPresent());
        // The first count is of what is due by now.
        state.set("dueBy", JSON.valueToTree(exact.orElseGet(() -> DueCounts.coarse(subscription))));
        state.put("nowMillis", nowMillis);
        state.put("sampleAgeMillis", System.currentTimeMillis() - samples.latestMillis());
        ArrayNode words = state.putArray("words");
        StateInWords.of(samples.latest(), name, nowMillis).forEach(words::add);
        ArrayNode history = state.putArray("samples");
        for (Sample sample : samples.of(name)) {
            history.addArray().add(sample.atMillis()).add(sample.handedOutCount()).add(sample.behindMillis())
                    .add(sample.bytes()).add(sample.stockBytes());
        }
        return ok(state);
    }

    /**
     * Now and the times asked for, ascending. A request that was long under way asks for times that have passed: now is then
     * taken as before the first of them, since the broker refuses times out of order.
     */
    static long[] times(String asked, long nowMillis) {
        if (!TIMES.matcher(asked).matches()) {
            throw new IllegalArgumentException("not up to 100 times with commas between: " + asked);
        }
        long[] untilMillis = LongStream.concat(LongStream.of(nowMillis),
                Arrays.stream(asked.split(",")).mapToLong(Long::parseLong).sorted()).toArray();
        untilMillis[0] = Math.min(nowMillis, untilMillis[1] - 1);
        return untilMillis;
    }

    /** The messages that are due next. */
    Answer list(Map<String, String> query) throws IOException, InterruptedException {
        Name name = name(query);
        return broker.look(name.topic(), "list",
                Map.of("subscription", name.subscription(), "limit", query.getOrDefault("limit", "50")));
    }

    /** Cancels one message. */
    Answer cancel(Map<String, String> query) throws IOException, InterruptedException {
        Name name = name(query);
        String id = query.getOrDefault("id", "");
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("not an id as ledger:entry: " + id);
        }
        return broker.change(name.topic(), "cancel", Map.of("subscription", name.subscription()), id);
    }

    /** An answer that tells why there is no other. */
    static Answer refused(int status, String reason) {
        return new Answer(status, JSON.createObjectNode().put("reason", reason).toString());
    }

    private Name name(Map<String, String> query) {
        Name name = new Name(query.getOrDefault("topic", ""), query.getOrDefault("subscription", ""));
        if (!samples.latest().tracked().contains(name)) {
            throw new IllegalArgumentException("no subscription with a schedule: " + name.subscription() + " of " + name.topic());
        }
        return name;
    }

    private static Answer ok(JsonNode body) throws IOException {
        return new Answer(HttpURLConnection.HTTP_OK, JSON.writeValueAsString(body));
    }
}
