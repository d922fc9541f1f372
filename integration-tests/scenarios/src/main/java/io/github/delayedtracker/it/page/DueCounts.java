/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.it.page.BrokerCalls.Answer;
import io.github.delayedtracker.it.page.Metrics.Name;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * How many messages are due by each of some times. A schedule's own counts are coarse, up to a sixteenth of all too high: enough
 * to tell how much comes within the hour, and too little for bars. So a short schedule is listed, and its messages are counted.
 */
final class DueCounts {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MOST_OF_A_PAGE = "10000";
    /** Pages of a list may be short; a schedule that takes more is too long. */
    private static final int MOST_PAGES = 6;

    private DueCounts() {
    }

    /** Counts the messages of the list; empty if the broker does not list them all. */
    static Optional<long[]> exact(BrokerCalls broker, Name name, long[] untilMillis) throws IOException, InterruptedException {
        long[] counts = new long[untilMillis.length];
        Map<String, String> parameters = new HashMap<>(Map.of("subscription", name.subscription(), "limit", MOST_OF_A_PAGE));
        for (int page = 0; page < MOST_PAGES; page++) {
            Answer answer = broker.look(name.topic(), "list", parameters);
            if (answer.status() != HttpURLConnection.HTTP_OK) {
                return Optional.empty();
            }
            JsonNode subscription = JSON.readTree(answer.body()).path("subscriptions").path(0);
            for (JsonNode message : subscription.path("messages")) {
                count(message.path("dueMillis").asLong(0), untilMillis, counts);
            }
            if (!subscription.path("next").isTextual()) {
                Arrays.parallelPrefix(counts, Long::sum);
                return Optional.of(counts);
            }
            parameters.put("after", subscription.path("next").asText());
        }
        return Optional.empty();
    }

    /** Counts a message, overdue at 0, at the first time by which it is due. */
    private static void count(long dueMillis, long[] untilMillis, long[] counts) {
        int at = Arrays.binarySearch(untilMillis, dueMillis);
        int first = at < 0 ? -at - 1 : at;
        if (first < counts.length) {
            counts[first]++;
        }
    }

    /** The counts of a schedule. */
    static long[] coarse(JsonNode schedule) {
        return StreamSupport.stream(schedule.path("dueBy").spliterator(), false).mapToLong(one -> one.path("count").asLong())
                .toArray();
    }
}
