/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Asks the broker: its metrics, and the commands of docs/openapi.yaml. Thread safe. */
final class BrokerCalls {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Pattern TOPIC = Pattern.compile("persistent://[^/]+/[^/]+/.+");

    private final HttpClient http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    private final String adminUrl;

    BrokerCalls(String adminUrl) {
        this.adminUrl = adminUrl;
    }

    /** An answer of the broker as it came. */
    record Answer(int status, String body) {
    }

    Metrics metrics() throws IOException, InterruptedException {
        Answer answer = send(HttpRequest.newBuilder(URI.create(adminUrl + "/metrics/")).GET());
        if (answer.status() != HttpURLConnection.HTTP_OK) {
            throw new IOException("the broker answers " + answer.status() + " when asked for its metrics");
        }
        return Metrics.parse(answer.body());
    }

    /** Asks for what changes nothing. */
    Answer look(String topic, String action, Map<String, String> parameters) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(topic, action, parameters)).GET());
    }

    /** Asks for a change of one message. */
    Answer change(String topic, String action, Map<String, String> parameters, String id)
            throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(topic, action, parameters)).header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(id)));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    private URI uri(String topic, String action, Map<String, String> parameters) {
        if (!TOPIC.matcher(topic).matches()) {
            throw new IllegalArgumentException("not a topic as persistent://tenant/namespace/name: " + topic);
        }
        String path = Arrays.stream(topic.substring("persistent://".length()).split("/", 3)).map(BrokerCalls::encoded)
                .collect(Collectors.joining("/", "/admin/delayed/v1/persistent/", "/" + action));
        String query = parameters.entrySet().stream().map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return URI.create(adminUrl + path + "?" + query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
