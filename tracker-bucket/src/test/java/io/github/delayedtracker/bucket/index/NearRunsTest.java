/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of sorted positions: in which order they come, what they cost, and what is left of them. */
class NearRunsTest {

    private final NearRuns near = new NearRuns();

    private static SegmentColumns rows(int count, long dueMillis, int aMilli, int ledgers, long firstEntry) {
        SegmentColumns.Filler filler = new SegmentColumns.Filler(count);
        for (int i = 0; i < count; i++) {
            filler.accept(dueMillis + i / aMilli, i % ledgers, firstEntry + i);
        }
        return filler.columns().byTime();
    }

    private List<String> take(long untilMillis, int limit) {
        List<String> taken = new ArrayList<>();
        assertEquals(near.takeDue(untilMillis, limit, (l, e) -> taken.add(l + ":" + e)), taken.size());
        near.validate();
        return taken;
    }

    @Test
    void runsAreMergedByTimeThenPosition() {
        near.addRun(rows(6, 1_000, 2, 1, 0));
        near.addRun(rows(3, 1_001, 1, 1, 100));
        near.add(1_001, 0, 50);
        assertFalse(near.add(1, 0, 50), "the first time stands");
        assertEquals(List.of("0:0", "0:1", "0:2"), take(1_001, 3));
        assertEquals(List.of("0:3", "0:50", "0:100"), take(1_001, 10));
        assertEquals(1_002, near.nextDueMillis());
        assertEquals(List.of("0:4", "0:5", "0:101", "0:102"), take(1L << 50, 10));
        assertEquals(DelayIndex.NEVER, near.nextDueMillis());
        assertTrue(near.isIdle());
    }

    @Test
    void headsThatHaveLeftAreTidiedAwayAFewAtATime() {
        near.addRun(rows(60, 1_000, 1, 1, 0));
        near.addRun(rows(60, 1_000, 1, 1, 100));
        for (int i = 0; i < 30; i++) {
            assertTrue(near.forget(0, i) && near.forget(0, 100 + i));
        }
        assertTrue(near.tidy(50));
        assertFalse(near.tidy(50));
        assertEquals(1_030, near.nextDueMillis());
        near.validate();
        assertTrue(near.forgetUpTo(0, 1_000) == 60);
        assertEquals(DelayIndex.NO_TIME, near.lastDueMillis());
        assertTrue(near.tidy(59));
        assertFalse(near.tidy(59));
        assertEquals(DelayIndex.NEVER, near.nextDueMillis());
        near.validate();
    }

    @Test
    void endsThatHaveLeftAreTidiedAwayAFewAtATime() {
        near.addRun(rows(60, 1_000, 1, 1, 0));
        near.addRun(rows(60, 1_000, 1, 1, 100));
        for (int i = 30; i < 60; i++) {
            assertTrue(near.forget(0, i) && near.forget(0, 100 + i));
        }
        assertEquals(1_059, near.lastDueMillis());
        assertTrue(near.tidy(50));
        near.validate();
        assertFalse(near.tidy(50));
        assertEquals(1_029, near.lastDueMillis());
        near.validate();
        for (int i = 0; i < 30; i++) {
            assertTrue(near.forget(0, 100 + i));
        }
        assertFalse(near.tidy(50));
        assertEquals(30, take(1L << 50, 100).size());
        assertTrue(near.isIdle());
        assertEquals(DelayIndex.NO_TIME, near.lastDueMillis());
    }

    @Test
    void aRunThatHasLeftAsAWholeIsTidiedAwayFromItsEnd() {
        near.addRun(rows(60, 1_000, 1, 1, 0));
        near.addRun(rows(60, 2_000, 1, 1, 100));
        for (int i = 0; i < 60; i++) {
            assertTrue(near.forget(0, 100 + i));
        }
        assertTrue(near.tidy(59));
        assertFalse(near.tidy(59));
        assertEquals(1_059, near.lastDueMillis());
        near.validate();
        assertEquals(60, take(1L << 50, 100).size());
        assertTrue(near.isIdle());
    }

    @Test
    void headsThatHaveLeftAreTidiedAwayAfterARunThatWasTooLong() {
        near.addRun(rows(300, 2_000, 1, 1, 1_000));
        near.addRun(rows(700, 1_000, 1, 1, 0));
        for (int i = 0; i < 300; i++) {
            assertTrue(near.forget(0, 1_000 + i) && near.forget(0, i));
        }
        for (int round = 0; near.tidy(2_048); round++) {
            assertTrue(round < 10, "tidying does not end");
        }
        assertEquals(1_300, near.nextDueMillis());
    }

    @Test
    void positionsThatAreFarApartAreKeptToo() {
        long[] due = {0, 1L << 40, 1L << 41};
        long[] ledgers = {Long.MAX_VALUE, 3, 0};
        long[] entries = {5, 1L << 60, 0};
        near.addRun(new SegmentColumns(3, due, ledgers, entries));
        assertEquals(List.of(Long.MAX_VALUE + ":5", "3:" + (1L << 60), "0:0"), take(1L << 41, 10));
    }

    @Test
    void moreLedgersThanAByteCountsAreKeptToo() {
        near.addRun(rows(1_000, 7, 1_000, 1_000, 0));
        List<String> taken = take(7, 1_000);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(i + ":" + i, taken.get(i));
        }
    }

    @Test
    void aSegmentCostsLittleOnceItIsLoaded() {
        SegmentColumns columns = rows(5_000, 1_000_000, 10, 150, 4_000_000_000L);
        NearRun run = near.open(columns, null);
        for (int row = 0; row < columns.count(); row += 2) {
            near.take(run, row);
        }
        near.filled(run);
        near.complete(run);
        near.validate();
        long ofRun = near.retainedBytes() - near.positionSetBytes();
        assertTrue(ofRun < 2_500 * 10, ofRun + " bytes for 2500 positions");
        assertEquals(5, take(1_000_000, 100).size());
        assertEquals(2_495, near.size());
    }

    @Test
    void aRunCanBeReadWhileItIsFilled() {
        SegmentColumns columns = rows(10, 1_000, 1, 1, 0);
        NearRun run = near.open(columns, null);
        near.take(run, 0);
        near.take(run, 2);
        near.filled(run);
        assertEquals(List.of("0:0", "0:2"), take(1L << 50, 10));
        assertFalse(near.isIdle(), "more may come");
        near.take(run, 3);
        near.filled(run);
        assertTrue(near.forget(0, 3));
        assertEquals(DelayIndex.NEVER, near.nextDueMillis(), "nothing is due of what is not there");
        near.take(run, 5);
        near.filled(run);
        near.take(run, 6);
        near.filled(run);
        assertEquals(List.of("0:5"), take(1L << 50, 1));
        near.complete(run);
        near.validate();
        assertEquals(List.of("0:6"), take(1L << 50, 10));
        assertTrue(near.isIdle());
    }

    @Test
    void whatIsForgottenIsSkippedAndTidiedAway() {
        near.addRun(rows(5_000, 1_000, 1, 1, 0));
        near.addRun(rows(5_000, 1_000, 1, 1, 5_000));
        long full = near.retainedBytes();
        assertEquals(9_901, near.forgetUpTo(0, 9_900));
        assertTrue(near.forget(0, 9_999));
        assertFalse(near.forget(0, 9_999));
        int calls = 0;
        while (near.tidy(100)) {
            calls++;
            assertTrue(calls < 1_000, "tidying does not end");
        }
        near.validate();
        assertTrue(near.retainedBytes() < full / 10, near.retainedBytes() + " bytes left of " + full);
        assertEquals(98, take(1L << 50, 1_000).size());
    }

    @Test
    void aHandOutOfForgottenPositionsIsBounded() {
        near.addRun(rows(5_000, 1_000, 1, 1, 0));
        near.forgetUpTo(0, 4_998);
        int calls = 1;
        while (take(1L << 50, 10).isEmpty()) {
            calls++;
        }
        assertTrue(calls >= 4, "all of 4999 forgotten ones in " + calls + " calls");
        assertEquals(0, near.size());
    }
}
