/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexContractTest;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.MergedRuns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HeapIndexTest extends DelayIndexContractTest {

    private static final int CHUNK_BYTES = TripleHeap.CHUNK_TRIPLES * 24;

    @Override
    protected DelayIndex newIndex() {
        return new HeapIndex();
    }

    @Test
    void headsThatHaveLeftWhileTheRestWasTidiedAreTidiedAwayToo() {
        DelayIndex index = newIndex();
        for (int i = 0; i < 1_000; i++) {
            index.add(1_000 + i, 1, i);
        }
        for (int i = 600; i < 1_000; i++) {
            assertTrue(index.forget(1, i));
        }
        assertTrue(index.tidy(900));
        for (int i = 0; i < 200; i++) {
            assertTrue(index.forget(1, i));
        }
        for (int round = 0; index.tidy(900); round++) {
            assertTrue(round < 10, "tidying does not end");
        }
        assertEquals(1_200, index.nextDueMillis());
    }

    @Test
    void anAddThatMovesTheLatestPastThePlaceOfTheSearchDoesNotHideIt() {
        DelayIndex index = newIndex();
        int latest = 2_000;
        // As they come they lie in the array. The next one has the latest but one for its parent.
        int last = TripleHeap.ARITY * latest;
        for (int i = 0; i <= last; i++) {
            index.add(i == latest ? 50_000 : i == last ? 90_000 : 10_000 + i, 1, i);
        }
        assertTrue(index.forget(1, last));
        assertTrue(index.tidy(5_000));
        index.add(0, 2, 0);
        for (int round = 0; index.tidy(1_000); round++) {
            assertTrue(round < 10, "tidying does not end");
        }
        assertEquals(50_000, index.lastDueMillis());
        index.validate();
    }

    @Test
    void aSearchBeginsAnewOnceTheHeapWasPacked() {
        DelayIndex index = newIndex();
        for (int i = 0; i < 8_000; i++) {
            index.add(i == 2_500 ? 50_000 : i == 7_999 ? 90_000 : 10_000 + i, 1, i);
        }
        assertTrue(index.forget(1, 7_999));
        assertTrue(index.tidy(5_000), "it has not come to the latest");
        for (int i = 100; i < 2_400; i++) {
            assertTrue(index.forget(1, i));
        }
        for (int round = 0; index.tidy(1_000); round++) {
            assertTrue(round < 30, "tidying does not end");
        }
        assertEquals(50_000, index.lastDueMillis());
    }

    @Test
    @DisplayName("#16490: 24 bytes a message and at most one chunk more, growing a chunk at a time")
    void t16490TwentyFourBytesAMessageAndOneChunk() {
        HeapIndex index = new HeapIndex();
        Random random = new Random(1);
        long before = 0;
        for (int i = 1; i <= 2_000_000; i++) {
            index.add(random.nextLong(1L << 40), i / 50_000, i % 50_000);
            if (i % 1_000 == 0) {
                long triples = index.retainedBytes() - index.positionSetBytes();
                // A fortieth of a byte each for the headers of chunks, and the way to them.
                assertTrue(triples <= 24L * i + i / 40 + CHUNK_BYTES + 4_096, triples + " bytes for " + i);
                assertTrue(triples - before <= 1_000 * 24 + CHUNK_BYTES + 4_096, "grew by " + (triples - before));
                before = triples;
            }
        }
        assertTrue(index.retainedBytes() / 2_000_000.0 <= 25.5, index.retainedBytes() / 2_000_000.0 + " bytes a message");
    }

    @Test
    void oneMessageCostsAFewHundredBytes() {
        HeapIndex index = new HeapIndex();
        index.add(1, 1, 1);
        assertTrue(index.retainedBytes() < 600, index.retainedBytes() + " bytes");
    }

    @Test
    void aLookIsNotTouchedByTheEndOfALaterOneNorByWhatIsWrittenThen() {
        HeapIndex index = new HeapIndex();
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < 20 * TripleHeap.CHUNK_TRIPLES; i++) {
            index.add(i * 7_919L % 20_483, 1, i);
            expected.add(i * 7_919L % 20_483);
        }
        Collections.sort(expected);
        DueRun first = new MergedRuns(index.runs(0, Long.MAX_VALUE));
        DueRun second = new MergedRuns(index.runs(0, Long.MAX_VALUE));
        second.close();
        index.takeDue(Long.MAX_VALUE, 10 * TripleHeap.CHUNK_TRIPLES, (ledgerId, entryId) -> { });
        for (int i = 0; i < 20 * TripleHeap.CHUNK_TRIPLES; i++) {
            index.add(i, 2, i);
        }
        List<Long> found = new ArrayList<>();
        while (first.next()) {
            found.add(first.dueMillis());
        }
        assertEquals(expected, found);
        first.close();
        index.validate();
    }

    @Test
    void chunksAreGivenBackAsTheHeapShrinks() {
        HeapIndex index = new HeapIndex();
        for (int i = 0; i < 10 * TripleHeap.CHUNK_TRIPLES; i++) {
            index.add(i, 1, i);
        }
        while (index.size() > TripleHeap.CHUNK_TRIPLES) {
            index.takeDue(Long.MAX_VALUE, 1_000, (l, e) -> { });
        }
        assertTrue(index.retainedBytes() < 3 * CHUNK_BYTES, index.retainedBytes() + " bytes");
    }

    @Test
    void aCompactionUnderWayLosesNothingAndKeepsTheOrder() {
        HeapIndex index = new HeapIndex();
        for (int i = 0; i < 10_000; i++) {
            index.add(10_000 - i, 1, i);
        }
        for (int i = 0; i < 10_000; i += 2) {
            index.forget(1, i);
        }
        assertTrue(index.tidy(100), "a compaction has begun");
        index.validate();
        for (int i = 10_000; i < 10_100; i++) {
            index.add(i, 1, i);
        }
        long[] lastEntry = {Long.MAX_VALUE};
        int[] taken = {0};
        while (index.nextDueMillis() < 10_000) {
            index.takeDue(9_999, 100, (l, e) -> {
                assertTrue(e < lastEntry[0], "later entries are due earlier here");
                lastEntry[0] = e;
                taken[0]++;
            });
            index.tidy(10);
        }
        assertEquals(5_000, taken[0]);
        assertEquals(100, index.size());
    }

    @Test
    void x6_afterAJumpOfMarkDeleteTheRestComesWithinFewHandOutsOfFewHeadsEach() {
        HeapIndex index = new HeapIndex();
        for (int i = 0; i < 100_000; i++) {
            index.add(1_000 + i, 1, i);
        }
        index.forgetUpTo(1, 98_999);
        int calls = 1;
        while (index.takeDue(Long.MAX_VALUE, 1, (ledgerId, entryId) -> assertEquals(99_000, entryId)) == 0) {
            calls++;
            assertTrue(calls <= 50, "100,000 in 50 hand-outs");
        }
        index.validate();
        assertEquals(999, index.size());
    }

    @Test
    void positionsForgottenAndAddedAgainDoNotMakeCompactionRunForEver() {
        HeapIndex index = new HeapIndex();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 500; i++) {
                index.add(1_000 + round, 1, i);
                if (round < 19) {
                    index.forget(1, i);
                }
            }
        }
        int calls = 0;
        while (index.tidy(1_000)) {
            calls++;
            assertTrue(calls < 100, "tidying does not end");
        }
        assertFalse(index.tidy(1), "what survived a compaction does not start the next one");
        assertEquals(500, index.size());
        index.validate();
    }

    @Test
    void aPositionRescheduledAgainAndAgainCostsNoMoreMemory() {
        HeapIndex index = new HeapIndex();
        Random random = new Random(5);
        for (int i = 0; i < 1_000; i++) {
            index.add(1L << 40, 1, i);
        }
        for (int i = 0; i < 200_000; i++) {
            int entry = random.nextInt(1_000);
            index.forget(1, entry);
            index.add((1L << 40) + random.nextInt(1_000_000), 1, entry);
            index.tidy(64);
        }
        index.validate();
        assertEquals(1_000, index.size());
        assertTrue(index.retainedBytes() < 100_000, index.retainedBytes() + " bytes for 1,000 positions");
    }

    @Test
    void anAlmostEmptiedHeapIsSmall() {
        HeapIndex index = new HeapIndex();
        for (int i = 0; i < 10 * TripleHeap.CHUNK_TRIPLES; i++) {
            index.add(i, 1, i);
        }
        while (index.size() > 10) {
            index.takeDue(Long.MAX_VALUE, (int) Math.min(1_000, index.size() - 10), (l, e) -> { });
        }
        assertTrue(index.retainedBytes() < 2_500, index.retainedBytes() + " bytes for 10 positions");
    }
}
