/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueHistogram;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An index as a heap of (time, ledger id, entry id) triples, with each position contained at most once.
 *
 * <p>The position set decides which positions are contained. Forgetting a position takes it out of the set and leaves its triple,
 * which is <em>dead</em> from then on and dropped when it comes up. A position that is forgotten and added again has two triples;
 * the earlier one hands it out, the other is dead then.
 *
 * <p>Implementation note: when a quarter of the triples is dead they are compacted, a few at a time. The heap is set aside and
 * emptied from the end of its array, where removal is O(1) and leaves a heap; live triples move into a fresh one. Until the old
 * heap is empty the least triple is the lesser of two heads. Second triples of live positions survive this; where they are many,
 * the next compaction empties the heap from its head instead and keeps the first triple of each position, so that the dead are
 * soon no more than {@link #MIN_DEAD} and a third of the live.
 *
 * <p>Costs: 24 bytes a triple and at most two chunks more, plus the set and the histogram. Add and hand-out are O(log n).
 */
final class HeapIndex implements DelayIndex {

    private static final int MIN_DEAD = 64;
    /** The most dead triples dropped from the head when the next due time is asked for. */
    private static final int DEAD_PER_LOOK = 64;
    /** The most dead triples dropped from the head in one hand-out. */
    private static final int DEAD_PER_HAND_OUT = 256;
    /** The triples a hand-out that meets as many dead ones compacts: from the end of the array each costs a tenth. */
    private static final int MOVES_PER_HAND_OUT = 2_048;
    /** The triples moved by an add while a compaction is under way: more than one, so that it ends. */
    private static final int MOVES_PER_ADD = 2;
    /** The number of triples from which there is a histogram; fewer are counted when asked for. */
    private static final int COUNTED_TRIPLES = 64;
    private static final int OBJECT_BYTES = Footprint.object(6 * Footprint.REFERENCE + 1);

    private final PositionSet positions = new PositionSet();
    /** The number of triples by time; null while they are few. */
    private DueHistogram histogram;
    /** The latest due time, kept as long as the histogram is. */
    private LatestTriple latest;
    private TripleHeap heap = new TripleHeap();
    /** The heap that is being compacted, not empty; null most of the time. */
    private TripleHeap old;
    /** The positions met by a compaction from the head; null during one from the end, and when there is none. */
    private PositionSet met;
    /** Whether the last compaction left many second triples behind. */
    private boolean secondTriples;

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        // Before anything is changed: a position without a triple would never be handed out.
        heap.makeRoom();
        if (!positions.add(ledgerId, entryId)) {
            return false;
        }
        if (latest != null) {
            latest.beforeAdd(heap, positions);
            latest.note(dueMillis, ledgerId, entryId);
        }
        heap.add(dueMillis, ledgerId, entryId);
        count(dueMillis);
        if (old != null) {
            compact(MOVES_PER_ADD);
        }
        return true;
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        int taken = 0;
        int dead = 0;
        while (taken < limit && dead < DEAD_PER_HAND_OUT) {
            TripleHeap least = least();
            if (least.size() == 0 || least.headTime() > untilMillis) {
                break;
            }
            long ledgerId = least.headLedgerId();
            long entryId = least.headEntryId();
            boolean isAlive = positions.remove(ledgerId, entryId);
            dropHead(least);
            if (isAlive) {
                taken++;
                sink.accept(ledgerId, entryId);
            } else {
                dead++;
            }
        }
        if (dead == DEAD_PER_HAND_OUT && met == null && !secondTriples) {
            tidy(MOVES_PER_HAND_OUT);
        }
        dropAllIfEmpty();
        return taken;
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return positions.contains(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        boolean unused = headIsAlive(DEAD_PER_LOOK);
        return positions.isEmpty() || least().size() == 0 ? NEVER : least().headTime();
    }

    /** Drops dead triples from the head, a number at most; false if there may be more. */
    private boolean headIsAlive(int most) {
        for (int i = 0; i < most && dead() > 0; i++) {
            TripleHeap least = least();
            if (least.size() == 0 || positions.contains(least.headLedgerId(), least.headEntryId())) {
                return true;
            }
            dropHead(least);
        }
        return dead() == 0;
    }

    @Override
    public long lastDueMillis() {
        return positions.isEmpty() ? NO_TIME : latest != null ? latest.dueMillis() : latestOfAll().dueMillis();
    }

    private LatestTriple latestOfAll() {
        LatestTriple all = new LatestTriple();
        forEachTriple((time, ledgerId, entryId) -> {
            if (positions.contains(ledgerId, entryId)) {
                all.note(time, ledgerId, entryId);
            }
        });
        return all;
    }

    @Override
    public long size() {
        return positions.size();
    }

    @Override
    public long retainedBytes() {
        return OBJECT_BYTES + heap.retainedBytes() + (old == null ? 0 : old.retainedBytes()) + positions.retainedBytes()
                + (histogram == null ? 0 : histogram.retainedBytes() + latest.retainedBytes())
                + (met == null ? 0 : met.retainedBytes());
    }

    @Override
    public long positionSetBytes() {
        return positions.retainedBytes();
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        boolean known = positions.remove(ledgerId, entryId);
        dropAllIfEmpty();
        return known;
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        long known = positions.removeUpTo(ledgerId, entryId);
        dropAllIfEmpty();
        return known;
    }

    @Override
    public PositionWalk walk() {
        return positions.walk();
    }

    @Override
    public void clear() {
        positions.clear();
        heap.clear();
        old = null;
        histogram = null;
        latest = null;
        met = null;
        secondTriples = false;
    }

    @Override
    public boolean tidy(int budget) {
        if (old == null) {
            if (!manyDead()) {
                boolean latestIsKnown = latest == null || latest.find(heap, positions, budget);
                return !(headIsAlive(Math.min(budget, DEAD_PER_HAND_OUT)) && latestIsKnown);
            }
            if (latest != null) {
                latest.stop();
            }
            met = secondTriples ? new PositionSet() : null;
            secondTriples = false;
            old = heap;
            heap = new TripleHeap();
        }
        compact(budget);
        return old != null || manyDead() || !headIsAlive(DEAD_PER_LOOK) || latest != null && !latest.find(heap, positions, 1);
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        if (histogram != null) {
            histogram.countDueBy(untilMillis, counts);
            return;
        }
        Arrays.fill(counts, 0);
        forEachTriple((time, ledgerId, entryId) -> {
            for (int i = 0; i < untilMillis.length; i++) {
                counts[i] += time <= untilMillis[i] ? 1 : 0;
            }
        });
    }

    /** A heap has one run; dead triples are in it, and second ones of a position. */
    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        List<DueRun> runs = new ArrayList<>();
        runs.add(heap.view().run(fromMillis, untilMillis));
        if (old != null) {
            runs.add(old.view().run(fromMillis, untilMillis));
        }
        return runs;
    }

    @Override
    public void validate() {
        positions.validate();
        heap.validate();
        if (old != null) {
            old.validate();
        }
        if (histogram != null) {
            histogram.validate(triples());
        } else if (triples() >= 2 * COUNTED_TRIPLES) {
            throw new IllegalStateException("heap: " + triples() + " triples have no histogram");
        }
        PositionSet live = new PositionSet();
        forEachTriple((time, ledgerId, entryId) -> {
            if (positions.contains(ledgerId, entryId)) {
                live.add(ledgerId, entryId);
            }
        });
        if (live.size() != positions.size()) {
            throw new IllegalStateException("heap: every contained position has a triple: " + live.size() + " of "
                    + positions.size() + " have");
        }
    }

    private long triples() {
        return heap.size() + (old == null ? 0L : old.size());
    }

    private void forEachTriple(TripleHeap.TripleSink sink) {
        heap.forEach(sink);
        if (old != null) {
            old.forEach(sink);
        }
    }

    private long dead() {
        return triples() - positions.size();
    }

    /** Counts the last triple that was added. */
    private void count(long dueMillis) {
        if (histogram != null) {
            histogram.add(dueMillis, 1);
        } else if (heap.size() >= COUNTED_TRIPLES) {
            DueHistogram counted = new DueHistogram();
            forEachTriple((time, ledgerId, entryId) -> counted.add(time, 1));
            histogram = counted;
            latest = latestOfAll();
        }
    }

    private void discount(long dueMillis) {
        if (histogram != null) {
            histogram.remove(dueMillis, 1);
        }
    }

    private boolean manyDead() {
        return dead() > MIN_DEAD + positions.size() / 3;
    }

    private void dropAllIfEmpty() {
        if (positions.isEmpty() && (dead() > 0 || latest != null)) {
            clear();
        }
    }

    private void dropHead(TripleHeap from) {
        discount(from.headTime());
        from.removeHead();
        if (old != null && old.size() == 0) {
            old = null;
            met = null;
        }
    }

    private TripleHeap least() {
        if (old == null || heap.size() == 0) {
            return old == null ? heap : old;
        }
        int order = Long.compare(heap.headTime(), old.headTime());
        if (order == 0) {
            order = Long.compare(heap.headLedgerId(), old.headLedgerId());
        }
        if (order == 0) {
            order = Long.compare(heap.headEntryId(), old.headEntryId());
        }
        return order <= 0 ? heap : old;
    }

    private void compact(int triples) {
        for (int i = 0; i < triples && old.size() > 0; i++) {
            if (met == null) {
                long time = old.lastTime();
                long ledgerId = old.lastLedgerId();
                long entryId = old.lastEntryId();
                old.removeLast();
                keep(positions.contains(ledgerId, entryId), time, ledgerId, entryId);
            } else {
                long time = old.headTime();
                long ledgerId = old.headLedgerId();
                long entryId = old.headEntryId();
                old.removeHead();
                keep(positions.contains(ledgerId, entryId) && met.add(ledgerId, entryId), time, ledgerId, entryId);
            }
        }
        if (old.size() == 0) {
            old = null;
            secondTriples = met == null && manyDead();
            met = null;
        }
    }

    private void keep(boolean live, long time, long ledgerId, long entryId) {
        if (live) {
            heap.add(time, ledgerId, entryId);
        } else {
            discount(time);
        }
    }
}
