/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.PositionSink;

/**
 * A reusable list of positions between the index, which gives them up under the lock, and the checks against the
 * cursor, which run outside it. Not thread safe.
 */
public final class CandidateBatch implements PositionSink {

    private static final int FEW = 16;

    private long[] ledgerIds;
    private long[] entryIds;
    private int size;

    /** Empty, and for a few at first. */
    public CandidateBatch() {
        this(FEW);
    }

    /** Empty; as many positions as that, at least one, need no more memory. */
    public CandidateBatch(int positions) {
        ledgerIds = new long[positions];
        entryIds = new long[positions];
    }

    @Override
    public void accept(long ledgerId, long entryId) {
        if (size == ledgerIds.length) {
            ledgerIds = java.util.Arrays.copyOf(ledgerIds, size * 2);
            entryIds = java.util.Arrays.copyOf(entryIds, size * 2);
        }
        ledgerIds[size] = ledgerId;
        entryIds[size] = entryId;
        size++;
    }

    /** The number of positions in the batch. */
    public int size() {
        return size;
    }

    /** The ledger id of the i-th position, 0-based. */
    public long ledgerId(int i) {
        return ledgerIds[i];
    }

    /** The entry id of the i-th position, 0-based. */
    public long entryId(int i) {
        return entryIds[i];
    }

    /** Empties the batch. */
    public void clear() {
        size = 0;
    }
}
