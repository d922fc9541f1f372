/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.JournalCursor.Excluded;
import io.github.delayedtracker.acks.JournalCursor.Moment;

/**
 * How far the cursor's record is known to name the open journal. Only a record that was asked for after a stamp tells: those that
 * the cursor writes with users' acknowledgements may have been begun before it, any number of them. One step at a time; records
 * are told of by any thread.
 */
final class StampRecord {

    private final KeptAcks kept;
    /** The last stamp of the open journal; null if there is none. */
    private volatile Stamped last;
    private volatile boolean namesLast;
    private volatile boolean namesOpen;
    private volatile boolean counts;
    /** The record that has all, and is to be written before the journal ends; null if it is not to end. */
    private volatile LastRecord lastRecord;

    StampRecord(KeptAcks kept) {
        this.kept = kept;
    }

    /** A stamp that the cursor was asked to write, how often the journal's was taken away before, and the promises it holds. */
    private record Stamped(OpenJournal journal, long sequence, int takenAway, KeptAcks.Held held) {
    }

    /** A record that the cursor was asked to write. */
    private static final class LastRecord {
        volatile boolean isWritten;
    }

    /**
     * No journal is needed any more, since the cursor's record has room for all.
     *
     * @return whether a record that has all is written; if not one is asked for: mark-delete may have moved in memory only
     */
    boolean mayEnd(Excluded excluded) {
        Moment now = excluded.moment();
        LastRecord asked = lastRecord;
        if (asked != null && asked.isWritten) {
            return true;
        }
        LastRecord next = asked == null ? new LastRecord() : asked;
        lastRecord = next;
        KeptAcks.Held passed = kept.heldBy(now.acked().none(), now);
        excluded.stamp(now.stamp(), () -> {
            next.isWritten = true;
            passed.isWritten();
        });
        return false;
    }

    /** One is needed. */
    void goesOn() {
        lastRecord = null;
    }

    /** Whether one is about to end. */
    boolean isEnding() {
        return lastRecord != null;
    }

    /** The open journal is given up; it counts. */
    synchronized void leaveOpen() {
        last = null;
        namesLast = false;
        namesOpen = false;
    }

    /** No journal counts any more. */
    synchronized void leaveAll() {
        leaveOpen();
        counts = false;
        lastRecord = null;
    }

    /**
     * The open journal is about to be stamped with its last entry. Where its stamp was taken away, as by mark-delete that
     * moves, a record without one may follow those asked for before, so that they tell nothing.
     *
     * @return to be run once a record with this stamp is written
     */
    Runnable put(OpenJournal open, Moment now) {
        Stamped put = next(open, !isStampOf(open, now), kept.heldBy(open.known(), now));
        return () -> {
            if (isWritten(put)) {
                put.held().isWritten();
            }
        };
    }

    private synchronized Stamped next(OpenJournal open, boolean wasTakenAway, KeptAcks.Held held) {
        int takenAway = (last == null ? 0 : last.takenAway()) + (wasTakenAway ? 1 : 0);
        last = new Stamped(open, open.sequence(), takenAway, held);
        namesLast = false;
        return last;
    }

    static boolean isStampOf(OpenJournal journal, Moment now) {
        return now.stamp().map(stamp -> stamp.epoch() == journal.id()).orElse(false);
    }

    /** Takes in that a record with a stamp is written; whether its promises are kept. */
    private synchronized boolean isWritten(Stamped put) {
        Stamped newest = last;
        boolean isOpen = newest != null && newest.journal() == put.journal();
        if (isOpen && put.takenAway() != newest.takenAway()) {
            return false;
        }
        counts |= isOpen;
        namesOpen |= isOpen;
        namesLast |= isOpen && put.sequence() == put.journal().sequence();
        return true;
    }

    /** Whether it names the open journal up to its last entry. */
    boolean namesLast() {
        return namesLast;
    }

    /** Whether it names the open journal. */
    boolean namesOpen() {
        return namesOpen;
    }

    /** Whether it names the open journal or the one that it replaces. */
    boolean counts() {
        return counts;
    }
}
