/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static io.github.delayedtracker.it.JournaledTopic.MESSAGES;
import static io.github.delayedtracker.it.JournaledTopic.allFrom;
import static io.github.delayedtracker.it.JournaledTopic.less;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.client.api.MessageId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * H2: a broker that is killed within 100 ms of a seek's answer may have kept the acknowledgements of its last record, with any
 * tracker, since it writes the record of a reset with the old ones. The journal makes that no worse.
 */
@Tag(OnABroker.MATRIX_ONLY)
class AckJournalSeekKillIT {

    private static final int ROUNDS = 5;
    /** The broker writes one range more than its limit. */
    private static final int RANGES = 201;
    private static final long MOST_MILLIS = 100;
    private static final long QUIET_MILLIS = 2_000;

    @Test
    void aKillRightAfterASeekLosesNoMoreThanWithTheStockTracker() throws Exception {
        List<Integer> stock = missing("stock", JournaledTopic.stockSettings());
        List<Integer> ours = missing("plugin", JournaledTopic.settings());
        System.out.println("SEEK AND KILL missing after each of " + ROUNDS + ": plugin " + ours + ", stock " + stock);
        assertTrue(stock.stream().anyMatch(count -> count > 0), "the broker's own defect shows");
    }

    /** How many messages are missing after each round; all of them are among the first ranges of the acknowledged ones. */
    private static List<Integer> missing(String name, BrokerSettings settings) throws Exception {
        List<Integer> counts = new ArrayList<>();
        ForkedBroker broker = ForkedBroker.ofLine("4.0", "seek-kill-" + name, settings, Harness.ownJavaHome());
        BrokerFixture fixture = BrokerFixture.start(broker);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                try (JournaledTopic topic = new JournaledTopic(fixture, name + round)) {
                    topic.sendAndAcknowledge();
                    if (settings.plugin()) {
                        topic.awaitJournal();
                    }
                    topic.seek(MessageId.earliest);
                    long answered = System.nanoTime();
                    long millis = (System.nanoTime() - answered) / 1_000_000;
                    broker.kill();
                    assertTrue(millis < MOST_MILLIS, () -> "killed " + millis + " ms after the answer");
                    broker.start();
                    Set<Integer> owed = topic.backlog().unacknowledged();
                    Map<Integer, Integer> came = topic.backlog().comes(owed, QUIET_MILLIS, () -> true);
                    Set<Integer> missing = less(allFrom(0), came.keySet());
                    assertEquals(Set.of(), less(missing, firstRanges(topic.backlog().acknowledged())),
                            "missing, and not in the record of the reset");
                    counts.add(missing.size());
                }
            }
        } finally {
            fixture.close();
        }
        return counts;
    }

    /** All up to mark-delete and in the first ranges of neighbours behind it, as many as a record has. */
    private static Set<Integer> firstRanges(Set<Integer> acknowledged) {
        Set<Integer> first = new HashSet<>();
        int ranges = 0;
        int behindMarkDelete = 0;
        while (acknowledged.contains(behindMarkDelete)) {
            first.add(behindMarkDelete++);
        }
        for (int i = behindMarkDelete; i < MESSAGES; i++) {
            if (acknowledged.contains(i)) {
                ranges += acknowledged.contains(i - 1) ? 0 : 1;
                if (ranges > RANGES) {
                    return first;
                }
                first.add(i);
            }
        }
        return first;
    }
}
