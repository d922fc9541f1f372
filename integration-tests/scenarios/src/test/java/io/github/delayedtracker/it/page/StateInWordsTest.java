/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.page.Metrics.Name;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateInWordsTest {

    private static final long NOW_MILLIS = 1_800_000_000_000L;
    private static final Name NAME = new Name("persistent://public/default/t", "run \"1\" \\n");
    private static final String LABELS = "cluster=\"c\",namespace=\"public/default\",topic=\"persistent://public/default/t\","
            + "subscription=\"run \\\"1\\\" \\\\n\"";

    private final StringBuilder page = new StringBuilder();

    private void line(String metric, String moreLabels, double value) {
        page.append(metric).append('{').append(LABELS).append(moreLabels).append("} ").append(value).append('\n');
    }

    private void tracker(String backend) {
        line("pulsar_delayed_index_info", ",backend=\"" + backend + "\",precision_ms=\"512\"", 1);
    }

    private List<String> words() {
        return StateInWords.of(Metrics.parse(page.toString()), NAME, NOW_MILLIS);
    }

    @Test
    void anEmptySubscriptionIsWell() {
        tracker("timebucket");
        assertEquals(List.of("No message waits for its time.", "All that was due has been handed out.",
                "A crash now would bring back 0 acknowledged messages, a planned restart 0.",
                "Backend timebucket, due times kept to 512 ms."), words());
    }

    @Test
    void itTellsWhenTheNextIsDueAndWhyWhatIsDueIsNotTaken() {
        tracker("heap");
        line("pulsar_subscription_delayed", "", 1234);
        line("pulsar_delayed_index_next_due_ms", "", NOW_MILLIS + 62_000);
        line("pulsar_delayed_index_oldest_overdue_age_ms", "", 3_700_000);
        line("pulsar_delayed_index_acks_unknown", "", 1);
        line("pulsar_delayed_index_overdue_blocked", ",reason=\"no_permits_or_consumers\"", 1);
        assertEquals(List.of("1,234 messages wait for their time; the next is due in 1 min 2 s.",
                "Messages have been due for up to 1 h 1 min: no consumer is connected that asks for messages.",
                "Backend heap, due times kept to 512 ms."), words());
    }

    @Test
    void itTellsWhatARestartBringsBackAndWhatStorageLacks() {
        tracker("bucket");
        line("pulsar_delayed_index_ack_journal", ",state=\"active\"", 1);
        line("pulsar_delayed_index_acks_lost_on_restart", ",restart=\"crash\"", 17);
        line("pulsar_delayed_index_due_after_ttl", "", 3);
        line("pulsar_delayed_index_bucket_recovering", "", 1);
        line("pulsar_delayed_index_bucket_buckets", "", 12);
        line("pulsar_delayed_index_bucket_record_newer", "", 1);
        line("pulsar_delayed_index_failures_total", "", 2);
        List<String> words = words();
        for (String sentence : List.of("The journal keeps the acknowledgements that the broker's own record leaves out.",
                "A crash now would bring back 17 acknowledged messages, a planned restart 0.",
                "3 messages expire before they are due: the topic's time to live is shorter.",
                "The schedule is still being read back from storage.", "12 snapshots are in storage.",
                "The record in storage is of a newer version: nothing is stored.",
                "2 calls failed inside the tracker: see the broker's log.")) {
            assertTrue(words.contains(sentence), () -> sentence + " is not among " + words);
        }
    }

    @Test
    void onlySubscriptionsWithThePluginsTrackerAreKnown() {
        tracker("heap");
        page.append("pulsar_subscription_delayed{topic=\"persistent://a/b/c\",subscription=\"stock\"} 4.0 1800000000000\n");
        page.append("pulsar_delayed_x{topic=\"persistent://a/b/c\",subscription=\"stock\"} +Inf\n");
        page.append("pulsar_delayed_index_info{topic=\"persistent://a/b/c\",backend=\"heap\"} 1\n# HELP nothing\n");
        Metrics metrics = Metrics.parse(page.toString());
        assertEquals(List.of(NAME), metrics.tracked());
        assertEquals(4, metrics.value(new Name("persistent://a/b/c", "stock"), "pulsar_subscription_delayed").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"0, 0 ms", "999, 999 ms", "1000, 1 s", "59999, 59 s", "60000, 1 min 0 s", "3599999, 59 min 59 s",
        "3600000, 1 h 0 min", "86400000, 1 d 0 h", "90000000, 1 d 1 h"})
    void aSpanHasItsTwoLargestUnits(long millis, String text) {
        assertEquals(text, StateInWords.span(millis));
    }
}
