/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import java.util.function.IntToLongFunction;

/**
 * Whether topics take the messages that are sent to them all the time, and what is done about one that does not: it is repaired,
 * a few times at most. Not thread safe.
 */
final class TopicCare {

    /** How often a topic that takes nothing is repaired. */
    static final int MOST_REPAIRS = 3;

    private final int topics;
    private final long withinMillis;
    private final IntToLongFunction answered;
    private final Repair repair;

    /** What makes a topic take messages again. */
    @FunctionalInterface
    interface Repair {

        void repair(int topic) throws Exception;
    }

    /**
     * Cares for topics by their numbers.
     *
     * @param withinMillis how long a topic may take nothing until it is repaired, and after that
     * @param answered how many messages a topic has taken so far
     */
    TopicCare(int topics, long withinMillis, IntToLongFunction answered, Repair repair) {
        this.topics = topics;
        this.withinMillis = withinMillis;
        this.answered = answered;
        this.repair = repair;
    }

    /** Returns when each topic has taken a message since it was called; an assertion error if repairs do not help. */
    void awaitTaking() throws Exception {
        for (int i = 0; i < topics; i++) {
            int topic = i;
            long before = answered.applyAsLong(topic);
            for (int repairs = 0; !Await.within(withinMillis, () -> answered.applyAsLong(topic) > before); repairs++) {
                if (repairs == MOST_REPAIRS) {
                    throw new AssertionError("topic " + topic + " takes no message after " + repairs + " repairs");
                }
                repair.repair(topic);
            }
        }
    }
}
