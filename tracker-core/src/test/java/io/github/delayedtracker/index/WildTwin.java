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
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Drives an index and a naive twin with times and ids from the whole range of a long, few to a run: numbers that lie powers of
 * two apart, or next to such ones, at both ends and in between. No position is ever added with another time than its first,
 * so each is handed out exactly when it is due, in the order of (time, ledger, entry).
 */
public final class WildTwin {

    private static final Comparator<long[]> BY_POSITION =
            Comparator.<long[]>comparingLong(at -> at[1]).thenComparingLong(at -> at[2]);
    private static final Comparator<long[]> BY_TIME = Comparator.<long[]>comparingLong(at -> at[0]).thenComparing(BY_POSITION);
    private static final long PUBLISHED_MILLIS = 1_700_000_000_000L;

    private final DelayIndex index;
    private final Random random;
    private final WildNumbers times;
    private final WildNumbers ledgerIds;
    private final WildNumbers entryIds;
    private final TreeSet<long[]> byTime = new TreeSet<>(BY_TIME);
    private final TreeSet<long[]> byPosition = new TreeSet<>(BY_POSITION);
    private final TreeMap<long[], Long> firstTimes = new TreeMap<>(BY_POSITION);
    private long lastEntryId;

    /** Compares an empty index. */
    public WildTwin(DelayIndex index, Random random) {
        this.index = index;
        this.random = random;
        times = new WildNumbers(random, PUBLISHED_MILLIS);
        ledgerIds = new WildNumbers(random, 7);
        entryIds = new WildNumbers(random, 0);
    }

    /** Runs so many operations, validates the index after each, and drains it. */
    public void run(int steps) {
        boolean inOrder = random.nextBoolean();
        for (int step = 0; step < steps; step++) {
            step(inOrder);
            assertEquals(byTime.size(), index.size());
            assertTrue(byTime.isEmpty() || index.lastDueMillis() >= byTime.last()[0], "the latest is not missed");
            index.validate();
        }
        list(times.next());
        list(0);
        while (!byTime.isEmpty()) {
            takeAllDue(byTime.first()[0]);
        }
        assertEquals(0, index.size());
    }

    private void step(boolean inOrder) {
        int what = random.nextInt(100);
        if (what < 60) {
            add(position(inOrder));
        } else if (what < 70) {
            long[] at = known();
            assertEquals(byPosition.contains(at), index.contains(at[1], at[2]), () -> text(at));
        } else if (what < 78) {
            long[] at = known();
            assertEquals(drop(at), index.forget(at[1], at[2]), () -> text(at));
        } else if (what < 79) {
            long[] upTo = known();
            List<long[]> passed = List.copyOf(byPosition.headSet(upTo, true));
            passed.forEach(this::drop);
            assertEquals(passed.size(), index.forgetUpTo(upTo[1], upTo[2]), () -> text(upTo));
        } else if (what < 83) {
            takeAllDue(times.next());
        } else if (what < 95) {
            // Up to something, and just not up to it.
            long[] at = known();
            takeAllDue(Math.max(0, at[0] - random.nextInt(2)));
        } else if (what < 98) {
            index.tidy(1 + random.nextInt(200));
        } else {
            index.takeWork().ifPresent(Runnable::run);
        }
    }

    private long[] position(boolean inOrder) {
        if (random.nextInt(10) == 0) {
            return known();
        }
        if (inOrder && random.nextInt(20) > 0 && lastEntryId < Long.MAX_VALUE - 4) {
            lastEntryId += random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
            return new long[] {times.next(), ledgerIds.last(), lastEntryId};
        }
        lastEntryId = entryIds.next();
        return new long[] {times.next(), ledgerIds.next(), lastEntryId};
    }

    private void add(long[] wanted) {
        long[] at = {firstTimes.getOrDefault(wanted, wanted[0]), wanted[1], wanted[2]};
        boolean isNew = byPosition.add(at);
        assertEquals(isNew, index.add(at[0], at[1], at[2]), () -> text(at));
        if (isNew) {
            byTime.add(at);
            firstTimes.put(at, at[0]);
        }
    }

    /** Compares all rows from a time to another. */
    private void list(long fromMillis) {
        long untilMillis = Math.max(fromMillis, random.nextBoolean() ? Long.MAX_VALUE : times.next());
        MergedRuns rows = new MergedRuns(index.runs(fromMillis, untilMillis));
        List<String> listed = new ArrayList<>();
        while (rows.next()) {
            long[] row = {rows.dueMillis(), rows.ledgerId(), rows.entryId()};
            // A position that came again is listed twice at most, with the one time it ever had.
            if (byPosition.contains(row) && !listed.contains(text(row))) {
                listed.add(text(row));
            }
        }
        List<String> expected = byTime.stream().filter(at -> at[0] >= fromMillis && at[0] <= untilMillis).map(WildTwin::text)
                .toList();
        assertEquals(expected, listed, () -> "from " + fromMillis + " to " + untilMillis);
    }

    /** One that was added, mostly, with its time. */
    private long[] known() {
        long[] from = {0, ledgerIds.next(), entryIds.next()};
        long[] at = random.nextInt(4) == 0 || firstTimes.isEmpty() ? from : firstTimes.ceilingKey(from);
        long[] found = at == null ? firstTimes.firstKey() : at;
        return new long[] {firstTimes.getOrDefault(found, times.next()), found[1], found[2]};
    }

    private boolean drop(long[] at) {
        return byPosition.remove(at) && byTime.remove(at);
    }

    private void takeAllDue(long untilMillis) {
        for (int calls = 0; !byTime.isEmpty() && byTime.first()[0] <= untilMillis; calls++) {
            assertTrue(index.nextDueMillis() <= byTime.first()[0], "the earliest is not missed");
            take(untilMillis, 1 + random.nextInt(30));
            assertTrue(calls < 100_000, "taking what is due does not end");
        }
        take(untilMillis, 10);
    }

    private void take(long untilMillis, int limit) {
        List<long[]> taken = new ArrayList<>();
        int count = index.takeDue(untilMillis, limit, (ledgerId, entryId) -> taken.add(new long[] {0, ledgerId, entryId}));
        assertEquals(count, taken.size());
        assertTrue(count <= limit);
        for (long[] at : taken) {
            assertTrue(!byTime.isEmpty() && byTime.first()[0] <= untilMillis,
                    () -> text(at) + " where nothing is due by " + untilMillis);
            long[] next = byTime.first();
            assertTrue(BY_POSITION.compare(next, at) == 0, () -> text(at) + " where " + text(next) + " is next");
            drop(next);
        }
    }

    private static String text(long[] at) {
        return "position " + at[1] + ":" + at[2] + " due at " + at[0];
    }
}
