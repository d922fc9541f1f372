/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The cursor whose acknowledgements a journal keeps. The journal's <em>stamp</em> on it are two numbers that belong to its
 * mark-delete position: every reset, skip, clear and cumulative acknowledgement takes them away, and the cursor's own record
 * keeps them. Never moves mark-delete. Safe from any thread.
 */
public interface JournalCursor {

    /**
     * The cursor at one moment.
     *
     * @param ledgerId mark-delete, with the entry id
     * @param acked the acknowledgements behind mark-delete
     * @param stamp the journal that the cursor names and how much of it counts; empty if it names none
     * @param most the limit of the cursor's record, as configured now: ranges, or entries of bitmaps
     * @param asBitmaps whether a record may hold bitmaps, now or once a policy is changed
     */
    record Moment(long ledgerId, long entryId, AckedPositions acked, Optional<Stamp> stamp, long most, boolean asBitmaps) {

        /** How much of the limit the acknowledgements take. */
        long size() {
            return asBitmaps ? acked.entries() : acked.ranges();
        }

        /** Whether the acknowledgements take one of that many parts of the limit. */
        boolean fills(int part) {
            return most > 0 && size() >= Math.max(1, most / part);
        }

        /** Whether a record of ranges keeps all, which one of bitmaps would not. */
        public boolean fitsAsRangesOnly() {
            return acked.ranges() <= most && acked.entries() > most;
        }

        /** How many more may follow before the cursor needs a journal; 0 or less: it does now. */
        public long roomBeforeJournal() {
            return most > 0 ? Math.max(1, most / AckJournal.BEGIN_PART) - size() : Long.MAX_VALUE;
        }

        /** Whether all of these positions are acknowledged, alone or by mark-delete. */
        boolean hasAll(AckedPositions positions) {
            return acked.containsAll(positions.above(ledgerId, entryId));
        }
    }

    /**
     * A journal as the cursor names it.
     *
     * @param epoch the id of the journal's ledger, which no other ledger ever has
     * @param sequence the number of the last entry that counts: all up to that one were durable before it was stamped; 0 if none
     *     counts, and the journal only tells which positions are to be kept
     */
    record Stamp(long epoch, long sequence) {

        /** The same journal, of which nothing is to be acknowledged. */
        Stamp forKeptOnly() {
            return new Stamp(epoch, 0);
        }

        boolean isForKeptOnly() {
            return sequence == 0;
        }
    }

    /** The calls allowed while no seek can reach the cursor. Valid within the call that passes it only. */
    interface Excluded {

        /** The cursor now. Linear in the words of its bitmaps. */
        Moment moment();

        /**
         * Puts another stamp, or takes it away, and has the cursor write its record.
         *
         * @param whenWritten run, perhaps never, once the record is written
         */
        void stamp(Optional<Stamp> stamp, Runnable whenWritten);

        /** Begins to acknowledge positions. */
        CompletableFuture<Void> acknowledge(AckedPositions positions);
    }

    /**
     * Does something while no seek of a client or of an administrator can reach the cursor.
     *
     * @return empty, and nothing was done, while that cannot be had (no consumer is connected) or the cursor cannot tell its
     *     acknowledgements at once
     */
    <T> Optional<T> excluded(Function<Excluded, T> work);

    /** The cursor now, whoever may reset it; empty where it cannot tell. Linear in the words of its bitmaps. */
    Optional<Moment> moment();
}
