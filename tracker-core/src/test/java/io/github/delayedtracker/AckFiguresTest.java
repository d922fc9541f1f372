/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.junit.jupiter.api.Test;

/** What a restart brings back, by the rules of each broker line (A6). */
class AckFiguresTest {

    private static final int ENTRIES = 100_000;

    private final ManagedLedgerConfig limits = new ManagedLedgerConfig();

    /** Ledgers in which all entries are acknowledged, one range each. */
    private static AckedPositions whole(int ledgers, boolean keepsFirstLedger) {
        Map<Long, long[]> bitmaps = new HashMap<>();
        for (long ledgerId = 1; ledgerId <= ledgers; ledgerId++) {
            long[] words = new long[ENTRIES / 64];
            Arrays.fill(words, -1L);
            bitmaps.put(ledgerId, words);
        }
        return new AckedPositions(bitmaps, keepsFirstLedger);
    }

    private static final long IN_ONE = ENTRIES / 64 * 64L;

    @Test
    void rangesWithinTheLimitAreKept() {
        limits.setMaxUnackedRangesToPersist(5);
        assertEquals(new AckFigures(5, 0, 0), AckFigures.of(whole(5, true), limits, true));
    }

    @Test
    void rangesBeyondTheLimitAreLost() {
        limits.setMaxUnackedRangesToPersist(3);
        limits.setMaxUnackedRangesToPersistInMetadataStore(2);
        assertEquals(new AckFigures(5, 2 * IN_ONE, 2 * IN_ONE), AckFigures.of(whole(5, true), limits, true));
    }

    @Test
    void bitmapsAreCutByAcknowledgedEntriesInWholeLedgers() {
        limits.setPersistIndividualAckAsLongArray(true);
        limits.setMaxUnackedRangesToPersist(10_000);
        limits.setMaxUnackedRangesToPersistInMetadataStore(2);
        assertEquals(new AckFigures(5, 4 * IN_ONE, 4 * IN_ONE), AckFigures.of(whole(5, true), limits, true));
    }

    @Test
    void whatIsClosedWithFewRangesGoesToTheMetadataStoreAsRanges() {
        limits.setPersistIndividualAckAsLongArray(true);
        limits.setMaxUnackedRangesToPersist(10_000);
        limits.setMaxUnackedRangesToPersistInMetadataStore(1_000);
        assertEquals(new AckFigures(5, 0, 4 * IN_ONE), AckFigures.of(whole(5, true), limits, true));
    }

    @Test
    void whereNoLedgerFitsTheBitmapsTheBrokerWritesRanges() {
        limits.setPersistIndividualAckAsLongArray(true);
        limits.setMaxUnackedRangesToPersist(10);
        assertEquals(new AckFigures(5, 0, 0), AckFigures.of(whole(5, false), limits, true));
    }

    @Test
    void aCursorThatHasWrittenNothingSinceItsLoadIsAsItWasStored() {
        limits.setPersistIndividualAckAsLongArray(true);
        limits.setMaxUnackedRangesToPersist(3);
        assertEquals(new AckFigures(5, 2 * IN_ONE, 0), AckFigures.of(whole(5, true), limits, false));
    }

    @Test
    void withoutALimitAboveZeroTheLedgerIsNotUsedToClose() {
        limits.setPersistIndividualAckAsLongArray(true);
        limits.setMaxUnackedRangesToPersist(0);
        limits.setMaxUnackedRangesToPersistInMetadataStore(1);
        assertEquals(new AckFigures(5, 5 * IN_ONE, 4 * IN_ONE), AckFigures.of(whole(5, true), limits, true));
    }
}
