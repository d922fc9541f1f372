/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

/**
 * Rows of an index in the order of their due times, as they were when the run was taken: a way to look into the schedule. A row
 * may have been handed out or forgotten since; whoever reads it asks the index again. A run is taken under the lock of its index
 * and read without it, once, by one thread.
 */
public interface DueRun {

    /** Moves to the next row, the first one at first; false if there is none. */
    boolean next();

    /** The due time of the row, epoch milliseconds, as it was indexed. */
    long dueMillis();

    /** The ledger of the row's position. */
    long ledgerId();

    /** The entry of the row's position. */
    long entryId();

    /** The same rows in any order, where that costs less: to be read in place of this run, which is closed all the same. */
    default DueRun unordered() {
        return this;
    }

    /** Lets go of what the run has of its index. It is not read any more. From any thread, and more than once. */
    default void close() {
        // Most have nothing that costs their index anything.
    }

    /** Compares the rows of two runs in (time, ledger, entry) order. */
    static int compare(DueRun one, DueRun other) {
        int byTime = Long.compare(one.dueMillis(), other.dueMillis());
        if (byTime != 0) {
            return byTime;
        }
        int byLedger = Long.compare(one.ledgerId(), other.ledgerId());
        return byLedger != 0 ? byLedger : Long.compare(one.entryId(), other.entryId());
    }
}
