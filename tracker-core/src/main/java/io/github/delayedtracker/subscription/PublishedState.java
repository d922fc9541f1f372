/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.DelayIndex;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The figures of one subscription that are read without its lock. They are written under the lock, each for itself, so two
 * figures read one after the other need not belong together.
 *
 * <p>The figures are fields of the state itself, since a broker may have very many subscriptions of few messages each.
 */
abstract class PublishedState {

    private static final AtomicLongFieldUpdater<PublishedState> COUNT = figure("count");
    private static final AtomicLongFieldUpdater<PublishedState> OVERDUE_COUNT = figure("overdueCount");
    private static final AtomicLongFieldUpdater<PublishedState> OVERDUE_SINCE_MILLIS = figure("overdueSinceMillis");
    private static final AtomicLongFieldUpdater<PublishedState> RETAINED_BYTES = figure("retainedBytes");
    private static final AtomicLongFieldUpdater<PublishedState> NEXT_DUE_MILLIS = figure("nextDueMillis");
    private static final AtomicLongFieldUpdater<PublishedState> OPEN_FROM_MILLIS = figure("openFromMillis");
    private static final AtomicLongFieldUpdater<PublishedState> FORGOTTEN = figure("forgotten");

    private volatile long count;
    private volatile long overdueCount;
    private volatile long overdueSinceMillis = DelayIndex.NEVER;
    private volatile long retainedBytes;
    private volatile long nextDueMillis = DelayIndex.NEVER;
    private volatile long openFromMillis = DelayIndex.NEVER;
    private volatile long forgotten;

    private static AtomicLongFieldUpdater<PublishedState> figure(String field) {
        return AtomicLongFieldUpdater.newUpdater(PublishedState.class, field);
    }

    final void publishCount(long positions) {
        COUNT.lazySet(this, positions);
    }

    final void publishOverdue(long positions) {
        OVERDUE_COUNT.lazySet(this, positions);
    }

    final void publishOverdueSince(boolean first, long sinceMillis) {
        OVERDUE_SINCE_MILLIS.lazySet(this, first ? sinceMillis : Math.min(overdueSinceMillis, sinceMillis));
    }

    final void publishBytes(long bytes) {
        RETAINED_BYTES.lazySet(this, bytes);
    }

    final void publishTimes(long nextDue, long openFrom) {
        NEXT_DUE_MILLIS.lazySet(this, nextDue);
        OPEN_FROM_MILLIS.lazySet(this, openFrom);
    }

    final void publishForgotten(long more) {
        FORGOTTEN.lazySet(this, forgotten + more);
    }

    /** Whether a hand-out now might yield something. Lock-free; may be true for a position that turns out to be forgotten. */
    public final boolean hasDue(long nowMillis) {
        return overdueCount > 0 || hasDueInIndex(nowMillis);
    }

    /** Whether anything is due that is not known to be above the read position. Lock-free. */
    public final boolean hasDueInIndex(long nowMillis) {
        return openFromMillis <= nowMillis;
    }

    /** The number of known positions, due ones included. Lock-free. */
    public final long count() {
        return count;
    }

    final void requireCount(long held) {
        if (count != held) {
            throw new IllegalStateException("published count " + count + " is not that of what is held, " + held);
        }
    }

    /** The number of due positions that wait for the normal read to reach or pass them. Lock-free. */
    public final long overdueCount() {
        return overdueCount;
    }

    /**
     * The time for which the earliest position has been due. It is exact for positions in the index. Of positions that wait for
     * the normal read it counts the earliest since last none waited, which may be gone. 0 while nothing is due; lost positions
     * that may be read again before their time do not count. Lock-free.
     */
    public final long overdueAgeMillis(long nowMillis) {
        long inIndexMillis = nextDueMillis;
        long sinceMillis = Math.min(inIndexMillis > 0 ? inIndexMillis : DelayIndex.NEVER,
                overdueCount > 0 ? overdueSinceMillis : DelayIndex.NEVER);
        return Math.max(0, nowMillis - sinceMillis);
    }

    /** The bytes of heap kept alive by the known positions. Lock-free. */
    public final long retainedBytes() {
        return retainedBytes;
    }

    /** The earliest indexed time, or {@link DelayIndex#NEVER}. Lock-free. */
    public final long nextDueMillis() {
        return nextDueMillis;
    }

    /** When the dispatcher has to be woken next, where positions that wait for the normal read are to be looked at now. */
    public final long wakeUpMillis() {
        return wakeUpMillis(0);
    }

    /**
     * When the dispatcher has to be woken next: at the earliest indexed time, even where the window would allow a hand-out before
     * it, or {@link DelayIndex#NEVER}; earlier while anything waits for the normal read.
     *
     * @param readLookMillis when positions that wait for the normal read are looked at, at the latest
     */
    public final long wakeUpMillis(long readLookMillis) {
        return overdueCount > 0 ? Math.min(readLookMillis, nextDueMillis) : nextDueMillis;
    }

    /** The number of positions forgotten because the cursor had moved past them. Only grows. Lock-free. */
    public final long forgottenCount() {
        return forgotten;
    }
}
