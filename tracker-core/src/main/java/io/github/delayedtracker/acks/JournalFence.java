/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Moment;
import io.github.delayedtracker.acks.JournalCursor.Stamp;

/**
 * Decides whether a journal still holds for a cursor that was just loaded. In doubt it does not.
 *
 * <p>The stamp alone is not enough: an acknowledgement that has read it before a reset puts it back after that. So the contents
 * decide too. If the journal still holds, its positions up to the stamp were acknowledged when the cursor's record was written.
 * So the record, cut off by the broker's own rule, is the first part of these and the recovered ones together. After a reset it
 * is not: it has fewer ranges than the limit, or a gap where the journal has a position.
 */
final class JournalFence {

    /** The reason why a journal is not applied. */
    enum Refusal {
        /** The journal is of another topic or cursor. */
        OTHER_CURSOR,
        /** The journal ends before the stamp. */
        SHORTER_THAN_STAMPED,
        /** The limit of the cursor's record has been changed, so that it cannot be told where the record was cut off. */
        OTHER_LIMIT,
        /** The record has all that was acknowledged when it was written, or had when it was loaded before. */
        RECORD_HAS_ALL,
        /** Positions that were acknowledged are not any more: there was a reset. */
        NOT_ACKNOWLEDGED
    }

    /** The positions to be acknowledged, or why there are none. */
    sealed interface Verdict {
    }

    record Holds(AckedPositions missing) implements Verdict {
    }

    record Refused(Refusal reason) implements Verdict {
    }

    private JournalFence() {
    }

    /** Linear in the words of the bitmaps. */
    static Verdict judge(Moment recovered, Stamp stamp, JournalHead head, JournalContents journal) {
        if (!journal.head().equals(head)) {
            return new Refused(Refusal.OTHER_CURSOR);
        }
        if (stamp.isForKeptOnly()) {
            return new Refused(Refusal.RECORD_HAS_ALL);
        }
        if (stamp.sequence() < 1 || stamp.sequence() > journal.entries()) {
            return new Refused(Refusal.SHORTER_THAN_STAMPED);
        }
        long most = recovered.most();
        if (journal.mostAtStamp() != most) {
            return new Refused(Refusal.OTHER_LIMIT);
        }
        AckedPositions acked = recovered.acked();
        AckedPositions stamped = journal.upToStamp().above(recovered.ledgerId(), recovered.entryId())
                .plus(acked);
        AckedPositions all = journal.all().above(recovered.ledgerId(), recovered.entryId());
        if (!isCutOffAtRanges(stamped, acked, most) && !isCutOffAtLedgers(stamped, acked, most)
                && !(isBeyondARecord(recovered) && acked.containsAll(all))) {
            return new Refused(acked.containsAll(stamped) ? Refusal.RECORD_HAS_ALL : Refusal.NOT_ACKNOWLEDGED);
        }
        return new Holds(all.minus(acked));
    }

    /** Whether a record may have left acknowledgements out, for all that its size tells. Linear in the words. */
    static boolean mayBeCutOff(Moment recovered) {
        AckedPositions acked = recovered.acked();
        return isCutOffAtRanges(acked, acked, recovered.most()) || isCutOffAtLedgers(acked, acked, recovered.most())
                || isBeyondARecord(recovered);
    }

    /**
     * Whether these are more than a record holds: the cursor was in memory when its tracker was made, as where consumers of
     * another type have come. Its next record leaves some out, so that a journal of acknowledged positions still counts.
     */
    private static boolean isBeyondARecord(Moment now) {
        return now.asBitmaps() ? now.acked().entries() > now.most() : now.acked().ranges() > now.most() + 1;
    }

    /** Whether these are the first ranges of all, as many as a record has at most. Brokers up to 4.2 write one more. */
    private static boolean isCutOffAtRanges(AckedPositions all, AckedPositions acked, long most) {
        long ranges = acked.ranges();
        return ranges > 0 && (ranges == most || ranges == most + 1) && acked.containsAll(all.firstRanges(ranges));
    }

    /**
     * Whether these are the first ledgers of all, and more than a record of bitmaps has at most: it holds the ledger that goes
     * beyond. Brokers from 5.0 on leave that one out, so their bitmaps do not tell whether they were cut off.
     */
    private static boolean isCutOffAtLedgers(AckedPositions all, AckedPositions acked, long most) {
        AckedPositions first = all.firstLedgers(most);
        return acked.entries() > most && acked.containsAll(first) && first.containsAll(acked);
    }
}
