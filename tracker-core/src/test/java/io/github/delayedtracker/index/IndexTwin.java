/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Drives an index and a naive twin with the same random operations and compares every answer.
 *
 * <p>A position that was forgotten and is added again may come at an earlier time it was once added with, which is all
 * the contract leaves open; the twin keeps the least of those times for each position that was ever forgotten, and
 * demands the exact time of every other.
 */
public final class IndexTwin {

    /** Shapes of workload: dense, sparse, many ledgers, wide ids, few buckets, few positions added again and again, steady. */
    public static final int SHAPES = 7;
    /** Each position is due about one time bucket after the one before it. */
    private static final int STEADY = 6;

    private record At(long ledgerId, long entryId) {
    }

    private record Due(long dueMillis, At at) {
    }

    private static final Comparator<At> BY_POSITION = Comparator.comparingLong(At::ledgerId).thenComparingLong(At::entryId);
    private static final Comparator<Due> BY_TIME =
            Comparator.comparingLong(Due::dueMillis).thenComparing(Due::at, BY_POSITION);

    private static final long[] LEDGERS = {2, 5, 2_000, 3, 4, 1, 20};
    private static final long[] ENTRIES = {5_000, 100_000, 4, 1L << 42, 3_000, 60, 900};
    private static final int[] STEP_MILLIS = {2_000, 2_000, 2_000, 2_000, 2_000, 60, 2_000};
    private static final long[] BUCKETS = {500, 5_000, 300, 100, 3, 400, 2};

    private final DelayIndex index;
    private final Random random;
    private final int shape;
    private final TreeMap<At, Long> contained = new TreeMap<>(BY_POSITION);
    private final TreeSet<Due> byTime = new TreeSet<>(BY_TIME);
    private final Map<At, Long> earliestForgotten = new HashMap<>();
    private long nowMillis;
    private long sequence;

    /** Compares an empty index. */
    public IndexTwin(DelayIndex index, Random random, int shape) {
        this.index = index;
        this.random = random;
        this.shape = shape;
    }

    /** Runs so many operations, validates the index now and then, and drains it. */
    public void run(int steps) {
        run(steps, Integer.MAX_VALUE);
    }

    /** The same, with the index validated after each operation while it holds at most so many positions. */
    public void run(int steps, int validatedPositions) {
        for (int step = 0; step < steps; step++) {
            step();
            if (validatedPositions < Integer.MAX_VALUE && contained.size() <= validatedPositions) {
                index.validate();
            }
            assertEquals(contained.size(), index.size());
            assertTrue(noneIsDueAfter(index.lastDueMillis()), "the latest is not missed");
            assertTrue(byTime.isEmpty() || index.nextDueMillis() <= byTime.first().dueMillis, "the earliest is not missed");
            if (contained.size() < 50 ? step % 20 == 0 : step % 4_000 == 0) {
                index.validate();
            }
        }
        drain();
    }

    private void step() {
        int what = random.nextInt(100);
        if (what < 55) {
            add();
        } else if (what < 70) {
            At at = known();
            assertEquals(contained.containsKey(at), index.forget(at.ledgerId, at.entryId));
            forgotten(at);
        } else if (what < 85) {
            At at = known();
            assertEquals(contained.containsKey(at), index.contains(at.ledgerId, at.entryId));
        } else if (what < 96) {
            nowMillis += random.nextInt(STEP_MILLIS[shape]);
            takeAllDue(random.nextInt(60));
        } else if (what < 98) {
            index.tidy(1 + random.nextInt(200));
        } else if (what < 99) {
            index.takeWork().ifPresent(Runnable::run);
            if (random.nextInt(8) == 0) {
                list();
            }
        } else if (random.nextInt(10) == 0) {
            At at = known();
            List<At> head = List.copyOf(contained.headMap(at, true).keySet());
            assertEquals(head.size(), index.forgetUpTo(at.ledgerId, at.entryId));
            head.forEach(this::forgotten);
        }
    }

    private void add() {
        sequence++;
        At at = shape == STEADY || random.nextInt(4) > 0
                ? new At(sequence / ENTRIES[shape] % LEDGERS[shape], sequence % ENTRIES[shape]) : known();
        long due = ((shape == STEADY ? sequence : nowMillis / 512) + random.nextLong(BUCKETS[shape])) * 512;
        boolean isNew = !contained.containsKey(at);
        assertEquals(isNew, index.add(due, at.ledgerId, at.entryId));
        if (isNew) {
            contained.put(at, due);
            byTime.add(new Due(due, at));
        }
    }

    private At known() {
        if (random.nextInt(3) == 0 || contained.isEmpty()) {
            return new At(random.nextLong(LEDGERS[shape]), random.nextLong(ENTRIES[shape]));
        }
        At from = new At(random.nextLong(LEDGERS[shape]), random.nextLong(ENTRIES[shape]));
        At at = contained.ceilingKey(from);
        return at == null ? contained.firstKey() : at;
    }

    private void forgotten(At at) {
        Long due = contained.remove(at);
        if (due != null) {
            byTime.remove(new Due(due, at));
            earliestForgotten.merge(at, due, Math::min);
        }
    }

    /** But for those that were forgotten, and may have a time of then. */
    private boolean noneIsDueAfter(long lastMillis) {
        for (Due due : byTime.descendingSet()) {
            if (due.dueMillis <= lastMillis) {
                return true;
            }
            if (earliestForgotten.getOrDefault(due.at, Long.MAX_VALUE) > lastMillis) {
                return false;
            }
        }
        return true;
    }

    /** Takes once, and on until nothing is due if that was fewer than the limit. */
    private void takeAllDue(int limit) {
        if (take(nowMillis, limit) == limit) {
            return;
        }
        for (int calls = 0; index.nextDueMillis() <= nowMillis; calls++) {
            take(nowMillis, 100);
            assertTrue(calls < 100_000, "taking what is due does not end");
        }
        assertTrue(byTime.isEmpty() || byTime.first().dueMillis > nowMillis, "something due was not handed out");
    }

    private int take(long untilMillis, int limit) {
        List<At> taken = new ArrayList<>();
        int count = index.takeDue(untilMillis, limit, (l, e) -> taken.add(new At(l, e)));
        assertEquals(count, taken.size());
        assertTrue(count <= limit);
        Due before = null;
        for (At at : taken) {
            Long time = contained.remove(at);
            assertTrue(time != null, at + " was not contained");
            Due due = new Due(time, at);
            byTime.remove(due);
            Long forgotten = earliestForgotten.computeIfPresent(at, (key, earliest) -> Math.min(earliest, time));
            assertTrue((forgotten == null ? time : forgotten) <= untilMillis, at + " is not due at " + untilMillis);
            if (forgotten == null) {
                assertTrue(before == null || BY_TIME.compare(before, due) < 0, due + " after " + before);
                before = due;
            }
        }
        return count;
    }

    /** Every contained position is listed, those never forgotten with their time, in order. */
    private void list() {
        long fromMillis = nowMillis + random.nextLong(BUCKETS[shape]) * 512;
        long untilMillis = fromMillis + random.nextLong(BUCKETS[shape]) * 512;
        MergedRuns rows = new MergedRuns(index.runs(fromMillis, untilMillis));
        TreeSet<Due> missing = new TreeSet<>(byTime.subSet(new Due(fromMillis, new At(0, 0)), true,
                new Due(untilMillis, new At(Long.MAX_VALUE, Long.MAX_VALUE)), true));
        missing.removeIf(due -> earliestForgotten.containsKey(due.at));
        Due before = null;
        while (rows.next()) {
            Due row = new Due(rows.dueMillis(), new At(rows.ledgerId(), rows.entryId()));
            assertTrue(before == null || BY_TIME.compare(before, row) <= 0, row + " after " + before);
            before = row;
            assertTrue(row.dueMillis >= fromMillis && row.dueMillis <= untilMillis, row + " of another time");
            missing.remove(row);
        }
        assertEquals(Set.of(), missing, "contained and not listed");
    }

    private void drain() {
        long untilMillis = Long.MAX_VALUE - 1;
        for (int calls = 0; index.size() > 0; calls++) {
            take(untilMillis, 1_000);
            assertTrue(calls < 100_000, "draining does not end");
        }
        assertTrue(contained.isEmpty());
        index.validate();
    }
}
