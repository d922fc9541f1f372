/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

/** A stream of delayed messages in the order of their publication, 24 bytes each. */
final class Messages {

    /** The time by which a fill comes before the first publication: more than any tick, so that everything is indexed. */
    private static final long FILL_LEAD_MILLIS = 600_000;

    private final long[] ledgerIds;
    private final long[] entryIds;
    private final long[] deliverAtMillis;
    private long lastDueMillis = Long.MIN_VALUE;

    Messages(int count) {
        ledgerIds = new long[count];
        entryIds = new long[count];
        deliverAtMillis = new long[count];
    }

    void set(int i, long ledgerId, long entryId, long dueMillis) {
        ledgerIds[i] = ledgerId;
        entryIds[i] = entryId;
        deliverAtMillis[i] = dueMillis;
        lastDueMillis = Math.max(lastDueMillis, dueMillis);
    }

    int count() {
        return ledgerIds.length;
    }

    long lastDueMillis() {
        return lastDueMillis;
    }

    long ledgerId(int i) {
        return ledgerIds[i];
    }

    long entryId(int i) {
        return entryIds[i];
    }

    long deliverAtMillis(int i) {
        return deliverAtMillis[i];
    }

    /** Adds all messages while the clock stands before the first publication. */
    void addTo(Tracker tracker) {
        addTo(tracker, ledgerIds.length);
    }

    /** Adds the first messages while the clock stands before the first publication. */
    void addTo(Tracker tracker, int count) {
        tracker.setNowMillis(Traffic.START_MILLIS - FILL_LEAD_MILLIS);
        for (int i = 0; i < count; i++) {
            if (!tracker.add(ledgerIds[i], entryIds[i], deliverAtMillis[i])) {
                throw new IllegalStateException("message " + i + " due at " + deliverAtMillis[i] + " was not indexed");
            }
        }
    }

    /** Adds all messages again. Answers how many the tracker took to be delayed. */
    long addAgainTo(Tracker tracker) {
        long delayed = 0;
        for (int i = 0; i < ledgerIds.length; i++) {
            delayed += tracker.add(ledgerIds[i], entryIds[i], deliverAtMillis[i]) ? 1 : 0;
        }
        return delayed;
    }

    /** Acknowledges everything up to the last message, in that number of steps. */
    void prune(Tracker tracker, int steps) {
        for (int step = 1; step <= steps; step++) {
            int last = (int) ((long) count() * step / steps) - 1;
            tracker.ackedUpTo(ledgerIds[last], entryIds[last]);
        }
    }

    /**
     * Adds the messages evenly over a time, and hands out the due positions at each of a number of steps.
     *
     * @param limit the positions asked for in one call
     * @return the number of positions handed out
     */
    long publishAndHandOut(Tracker tracker, long spanMillis, int steps, int limit) {
        long handedOut = 0;
        int next = 0;
        for (int step = 1; step <= steps; step++) {
            tracker.setNowMillis(Traffic.START_MILLIS + spanMillis * step / steps);
            int end = (int) ((long) count() * step / steps);
            while (next < end) {
                tracker.add(ledgerIds[next], entryIds[next], deliverAtMillis[next]);
                next++;
            }
            int taken = 1;
            while (taken > 0 && tracker.hasDue()) {
                taken = tracker.handOut(limit);
                handedOut += taken;
            }
        }
        return handedOut;
    }

    /**
     * Moves the clock to the last due time in 10,000 steps and hands out the due positions at each.
     *
     * @param limit the positions asked for in one call
     * @return the number of positions handed out
     */
    long drain(Tracker tracker, int limit) {
        long firstMillis = Traffic.START_MILLIS;
        long endMillis = lastDueMillis + 10_000;
        long stepMillis = Math.max(1, (endMillis - firstMillis) / 10_000);
        long handedOut = 0;
        for (long now = firstMillis; now < endMillis + stepMillis; now += stepMillis) {
            tracker.setNowMillis(now);
            while (tracker.hasDue()) {
                int taken = tracker.handOut(limit);
                if (taken == 0) {
                    break;
                }
                handedOut += taken;
            }
        }
        if (handedOut != count()) {
            throw new IllegalStateException(handedOut + " of " + count() + " positions were handed out");
        }
        return handedOut;
    }
}
