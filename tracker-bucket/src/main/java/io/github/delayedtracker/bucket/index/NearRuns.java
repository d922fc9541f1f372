/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.index.PositionWalk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * An index of positions that are due soon and came sorted: loaded segments, and positions that settled or were brought together.
 * Each batch is a run; hand-out merges the runs. An exact set says which positions are here, so a removal does not touch a run. A
 * surplus row is skipped when it is reached, or dropped by tidying once a third of the rows are surplus.
 *
 * <p>A position costs 9 bytes and its share of the set; 24 while a segment is loaded. Adding a batch costs an add to the set for
 * each position. A position added alone is a run of its own, so that is for few. Not thread safe.
 */
final class NearRuns implements DelayIndex {

    /** The most rows visited beyond the rows handed out. */
    private static final int SKIPS_A_HAND_OUT = 1_024;
    private static final int SLACK = 256;
    private static final int OBJECT_BYTES = Footprint.object(3 * Footprint.REFERENCE + 2 * Long.BYTES + 4 * Integer.BYTES);
    private static final int LISTS_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Integer.BYTES)
            + Footprint.object(2 * Footprint.REFERENCE + 2 * Integer.BYTES);
    private static final int FIRST_QUEUE = 11;

    private final PositionSet positions = new PositionSet();
    /** The runs that have a head, the earliest first. */
    private final PriorityQueue<NearRun> queue = new PriorityQueue<>(FIRST_QUEUE);
    /** The runs queued and the runs being loaded. */
    private final List<NearRun> runs = new ArrayList<>();
    private long runBytes;
    private long rows;
    private int openRuns;
    private int nextToTidy;
    private int allowance;
    /** The number of runs tidied since something was dropped or forgotten. */
    private int tidiedInVain;

    /** Opens a run that is filled row by row, from a segment or, if that is null, from elsewhere. */
    NearRun open(SegmentColumns columns, SegmentRef source) {
        NearRun run = new NearRun(columns, source);
        runs.add(run);
        openRuns++;
        runBytes += run.retainedBytes();
        return run;
    }

    /** Takes a row of an open run. Rows are taken in order, and {@link #filled} is called after some. */
    void take(NearRun run, int row) {
        if (positions.add(run.rows().ledgerId(row), run.rows().entryId(row))) {
            run.mark(row);
            rows++;
        }
    }

    /** Notes that some rows were taken: the run can be read. */
    void filled(NearRun run) {
        queue(run);
    }

    /** Completes a run, which takes no more rows. Linear in the run. */
    void complete(NearRun run) {
        openRuns--;
        unqueue(run);
        runBytes -= run.retainedBytes();
        run.complete();
        runBytes += run.retainedBytes();
        queue(run);
    }

    /** Whether nothing is here and nothing is being taken. */
    boolean isIdle() {
        return positions.isEmpty() && openRuns == 0;
    }

    /** Adds positions that are in (time, ledger, entry) order. */
    void addRun(SegmentColumns columns) {
        NearRun run = open(columns, null);
        for (int row = 0; row < columns.count(); row++) {
            take(run, row);
        }
        complete(run);
    }

    /** The complete run with the latest head among runs from segments that pass a test, or null. Linear in the runs. */
    NearRun latest(Predicate<SegmentRef> test) {
        NearRun latest = null;
        for (NearRun run : runs) {
            if (run.source() != null && run.isComplete() && run.hasHead()
                    && (latest == null || run.headDueMillis() > latest.headDueMillis()) && test.test(run.source())) {
                latest = run;
            }
        }
        return latest;
    }

    /** Drops a complete run; its positions that are still here go to the sink. Linear in the run. */
    void giveUp(NearRun run, PositionSink sink) {
        unqueue(run);
        NearRows from = run.rows();
        for (int row = run.head(); row < run.end(); row++) {
            rows--;
            if (positions.remove(from.ledgerId(row), from.entryId(row))) {
                sink.accept(from.ledgerId(row), from.entryId(row));
            }
        }
        runs.remove(run);
        runBytes -= run.retainedBytes();
        tidiedInVain = 0;
    }

    private void unqueue(NearRun run) {
        if (run.isQueued()) {
            queue.remove(run);
            run.setQueued(false);
        }
    }

    private void queue(NearRun run) {
        if (run.hasHead()) {
            if (!run.isQueued()) {
                run.setQueued(true);
                queue.add(run);
            }
        } else if (run.isComplete() && runs.remove(run)) {
            runBytes -= run.retainedBytes();
        }
    }

    @Override
    public boolean add(long dueMillis, long ledgerId, long entryId) {
        if (positions.contains(ledgerId, entryId)) {
            return false;
        }
        addRun(new SegmentColumns(1, new long[] {dueMillis}, new long[] {ledgerId}, new long[] {entryId}));
        return true;
    }

    @Override
    public int takeDue(long untilMillis, int limit, PositionSink sink) {
        int taken = 0;
        int skipped = 0;
        while (taken < limit && skipped < SKIPS_A_HAND_OUT && !queue.isEmpty()
                && queue.peek().headDueMillis() <= untilMillis) {
            NearRun run = queue.poll();
            run.setQueued(false);
            NearRun other = queue.peek();
            do {
                long ledgerId = run.headLedgerId();
                long entryId = run.headEntryId();
                run.dropHead();
                rows--;
                if (positions.remove(ledgerId, entryId)) {
                    sink.accept(ledgerId, entryId);
                    taken++;
                } else {
                    skipped++;
                }
            } while (taken < limit && skipped < SKIPS_A_HAND_OUT && run.hasHead() && run.headDueMillis() <= untilMillis
                    && (other == null || run.compareTo(other) < 0));
            queue(run);
        }
        return taken;
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return positions.contains(ledgerId, entryId);
    }

    @Override
    public long nextDueMillis() {
        return positions.isEmpty() || queue.isEmpty() ? NEVER : queue.peek().headDueMillis();
    }

    @Override
    public long lastDueMillis() {
        NearRun last = endsLast();
        return positions.isEmpty() || last == null ? NO_TIME : last.lastDueMillis();
    }

    @Override
    public long size() {
        return positions.size();
    }

    @Override
    public long retainedBytes() {
        return OBJECT_BYTES + LISTS_BYTES + Footprint.array(runs.size(), Footprint.REFERENCE)
                + Footprint.array(Math.max(FIRST_QUEUE, queue.size()), Footprint.REFERENCE) + positions.retainedBytes()
                + runBytes;
    }

    @Override
    public long positionSetBytes() {
        return positions.retainedBytes();
    }

    @Override
    public boolean forget(long ledgerId, long entryId) {
        tidiedInVain = 0;
        return positions.remove(ledgerId, entryId);
    }

    @Override
    public long forgetUpTo(long ledgerId, long entryId) {
        tidiedInVain = 0;
        return positions.removeUpTo(ledgerId, entryId);
    }

    @Override
    public PositionWalk walk() {
        return positions.walk();
    }

    @Override
    public void clear() {
        positions.clear();
        queue.clear();
        runs.clear();
        openRuns = 0;
        runBytes = 0;
        rows = 0;
    }

    /** Visits a whole run once enough is allowed for that; else drops heads and ends that have left. */
    @Override
    public boolean tidy(int budget) {
        if (!isTooLong()) {
            boolean isHere = headIsHere(budget);
            return !(endIsHere(budget) && isHere);
        }
        nextToTidy = nextToTidy < runs.size() ? nextToTidy : 0;
        NearRun run = runs.get(nextToTidy);
        allowance = Math.min(allowance, run.rows().count()) + Math.min(budget, run.rows().count());
        if (allowance >= run.rows().count()) {
            allowance = 0;
            nextToTidy++;
            tidiedInVain++;
            if (run.isComplete()) {
                tidy(run);
            }
        }
        return isTooLong() || !headIsHere(budget) || !endIsHere(budget);
    }

    private boolean headIsHere(int budget) {
        for (int dropped = 0; dropped < budget; dropped++) {
            NearRun first = queue.peek();
            if (first == null || positions.contains(first.headLedgerId(), first.headEntryId())) {
                return true;
            }
            first = queue.poll();
            first.setQueued(false);
            first.dropHead();
            rows--;
            queue(first);
        }
        return false;
    }

    /** Drops rows that have left from the runs that end last, a number at most; true if the last one is here. */
    private boolean endIsHere(int budget) {
        int left = budget;
        while (left > 0) {
            NearRun last = endsLast();
            if (last == null || !last.isComplete() || endsHere(last)) {
                return true;
            }
            for (; left > 0 && last.hasHead() && !endsHere(last); left--) {
                if (last.head() == last.end() - 1) {
                    unqueue(last);
                }
                last.dropLast();
                rows--;
            }
            queue(last);
        }
        return false;
    }

    private boolean endsHere(NearRun run) {
        return positions.contains(run.rows().ledgerId(run.end() - 1), run.rows().entryId(run.end() - 1));
    }

    /** The run with the latest last row, or null. */
    private NearRun endsLast() {
        NearRun last = null;
        for (NearRun run : runs) {
            if (run.head() < run.end() && (last == null || run.lastDueMillis() > last.lastDueMillis())) {
                last = run;
            }
        }
        return last;
    }

    private boolean isTooLong() {
        return rows > positions.size() + positions.size() / 2 + SLACK && tidiedInVain <= runs.size();
    }

    private void tidy(NearRun run) {
        NearRows from = run.rows();
        BitSet kept = new BitSet(from.count());
        for (int row = run.head(); row < run.end(); row++) {
            if (positions.contains(from.ledgerId(row), from.entryId(row))) {
                kept.set(row);
            } else {
                rows--;
                tidiedInVain = 0;
            }
        }
        unqueue(run);
        runBytes -= run.retainedBytes();
        run.keep(kept);
        runBytes += run.retainedBytes();
        queue(run);
    }

    @Override
    public void countDueBy(long[] untilMillis, long[] counts) {
        Arrays.fill(counts, 0);
        for (NearRun run : runs) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += run.rowsBy(untilMillis[i]);
            }
        }
        for (int i = 0; i < counts.length; i++) {
            counts[i] = Math.min(counts[i], positions.size());
        }
    }

    @Override
    public List<DueRun> runs(long fromMillis, long untilMillis) {
        return runs.stream().map(run -> run.look(fromMillis, untilMillis)).toList();
    }

    @Override
    public void validate() {
        positions.validate();
        PositionSet reached = new PositionSet();
        long bytes = 0;
        long marked = 0;
        for (NearRun run : runs) {
            bytes += run.retainedBytes();
            check(run.isQueued() == run.hasHead(), "a run is queued if it has a head", run.rows().count());
            for (int row = 0; row < run.rows().count(); row++) {
                if (run.counts(row)) {
                    marked++;
                    reached.add(run.rows().ledgerId(row), run.rows().entryId(row));
                }
            }
        }
        check(bytes == runBytes, "bytes of runs: " + runBytes, bytes);
        check(marked == rows, "rows of runs: " + rows, marked);
        positions.forEach((l, e) -> check(reached.contains(l, e), "every position is in a run, but not of ledger " + l, e));
    }

    private static void check(boolean holds, String rule, long found) {
        if (!holds) {
            throw new IllegalStateException("near: " + rule + ", found " + found);
        }
    }
}
