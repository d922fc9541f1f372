/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** A cursor of a scenario: users acknowledge and seek by the index of a place in the topic, and mark-delete is an index too. */
interface ScenarioCursor {

    /** Loads the topic's cursor, from what is durable of it. */
    interface Cursors {
        ScenarioCursor load(World.Life life);
    }

    JournalCursor journalCursor();

    void consumer(boolean connected);

    boolean hasConsumer();

    /** Tells of each place that the plugin acknowledges. */
    void whenRestored(IntConsumer restored);

    /** Whether the place is acknowledged, alone or by mark-delete. */
    boolean isAcked(int index);

    int markDelete();

    /** The place behind mark-delete. */
    default int firstUnacknowledged() {
        return Math.min(markDelete() + 1, ModelCursor.ENTRIES * ModelCursor.LEDGERS - 1);
    }

    /** The last place that is acknowledged. */
    default int lastAcknowledged() {
        return IntStream.range(0, ModelCursor.ENTRIES * ModelCursor.LEDGERS).filter(this::isAcked).max().orElse(0);
    }

    void acknowledge(int index);

    void cumulative(int index);

    /** A seek to behind a place. */
    void reset(int to, Runnable answered);

    boolean isResetting();

    /** An acknowledgement reads mark-delete and its properties, and is preempted; answers how it goes on. */
    Runnable holdUp();

    /** Whether the limit of its record was changed since the load before. */
    default boolean hasAnotherLimit() {
        return false;
    }

    /** Whether a seek that was answered is not in the record that it was loaded from, as far as that is known. */
    default boolean hasLostSeek() {
        return false;
    }

    /** The unload of the topic: the last record is written. */
    void close();
}
