/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.delayedtracker.acks.JournalCursor.Moment;
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import io.github.delayedtracker.acks.JournalFence.Holds;
import io.github.delayedtracker.acks.JournalFence.Refusal;
import io.github.delayedtracker.acks.JournalFence.Refused;
import io.github.delayedtracker.acks.JournalFence.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a journal holds: of a record that was cut off after 3 ranges of ledger 1. */
class JournalFenceTest {

    private static final JournalHead HEAD = new JournalHead("t", "c");
    private static final int MOST = 3;

    private static AckedPositions positions(int... entries) {
        BitSet bits = new BitSet();
        for (int entry : entries) {
            bits.set(entry);
        }
        return new AckedPositions(entries.length == 0 ? Map.of() : Map.of(1L, bits.toLongArray()), true);
    }

    private static Verdict judge(AckedPositions recovered, int markDelete, long sequence, AckedPositions... journal) {
        return judge(HEAD, MOST, recovered, markDelete, sequence, journal);
    }

    private static Verdict judge(JournalHead head, int most, AckedPositions recovered, int markDelete, long sequence,
            AckedPositions... journal) {
        Stamp stamp = new Stamp(77, sequence);
        return JournalFence.judge(new Moment(1, markDelete, recovered, Optional.of(stamp), most, false), stamp, HEAD,
                contents(head, MOST, sequence, journal));
    }

    private static JournalContents contents(JournalHead head, long most, long sequence, AckedPositions... journal) {
        AckedPositions upToStamp = positions();
        AckedPositions all = positions();
        for (int i = 0; i < journal.length; i++) {
            all = all.plus(journal[i]);
            upToStamp = i < sequence ? all : upToStamp;
        }
        boolean isThere = sequence >= 1 && sequence <= journal.length;
        return new JournalContents(head, journal.length, isThere ? most : -1, upToStamp, all, all.none());
    }

    private static void assertMissing(Verdict verdict, int... entries) {
        AckedPositions missing = assertInstanceOf(Holds.class, verdict).missing();
        List<Long> found = new ArrayList<>();
        missing.forEach((ledgerId, entryId) -> found.add(entryId));
        List<Long> wanted = new ArrayList<>();
        for (int entry : entries) {
            wanted.add((long) entry);
        }
        assertEquals(wanted, found);
    }

    private static void assertRefused(Refusal reason, Verdict verdict) {
        assertEquals(new Refused(reason), verdict);
    }

    @Test
    void whatTheRecordLeftOutIsMissing() {
        assertMissing(judge(positions(2, 4, 6), 0, 1, positions(2, 4, 6, 8, 9)), 8, 9);
    }

    @Test
    void entriesBehindTheStampCountToo() {
        assertMissing(judge(positions(2, 4, 6), 0, 1, positions(2, 4, 6, 8), positions(10)), 8, 10);
    }

    @Test
    void whatMarkDeleteHasPassedIsNotMissing() {
        assertMissing(judge(positions(12, 14, 16), 9, 1, positions(2, 4, 12, 14, 16, 18)), 18);
    }

    @Test
    void acknowledgementsYoungerThanTheJournalDoNotMatter() {
        assertMissing(judge(positions(2, 3, 4, 6, 8), 0, 1, positions(2, 4, 6, 8, 10)), 10);
    }

    @Test
    void aRecordWithFewerRangesIsOfAfterAReset() {
        assertRefused(Refusal.NOT_ACKNOWLEDGED, judge(positions(2, 4), 0, 1, positions(2, 4, 6, 8)));
        assertRefused(Refusal.NOT_ACKNOWLEDGED, judge(positions(), 0, 1, positions(2, 4, 6, 8)));
    }

    @Test
    void aPositionInTheMiddleThatIsNotAcknowledgedAnyMoreVoidsTheJournal() {
        assertRefused(Refusal.NOT_ACKNOWLEDGED, judge(positions(2, 6, 8), 0, 1, positions(2, 4, 6, 8, 10)));
    }

    @Test
    void aRecordWithMoreRangesThanTheLimitWasNotCutOffThere() {
        assertRefused(Refusal.NOT_ACKNOWLEDGED, judge(positions(2, 4, 6, 8, 10), 0, 1, positions(2, 4, 6, 8, 10, 12)));
    }

    @Test
    void aRecordWithAllThatWasStampedNeedsNoJournal() {
        assertRefused(Refusal.RECORD_HAS_ALL, judge(positions(2, 4), 0, 1, positions(2, 4), positions(6)));
    }

    @Test
    void bitmapsAreCutOffByLedgers() {
        Map<Long, long[]> all = Map.of(1L, new long[] {0b10101}, 2L, new long[] {0b1011}, 3L, new long[] {0b1});
        AckedPositions journal = new AckedPositions(all, true);
        AckedPositions recovered = new AckedPositions(Map.of(1L, new long[] {0b10101}, 2L, new long[] {0b1011}), true);
        Stamp stamp = new Stamp(77, 1);
        Verdict verdict = JournalFence.judge(new Moment(0, -1, recovered, Optional.of(stamp), 4, true), stamp, HEAD,
                contents(HEAD, 4, 1, journal));
        assertEquals(1, assertInstanceOf(Holds.class, verdict).missing().entries());
    }

    @Test
    void anotherCursorsJournalAnotherLimitAndAShorterLedgerAreRefused() {
        AckedPositions recovered = positions(2, 4, 6);
        AckedPositions journal = positions(2, 4, 6, 8);
        assertRefused(Refusal.OTHER_CURSOR, judge(new JournalHead("u", "c"), MOST, recovered, 0, 1, journal));
        assertRefused(Refusal.OTHER_LIMIT, judge(HEAD, MOST + 1, recovered, 0, 1, journal));
        assertRefused(Refusal.SHORTER_THAN_STAMPED, judge(recovered, 0, 2, journal));
        assertRefused(Refusal.SHORTER_THAN_STAMPED, judge(recovered, 0, -1, journal));
    }

    @Test
    void aJournalThatOnlyTellsWhatIsToBeKeptIsNotApplied() {
        assertRefused(Refusal.RECORD_HAS_ALL, judge(positions(2, 4, 6), 0, 0, positions(2, 4, 6, 8)));
    }

    @Test
    void aRecordOfNothingProvesNothing() {
        AckedPositions journal = positions(2, 4, 6, 8);
        Stamp stamp = new Stamp(77, 1);
        Verdict verdict = JournalFence.judge(new Moment(1, 0, positions(), Optional.of(stamp), 0, true), stamp, HEAD,
                contents(HEAD, 0, 1, journal));
        assertRefused(Refusal.NOT_ACKNOWLEDGED, verdict);
    }
}
