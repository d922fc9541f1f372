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

import java.util.Random;
import org.junit.jupiter.api.Test;

/** When a segment is worth to be written anew, and when what was read of it is given back. */
class RewritePlanTest {

    private static final int POSITIONS = PartSizes.SEGMENT;
    private static final long TEN_MINUTES = 600_000;
    private static final long MONTH = 30L * 86_400_000;

    private final Random random = new Random(5);

    /** A segment whose entries lie some apart, due within a time. */
    private Segment entriesApart(int apart, long millis) {
        Scratch scratch = Scratch.borrow(POSITIONS);
        for (int i = 0; i < POSITIONS; i++) {
            scratch.append(7, (long) i * apart + random.nextInt(apart), random.nextLong(millis) & -1_024);
        }
        return segment(scratch);
    }

    private Segment onePerLedger(long millis) {
        Scratch scratch = Scratch.borrow(POSITIONS);
        for (int i = 0; i < POSITIONS; i++) {
            scratch.append(i * 10L + random.nextInt(10), random.nextInt(50_000), random.nextLong(millis) & -1_024);
        }
        return segment(scratch);
    }

    private static Segment segment(Scratch scratch) {
        Segment segment = Segment.of(scratch);
        Scratch.giveBack(scratch);
        return segment;
    }

    /** Hands out until a share is left. */
    private static Segment handOutTo(double left, Segment segment) {
        while (segment.size() > left * POSITIONS) {
            segment.takeHead();
        }
        segment.cutOff();
        return segment;
    }

    /** Removes at random until a share is left. */
    private Segment removeTo(double left, Segment segment) {
        while (segment.size() > left * POSITIONS) {
            segment.remove(7, random.nextInt(POSITIONS));
        }
        return segment;
    }

    private static void assertWorthItBetween(double notYet, double then, Segment segment) {
        assertFalse(RewritePlan.isThin(handOutTo(notYet, segment)), "with " + notYet + " of it left");
        assertTrue(RewritePlan.isThin(handOutTo(then, segment)), "with " + then + " of it left");
    }

    @Test
    void whereIdsTakeBitsASegmentIsWrittenAnewAtAQuarterMoreThanItWouldTake() {
        assertWorthItBetween(0.73, 0.70, onePerLedger(TEN_MINUTES));
        assertWorthItBetween(0.73, 0.70, entriesApart(100, TEN_MINUTES));
        assertWorthItBetween(0.715, 0.66, entriesApart(2, TEN_MINUTES));
    }

    @Test
    void whereEntriesFollowEachOtherThatIsLate() {
        assertWorthItBetween(0.15, 0.12, entriesApart(1, TEN_MINUTES));
    }

    @Test
    void longTimesOfWhatHasLeftDoNotMakeItMoreThanTwoPositionsAndAHalfAMessage() {
        Segment segment = entriesApart(1, MONTH);
        assertFalse(RewritePlan.isThin(removeTo(0.73, segment)));
        assertTrue(RewritePlan.isThin(removeTo(0.71, segment)));
    }

    @Test
    void theTimesOfWhatHasLeftCount() {
        assertTrue(RewritePlan.isThin(removeTo(0.6, entriesApart(1, TEN_MINUTES))));
        assertFalse(RewritePlan.isThin(handOutTo(0.6, entriesApart(1, TEN_MINUTES))));
    }

    @Test
    void mostOfAThirtySecondOfTheWordsIsGivenBack() {
        Segment segment = entriesApart(1, MONTH);
        long bytes = segment.retainedBytes();
        handOutTo(0.94, segment);
        long marks = segment.markBytes();
        assertEquals(bytes * 0.94, segment.retainedBytes() - marks, bytes * 0.005);
        long before = segment.retainedBytes();
        handOutTo(0.93, segment);
        assertEquals(before, segment.retainedBytes(), "a copy for little");
    }

    @Test
    void ofMoreThan128KibAnEighthIsGivenBack() {
        Scratch scratch = Scratch.borrow(POSITIONS);
        for (int i = 0; i < POSITIONS; i++) {
            scratch.append((long) i << 45 | random.nextInt(1 << 20), random.nextLong(1L << 60), random.nextLong(MONTH));
        }
        Segment segment = segment(scratch);
        long bytes = segment.retainedBytes();
        assertTrue(bytes > 128 << 10, bytes + " bytes");
        handOutTo(0.75, segment);
        assertEquals(bytes, segment.retainedBytes() - segment.markBytes(), "what was read is small beside what would be copied");
    }
}
