/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.subscription.SubscriptionState;
import org.apache.bookkeeper.mledger.Position;

/**
 * The number of messages a subscription reports as delayed: the positions known, but never more than the entries that can be
 * delayed. The index is not told of acknowledgements, and a pass looks for them later. Every position that is still wanted is one
 * of the backlog, and lies below the read position once that has passed all positions known.
 */
final class ReportedCount {

    private ReportedCount() {
    }

    /**
     * The number to report. O(1) while the cursor has read all, else O(ledgers from the read position on).
     *
     * @return 0 or more, and never more than is known
     */
    static long of(SubscriptionState state, CursorView cursor) {
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
