/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tails that wait to be packed by work that somebody has taken and does not do: everything else goes on. */
class PackingTailTest {

    private static final int SEGMENT = 16_384;
    private static final long FIRST_MILLIS = 1_700_000_000_000L;

    private final TimeBucketIndex index = new TimeBucketIndex(SEGMENT);

    /** Times that ascend by position, so that the order of hand-out is plain. */
    private void add(long from, long to) {
        for (long entry = from; entry < to; entry++) {
            assertTrue(index.add(FIRST_MILLIS + entry, 5, entry));
        }
    }

    private List<Long> take(long untilEntry, int limit) {
        List<Long> taken = new ArrayList<>();
        index.takeDue(FIRST_MILLIS + untilEntry, limit, (ledgerId, entryId) -> taken.add(entryId));
        index.validate();
        return taken;
    }

    private static List<Long> entries(long from, long to) {
        List<Long> entries = new ArrayList<>();
        for (long entry = from; entry < to; entry++) {
            entries.add(entry);
        }
        return entries;
    }

    @Test
    @DisplayName("X4: a hand-out takes what is due out of a tail that is being packed, and packs no more than a share of it")
    void x4WhatIsDueComesOutOfATailThatIsBeingPacked() {
        add(0, SEGMENT + 100);
        Runnable work = index.takeWork().orElseThrow();
        assertEquals(entries(0, 1_000), take(Long.MAX_VALUE - FIRST_MILLIS, 1_000));
        long shareBytes = index.retainedBytes();
        assertEquals(entries(1_000, 2_000), take(Long.MAX_VALUE - FIRST_MILLIS, 1_000));
        assertTrue(index.retainedBytes() <= shareBytes, "the share of the first call is enough for the second");
        work.run();
        assertEquals(entries(2_000, SEGMENT + 100), take(Long.MAX_VALUE - FIRST_MILLIS, 2 * SEGMENT));
        assertEquals(0, index.size());
    }

    @Test
    void aTailOfWhichMuchIsGoneWhileItIsPackedIsPackedAnew() {
        add(0, SEGMENT);
        Runnable work = index.takeWork().orElseThrow();
        for (long entry = 0; entry < 600; entry++) {
            assertTrue(index.forget(5, entry));
        }
        work.run();
        assertEquals(List.of(), take(-1, 1));
        Runnable again = index.takeWork().orElseThrow();
        assertEquals(Optional.empty(), index.takeWork());
        again.run();
        assertEquals(entries(600, SEGMENT), take(SEGMENT, SEGMENT));
    }

    @Test
    void aTailOfWhichLittleIsGoneIsTakenOver() {
        add(0, SEGMENT);
        Runnable work = index.takeWork().orElseThrow();
        for (long entry = 0; entry < 400; entry++) {
            assertTrue(index.forget(5, entry));
        }
        work.run();
        assertEquals(List.of(), take(-1, 1));
        assertEquals(Optional.empty(), index.takeWork());
        assertEquals(entries(400, SEGMENT), take(SEGMENT, SEGMENT));
    }

    @Test
    void ofTwoFullTailsThatNobodyHasBegunToPackTheAddPacksTheFirst() {
        add(0, SEGMENT + PartSizes.longest(SEGMENT) - 1);
        assertEquals(0, index.positionSetBytes(), "there is no segment");
        add(SEGMENT + PartSizes.longest(SEGMENT) - 1, 3 * SEGMENT);
        assertTrue(index.positionSetBytes() > 0, "there is a segment");
        Runnable second = index.takeWork().orElseThrow();
        assertEquals(Optional.empty(), index.takeWork());
        second.run();
        assertEquals(3L * SEGMENT, index.size());
        assertEquals(entries(0, 3 * SEGMENT), take(Long.MAX_VALUE - FIRST_MILLIS, 4 * SEGMENT));
    }

    @Test
    void whoNeverDoesTheWorkMakesTheIndexPackByItself() {
        add(0, 1_000);
        Optional<Runnable> none = index.takeWork();
        add(1_000, 10 * SEGMENT);
        assertEquals(Optional.empty(), none);
        Runnable late = index.takeWork().orElseThrow();
        assertTrue(index.retainedBytes() < 24L * 5 * SEGMENT, index.retainedBytes() + " bytes");
        index.validate();
        late.run();
        assertEquals(entries(0, 10 * SEGMENT), take(Long.MAX_VALUE - FIRST_MILLIS, 11 * SEGMENT));
    }

    @Test
    void positionsOfOneTimeStayInOrderThoughTheyAreMoreThanAShare() {
        for (long entry = 0; entry < SEGMENT; entry++) {
            assertTrue(index.add(FIRST_MILLIS + entry / 6_000, 5, entry));
        }
        List<Long> taken = new ArrayList<>();
        while (index.size() > 0) {
            taken.addAll(take(SEGMENT, 77));
        }
        assertEquals(entries(0, SEGMENT), taken);
    }
}
