/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The first and the last position that may be known, readable without a lock, so that a read of entries that were never
 * indexed does not wait for anybody. An answer may be a needless yes. A position whose add has returned is never
 * answered with no.
 *
 * <p>One writer at a time, under the subscription's lock; any number of readers. Each bound is two numbers that are not
 * written at once, so they are written in the order in which every state between is at least as wide as the truth.
 */
final class PositionBounds {

    private final AtomicLong firstLedgerId = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong firstEntryId = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong lastLedgerId = new AtomicLong(-1);
    private final AtomicLong lastEntryId = new AtomicLong(-1);

    void include(long ledgerId, long entryId) {
        long firstLedger = firstLedgerId.getPlain();
        if (ledgerId < firstLedger) {
            firstLedgerId.setRelease(ledgerId);
            firstEntryId.setRelease(entryId);
        } else if (ledgerId == firstLedger && entryId < firstEntryId.getPlain()) {
            firstEntryId.setRelease(entryId);
        }
        long lastLedger = lastLedgerId.getPlain();
        if (ledgerId > lastLedger) {
            lastLedgerId.setRelease(ledgerId);
            lastEntryId.setRelease(entryId);
        } else if (ledgerId == lastLedger && entryId > lastEntryId.getPlain()) {
            lastEntryId.setRelease(entryId);
        }
    }

    /** Nothing up to and including the position is known any more. */
    void raiseFirstAbove(long ledgerId, long entryId) {
        if (mayReachUpTo(ledgerId, entryId)) {
            firstEntryId.setRelease(0);
            firstLedgerId.setRelease(ledgerId);
            firstEntryId.setRelease(entryId == Long.MAX_VALUE ? entryId : entryId + 1);
        }
    }

    /** Nothing at all is known any more. */
    void clear() {
        firstLedgerId.setRelease(Long.MAX_VALUE);
        firstEntryId.setRelease(Long.MAX_VALUE);
        lastLedgerId.setRelease(-1);
        lastEntryId.setRelease(-1);
    }

    boolean mayContain(long ledgerId, long entryId) {
        long first = firstLedgerId.getAcquire();
        long last = lastLedgerId.getAcquire();
        if (ledgerId < first || ledgerId > last) {
            return false;
        }
        return (ledgerId > first || entryId >= firstEntryId.getAcquire())
                && (ledgerId < last || entryId <= lastEntryId.getAcquire());
    }

    boolean mayReachUpTo(long ledgerId, long entryId) {
        long first = firstLedgerId.getAcquire();
        return ledgerId > first || ledgerId == first && entryId >= firstEntryId.getAcquire();
    }
}
