/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A topic that takes no message is repaired until it does, a few times at most. */
class TopicCareTest {

    private static final int TOPICS = 3;
    private static final int STUCK = 1;

    private final List<Integer> repaired = new ArrayList<>();
    private long taken = 10;
    private int repairsUntilItTakes;

    /** All topics take a message whenever they are looked at, but for one until it was repaired as often as it needs. */
    private TopicCare care() {
        return new TopicCare(TOPICS, 0, topic -> topic == STUCK && repaired.size() < repairsUntilItTakes ? 0 : taken++,
                repaired::add);
    }

    @Test
    void topicsThatTakeMessagesAreLeftAlone() throws Exception {
        care().awaitTaking();
        assertEquals(List.of(), repaired);
    }

    @Test
    void oneThatTakesNothingIsRepairedUntilItDoes() throws Exception {
        repairsUntilItTakes = TopicCare.MOST_REPAIRS;
        care().awaitTaking();
        assertEquals(List.of(STUCK, STUCK, STUCK), repaired);
    }

    @Test
    void oneThatNoRepairHelpsIsNamed() {
        repairsUntilItTakes = TopicCare.MOST_REPAIRS + 1;
        assertEquals("topic 1 takes no message after 3 repairs",
                assertThrows(AssertionError.class, () -> care().awaitTaking()).getMessage());
        assertEquals(TopicCare.MOST_REPAIRS, repaired.size());
    }
}
