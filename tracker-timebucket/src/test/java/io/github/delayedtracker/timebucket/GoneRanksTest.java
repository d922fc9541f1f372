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

import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What left a segment out of order takes memory until the due stream has passed it. */
class GoneRanksTest {

    private static final int POSITIONS = 1_024;
    private static final long FIRST_MILLIS = 1_700_000_000_000L;
    private static final int BITMAP_BYTES = 24 + Footprint.array(POSITIONS / Long.SIZE, Long.BYTES);

    private final Segment segment = segment();
    private final Segment untouched = segment();

    /** Positions that are due in an order of their own, one a millisecond. */
    private static Segment segment() {
        Scratch scratch = Scratch.borrow(POSITIONS);
        for (int entry = 0; entry < POSITIONS; entry++) {
            scratch.append(3, entry, dueMillis(entry));
        }
        Segment made = Segment.of(scratch);
        Scratch.giveBack(scratch);
        return made;
    }

    private static long dueMillis(long entry) {
        return FIRST_MILLIS + entry * 389 % POSITIONS;
    }

    /** The entry that is due a number of milliseconds after the first. */
    private static long entryDue(int millis) {
        for (long entry = 0; ; entry++) {
            if (dueMillis(entry) == FIRST_MILLIS + millis) {
                return entry;
            }
        }
    }

    private static void takeUntil(Segment from, int millis) {
        while (from.headDueMillis() < FIRST_MILLIS + millis) {
            if (from.headIsContained()) {
                from.takeHead();
            } else {
                from.advance();
            }
            from.validate();
        }
    }

    private void remove(int... dueAt) {
        for (int millis : dueAt) {
            assertTrue(segment.remove(3, entryDue(millis)));
        }
        segment.validate();
    }

    @BeforeEach
    void begin() {
        takeUntil(segment, 10);
        takeUntil(untouched, 10);
        assertEquals(untouched.retainedBytes(), segment.retainedBytes());
    }

    @Test
    void theyAreForgottenWithTheLastOneAhead() {
        remove(100, 300, 200);
        assertEquals(untouched.retainedBytes() + BITMAP_BYTES, segment.retainedBytes());
        takeUntil(segment, 299);
        takeUntil(untouched, 299);
        assertEquals(untouched.retainedBytes() + BITMAP_BYTES, segment.retainedBytes(), "one is ahead");
        assertFalse(segment.contains(3, entryDue(300)));
        takeUntil(segment, 301);
        takeUntil(untouched, 301);
        assertEquals(untouched.retainedBytes(), segment.retainedBytes(), "none is ahead");
        assertEquals(untouched.markBytes(), segment.markBytes());
        assertEquals(untouched.size(), segment.size());
    }

    @Test
    void whatLeavesLaterIsKnownAnew() {
        remove(100);
        takeUntil(segment, 200);
        remove(400, 500);
        assertFalse(segment.contains(3, entryDue(400)));
        assertFalse(segment.contains(3, entryDue(100)));
        assertTrue(segment.contains(3, entryDue(450)));
        takeUntil(segment, 600);
        assertEquals(POSITIONS - 600, segment.size());
    }

    @Test
    void theyAreForgottenWhereAMarkDeleteHasPassedThemToo() {
        remove(20, 30);
        segment.removeUpTo(3, Math.max(entryDue(20), entryDue(30)));
        takeUntil(segment, 40);
        untouched.removeUpTo(3, Math.max(entryDue(20), entryDue(30)));
        takeUntil(untouched, 40);
        assertEquals(untouched.retainedBytes(), segment.retainedBytes());
    }

    @Test
    void aRunThatBeganBeforeDoesNotSeeThemAgain() {
        remove(100, 300);
        List<DueRun> runs = new ArrayList<>();
        segment.addRun(0, Long.MAX_VALUE, runs);
        takeUntil(segment, 400);
        List<Long> listed = new ArrayList<>();
        while (runs.get(0).next()) {
            listed.add(runs.get(0).dueMillis() - FIRST_MILLIS);
        }
        assertEquals(POSITIONS - 10 - 2, listed.size());
        assertFalse(listed.contains(100L) || listed.contains(300L));
    }
}
