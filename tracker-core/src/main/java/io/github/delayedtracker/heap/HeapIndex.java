/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueHistogram;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;

/**
 * The triple heap of the original design, with each position in it at most once.
 *
 * <p>The position set decides what is contained. Forgetting a position takes it out of the set and leaves its triple,
 * which is <em>dead</em> from then on and dropped when it comes up. A position that is forgotten and added again has two
 * triples; the earlier one hands it out, the other is dead then.
 *
 * <p>Implementation note: when a quarter of the triples is dead they are compacted, a few at a time. The heap is set
 * aside and emptied from the end of its array, where removal is O(1) and leaves a heap; live triples move into a fresh
 * one. Until that is done the least triple is the lesser of two heads. Second triples of live positions survive that;
 * where they are many, the next compaction empties the heap from its head instead and keeps the first triple of each
 * position, so that the dead are soon no more than {@link #MIN_DEAD} and a third of the live.
 *
 * <p>Costs: 24 B a triple and at most two chunks more, plus the set and the histogram. Add and hand-out O(log n).
 */
final class HeapIndex implements DelayIndex {

    private static final int MIN_DEAD = 64;
    /** Dead triples dropped from the head when the next due time is asked for. */
    private static final int DEAD_PER_LOOK = 64;
    /** Dead triples dropped in one hand-out, beyond those handed out. */
    private static final int DEAD_PER_HAND_OUT = 1_024;
    /** Triples moved by an add while a compaction is under way: more than one, so that it ends. */
    private static final int MOVES_PER_ADD = 2;
    private static final int OBJECT_BYTES = Footprint.object(5 * Footprint.REFERENCE + 1);

    private final PositionSet positions = new PositionSet();
    private final DueHistogram histogram = new DueHistogram();
    private TripleHeap heap = new TripleHeap();
    /** The heap that is being compacted, empty most of the time. */
    private TripleHeap old = new TripleHeap();
    /** The positions met by a compaction from the head; null during one from the end, and when there is none. */
    private PositionSet met;
    /** Whether the last compaction left many second triples behind. */
    private boolean secondTriples;

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        if (!positions.add(ledgerId, entryId)) {
            return false;
        }
        heap.add(dueMillis, ledgerId, entryId);
        histogram.add(dueMillis, 1);
        if (old.size() > 0) {
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
            dropHead(least);
            if (positions.remove(ledgerId, entryId)) {
                taken++;
                sink.accept(ledgerId, entryId);
            } else {
                dead++;
            }
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
        TripleHeap least = least();
        for (int i = 0; i < DEAD_PER_LOOK && dead() > 0 && least.size() > 0; i++) {
            if (positions.contains(least.headLedgerId(), least.headEntryId())) {
                break;
            }
            dropHead(least);
            least = least();
        }
        return positions.isEmpty() ? NEVER : least.headTime();
    }

    @Override
    public long size() {
        return positions.size();
    }

    @Override
    public long retainedBytes() {
        return OBJECT_BYTES + heap.retainedBytes() + old.retainedBytes() + positions.retainedBytes()
                + histogram.retainedBytes() + (met == null ? 0 : met.retainedBytes());
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
        old.clear();
        histogram.clear();
        met = null;
        secondTriples = false;
    }

    @Override
    public boolean tidy(int budget) {
        if (old.size() == 0) {
            if (!manyDead()) {
                return false;
            }
            met = secondTriples ? new PositionSet() : null;
            secondTriples = false;
            TripleHeap empty = old;
            old = heap;
            heap = empty;
        }
        compact(budget);
        return old.size() > 0 || manyDead();
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        histogram.countDueBy(untilMillis, counts);
    }

    @Override
    public void validate() {
        positions.validate();
        heap.validate();
        old.validate();
        histogram.validate(heap.size() + (long) old.size());
        PositionSet live = new PositionSet();
        TripleHeap.TripleSink collect = (time, ledgerId, entryId) -> {
            if (positions.contains(ledgerId, entryId)) {
                live.add(ledgerId, entryId);
            }
        };
        heap.forEach(collect);
        old.forEach(collect);
        if (live.size() != positions.size()) {
            throw new IllegalStateException("heap: every contained position has a triple: " + live.size() + " of "
                    + positions.size() + " have");
        }
    }

    private long dead() {
        return heap.size() + (long) old.size() - positions.size();
    }

    private boolean manyDead() {
        return dead() > MIN_DEAD + positions.size() / 3;
    }

    private void dropAllIfEmpty() {
        if (positions.isEmpty() && dead() > 0) {
            clear();
        }
    }

    private void dropHead(TripleHeap from) {
        histogram.remove(from.headTime(), 1);
        from.removeHead();
        if (old.size() == 0) {
            met = null;
        }
    }

    private TripleHeap least() {
        if (old.size() == 0 || heap.size() == 0) {
            return old.size() == 0 ? heap : old;
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
            secondTriples = met == null && manyDead();
            met = null;
        }
    }

    private void keep(boolean live, long time, long ledgerId, long entryId) {
        if (live) {
            heap.add(time, ledgerId, entryId);
        } else {
            histogram.remove(time, 1);
        }
    }
}
