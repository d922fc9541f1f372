/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

/** A stream of delayed messages in the order of their publication, 24 bytes each. */
final class Messages {

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

    /** Adds all messages while the clock stands a minute before the first publication. */
    void addTo(Tracker tracker) {
        tracker.setNowMillis(Workload.START_MILLIS - 60_000);
        for (int i = 0; i < ledgerIds.length; i++) {
            if (!tracker.add(ledgerIds[i], entryIds[i], deliverAtMillis[i])) {
                throw new IllegalStateException("message " + i + " due at " + deliverAtMillis[i] + " was not indexed");
            }
        }
    }

    /**
     * Moves the clock to the last due time in 10,000 steps and hands out at each what is due.
     *
     * @param limit positions asked for in one call
     * @return how many positions were handed out
     */
    long drain(Tracker tracker, int limit) {
        long firstMillis = Workload.START_MILLIS;
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
