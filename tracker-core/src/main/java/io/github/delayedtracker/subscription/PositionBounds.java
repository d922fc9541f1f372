/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The first and the last position that may be known, readable without a lock, so that a read of entries that were never indexed
 * does not wait for anybody. An answer may be a needless yes. For a position whose add has returned it is never no.
 *
 * <p>One writer at a time, under the subscription's lock; any number of readers. Each bound is two numbers that are not
 * written at once, so they are written in the order in which every state between is at least as wide as the truth.
 */
final class PositionBounds {

    private static final AtomicLongFieldUpdater<PositionBounds> FIRST_LEDGER_ID = bound("firstLedgerId");
    private static final AtomicLongFieldUpdater<PositionBounds> FIRST_ENTRY_ID = bound("firstEntryId");
    private static final AtomicLongFieldUpdater<PositionBounds> LAST_LEDGER_ID = bound("lastLedgerId");
    private static final AtomicLongFieldUpdater<PositionBounds> LAST_ENTRY_ID = bound("lastEntryId");

    private volatile long firstLedgerId = Long.MAX_VALUE;
    private volatile long firstEntryId = Long.MAX_VALUE;
    private volatile long lastLedgerId = -1;
    private volatile long lastEntryId = -1;

    private static AtomicLongFieldUpdater<PositionBounds> bound(String field) {
        return AtomicLongFieldUpdater.newUpdater(PositionBounds.class, field);
    }

    void include(long ledgerId, long entryId) {
        long firstLedger = firstLedgerId;
        if (ledgerId < firstLedger) {
            FIRST_LEDGER_ID.lazySet(this, ledgerId);
            FIRST_ENTRY_ID.lazySet(this, entryId);
        } else if (ledgerId == firstLedger && entryId < firstEntryId) {
            FIRST_ENTRY_ID.lazySet(this, entryId);
        }
        long lastLedger = lastLedgerId;
        if (ledgerId > lastLedger) {
            LAST_LEDGER_ID.lazySet(this, ledgerId);
            LAST_ENTRY_ID.lazySet(this, entryId);
        } else if (ledgerId == lastLedger && entryId > lastEntryId) {
            LAST_ENTRY_ID.lazySet(this, entryId);
        }
    }

    /** Raises the first position: nothing up to and including the given one is known any more. */
    void raiseFirstAbove(long ledgerId, long entryId) {
        if (mayReachUpTo(ledgerId, entryId)) {
            FIRST_ENTRY_ID.lazySet(this, 0);
            FIRST_LEDGER_ID.lazySet(this, ledgerId);
            FIRST_ENTRY_ID.lazySet(this, entryId == Long.MAX_VALUE ? entryId : entryId + 1);
        }
    }

    /** Empties the bounds: nothing at all is known any more. */
    void clear() {
        FIRST_LEDGER_ID.lazySet(this, Long.MAX_VALUE);
        FIRST_ENTRY_ID.lazySet(this, Long.MAX_VALUE);
        LAST_LEDGER_ID.lazySet(this, -1);
        LAST_ENTRY_ID.lazySet(this, -1);
    }

    boolean mayContain(long ledgerId, long entryId) {
        long first = firstLedgerId;
        long last = lastLedgerId;
        boolean within = ledgerId >= first && ledgerId <= last
                && (ledgerId > first || entryId >= firstEntryId)
                && (ledgerId < last || entryId <= lastEntryId);
        // The ledger of one bound and the entry of another may have been read.
        return within || first != firstLedgerId || last != lastLedgerId;
    }

    /** Whether the position is above all included ones; while others are being included the answer may be either. */
    boolean isBeyond(long ledgerId, long entryId) {
        long last = lastLedgerId;
        return ledgerId > last || ledgerId == last && entryId > lastEntryId;
    }

    boolean mayReachUpTo(long ledgerId, long entryId) {
        long first = firstLedgerId;
        return ledgerId > first || ledgerId == first && entryId >= firstEntryId;
    }
}
