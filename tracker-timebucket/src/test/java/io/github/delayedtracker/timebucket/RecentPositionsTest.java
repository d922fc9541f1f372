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

    @Test
    void whatWasNotedIsNeverSaidToBeUnknown() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < 200; run++) {
            Random random = new Random(firstSeed + run);
            RecentPositions notes = new RecentPositions(1 << 4 + random.nextInt(5), random.nextInt(1_000));
            notes.leaveOut(random.nextInt(3), random.nextInt(100));
            Set<Position> noted = new HashSet<>();
            long newest = 0;
            for (int step = 0; step < 5_000; step++) {
                newest += random.nextInt(3);
                if (random.nextInt(500) == 0) {
                    notes.setHeld(random.nextInt(1_000));
                }
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
        RecentPositions notes = new RecentPositions(PartSizes.SEGMENT, 0);
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
        RecentPositions notes = new RecentPositions(PartSizes.SEGMENT, 0);
        notes.leaveOut(7, -1);
        int unsure = 0;
        for (int i = 0; i < 600_000; i++) {
            // Each even entry is met at once, each odd one behind 100,000 others.
            unsure += i % 2 == 1 || notes.note(7 + i / 50_000, i % 50_000) ? 0 : 1;
            int late = i - 100_001;
            unsure += late < 0 || late % 2 == 0 || notes.note(7 + late / 50_000, late % 50_000) ? 0 : 1;
        }
        assertTrue(unsure < 6_000, () -> "1 % at most, which share their bits with others");
        assertEquals(GraphStats.parseInstance(notes).totalSize(), notes.retainedBytes());
    }

    @Test
    void itTakesAFewBytesForEachPositionThatIsHeld() {
        RecentPositions inARow = new RecentPositions(PartSizes.SEGMENT, 0);
        RecentPositions scattered = new RecentPositions(PartSizes.SEGMENT, 0);
        RecentPositions few = new RecentPositions(PartSizes.SEGMENT, 0);
        for (int i = 0; i < 1_000_000; i++) {
            boolean unused = inARow.note(1, i) && scattered.note(i, 0) && few.note(i, 0);
            few.setHeld(12_000);
        }
        assertTrue(inARow.retainedBytes() < 400_000, inARow.retainedBytes() + " bytes");
        assertTrue(scattered.retainedBytes() < 1_200_000, scattered.retainedBytes() + " bytes");
        assertTrue(few.retainedBytes() < 12_000 * 13, few.retainedBytes() + " bytes");
        assertFalse(few.isUnknown(1_000_000 - 12_000, 0));
    }

    @Test
    void whatIsFarBehindIsNotSaidToBeUnknownThoughItWasDropped() {
        RecentPositions notes = new RecentPositions(PartSizes.SEGMENT, 0);
        Random random = new Random(5);
        Set<Integer> noted = new HashSet<>();
        for (int i = 0; i < 400_000; i++) {
            int ledgerId = 100_000 + i - random.nextInt(100_000);
            noted.add(ledgerId);
            boolean unused = notes.note(ledgerId, 0);
        }
        for (int i = 0; i < 500_000; i++) {
            assertFalse(notes.isUnknown(i, 0) && (i < 150_000 || noted.contains(i)));
        }
        assertTrue(notes.isUnknown(1_000_000, 0));
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
        assertNotes(index);
        index.validate();
        assertEquals(added.size(), index.size());
        for (long entryId = 0; entryId < 20_000; entryId++) {
            assertEquals(added.contains(entryId), index.contains(1, entryId));
        }
    }

    @Test
    void whatWaitsToBeSealedWhenTheNotesBeginIsNotTakenAgain() {
        TimeBucketIndex index = new TimeBucketIndex(1_024);
        for (int i = 0; i < 2 * 1_024; i++) {
            assertTrue(index.add(FIRST_MILLIS + i, 1, 2L * i));
            if (i < 2 * 1_024 - 1) {
                index.takeWork().ifPresent(Runnable::run);
            }
        }
        assertTrue(index.frozen != null && index.segments != null && index.tail.count() == 0);
        for (int i = 0; i < PartSizes.manyLate(1_024) + PartSizes.shortTail(1_024); i++) {
            assertTrue(index.add(FIRST_MILLIS, 0, 1_000 - i));
        }
        // An empty tail takes what lies behind it, though it lies before what is frozen.
        assertTrue(index.tail.count() > 0);
        assertNotes(index);
        for (int i = 0; i < 2 * 1_024; i++) {
            assertFalse(index.add(FIRST_MILLIS + i, 1, 2L * i), "entry " + 2 * i);
        }
        index.validate();
    }

    @Test
    void whatIsLateWhenTheNotesBeginIsNotTakenAgainThoughAllLaterOnesLeft() {
        TimeBucketIndex index = new TimeBucketIndex(1_024);
        for (int i = 0; i < 1_024; i++) {
            assertTrue(index.add(FIRST_MILLIS + 1_000_000, 1, i));
            index.takeWork().ifPresent(Runnable::run);
        }
        int late = PartSizes.manyLate(1_024) - 1;
        int inTail = PartSizes.shortTail(1_024);
        for (int i = 0; i < inTail; i++) {
            assertTrue(index.add(FIRST_MILLIS, 1, 9_000 + i));
        }
        for (int i = 0; i < late; i++) {
            assertTrue(index.add(FIRST_MILLIS + 1_000_000, 1, 8_000 + i));
        }
        for (int i = 0; i < inTail; i++) {
            assertTrue(index.forget(1, 9_000 + i));
        }
        assertTrue(index.recent == null && index.tail.count() == 0);
        assertTrue(index.add(FIRST_MILLIS, 1, 5_000) && index.add(FIRST_MILLIS, 1, 4_000));
        assertNotes(index);
        for (int i = 0; i < late; i++) {
            assertFalse(index.add(FIRST_MILLIS, 1, 8_000 + i), "entry " + (8_000 + i));
        }
        index.validate();
    }

    @Test
    void whatIsNewToASmallIndexIsKnownToBeHoweverManyHaveLeftIt() {
        TimeBucketIndex index = new TimeBucketIndex(1_024);
        int many = 200;
        for (int i = 0; i < many; i++) {
            // In order at first, then late ones.
            assertTrue(index.add(FIRST_MILLIS + i, 50_000, i < 160 ? 10_000 + i * 100L : i * 10L));
        }
        assertNotes(index);
        for (int i = 0; i < 20_000; i++) {
            assertTrue(index.add(FIRST_MILLIS, 60_000 - i, 0) && index.forget(60_000 - i, 0));
        }
        assertTrue(index.isSmall() && index.size() == many);
        assertNotes(index);
        assertTrue(index.recent.isUnknown(50_000, 9_999) && index.recent.isUnknown(1, 0));
        assertTrue(index.recent.retainedBytes() < 26L * many, () -> index.recent.retainedBytes() + " bytes");
        index.validate();
    }

    private static void assertNotes(TimeBucketIndex index) {
        assertTrue(index.recent != null, "what is added is noted");
    }

    @Test
    void anIndexThatIsLeftAloneGivesTheNotesUp() {
        TimeBucketIndex index = new TimeBucketIndex(1_024);
        for (int i = 0; i < 20_000; i++) {
            index.add(FIRST_MILLIS + i, 1, i % 2 == 0 ? i : Math.max(1, i - 2_000));
            index.takeWork().ifPresent(Runnable::run);
        }
        assertNotes(index);
        for (int call = 0; call < 2_000; call++) {
            index.tidy(64);
            index.takeWork().ifPresent(Runnable::run);
        }
        assertTrue(index.recent == null, "nothing is noted");
    }
}
