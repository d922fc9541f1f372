/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Counters of one tracker since it was made. They only grow; any thread may write and read them. */
final class TrackerCounters {

    private static final AtomicLongFieldUpdater<TrackerCounters> OFFERS = counter("offers");
    private static final AtomicLongFieldUpdater<TrackerCounters> HANDED_OUT = counter("handedOut");
    private static final AtomicLongFieldUpdater<TrackerCounters> DROPPED_AT_HAND_OUT = counter("droppedAtHandOut");
    private static final AtomicLongFieldUpdater<TrackerCounters> WAKE_UPS = counter("wakeUps");
    private static final AtomicIntegerFieldUpdater<TrackerCounters> CHANGES =
            AtomicIntegerFieldUpdater.newUpdater(TrackerCounters.class, "changes");
    private static final AtomicLongFieldUpdater<TrackerCounters> PURGED = counter("purged");

    private volatile long offers;
    private volatile long handedOut;
    private volatile long droppedAtHandOut;
    private volatile long wakeUps;
    private volatile long purged;
    private volatile int changes;

    private static AtomicLongFieldUpdater<TrackerCounters> counter(String field) {
        return AtomicLongFieldUpdater.newUpdater(TrackerCounters.class, field);
    }

    void offered() {
        OFFERS.incrementAndGet(this);
    }

    void handedOut(int positions) {
        HANDED_OUT.addAndGet(this, positions);
    }

    void droppedAtHandOut() {
        DROPPED_AT_HAND_OUT.incrementAndGet(this);
    }

    void wokenUp() {
        WAKE_UPS.incrementAndGet(this);
    }

    /** Positions may have come into the index that were not offered. */
    void changed() {
        CHANGES.incrementAndGet(this);
    }

    /** Counts acknowledged positions that a purge has found. */
    void purged(long positions) {
        PURGED.addAndGet(this, positions);
    }

    long offers() {
        return offers;
    }

    /** Differs from what it was before once positions may have come into the index. */
    long changes() {
        return changes + offers;
    }

    long handedOut() {
        return handedOut;
    }

    long dropped() {
        return droppedAtHandOut;
    }

    long wakeUps() {
        return wakeUps;
    }

    long purgedPositions() {
        return purged;
    }
}
