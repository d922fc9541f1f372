/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A tail beside a sorted list of positions. */
class TailTest {

    private static final int RUNS = 200;
    private static final int STEPS = 4_000;

    private final Tail tail = new Tail();
    private final List<Position> sorted = new ArrayList<>();

    @Test
    @DisplayName("X1: a position is found, or its place, in a tail of few and many ledgers, close to its end and far from it")
    void x1APositionIsFoundOrItsPlace() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < RUNS; run++) {
            try {
                new TailTest().runBesideList(new Random(firstSeed + run));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
    }

    private void runBesideList(Random random) {
        int perLedger = 1 << random.nextInt(13);
        int gap = 1 + random.nextInt(3);
        int late = 1 << random.nextInt(12);
        int removals = random.nextInt(20);
        for (int step = 0; step < STEPS; step++) {
            long serial = Math.max(0, step - random.nextInt(random.nextInt(late) + 1));
            add(new Position(serial * gap / perLedger, serial * gap % perLedger), step * 512L);
            if (random.nextInt(100) < removals) {
                int at = random.nextInt(4) == 0 ? sorted.size() - 1 : random.nextInt(sorted.size());
                Position gone = sorted.remove(at);
                tail.remove(gone.ledgerId(), gone.entryId());
            }
        }
        assertEquals(sorted, positions(tail));
        tail.validate();
        checkRows(random);
    }

    private void add(Position position, long dueMillis) {
        int place = Collections.binarySearch(sorted, position);
        assertEquals(place, tail.placeOf(position.ledgerId(), position.entryId()), position::toString);
        if (place < 0) {
            long before = tail.retainedBytes();
            long grown = tail.insert(~place, dueMillis, position.ledgerId(), position.entryId());
            assertEquals(tail.retainedBytes() - before, grown);
            sorted.add(~place, position);
        }
        assertFalse(tail.add(dueMillis, position.ledgerId(), position.entryId()), "it is here");
        assertEquals(sorted.size(), tail.count());
    }

    private void checkRows(Random random) {
        int from = random.nextInt(sorted.size());
        int to = from + 1 + random.nextInt(sorted.size() - from);
        Tail rows = tail.rows(from, to);
        rows.validate();
        assertEquals(sorted.subList(from, to), positions(rows));
        long first = Long.MAX_VALUE;
        for (int i = from; i < to; i++) {
            assertEquals(tail.dueMillis(i), rows.dueMillis(i - from));
            first = Math.min(first, tail.dueMillis(i));
        }
        assertEquals(first, rows.firstDueMillis());
        Position last = sorted.get(to - 1);
        assertEquals(~rows.count(), rows.placeOf(last.ledgerId(), last.entryId() + 1), "the first position behind");
        rows.append(7, last.ledgerId(), last.entryId() + 1);
        assertEquals(7, rows.firstDueMillis());
        assertEquals(7, rows.dueMillis(to - from));
    }

    private static List<Position> positions(Tail tail) {
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < tail.count(); i++) {
            positions.add(new Position(tail.ledgerId(i), tail.entryId(i)));
        }
        return positions;
    }

    @Test
    void rowsOfATailTakeNoMoreThanTheSamePositionsAppendedToANewOne() {
        for (int i = 0; i < 300; i++) {
            tail.add(i < 100 ? 512L * (i * 7_919 % 1_000) : 1L << 50, 3, i < 100 ? 1_000 * (i * 379 % 997) : 5_000_000 + i);
        }
        for (int from : new int[] {0, 50, 100, 200}) {
            Tail appended = new Tail();
            for (int i = from; i < from + 100; i++) {
                appended.append(tail.dueMillis(i), tail.ledgerId(i), tail.entryId(i));
            }
            long bytes = tail.rows(from, from + 100).retainedBytes();
            assertEquals(Math.min(bytes, appended.retainedBytes()), bytes, "from " + from);
        }
    }
}
