/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphStats;

/** What was added lately, and what that spares an index that positions come to out of order. */
class RecentPositionsTest {

    private static final long FIRST_MILLIS = 1_700_000_000_000L;
    private static final int PAGE = 1 << 15;

    @Test
    void whatWasNotedIsNeverSaidToBeUnknown() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < 200; run++) {
            Random random = new Random(firstSeed + run);
            RecentPositions notes = new RecentPositions(1 << 6 + random.nextInt(5));
            notes.leaveOut(random.nextInt(3), random.nextInt(100));
            Set<Position> noted = new HashSet<>();
            long newest = 0;
            for (int step = 0; step < 5_000; step++) {
                newest += random.nextInt(3);
                long at = Math.max(0, newest - random.nextInt(1 << random.nextInt(12)));
                Position position = new Position(3 + at / 300, run % 2 == 0 ? 101 + at % 300 : at % 2);
                boolean wasNoted = noted.contains(position);
                assertFalse(wasNoted && notes.isUnknown(position.ledgerId(), position.entryId()), "seed " + (firstSeed + run));
                boolean isNew = notes.note(position.ledgerId(), position.entryId());
                assertFalse(wasNoted && isNew, "seed " + (firstSeed + run));
                noted.add(position);
            }
        }
    }

    @Test
    void nothingThatWasLeftOutIsSaidToBeUnknown() {
        RecentPositions notes = new RecentPositions(PAGE);
        notes.leaveOut(5, 100);
        notes.leaveOut(4, 1_000);
        assertFalse(notes.note(5, 100));
        assertFalse(notes.note(4, 2_000));
        assertTrue(notes.note(5, 101));
        assertFalse(notes.isUnknown(5, 100));
        assertTrue(notes.isUnknown(5, 102));
    }

    @Test
    void ofAHundredThousandEntriesInAnyOrderEachIsKnownToBeNew() {
        RecentPositions notes = new RecentPositions(PAGE);
        notes.leaveOut(7, -1);
        int unsure = 0;
        for (int i = 0; i < 600_000; i++) {
            // Each even entry is met at once, each odd one behind 100,000 others.
            unsure += i % 2 == 1 || notes.note(7 + i / 50_000, i % 50_000) ? 0 : 1;
            int late = i - 100_001;
            unsure += late < 0 || late % 2 == 0 || notes.note(7 + late / 50_000, late % 50_000) ? 0 : 1;
        }
        assertTrue(unsure < 6_000, () -> "1 % at most: they share a bit where a page has two ledgers");
        assertEquals(GraphStats.parseInstance(notes).totalSize(), notes.retainedBytes());
    }

    @Test
    void itTakesThirtyTwoKibibytesAtMost() {
        RecentPositions notes = new RecentPositions(PAGE);
        for (int i = 0; i < 1_000_000; i++) {
            notes.note(1, i);
        }
        assertTrue(notes.retainedBytes() < 33_500, notes.retainedBytes() + " bytes");
    }

    @Test
    void whatIsLateAgainIsNotTakenAgainThoughTheIndexNotesWhatIsNew() {
        TimeBucketIndex index = new TimeBucketIndex(1_024);
        Set<Long> added = new HashSet<>();
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            long entryId = random.nextInt(3) == 0 ? Math.max(0, i - random.nextInt(3_000)) : i;
            assertEquals(added.add(entryId), index.add(FIRST_MILLIS + random.nextInt(100_000), 1, entryId));
            index.takeWork().ifPresent(Runnable::run);
        }
        assertTrue(index.segments.recent != null, "what is added is noted");
        index.validate();
        assertEquals(added.size(), index.size());
        for (long entryId = 0; entryId < 20_000; entryId++) {
            assertEquals(added.contains(entryId), index.contains(1, entryId));
        }
    }

    @Test
    void anIndexThatIsLeftAloneGivesTheNotesUp() {
        TimeBucketIndex index = new TimeBucketIndex(1_024);
        for (int i = 0; i < 20_000; i++) {
            index.add(FIRST_MILLIS + i, 1, i % 2 == 0 ? i : Math.max(1, i - 2_000));
            index.takeWork().ifPresent(Runnable::run);
        }
        assertTrue(index.segments.recent != null, "what is added is noted");
        for (int call = 0; call < 2_000; call++) {
            index.tidy(64);
            index.takeWork().ifPresent(Runnable::run);
        }
        assertTrue(index.segments.recent == null, "nothing is noted");
    }
}
