/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The metrics page of a broker, of which only the tracker's lines are kept. Thread safe. */
final class BrokerMetrics {

    private static final String TOPIC_LABEL = "topic=";
    private static final String SUBSCRIPTION_LABEL = "subscription=";
    private static final String PREFIX = "pulsar_delayed_index_";
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NORMAL).build();

    private final URI page;

    BrokerMetrics(String url) {
        page = URI.create(url + "/metrics/");
    }

    /** Each line's value by its name with its labels; nothing from a broker that does not answer. */
    Map<String, Double> look() throws InterruptedException {
        Map<String, Double> values = new HashMap<>();
        try {
            HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
            String text = HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
            text.lines().filter(BrokerMetrics::isOfATracker).forEach(line -> {
                int blank = line.lastIndexOf(' ');
                values.put(line.substring(0, blank), Double.parseDouble(line.substring(blank + 1)));
            });
        } catch (IOException notNow) {
            return Map.of();
        }
        return values;
    }

    /** The broker gives each line of a subscription once more as that of its topic. */
    private static boolean isOfATracker(String line) {
        return line.startsWith(PREFIX) && (line.contains(SUBSCRIPTION_LABEL) || !line.contains(TOPIC_LABEL));
    }

    /** The sum of a metric over its labels. */
    static double sum(Map<String, Double> look, String name) {
        return look.entrySet().stream().filter(line -> isOf(line.getKey(), name)).mapToDouble(Map.Entry::getValue).sum();
    }

    /** Whether a line is of the metric of that name. */
    static boolean isOf(String line, String name) {
        return line.equals(name) || line.startsWith(name + "{");
    }
}
