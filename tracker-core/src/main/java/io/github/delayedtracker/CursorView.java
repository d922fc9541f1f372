/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.NavigableMap;
import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;

/**
 * A view of the cursor and its ledger: where reading and mark-delete stand, and which positions are gone.
 *
 * <p>Reads the cursor's published fields; no call blocks or does I/O. Safe from any thread.
 */
final class CursorView {

    private final ManagedCursor cursor;
    private final AckSource acks;
    private volatile Position lastMarkDelete;

    CursorView(ManagedCursor cursor, AckSource acks) {
        this.cursor = cursor;
        this.acks = acks;
    }

    /** The first position the normal read has not reached, or empty-handed null while the cursor does not know it. */
    Position readPosition() {
        return cursor.getReadPosition();
    }

    /** The mark-delete position, or null while it is unknown. */
    Position markDelete() {
        return cursor.getMarkDeletedPosition();
    }

    /** The mark-delete position if it differs from the one this method answered before, else null. One compare. */
    Position newMarkDelete() {
        Position current = cursor.getMarkDeletedPosition();
        if (current == null || current == lastMarkDelete) {
            return null;
        }
        lastMarkDelete = current;
        return current;
    }

    /**
     * Whether the position can no longer be read: acknowledged, or its ledger deleted. An empty ledger list means that
     * the list is not known, not that every ledger is gone.
     */
    boolean isGone(Position position) {
        if (isAcknowledged(position)) {
            return true;
        }
        NavigableMap<Long, ?> ledgers = cursor.getManagedLedger().getLedgersInfo();
        return !ledgers.isEmpty() && !ledgers.containsKey(position.getLedgerId());
    }

    /** Whether the position is acknowledged, alone or by mark-delete. */
    boolean isAcknowledged(Position position) {
        return cursor.isMessageDeleted(position);
    }

    /** How many entries of the topic are not acknowledged, by the broker's two counters. */
    long backlog() {
        return cursor.getNumberOfEntriesInBacklog(false);
    }

    /**
     * How many entries from the read position on are not acknowledged. O(1) while all is read, else O(ledgers from there on),
     * and O(ranges) where the broker keeps acknowledgements as single ranges.
     */
    long unread() {
        Position read = cursor.getReadPosition();
        Position last = cursor.getManagedLedger().getLastConfirmedEntry();
        if (read == null || last == null || read.compareTo(last) > 0) {
            return 0;
        }
        return cursor.getNumberOfEntries();
    }

    /** A number that differs from the one before once anything was acknowledged in between; see {@link AckSource#consumed}. */
    long consumed() {
        return acks.consumed(cursor);
    }

    /** The acknowledgements above mark-delete; empty where the cursor has to be asked about each position. */
    Optional<AckedPositions> acknowledged() {
        return acks.copy(cursor);
    }

    /** Whether the cursor writes acknowledgements to a ledger of its own by now; see {@link AckSource#writesToLedger}. */
    boolean writesToLedger() {
        return acks.writesToLedger(cursor);
    }

    /** The acknowledgements that a restart would bring back, by the cursor's limits. */
    AckFigures figures(AckedPositions acknowledged, boolean writesToLedger) {
        return AckFigures.of(acknowledged, cursor.getManagedLedger().getConfig(), writesToLedger);
    }
}
