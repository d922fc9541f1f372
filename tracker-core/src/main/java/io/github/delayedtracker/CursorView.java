/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.common.collect.Iterables;
import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.index.PositionTimes;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A view of the cursor and its ledger: where reading and mark-delete stand, and which positions are gone.
 *
 * <p>Reads the cursor's published fields; no call blocks or does I/O, {@link #writeRecord} has the cursor begin some. Safe
 * from any thread.
 */
final class CursorView {

    private static final Logger LOG = LoggerFactory.getLogger(CursorView.class);

    private final ManagedCursor cursor;
    private final TrackerServices services;
    private volatile Position lastMarkDelete;

    CursorView(ManagedCursor cursor, TrackerServices services) {
        this.cursor = cursor;
        this.services = services;
    }

    /** The services of the broker. */
    TrackerServices services() {
        return services;
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

    /** The ledger that was written last; -1 while it is not known. */
    long lastLedgerId() {
        Position last = cursor.getManagedLedger().getLastConfirmedEntry();
        return last == null ? -1 : last.getLedgerId();
    }

    /** Whether the ledger before the one that was written last is closed. */
    boolean hasClosedLedger() {
        return TopicLedger.isClosedBefore(cursor.getManagedLedger(), lastLedgerId());
    }

    /** A look at what the topic keeps for the schedule alone, by a copy of what is acknowledged that was just taken. */
    Optional<HeldLook> lookAtHeld(AckedPositions acknowledged) {
        return HeldLook.of(cursor.getManagedLedger(), cursor.getMarkDeletedPosition(), acknowledged);
    }

    /** Keeps what a look has found. */
    void isHeld(HeldLook look) {
        services.purges().held().put(cursor, look);
    }

    /** The bytes that the look kept last has found. */
    long heldBytes() {
        return services.purges().held().bytes(cursor);
    }

    /** Forgets what looks have found. */
    void isNotHeld() {
        services.purges().held().remove(cursor);
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
        return services.acks().consumed(cursor);
    }

    /** How many records the cursor has written; see {@link AckSource#records}. */
    long records() {
        return services.acks().records(cursor);
    }

    /** The acknowledgements above mark-delete; empty where the cursor has to be asked about each position. */
    Optional<AckedPositions> acknowledged() {
        return services.acks().copy(cursor);
    }

    /** The same, of many more entries: the cursor's lock is held up to some milliseconds for it. */
    Optional<AckedPositions> acknowledgedForJournal() {
        return services.acks().copyOfMany(cursor);
    }

    /** Whether positions are acknowledged, by a copy taken now where the broker gives one: for millions of them. */
    PositionTimes.Test acknowledgedByNow() {
        Optional<AckedPositions> copy = acknowledgedForJournal();
        // After the copy, which has nothing that this one has passed by then.
        Position markDelete = markDelete();
        if (markDelete == null || copy.isEmpty()) {
            return (ledgerId, entryId) -> isAcknowledged(PositionFactory.create(ledgerId, entryId));
        }
        AckedPositions behind = copy.get();
        long ofLedger = markDelete.getLedgerId();
        long upTo = markDelete.getEntryId();
        return (ledgerId, entryId) -> ledgerId < ofLedger || ledgerId == ofLedger && entryId <= upTo
                || behind.contains(ledgerId, entryId);
    }

    /** Whether the cursor writes acknowledgements to a ledger of its own by now; see {@link AckSource#writesToLedger}. */
    boolean writesToLedger() {
        return services.acks().writesToLedger(cursor);
    }

    /** Lowers the limits of the topic that would let a cursor's record grow too large. */
    void limitRecord() {
        services.limits().lower(cursor.getManagedLedger().getConfig());
    }

    /**
     * Has the cursor write its acknowledgements in the form that keeps more of them, from its next record on. Beside a journal
     * the broker's own form will do, and ranges where bitmaps do not tell where they were cut off: the more a record keeps, the
     * more of it stays after a seek that a crash follows.
     */
    void chooseForm(AckedPositions acknowledged) {
        ManagedLedger ledger = cursor.getManagedLedger();
        boolean journaled = Iterables.any(ledger.getCursors(), each -> BrokerJournalCursor.stampOf(each).isPresent());
        if (journaled && !acknowledged.keepsFirstLedger()) {
            ledger.getConfig().setPersistIndividualAckAsLongArray(false);
        } else {
            boolean alone = Iterables.size(ledger.getCursors()) == 1;
            services.limits().chooseForm(ledger.getConfig(), acknowledged, alone && !journaled);
        }
    }

    /** Whether the cursor's next record is to hold bitmaps. */
    boolean writesBitmaps() {
        return cursor.getManagedLedger().getConfig().isPersistIndividualAckAsLongArray();
    }

    /**
     * Begins to write the cursor's record, by a mark-delete of the position that is mark-deleted already; before the cursor has
     * its ledger by an acknowledgement of nothing, which from 4.2 on takes the properties of a record that waits, not those of
     * the cursor. No seek may reach the cursor meanwhile: the broker forgets one that meets a mark-delete while a ledger is made.
     *
     * @param whenWritten run once it is written, by any thread; not if that fails, nor if the broker's limit of their rate has no
     *     permit for it, nor if a later record overtakes it
     */
    void writeRecord(Runnable whenWritten) {
        Position markDelete = cursor.getMarkDeletedPosition();
        if (markDelete != null && writesToLedger()) {
            Position asked = PositionFactory.create(markDelete.getLedgerId(), markDelete.getEntryId());
            ask(() -> {
                if (isWritten(asked)) {
                    whenWritten.run();
                }
            }, answer -> cursor.asyncMarkDelete(asked, cursor.getProperties(), answer, null));
        } else if (cursor.getTotalNonContiguousDeletedMessagesRange() > 0) {
            ask(whenWritten, answer -> cursor.asyncDelete(List.of(), answer, null));
        }
    }

    private static void ask(Runnable whenWritten, Consumer<Asked> ask) {
        Asked asked = new Asked(whenWritten);
        ask.accept(asked);
        asked.isReturned();
    }

    /**
     * Whether the record of a mark-delete is durable, or one of a later position. The broker answers a mark-delete that a later
     * one has overtaken before that is durable; which of two equal positions was written only the object tells.
     */
    private boolean isWritten(Position asked) {
        Position written = cursor.getPersistentMarkDeletedPosition();
        return written == asked || written != null && written.compareTo(asked) > 0;
    }

    /**
     * The same at once, whatever the broker's limit of the rate: of acknowledgements that come in between each has a record as
     * well. For one record each few seconds, or each command.
     */
    void writeRecordNow(Runnable whenWritten) {
        cursor.setThrottleMarkDelete(0);
        try {
            writeRecord(whenWritten);
        } finally {
            cursor.setThrottleMarkDelete(cursor.getManagedLedger().getConfig().getThrottleMarkDelete());
        }
    }

    /**
     * A record that is asked for. Without a permit the broker answers inside the call, and leaves the record to its next flush;
     * so it does where nothing is left above mark-delete by then.
     */
    private static final class Asked implements DeleteCallback, MarkDeleteCallback {

        private final Runnable whenWritten;
        private final Thread caller = Thread.currentThread();
        private boolean isReturned;

        Asked(Runnable whenWritten) {
            this.whenWritten = whenWritten;
        }

        synchronized void isReturned() {
            isReturned = true;
        }

        private synchronized void isAnswered() {
            if (isReturned || Thread.currentThread() != caller) {
                whenWritten.run();
            }
        }

        private static void isNotWritten(ManagedLedgerException failure) {
            // The broker warns of it.
            LOG.debug("The record of a cursor could not be written; the next look asks again", failure);
        }

        @Override
        public void deleteComplete(Object context) {
            isAnswered();
        }

        @Override
        public void deleteFailed(ManagedLedgerException failure, Object context) {
            isNotWritten(failure);
        }

        @Override
        public void markDeleteComplete(Object context) {
            isAnswered();
        }

        @Override
        public void markDeleteFailed(ManagedLedgerException failure, Object context) {
            isNotWritten(failure);
        }
    }

    /** The acknowledgements that a restart would bring back, by the cursor's limits. */
    AckFigures figures(AckedPositions acknowledged, boolean writesToLedger) {
        return AckFigures.of(acknowledged, cursor.getManagedLedger().getConfig(), writesToLedger);
    }
}
