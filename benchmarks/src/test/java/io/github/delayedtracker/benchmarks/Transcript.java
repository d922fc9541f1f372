/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.StringJoiner;

/**
 * Drives one tracker through a scenario and writes down what is seen from outside. Times are milliseconds after the
 * start of the scenario. The start is 512 ms and 64 ms aligned, so that rounding shows only where a scenario asks for it.
 */
final class Transcript {

    /** A multiple of every precision used here. */
    private static final long START_MILLIS = 1_750_000_000_000L / 65_536 * 65_536;

    private final Tracker tracker;
    private final StringJoiner seen = new StringJoiner("; ");

    Transcript(Tracker tracker) {
        this.tracker = tracker;
        tracker.setNowMillis(START_MILLIS);
    }

    Transcript add(long deliverAfterMillis, long ledgerId, long entryId) {
        return addAt(START_MILLIS + deliverAfterMillis, ledgerId, entryId);
    }

    /** Adds with an absolute time; written down only if the message is to be sent at once. */
    Transcript addAt(long deliverAtMillis, long ledgerId, long entryId) {
        if (!tracker.add(ledgerId, entryId, deliverAtMillis)) {
            seen.add(ledgerId + ":" + entryId + " at once");
        }
        return this;
    }

    Transcript acked(long ledgerId, long entryId) {
        tracker.acked(ledgerId, entryId);
        return this;
    }

    Transcript tick(long tickMillis) {
        tracker.setTickMillis(tickMillis);
        return this;
    }

    Transcript close() {
        tracker.close();
        return this;
    }

    Transcript count() {
        seen.add("count " + tracker.count());
        return this;
    }

    Transcript now(long afterMillis) {
        tracker.setNowMillis(START_MILLIS + afterMillis);
        return this;
    }

    /** Moves the clock and hands out once. */
    Transcript handOut(long afterMillis, int limit) {
        now(afterMillis);
        boolean due = tracker.hasDue();
        StringJoiner positions = new StringJoiner(" ");
        int taken = tracker.handOut(limit, (ledgerId, entryId) -> positions.add(ledgerId + ":" + entryId));
        seen.add("+" + afterMillis + " " + (taken == 0 ? due ? "due, yet none" : "none" : positions));
        return this;
    }

    /** Moves the clock on in steps until something is handed out, and writes down when. */
    Transcript firstHandOut(long fromMillis, long stepMillis, long toMillis) {
        boolean idle = false;
        for (long after = fromMillis; after <= toMillis; after += stepMillis) {
            now(after);
            boolean due = tracker.hasDue();
            if (tracker.handOut(100) > 0) {
                seen.add("at +" + after + (idle ? " after being due without effect" : ""));
                return this;
            }
            idle |= due;
        }
        seen.add("not by +" + toMillis + (idle ? ", due without effect" : ""));
        return this;
    }

    Transcript saw(String what) {
        seen.add(what);
        return this;
    }

    @Override
    public String toString() {
        return seen.toString();
    }
}
