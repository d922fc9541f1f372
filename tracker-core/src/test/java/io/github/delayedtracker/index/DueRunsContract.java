/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link DelayIndex#runs} promises, for every backend. */
abstract class DueRunsContract {

    /** An empty index of the backend under test. */
    protected abstract DelayIndex newIndex();

    /** Positions of the largest index that is measured: fewer where each has objects of its own, which are slow to walk. */
    protected int measuredPositions() {
        return 100_000;
    }

    /**
     * Whether the index under test moves positions from one part to another at any time, so that a walk may miss some, and two
     * runs may have one while it is on its way.
     */
    protected boolean movesByItself() {
        return false;
    }

    static List<String> take(DelayIndex index, long untilMillis, int limit) {
        List<String> taken = new ArrayList<>();
        int count = index.takeDue(untilMillis, limit, (l, e) -> taken.add(l + ":" + e));
        assertEquals(count, taken.size());
        index.validate();
        return taken;
    }

    private List<String> rows(List<DueRun> runs) {
        MergedRuns merged = new MergedRuns(runs);
        List<String> rows = new ArrayList<>();
        while (merged.next()) {
            rows.add(merged.dueMillis() + "=" + merged.ledgerId() + ":" + merged.entryId());
        }
        assertFalse(merged.next());
        return once(rows);
    }

    private List<String> once(List<String> rows) {
        return movesByItself() ? new ArrayList<>(new LinkedHashSet<>(rows)) : rows;
    }

    @Test
    void runsHaveThePositionsOfATimeInTheOrderOfHandOut() {
        DelayIndex index = newIndex();
        index.add(2_048, 1, 1);
        index.add(1_024, 9, 0);
        index.add(1_024, 2, 7);
        index.add(512, 2, 3);
        index.add(3_072, 1, 0);
        assertEquals(List.of("1024=2:7", "1024=9:0", "2048=1:1"), rows(index.runs(513, 2_048)));
        assertEquals(List.of("512=2:3", "1024=2:7", "1024=9:0", "2048=1:1", "3072=1:0"), rows(index.runs(0, Long.MAX_VALUE)));
        assertEquals(List.of(), rows(index.runs(2_049, 3_071)));
        assertEquals(List.of(), rows(newIndex().runs(0, Long.MAX_VALUE)));
    }

    @Test
    void unorderedRunsHaveTheSamePositions() {
        DelayIndex index = newIndex();
        int count = measuredPositions() / 4;
        for (int i = 0; i < count; i++) {
            index.add(1_000 + i * 7_919L % count, 1 + i % 3, i);
        }
        take(index, 1_000 + count / 6, count);
        long fromMillis = 1_000L + count / 3;
        long untilMillis = 1_000L + count / 2;
        List<String> unordered = new ArrayList<>();
        for (DueRun run : index.runs(fromMillis, untilMillis)) {
            DueRun each = run.unordered();
            while (each.next()) {
                unordered.add(each.dueMillis() + "=" + each.ledgerId() + ":" + each.entryId());
            }
            run.close();
        }
        List<String> ordered = rows(index.runs(fromMillis, untilMillis));
        assertEquals(untilMillis - fromMillis + 1, ordered.size());
        assertEquals(ordered.stream().sorted().toList(), once(unordered).stream().sorted().toList());
    }

    @Test
    void runsStayAsTheyWereWhileTheIndexChanges() {
        DelayIndex index = newIndex();
        List<String> expected = new ArrayList<>();
        int count = measuredPositions() / 4;
        for (int i = 0; i < count; i++) {
            index.add(1_000 + i / 3, 1 + i % 2, i);
        }
        for (int i = 0; i < count; i += 3) {
            for (int ledger = 1; ledger <= 2; ledger++) {
                for (int at = i; at < Math.min(i + 3, count); at++) {
                    if (1 + at % 2 == ledger) {
                        expected.add(1_000 + at / 3 + "=" + ledger + ":" + at);
                    }
                }
            }
        }
        List<DueRun> runs = index.runs(0, Long.MAX_VALUE);
        for (int i = 0; i < count; i++) {
            index.add(500 + i, 3, i);
        }
        take(index, 1_000 + count / 6, count / 2);
        index.tidy(count);
        List<String> found = rows(runs);
        List<String> left = new ArrayList<>(expected);
        left.removeIf(row -> !index.contains(row.charAt(row.indexOf('=') + 1) - '0', Long.parseLong(row.split(":")[1])));
        assertTrue(new HashSet<>(found).containsAll(left), "what is contained all the while is in the runs");
        Set<String> all = new HashSet<>(expected);
        found.removeIf(row -> !all.contains(row));
        assertEquals(expected.stream().filter(new HashSet<>(found)::contains).toList(), found);
    }
}
