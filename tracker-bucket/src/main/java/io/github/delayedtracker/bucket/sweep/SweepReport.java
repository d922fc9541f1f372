/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.sweep;

import java.util.ArrayList;
import java.util.List;

/** What a sweep has seen and done so far. Written by one step of the sweep at a time, read after its end. */
final class SweepReport {

    private static final int MOST_NAMED = 10;

    private final List<Long> someOrphans = new ArrayList<>(MOST_NAMED);
    private long ledgers;
    private long orphans;
    private long deleted;
    private long failures;
    private String firstFailure = "";

    void seen() {
        ledgers++;
    }

    void orphan(long ledgerId) {
        orphans++;
        if (someOrphans.size() < MOST_NAMED) {
            someOrphans.add(ledgerId);
        }
    }

    void deleted() {
        deleted++;
    }

    void failed(String why) {
        if (failures++ == 0) {
            firstFailure = why;
        }
    }

    /** Ledgers of this plugin in this cluster. */
    long ledgers() {
        return ledgers;
    }

    long orphans() {
        return orphans;
    }

    long deletedLedgers() {
        return deleted;
    }

    /** Ledgers, or pages of them, of which nothing is known; all of them were left alone. */
    long failures() {
        return failures;
    }

    boolean isWorthALine() {
        return orphans > 0 || failures > 0;
    }

    @Override
    public String toString() {
        return ledgers + " ledgers seen, " + orphans + " of them orphans" + (orphans == 0 ? "" : " like " + someOrphans) + ", "
                + deleted + " deleted"
                + (failures == 0 ? "" : ", " + failures + " unknown and left, the first because " + firstFailure);
    }
}
