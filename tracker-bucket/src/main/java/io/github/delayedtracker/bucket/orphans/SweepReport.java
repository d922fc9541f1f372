/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.orphans.SweepPolicy.Fate;
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
    private long withoutId;
    private long ofAnotherId;
    private boolean endsRound;
    private String firstFailure = "";
    private String endedBy = "";

    void seen(Fate fate) {
        switch (fate) {
            case FOREIGN -> { }
            case WITHOUT_ID -> withoutId++;
            case OF_ANOTHER_ID -> ofAnotherId++;
            default -> ledgers++;
        }
    }

    void roundEnded() {
        endsRound = true;
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

    void endedBy(String why) {
        endedBy = why;
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

    /** Ledgers of which nothing is known, which were left alone, and 1 if the sweep ended before the last ledger. */
    long failures() {
        return failures + (endedBy.isEmpty() ? 0 : 1);
    }

    /** Ledgers of this plugin that name this cluster and have no id; all of them were left alone. */
    long withoutId() {
        return withoutId;
    }

    /** Ledgers of this plugin and a cluster of the same name with another id; all of them were left alone. */
    long ofAnotherId() {
        return ofAnotherId;
    }

    /** Whether the last ledger there is was looked at. */
    boolean endsRound() {
        return endsRound;
    }

    boolean isWorthALine() {
        return orphans > 0 || failures() > 0;
    }

    @Override
    public String toString() {
        return ledgers + " ledgers seen, " + orphans + " of them orphans" + (orphans == 0 ? "" : " like " + someOrphans) + ", "
                + deleted + " deleted"
                + (failures == 0 ? "" : ", " + failures + " unknown and left, the first because " + firstFailure)
                + (endedBy.isEmpty() ? "" : ", ended before the last one because " + endedBy);
    }
}
