/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.index.Footprint;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.util.Arrays;

/** Some consecutive positions of a {@link SealLog}: 16 bytes each, and 12 for each run of positions of one ledger. */
final class LogChunk {

    /** Positions in a full chunk. */
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
