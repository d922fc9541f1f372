/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.subscription.SubscriptionState;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;

/**
 * The number of messages a subscription reports as delayed: the positions known, but never more than the entries that can be
 * delayed. The index is not told of acknowledgements, and a pass looks for them later. Every position that is still wanted is one
 * of the backlog, and lies below the read position once that has passed all positions known.
 *
 * <p>It is kept until the number of known positions or the cursor changes: a position comes into the schedule by a read, which
 * moves the read position, or once more after it was handed out. A page of metrics asks thousands of subscriptions whose memory
 * is in no cache, so that whether it still holds is seen from few objects. It takes 48 bytes of a subscription that is asked for.
 */
final class ReportedCount {

    private final long known;
    private final long consumed;
    private final Position markDelete;
    private final Position read;
    private final Position written;
    private final long count;

    /** Counts anew, after a look around where that may change the number. */
    private ReportedCount(SubscriptionTracker tracker, ManagedCursor cursor) {
        // First of all: a change from here on makes the count an old one.
        known = tracker.state().count();
        consumed = tracker.cursor().consumed();
        markDelete = cursor.getMarkDeletedPosition();
        read = cursor.getReadPosition();
        written = cursor.getManagedLedger().getLastConfirmedEntry();
        tracker.guarded("prune", tracker::prune);
        tracker.guarded("look", tracker.acks::lookForCount);
        count = counted(tracker.state(), tracker.cursor());
    }

    /**
     * The number to report. Some compares while nothing changes, else O(1) while the cursor has read all, else O(ledgers from the
     * read position on).
     *
     * @return 0 or more, and never more than is known
     */
    static long of(SubscriptionTracker tracker) {
        try {
            ManagedCursor cursor = tracker.dispatcher().getCursor();
            ReportedCount last = tracker.reported;
            if (last == null || !last.holds(tracker, cursor)) {
                last = new ReportedCount(tracker, cursor);
                // A position that the count itself has pruned could be made up for by one that is added.
                boolean isSettled = tracker.acks.isSettled() && tracker.state().count() == last.known;
                tracker.reported = isSettled ? last : null;
            }
            return last.count;
        } catch (RuntimeException | Error e) {
            return tracker.failures.report("getNumberOfDelayedMessages", e, tracker.state().count());
        }
    }

    // The broker makes a new position object for each move; one at the same place only has it counted anew.
    @SuppressWarnings("ReferenceEquality")
    private boolean holds(SubscriptionTracker tracker, ManagedCursor cursor) {
        return tracker.state().count() == known && cursor.getMarkDeletedPosition() == markDelete
                && cursor.getReadPosition() == read && cursor.getManagedLedger().getLastConfirmedEntry() == written
                && tracker.cursor().consumed() == consumed;
    }

    private static long counted(SubscriptionState state, CursorView cursor) {
        if (state.count() == 0) {
            return 0;
        }
        // Before the backlog: a message published in between may raise the limit, and not lower it.
        long unread = unread(state, cursor);
        long backlog = cursor.backlog();
        // After it: a message added in between is in the backlog already.
        long known = state.count();
        if (backlog < 0) {
            return known;
        }
        return Math.min(known, unread > backlog ? backlog : backlog - unread);
    }

    // Positions known above the read position, after a rewind, are unread and delayed both.
    private static long unread(SubscriptionState state, CursorView cursor) {
        Position read = cursor.readPosition();
        boolean allBelow = read != null && state.allBelow(read.getLedgerId(), read.getEntryId());
        return allBelow ? Math.max(0, cursor.unread()) : 0;
    }
}
