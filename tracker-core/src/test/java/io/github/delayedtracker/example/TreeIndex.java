/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.example;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueHistogram;
import io.github.delayedtracker.index.DueRows;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The example backend of docs/CONTRIBUTING.md: positions in one tree by id, and in another by due time.
 *
 * <p>Costs: 136 B a position. Add, look-up and hand-out O(log n). It is no model of economy: the backends of the product keep
 * a position in 0.04 to 24 B.
 */
final class TreeIndex implements DelayIndex {

    private static final int TREE_ENTRY_BYTES = Footprint.object(5 * Footprint.REFERENCE + 1);
    private static final int TREE_MAP_BYTES = Footprint.object(7 * Footprint.REFERENCE + 2 * Integer.BYTES);
    private static final int TREE_SET_BYTES = Footprint.object(Footprint.REFERENCE) + TREE_MAP_BYTES;
    private static final int POSITION_BYTES = Footprint.object(2 * Long.BYTES);
    private static final int SCHEDULED_BYTES = Footprint.object(Long.BYTES + Footprint.REFERENCE);
    private static final int OBJECT_BYTES = Footprint.object(3 * Footprint.REFERENCE);

    private final TreeMap<Position, Scheduled> byPosition = new TreeMap<>();
    private final TreeSet<Scheduled> byTime = new TreeSet<>();
    private final DueHistogram histogram = new DueHistogram();

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        Position position = new Position(ledgerId, entryId);
        Scheduled scheduled = new Scheduled(dueMillis, position);
        if (byPosition.putIfAbsent(position, scheduled) != null) {
            return false;
        }
        byTime.add(scheduled);
        histogram.add(dueMillis, 1);
        return true;
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        int taken = 0;
        while (taken < limit && !byTime.isEmpty() && byTime.first().dueMillis <= untilMillis) {
            Scheduled first = byTime.pollFirst();
            byPosition.remove(first.position);
            histogram.remove(first.dueMillis, 1);
            sink.accept(first.position.ledgerId, first.position.entryId);
            taken++;
        }
        return taken;
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return byPosition.containsKey(new Position(ledgerId, entryId));
    }

    @Override
    public long nextDueMillis() {
        return byTime.isEmpty() ? NEVER : byTime.first().dueMillis;
    }

    @Override
    public long lastDueMillis() {
        return byTime.isEmpty() ? NO_TIME : byTime.last().dueMillis;
    }

    @Override
    public long size() {
        return byPosition.size();
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        return forgotten(byPosition.remove(new Position(ledgerId, entryId)));
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        Position last = new Position(ledgerId, entryId);
        long known = 0;
        while (!byPosition.isEmpty() && byPosition.firstKey().compareTo(last) <= 0) {
            forgotten(byPosition.pollFirstEntry().getValue());
            known++;
        }
        return known;
    }

    private boolean forgotten(Scheduled scheduled) {
        if (scheduled == null) {
            return false;
        }
        byTime.remove(scheduled);
        histogram.remove(scheduled.dueMillis, 1);
        return true;
    }

    @Override
    public PositionWalk walk() {
        Position[] last = {new Position(-1, -1)};
        return (budget, sink) -> {
            for (int passed = 0; passed < budget; passed++) {
                Position next = byPosition.higherKey(last[0]);
                if (next == null) {
                    return false;
                }
                last[0] = next;
                sink.accept(next.ledgerId, next.entryId);
            }
            return byPosition.higherKey(last[0]) != null;
        };
    }

    @Override
    public long retainedBytes() {
        long timeBytes = TREE_SET_BYTES + (long) byTime.size() * (TREE_ENTRY_BYTES + SCHEDULED_BYTES);
        return OBJECT_BYTES + positionSetBytes() + timeBytes + histogram.retainedBytes();
    }

    @Override
    public long positionSetBytes() {
        return TREE_MAP_BYTES + (long) byPosition.size() * (TREE_ENTRY_BYTES + POSITION_BYTES);
    }

    @Override
    public void clear() {
        byPosition.clear();
        byTime.clear();
        histogram.clear();
    }

    @Override
    public boolean tidy(int budget) {
        return false; // nothing is deferred
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        histogram.countDueBy(untilMillis, counts);
    }

    /** A copy of the times asked for; a product would not copy them all under the lock. */
    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        DueRows rows = new DueRows(fromMillis, untilMillis);
        byTime.forEach(each -> rows.add(each.dueMillis, each.position.ledgerId, each.position.entryId));
        return List.of(rows);
    }

    @Override
    public void validate() {
        histogram.validate(byPosition.size());
        for (Map.Entry<Position, Scheduled> entry : byPosition.entrySet()) {
            if (entry.getValue().position != entry.getKey() || !byTime.contains(entry.getValue())) {
                throw new IllegalStateException("tree: " + entry.getKey().ledgerId + ":" + entry.getKey().entryId
                        + " does not stand under its due time");
            }
        }
        if (byTime.size() != byPosition.size()) {
            throw new IllegalStateException("tree: " + byTime.size() + " due times of " + byPosition.size() + " positions");
        }
    }

    /** A position, ordered by (ledger id, entry id). */
    private static final class Position implements Comparable<Position> {

        private final long ledgerId;
        private final long entryId;

        Position(long ledgerId, long entryId) {
            this.ledgerId = ledgerId;
            this.entryId = entryId;
        }

        @Override
        public int compareTo(Position other) {
            int order = Long.compare(ledgerId, other.ledgerId);
            return order != 0 ? order : Long.compare(entryId, other.entryId);
        }
    }

    /** A position and its due time, ordered by (time, position). */
    private static final class Scheduled implements Comparable<Scheduled> {

        private final long dueMillis;
        private final Position position;

        Scheduled(long dueMillis, Position position) {
            this.dueMillis = dueMillis;
            this.position = position;
        }

        @Override
        public int compareTo(Scheduled other) {
            int order = Long.compare(dueMillis, other.dueMillis);
            return order != 0 ? order : position.compareTo(other.position);
        }
    }
}
