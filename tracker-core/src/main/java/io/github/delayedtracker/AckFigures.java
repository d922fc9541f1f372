/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.OptionalLong;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;

/**
 * How many acknowledgements above mark-delete the broker would not find again, by the rule its cursor writes them down with.
 *
 * <p>A cursor ledger holds bitmaps where {@code managedLedgerPersistIndividualAckAsLongArray} is on (the default from 4.1 on):
 * whole ledgers of the topic, until they have {@code managedLedgerMaxUnackedRangesToPersist} entries together; else as many
 * ranges. What is closed with few ranges, or before anything was acknowledged since its load, goes to the metadata store, as
 * ranges again. Brokers up to 4.2 write one range more than the limit; it is counted as lost all the same.
 *
 * @param holes ranges of acknowledged entries above mark-delete
 * @param lostWhenPlanned entries that come again after an unload or a planned restart
 * @param lostAfterCrash entries that come again after a kill, once the broker has written its cursors
 */
record AckFigures(long holes, long lostWhenPlanned, long lostAfterCrash) {

    static final AckFigures NONE = new AckFigures(0, 0, 0);

    /** Whether a restart of either kind would bring something back. */
    boolean isAnyLost() {
        return lostWhenPlanned > 0 || lostAfterCrash > 0;
    }

    /** The same where a journal counts that lacks as many entries: an unload appends them. */
    AckFigures with(OptionalLong missingInJournal) {
        return missingInJournal.isEmpty() ? this
                : new AckFigures(holes, 0, Math.min(lostAfterCrash, missingInJournal.getAsLong()));
    }

    /**
     * Linear in the bitmaps.
     *
     * @param limits the cursor's
     * @param writesToLedger whether the cursor has a ledger of its own that it writes to
     */
    static AckFigures of(AckedPositions acked, ManagedLedgerConfig limits, boolean writesToLedger) {
        if (acked.isEmpty()) {
            return NONE;
        }
        long holes = acked.ranges();
        long most = limits.getMaxUnackedRangesToPersist();
        long asRanges = acked.entriesBehindRanges(most);
        if (!writesToLedger) {
            return new AckFigures(holes, asRanges, 0);
        }
        long asBitmaps = acked.entriesBehindLedgers(most);
        boolean bitmaps = limits.isPersistIndividualAckAsLongArray() && asBitmaps < acked.entries();
        long inLedger = bitmaps ? asBitmaps : asRanges;
        boolean closesToLedger = most > 0 && holes > limits.getMaxUnackedRangesToPersistInMetadataStore();
        return new AckFigures(holes, closesToLedger ? inLedger : asRanges, inLedger);
    }
}
