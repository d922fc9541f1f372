/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;

/** Calls the commands of a broker over HTTP, as curl does. */
final class CommandClient {

    /** The most ids of one call. */
    static final int MOST_IDS = 10_000;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final HttpClient http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    private final String adminUrl;
    private final Optional<String> token;

    CommandClient(String adminUrl) {
        this(adminUrl, Optional.empty());
    }

    CommandClient(String adminUrl, Optional<String> token) {
        this.adminUrl = adminUrl;
        this.token = token;
    }

    /** An answer as it came. */
    record Reply(int status, String body) {

        JsonNode json() throws IOException {
            if (status != 200) {
                throw new IOException("status " + status + ": " + body);
            }
            return JSON.readTree(body);
        }
    }

    /** An id as text. */
    static String text(MessageId id) {
        MessageIdAdv position = (MessageIdAdv) id;
        return position.getLedgerId() + ":" + position.getEntryId();
    }

    /** Asks for an action on a topic, with its parameters; the lines are the body. */
    Reply post(String topic, String action, List<String> lines) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(topic, action)).header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(String.join("\n", lines))));
    }

    /** Asks for what changes nothing. */
    Reply get(String topic, String action) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(topic, action)).GET());
    }

    /** Asks which ledgers nothing names. */
    Reply sweep() throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(adminUrl + "/admin/delayed/v1/sweep")).GET());
    }

    private URI uri(String topic, String action) {
        return URI.create(adminUrl + "/admin/delayed/v1/" + topic.replace("://", "/") + "/" + action);
    }

    private Reply send(HttpRequest.Builder request) throws IOException, InterruptedException {
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        HttpResponse<String> response = http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), response.body());
    }

    /** The answers of the usual subscription to a cancel, by the text of the ids. */
    Map<String, String> cancel(String topic, Collection<Sent> messages) throws IOException, InterruptedException {
        return change(topic, "cancel?yes=true&subscription=" + Scene.SUB, messages);
    }

    /** The same to another due time. */
    Map<String, String> reschedule(String topic, Collection<Sent> messages, long dueMillis)
            throws IOException, InterruptedException {
        return change(topic, "reschedule?yes=true&subscription=" + Scene.SUB + "&due=" + dueMillis, messages);
    }

    /** The same to a time so much later than planned. */
    Map<String, String> postpone(String topic, Collection<Sent> messages, long byMillis)
            throws IOException, InterruptedException {
        return change(topic, "reschedule?yes=true&subscription=" + Scene.SUB + "&by=" + byMillis, messages);
    }

    private Map<String, String> change(String topic, String action, Collection<Sent> messages)
            throws IOException, InterruptedException {
        Map<String, String> answers = new TreeMap<>();
        List<String> ids = messages.stream().map(message -> text(message.messageId())).toList();
        for (int from = 0; from < ids.size(); from += MOST_IDS) {
            List<String> part = ids.subList(from, Math.min(ids.size(), from + MOST_IDS));
            post(topic, action, part).json().path("subscriptions").path(0).path("answers").forEach(answer ->
                    answers.put(answer.path("id").asText(), answer.path("answer").asText()));
        }
        return answers;
    }

    /**
     * Changes all of a time, page by page: how often each answer came.
     *
     * @param action with its parameters, the subscription aside
     */
    Map<String, Long> changeTime(String topic, String action) throws IOException, InterruptedException {
        Map<String, Long> counts = new TreeMap<>();
        Optional<String> next = Optional.empty();
        do {
            String after = next.map(text -> "&after=" + text).orElse("");
            JsonNode answer = post(topic, action + "&subscription=" + Scene.SUB + after, List.of()).json()
                    .path("subscriptions").path(0);
            answer.path("counts").fields().forEachRemaining(count ->
                    counts.merge(count.getKey(), count.getValue().asLong(), Long::sum));
            next = Optional.ofNullable(answer.path("next").textValue());
        } while (next.isPresent());
        return counts;
    }

    /** What a look by ledger has of one number, added up over pages and ledgers. */
    long sumOfLedgers(String topic, String action, String number) throws IOException, InterruptedException {
        long sum = 0;
        Optional<String> next = Optional.empty();
        do {
            String after = next.map(text -> "&after=" + text).orElse("");
            JsonNode page = get(topic, action + "?subscription=" + Scene.SUB + after).json().path("subscriptions").path(0);
            for (JsonNode ledger : page.path("ledgers")) {
                sum += ledger.path(number).asLong();
            }
            next = Optional.ofNullable(page.path("next").textValue());
        } while (next.isPresent());
        return sum;
    }

    /** All that a list has, in its order: the due time by the id, page by page. */
    Map<String, Long> list(String topic, int pageSize) throws IOException, InterruptedException {
        Map<String, Long> listed = new LinkedHashMap<>();
        Optional<String> next = Optional.empty();
        do {
            String after = next.map(text -> "&after=" + text).orElse("");
            JsonNode page = get(topic, "list?subscription=" + Scene.SUB + "&limit=" + pageSize + after).json()
                    .path("subscriptions").path(0);
            for (JsonNode message : page.path("messages")) {
                if (listed.put(message.path("id").asText(), message.path("dueMillis").asLong()) != null) {
                    throw new IOException("listed twice: " + message);
                }
            }
            next = Optional.ofNullable(page.path("next").textValue());
        } while (next.isPresent());
        return listed;
    }
}
