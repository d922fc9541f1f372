/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.ScheduleWalk.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a look into a schedule does with runs of rows that somebody else has. */
class ScheduleWalkRunsTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long END = Long.MAX_VALUE;

    private final SubscriptionState state =
            States.empty(new HeapIndexProvider()::newIndex, new TimeRules(true, 1_000, 1));

    private ScheduleWalk walk(DueRun run) {
        ScheduleWalk walk = new ScheduleWalk(state, PositionTimes.NONE, (ledgerId, entryId) -> false, 0, END, NOW);
        assertEquals(Optional.of("beside"), walk.begin(() -> "beside"));
        walk.include(List.of(run), END);
        return walk;
    }

    @Test
    void aPageThatGoesPastVeryManyThatAreNotScheduledEndsAmongThem() {
        assertTrue(state.offer(1, 1, NOW + 9_000, NOW));
        List<Long> rows = new ArrayList<>();
        Row next = walk(new Rows(2_100_000)).pass(Optional.empty(), 10, row -> rows.add(row.entryId())).orElseThrow();
        assertEquals(List.of(), rows);
        assertTrue(next.entryId() >= 2_000_000 && next.entryId() < 2_000_000 + 2 * ScheduleWalk.SLICE, "at " + next);
        assertEquals(Optional.empty(), walk(new Rows(2_100_000)).pass(Optional.of(next), 10, row -> rows.add(row.entryId())));
        assertEquals(List.of(1L), rows);
    }

    @Test
    void theEndOfALookLetsGoOfItsRuns() {
        Rows stored = new Rows(1);
        ScheduleWalk walk = walk(stored);
        assertFalse(stored.isClosed);
        walk.close();
        assertTrue(stored.isClosed);
    }

    /** Rows of one time, of messages that are not scheduled. */
    private static final class Rows implements DueRun {

        private final int count;
        private int at = -1;
        private boolean isClosed;

        private Rows(int count) {
            this.count = count;
        }

        @Override
        public boolean next() {
            return ++at < count;
        }

        @Override
        public long dueMillis() {
            return NOW + 3_000;
        }

        @Override
        public long ledgerId() {
            return 9;
        }

        @Override
        public long entryId() {
            return at;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
