/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import io.github.delayedtracker.it.page.Metrics.Name;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Tells the state of one subscription in sentences: whether all is well, why not, and what a restart would bring back. A figure
 * that is not on the page is 0.
 */
final class StateInWords {

    private static final String INDEX = "pulsar_delayed_index_";
    private static final Map<String, String> BLOCKED = Map.of(
            "no_permits_or_consumers", "no consumer is connected that asks for messages",
            "read_position", "the normal read of the topic comes first",
            "key_shared_look_ahead", "the consumer of its key is busy, and the broker does not read on",
            "reading", "the broker is reading them");
    private static final Map<String, String> JOURNAL = Map.of(
            "none", "No journal of acknowledgements is kept.",
            "active", "The journal keeps the acknowledgements that the broker's own record leaves out.",
            "restoring", "Acknowledgements are being restored from the journal.",
            "refused", "The journal of the last load did not fit the cursor and was not applied.",
            "reset", "The subscription was reset; the journal of before was not applied.",
            "newer", "The journal is of a newer version and was left as it is.");

    private final Metrics metrics;
    private final Name name;
    private final long nowMillis;

    private StateInWords(Metrics metrics, Name name, long nowMillis) {
        this.metrics = metrics;
        this.name = name;
        this.nowMillis = nowMillis;
    }

    static List<String> of(Metrics metrics, Name name, long nowMillis) {
        return new StateInWords(metrics, name, nowMillis).sentences();
    }

    private List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        sentences.add(waiting());
        sentences.add(overdue());
        metrics.label(name, INDEX + "ack_journal", "state").map(JOURNAL::get).ifPresent(sentences::add);
        if (number("acks_unknown").orElse(0) == 0) {
            sentences.add("A crash now would bring back " + lostWith("crash") + " acknowledged messages, a planned restart "
                    + lostWith("planned") + ".");
        }
        long expiring = (long) number("due_after_ttl").orElse(0);
        if (expiring > 0) {
            sentences.add(count(expiring) + " messages expire before they are due: the topic's time to live is shorter.");
        }
        if (number("bucket_recovering").orElse(0) > 0) {
            sentences.add("The schedule is still being read back from storage.");
        }
        number("bucket_buckets").ifPresent(buckets -> sentences.add(count(buckets) + " snapshots are in storage."));
        if (number("bucket_record_newer").orElse(0) > 0) {
            sentences.add("The record in storage is of a newer version: nothing is stored.");
        }
        long failures = (long) number("failures_total").orElse(0);
        if (failures > 0) {
            sentences.add(count(failures) + " calls failed inside the tracker: see the broker's log.");
        }
        sentences.add("Backend %s, due times kept to %s ms.".formatted(
                metrics.label(name, INDEX + "info", "backend").orElse("unknown"),
                metrics.label(name, INDEX + "info", "precision_ms").orElse("unknown")));
        return sentences;
    }

    private String lostWith(String restart) {
        return count(metrics.value(name, INDEX + "acks_lost_on_restart", "restart", restart).orElse(0));
    }

    private static String count(double number) {
        return String.format(Locale.ROOT, "%,d", (long) number);
    }

    private OptionalDouble number(String metric) {
        return metrics.value(name, INDEX + metric);
    }

    private String waiting() {
        long delayed = (long) metrics.value(name, "pulsar_subscription_delayed").orElse(0);
        long nextMillis = (long) number("next_due_ms").orElse(0);
        if (delayed == 0) {
            return "No message waits for its time.";
        }
        String many = delayed == 1 ? "1 message waits for its time" : count(delayed) + " messages wait for their time";
        if (nextMillis == 0) {
            return many + ".";
        }
        return many + "; the next is due " + (nextMillis > nowMillis ? "in " + span(nextMillis - nowMillis) : "now") + ".";
    }

    private String overdue() {
        long ageMillis = (long) number("oldest_overdue_age_ms").orElse(0);
        if (ageMillis <= 0) {
            return "All that was due has been handed out.";
        }
        String since = "Messages have been due for up to " + span(ageMillis);
        return metrics.label(name, INDEX + "overdue_blocked", "reason").map(BLOCKED::get)
                .map(reason -> since + ": " + reason + ".").orElse(since + ".");
    }

    /** A span of time in its two largest units. */
    static String span(long millis) {
        Duration span = Duration.ofMillis(millis);
        if (span.toDays() > 0) {
            return span.toDays() + " d " + span.toHoursPart() + " h";
        }
        if (span.toHours() > 0) {
            return span.toHours() + " h " + span.toMinutesPart() + " min";
        }
        if (span.toMinutes() > 0) {
            return span.toMinutes() + " min " + span.toSecondsPart() + " s";
        }
        return span.toSeconds() > 0 ? span.toSeconds() + " s" : millis + " ms";
    }
}
