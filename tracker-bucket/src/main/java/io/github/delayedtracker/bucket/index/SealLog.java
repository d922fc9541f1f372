/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A log of every position that was added to a tail, with its due time, in the order of the adds: an index cannot be asked for
 * them when it is sealed. A position that was handed out and added again stands in the log once for each add; the last counts.
 *
 * <p>Positions that have left the tail are dropped from the log, some thousands at a time, once they are more than half of it, so
 * that the log follows the tail down. Adds and tidying pay for the work. Not thread safe until nothing is added any more.
 */
final class SealLog {

    /** The number of positions beyond twice the tail's that are let be. */
    private static final int SLACK = 256;
    /** The share of an add in sweeping, in positions looked at. */
    private static final int SWEPT_AN_ADD = 4;
    /** The positions of two chunks, which are looked at together so that they can become one. */
    private static final int SWEPT_AT_ONCE = 2 * LogChunk.CAPACITY;
    private static final int OBJECT_BYTES = Footprint.object(Footprint.REFERENCE + Long.BYTES + 5 * Integer.BYTES + 1);
    private static final int LIST_BYTES = Footprint.object(Footprint.REFERENCE + 2 * Integer.BYTES);

    private List<LogChunk> chunks = List.of();
    private long contentBytes;
    private int count;
    /** The chunk that is looked at next, with the one behind it. */
    private int next;
    private int allowance;
    private boolean dropped;
    // The sizes of log and tail when a sweep from end to end had last found nothing to drop.
    private int sweptCount;
    private int sweptSize;

    /** The number of positions in the log. */
    int count() {
        return count;
    }

    /** Adds the position that was just added to the tail. O(1), now and then a bounded sweep. */
    void append(DelayIndex tail, long dueMillis, long ledgerId, long entryId) {
        LogChunk last = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
        if (last == null || last.isFull()) {
            last = new LogChunk();
            chunks = chunks.isEmpty() ? new ArrayList<>(1) : chunks;
            chunks.add(last);
            contentBytes += last.retainedBytes();
        }
        long before = last.retainedBytes();
        if (last.append(dueMillis, ledgerId, entryId)) {
            contentBytes += last.retainedBytes() - before;
        }
        count++;
        sweep(tail, SWEPT_AN_ADD);
    }

    /** All positions, in the order of the adds. Linear. */
    SegmentColumns columns() {
        SegmentColumns.Filler filler = new SegmentColumns.Filler(count);
        chunks.forEach(chunk -> chunk.forEach(filler));
        return filler.columns();
    }

    /**
     * Pays for some sweeping, and does it once enough is paid and there is enough to drop.
     *
     * @param budget in positions looked at
     * @return whether there is more to drop
     */
    boolean sweep(DelayIndex tail, int budget) {
        if (!isTooLong(tail.size())) {
            return false;
        }
        allowance = Math.min(allowance + Math.min(budget, SWEPT_AT_ONCE), SWEPT_AT_ONCE);
        if (allowance >= Math.min(SWEPT_AT_ONCE, count)) {
            allowance = 0;
            sweepNext(tail);
        }
        return isTooLong(tail.size());
    }

    private boolean isTooLong(long size) {
        return count > 2 * size + SLACK && (count != sweptCount || size < sweptSize);
    }

    private void sweepNext(DelayIndex tail) {
        int end = Math.min(next + 2, chunks.size());
        List<LogChunk> kept = living(tail, chunks.subList(next, end));
        int before = count;
        for (LogChunk chunk : chunks.subList(next, end)) {
            contentBytes -= chunk.retainedBytes();
            count -= chunk.count();
        }
        chunks.subList(next, end).clear();
        chunks.addAll(next, kept);
        for (LogChunk chunk : kept) {
            contentBytes += chunk.retainedBytes();
            count += chunk.count();
        }
        dropped |= count < before;
        next += Math.max(0, kept.size() - 1);
        if (next >= chunks.size() - 1) {
            next = 0;
            sweptCount = dropped ? -1 : count;
            sweptSize = dropped ? 0 : (int) tail.size();
            dropped = false;
        }
    }

    /** The positions of two chunks that are still in the tail, each once, with its last time. */
    private static List<LogChunk> living(DelayIndex tail, List<LogChunk> from) {
        int most = 0;
        for (LogChunk chunk : from) {
            most += chunk.count();
        }
        SegmentColumns.Filler filler = new SegmentColumns.Filler(most);
        from.forEach(chunk -> chunk.forEach(filler));
        SegmentColumns columns = filler.columns();
        PositionSet seen = new PositionSet();
        BitSet living = new BitSet(most);
        for (int at = most - 1; at >= 0; at--) {
            long ledgerId = columns.ledgerId(at);
            long entryId = columns.entryId(at);
            if (tail.contains(ledgerId, entryId) && seen.add(ledgerId, entryId)) {
                living.set(at);
            }
        }
        List<LogChunk> kept = new ArrayList<>(from.size());
        LogChunk last = null;
        for (int at = living.nextSetBit(0); at >= 0; at = living.nextSetBit(at + 1)) {
            if (last == null || last.isFull()) {
                last = new LogChunk();
                kept.add(last);
            }
            last.append(columns.dueMillis(at), columns.ledgerId(at), columns.entryId(at));
        }
        return kept;
    }

    /** Bytes of heap kept alive. O(1). */
    long retainedBytes() {
        return OBJECT_BYTES + contentBytes
                + (chunks.isEmpty() ? 0 : LIST_BYTES + Footprint.array(chunks.size(), Footprint.REFERENCE));
    }

    /** Some consecutive positions of a {@link SealLog}: 16 bytes each, and 12 for each run of positions of one ledger. */
    static final class LogChunk {

        /** The positions in a full chunk. */
        static final int CAPACITY = 1 << 11;

        private static final int FIRST_CAPACITY = 16;
        private static final int FIRST_RUNS = 1;
        private static final int OBJECT_BYTES = Footprint.object(4 * Footprint.REFERENCE + 2 * Integer.BYTES);

        private long[] dueMillis = new long[FIRST_CAPACITY];
        private long[] entryIds = new long[FIRST_CAPACITY];
        private long[] runLedgerIds = new long[FIRST_RUNS];
        private int[] runStarts = new int[FIRST_RUNS];
        private int count;
        private int runs;

        int count() {
            return count;
        }

        boolean isFull() {
            return count == CAPACITY;
        }

        /** Adds a position; returns whether the chunk has become larger by that. */
        boolean append(long due, long ledgerId, long entryId) {
            boolean grows = count == dueMillis.length;
            if (grows) {
                dueMillis = Arrays.copyOf(dueMillis, 2 * count);
                entryIds = Arrays.copyOf(entryIds, 2 * count);
            }
            if (runs == 0 || runLedgerIds[runs - 1] != ledgerId) {
                grows |= appendRun(ledgerId);
            }
            dueMillis[count] = due;
            entryIds[count] = entryId;
            count++;
            return grows;
        }

        private boolean appendRun(long ledgerId) {
            boolean grows = runs == runStarts.length;
            if (grows) {
                runLedgerIds = Arrays.copyOf(runLedgerIds, 2 * runs);
                runStarts = Arrays.copyOf(runStarts, 2 * runs);
            }
            runLedgerIds[runs] = ledgerId;
            runStarts[runs] = count;
            runs++;
            return grows;
        }

        /** Passes on all positions in the order they were added in. */
        void forEach(SealedSegment.DueSink sink) {
            for (int run = 0; run < runs; run++) {
                int end = run + 1 < runs ? runStarts[run + 1] : count;
                for (int at = runStarts[run]; at < end; at++) {
                    sink.accept(dueMillis[at], runLedgerIds[run], entryIds[at]);
                }
            }
        }

        long retainedBytes() {
            return OBJECT_BYTES + 2L * Footprint.array(dueMillis.length, Long.BYTES)
                    + Footprint.array(runLedgerIds.length, Long.BYTES) + Footprint.array(runStarts.length, Integer.BYTES);
        }
    }
}
