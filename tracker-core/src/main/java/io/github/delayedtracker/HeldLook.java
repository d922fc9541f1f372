/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;

/**
 * Finds the ledgers that a topic keeps for the schedule of one subscription alone, while a pass lists what is scheduled: closed
 * ledgers, from the first in which something is not acknowledged up to the first in which something is neither acknowledged nor
 * scheduled. If nothing were scheduled mark-delete would have passed them. 40 bytes a ledger; one thread.
 */
final class HeldLook {

    private final AckedPositions acknowledged;
    /** Closed, from the one of mark-delete on, ascending. */
    private final List<Rest> closed = new ArrayList<>();
    private final Map<Long, Rest> byLedger = new HashMap<>();
    /** That of the position before: most are of the same. Null before the first. */
    private Rest last;

    /** A ledger, and how many of its entries are neither acknowledged nor listed so far. */
    private static final class Rest {
        private final TopicLedger ledger;
        private final long unacknowledged;
        private long left;

        private Rest(TopicLedger ledger, long unacknowledged) {
            this.ledger = ledger;
            this.unacknowledged = unacknowledged;
            this.left = unacknowledged;
        }
    }

    private HeldLook(AckedPositions acknowledged) {
        this.acknowledged = acknowledged;
    }

    /**
     * A look at a topic, of which nothing is listed yet. Linear in the ledgers, and in the words of a copy.
     *
     * @param markDelete where it stood after the copy was taken
     * @return empty while the broker knows neither its ledgers nor mark-delete
     */
    static Optional<HeldLook> of(ManagedLedger topic, Position markDelete, AckedPositions acknowledged) {
        if (markDelete == null || topic.getLedgersInfo() == null) {
            return Optional.empty();
        }
        HeldLook look = new HeldLook(acknowledged);
        for (TopicLedger ledger : TopicLedger.closedFrom(topic, markDelete.getLedgerId())) {
            Rest rest = new Rest(ledger, LedgerLook.notAcknowledged(ledger, markDelete, acknowledged));
            look.closed.add(rest);
            look.byLedger.put(ledger.ledgerId(), rest);
        }
        return Optional.of(look);
    }

    /** Whether a closed ledger has something that is not acknowledged, so that what is scheduled is to be listed. */
    boolean isWanted() {
        return closed.stream().anyMatch(rest -> rest.unacknowledged > 0);
    }

    /** Takes in a position that is scheduled, or was when the pass began. */
    void listed(long ledgerId, long entryId) {
        if (last == null || last.ledger.ledgerId() != ledgerId) {
            last = byLedger.get(ledgerId);
        }
        if (last != null && !acknowledged.contains(ledgerId, entryId)) {
            last.left--;
        }
    }

    /** The first ledger, closed or not, that is kept for something else. */
    long firstForElse() {
        long behind = 0;
        for (Rest rest : closed) {
            if (rest.left > 0) {
                return rest.ledger.ledgerId();
            }
            behind = rest.ledger.ledgerId() + 1;
        }
        return behind;
    }

    /** The bytes of the ledgers kept for the schedule alone, of those before a ledger. */
    long bytesBefore(long ledgerId) {
        long end = Math.min(ledgerId, firstForElse());
        long bytes = 0;
        boolean isKept = false;
        for (Rest rest : closed) {
            // One that is acknowledged whole is kept as well where it lies behind another.
            isKept |= rest.unacknowledged > 0;
            bytes += isKept && rest.ledger.ledgerId() < end ? rest.ledger.bytes() : 0;
        }
        return bytes;
    }
}
