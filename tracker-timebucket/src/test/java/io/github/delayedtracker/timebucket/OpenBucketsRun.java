/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** One random run of an index beside a naive twin: few buckets and long bursts, so that buckets change their form often. */
final class OpenBucketsRun {

    private static final int STEPS = 1_500;
    private static final int MAX_POSITIONS = 40_000;
    private static final int DROPPED_IN_ONE_CALL = 16_384;

    private final Random random;
    private final long entrySpan;
    private final int buckets;
    private final int ledgers;
    private final Set<String> formsSeen;

    private final Long2ObjectAVLTreeMap<Object> map = new Long2ObjectAVLTreeMap<>();
    private final OpenBuckets index = new OpenBuckets(map);
    /** The positions and the times they were added with. */
    private final TreeMap<Position, Long> contained = new TreeMap<>();
    /** The earliest time a position was ever added with: a copy that was forgotten may come back to life. */
    private final Map<Position, Long> earliest = new HashMap<>();

    OpenBucketsRun(Random random, long entrySpan, Set<String> formsSeen) {
        this.random = random;
        this.entrySpan = entrySpan;
        this.formsSeen = formsSeen;
        buckets = 1 << random.nextInt(8);
        ledgers = 1 + random.nextInt(1 << random.nextInt(9));
    }

    void run() {
        for (int step = 0; step < STEPS && contained.size() < MAX_POSITIONS; step++) {
            step();
            assertEquals(contained.size(), index.size());
            if (step % 100 == 0) {
                index.validate();
                noteForms();
            }
        }
        while (index.size() > 0) {
            take(Long.MAX_VALUE, 1_000);
        }
        assertEquals(Map.of(), contained);
        index.validate();
    }

    private void step() {
        int what = random.nextInt(1_000);
        if (what < 700) {
            addBurst(random.nextInt(10) == 0 ? 1_500 : 20);
        } else if (what < 820) {
            Position position = some();
            assertEquals(contained.remove(position) != null, index.forget(position.ledgerId(), position.entryId()));
        } else if (what < 830) {
            Position last = some();
            NavigableMap<Position, Long> head = contained.headMap(last, true);
            assertEquals(head.size(), index.forgetUpTo(last.ledgerId(), last.entryId()));
            head.clear();
        } else if (what < 840) {
            forgetPart(random.nextInt(100));
        } else if (what < 890) {
            index.tidy(1 + random.nextInt(3_000));
        } else if (what < 900) {
            tidyAll();
        } else {
            take(dueMillis(), random.nextInt(1 << random.nextInt(13)));
        }
    }

    private void addBurst(int longest) {
        long dueMillis = dueMillis();
        long ledgerId = random.nextInt(ledgers);
        long first = random.nextLong(entrySpan);
        boolean inOrder = random.nextBoolean();
        for (int i = random.nextInt(longest); i >= 0; i--) {
            long entryId = inOrder ? Math.max(0, first - i) : random.nextLong(entrySpan);
            Position position = new Position(ledgerId, entryId);
            boolean isNew = contained.putIfAbsent(position, dueMillis) == null;
            assertEquals(isNew, index.add(dueMillis, ledgerId, entryId));
            if (isNew) {
                earliest.merge(position, dueMillis, Math::min);
            }
        }
    }

    private void forgetPart(int percent) {
        for (Position position : List.copyOf(contained.keySet())) {
            if (random.nextInt(100) < percent) {
                contained.remove(position);
                assertTrue(index.forget(position.ledgerId(), position.entryId()));
            }
        }
    }

    private void tidyAll() {
        int calls = 0;
        while (index.tidy(1 + random.nextInt(1_000))) {
            assertTrue(++calls < 100_000, "tidying does not come to an end");
        }
    }

    private void take(long untilMillis, int limit) {
        boolean mayDropAll = stored() < DROPPED_IN_ONE_CALL;
        List<Position> taken = new ArrayList<>();
        int count = index.takeDue(untilMillis, limit, (ledgerId, entryId) -> taken.add(new Position(ledgerId, entryId)));
        assertEquals(count, taken.size());
        assertTrue(count <= limit, () -> count + " positions of " + limit);
        for (Position position : taken) {
            assertTrue(contained.remove(position) != null, () -> position + " was not contained");
            assertTrue(earliest.get(position) <= untilMillis, () -> position + " is not due at " + untilMillis);
        }
        if (count < limit && mayDropAll) {
            contained.forEach((position, dueMillis) ->
                    assertTrue(dueMillis > untilMillis, () -> position + " was left behind"));
        }
        contained.values().stream().min(Long::compare).ifPresent(dueMillis ->
                assertTrue(index.nextDueMillis() <= dueMillis, () -> "first due at " + dueMillis));
    }

    private long stored() {
        return map.values().stream().mapToLong(BucketForms::count).sum();
    }

    private Position some() {
        Position from = new Position(random.nextInt(ledgers), random.nextLong(entrySpan));
        Position found = contained.ceilingKey(from);
        return found == null || random.nextInt(4) == 0 ? from : found;
    }

    private long dueMillis() {
        return random.nextInt(buckets) * 512L;
    }

    private void noteForms() {
        for (Object bucket : map.values()) {
            formsSeen.add(bucket.getClass().getSimpleName());
            if (bucket instanceof LedgerCells cells) {
                cells.values().forEach(cell -> formsSeen.add(cell.getClass().getSimpleName()));
            }
        }
    }
}
