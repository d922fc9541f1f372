/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckRestore.Outcome;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A journal is begun, grows, is written anew and ends. */
class AckJournalTest extends JournalFixture {

    private static final int BATCH = 10_000;
    private static final int TICK_MILLIS = 5_000;

    @Test
    void nothingIsWrittenWhileTheRecordHoldsAll() {
        acknowledgeRanges(MOST / 2 - 1);
        tick();
        assertEquals(0, ledgers.nextId);
    }

    @Test
    void aJournalIsNamedStampedAndHasAllAcknowledgements() throws DamagedJournalException {
        acknowledgeRanges(MOST / 2);
        tick();
        acknowledgeRanges(MOST);
        tick();
        assertEquals(List.of(1L), ledgers.named);
        assertEquals(Optional.of(new JournalCursor.Stamp(1, 2)), cursor.stamp);
        assertTrue(stored().containsAll(cursor.moment().orElseThrow().acked()));
    }

    @Test
    void itEndsWithItsLedgerBelowAQuarter() {
        acknowledgeRanges(MOST / 2);
        tick();
        for (int entry = 0; entry < MOST; entry++) {
            acknowledge(1, entry);
        }
        recordsAreLate = true;
        tick();
        tick();
        assertTrue(journal.isActive() && journal.isUnsettled(), "no record has all yet");
        recordsAreLate = false;
        tick();
        tick();
        assertFalse(journal.isActive());
        assertEquals(Map.of(), ledgers.stored);
        assertEquals(List.of(), ledgers.named);
        assertEquals(Optional.empty(), cursor.stamp);
        assertEquals(List.of(1L), ledgers.closed);
    }

    @Test
    void anAcknowledgementAfterAFailedStampIsAppendedByTheClose() throws DamagedJournalException {
        acknowledgeRanges(MOST / 2);
        stampsFail = true;
        tick();
        assertEquals(1, failures.size());
        stampsFail = false;
        acknowledge(1, 2 * MOST + 1);
        assertTrue(journal.close().isDone());
        assertTrue(stored().containsAll(cursor.moment().orElseThrow().acked()), () -> "failed: " + failures);
    }

    /** As when messages expire: mark-delete moves and the next record has no stamp. */
    @Test
    void aRecordOfBeforeTheStampWasTakenAwayTellsNothingOfTheNextOne() {
        recordsAreLate = true;
        acknowledgeRanges(MOST);
        tick();
        cursor.stamp = Optional.empty();
        tick();
        writeRecord();
        tick();
        assertTrue(journal.isUnsettled(), "the record with the stamp that was put back is not written");
        writeRecord();
        tick();
        assertFalse(journal.isUnsettled());
    }

    @Test
    void aResetTakesTheLedgerAwayAndAnotherIsBegun() {
        acknowledgeRanges(MOST);
        tick();
        acked.get(1L)[0] &= ~1L;
        cursor.stamp = Optional.empty();
        tick();
        assertEquals(Map.of(), ledgers.stored);
        tick();
        assertEquals(2, ledgers.stored.firstKey());
        assertEquals(2, cursor.stamp.orElseThrow().epoch());
    }

    /** As for want of memory; an acknowledgement that was held up over the seek puts the stamp back. */
    @Test
    void aResetThatWasSeenIsNotForgottenThoughTheStepFails() {
        acknowledgeRanges(MOST + MOST / 2);
        tick();
        JournalCursor.Stamp before = cursor.stamp.orElseThrow();
        acked.clear();
        acknowledgeRanges(MOST / 2);
        cursor.stamp = Optional.of(before);
        stampsFail = true;
        tick();
        stampsFail = false;
        cursor.stamp = Optional.of(before);
        for (int i = 0; i < 5; i++) {
            tick();
            assertFalse(cursor.stamp.equals(Optional.of(before)) && ledgers.stored.containsKey(before.epoch()),
                    "it names what nobody has acknowledged since the seek");
        }
        assertFalse(ledgers.stored.containsKey(before.epoch()));
        assertTrue(journal.rewound(nowMillis).join());
    }

    /** All that a look has seen lies below mark-delete then. */
    @Test
    void aSeekForwardIntoWhatWasAppendedWithoutConsumersTakesTheLedgerAway() throws DamagedJournalException {
        acknowledgeRanges(MOST);
        tick();
        cursor.hasConsumer = false;
        acknowledgeBatch(MOST);
        tick();
        assertTrue(stored().containsAll(cursor.moment().orElseThrow().acked()));
        acked.clear();
        cursor.markDelete = BATCH - 1;
        cursor.stamp = Optional.empty();
        cursor.hasConsumer = true;
        acknowledgeBatch(MOST / 2);
        tick();
        assertEquals(Optional.empty(), cursor.stamp);
        assertEquals(Map.of(), ledgers.stored);
    }

    private void acknowledgeBatch(int count) {
        for (int i = 0; i < count; i++) {
            acknowledge(1, BATCH + 2 * i);
        }
    }

    @Test
    void aSeekBackIsSeenWhereAllHadBeenAcknowledgedBefore() {
        acknowledgeRanges(MOST);
        tick();
        acked.clear();
        cursor.markDelete = 2 * MOST;
        tick();
        cursor.markDelete = -1;
        cursor.stamp = Optional.empty();
        for (int i = 0; i < MOST; i++) {
            acknowledge(1, 4 * i);
        }
        tick();
        assertFalse(ledgers.stored.containsKey(1L), "entry 2 is in the ledger, and nobody has acknowledged it since");
        tick();
        assertEquals(2, cursor.stamp.orElseThrow().epoch());
    }

    @Test
    void aSeekBackThatLeavesNothingToDeleteIsFollowedByALookForWhatIsAcknowledgedSince() {
        cursor.markDelete = 2 * MOST;
        tick();
        cursor.markDelete = -1;
        acknowledgeRanges(MOST);
        tick();
        assertEquals(0, journal.room());
        tick();
        assertEquals(1, ledgers.nextId);
    }

    @Test
    void aSeekBetweenTheLastSliceOfARestoreAndTheFirstLookIsSeen() {
        acknowledgeRanges(MOST);
        tick();
        AckedPositions applied = cursor.moment().orElseThrow().acked();
        acked.clear();
        AckJournal loaded = new AckJournal(cursor, ledgers, HEAD,
                new Outcome(AckRestore.End.APPLIED, "", MOST, applied.none(), applied), Runnable::run, failures::add);
        // An acknowledgement that was held up over the seek has put the stamp back.
        assertEquals(1, cursor.stamp.orElseThrow().epoch());
        assertTrue(loaded.rewound(nowMillis).join());
        assertEquals(Optional.empty(), cursor.stamp);
        assertEquals(Map.of(), ledgers.stored);
    }

    @Test
    void aJournalThatTheRecordCannotNeedCountsNoMoreBeforeItIsRead() {
        acknowledgeRanges(MOST);
        tick();
        acked.clear();
        acknowledgeRanges(3);
        ledgers.isLate = true;
        CompletableFuture<Outcome> unused = new AckRestore(cursor, ledgers, HEAD, Runnable::run,
                (restMillis, step) -> step.run(), () -> true).run();
        assertEquals(Optional.of(new JournalCursor.Stamp(1, 0)), cursor.stamp);
    }

    @Test
    void aResetWhileAnEntryIsAppendedIsSeenBeforeTheStamp() {
        acknowledgeRanges(MOST / 2);
        tick();
        ledgers.isLate = true;
        acknowledgeRanges(MOST);
        nowMillis += 5_000;
        CompletableFuture<Void> step = journal.tick(nowMillis);
        acked.clear();
        cursor.stamp = Optional.empty();
        ledgers.isLate = false;
        ledgers.answerLate();
        assertTrue(step.isDone());
        assertEquals(Optional.empty(), cursor.stamp);
    }

    @Test
    void whileNoConsumerIsConnectedNothingIsWritten() {
        cursor.hasConsumer = false;
        acknowledgeRanges(MOST);
        tick();
        assertEquals(0, ledgers.nextId);
    }

    @Test
    void storageThatIsAwayIsTriedAgainMoreAndMoreSeldom() {
        ledgers.isAway = true;
        acknowledgeRanges(MOST);
        for (int i = 0; i < 1_000; i++) {
            tick();
        }
        assertTrue(failures.size() < 30, () -> failures.size() + " tries within 5,000 s");
        ledgers.isAway = false;
        for (int i = 0; i < 70; i++) {
            tick();
        }
        assertTrue(journal.isActive());
        assertEquals(1, ledgers.named.size());
    }

    @Test
    void aLedgerThatHasFailedIsReplaced() throws DamagedJournalException {
        acknowledgeRanges(MOST / 2);
        tick();
        ledgers.isAway = true;
        acknowledgeRanges(MOST);
        tick();
        ledgers.isAway = false;
        for (int i = 0; i < 4; i++) {
            tick();
        }
        assertEquals(1, failures.size());
        assertEquals(List.of(1L), ledgers.closed);
        assertEquals(List.of(2L), ledgers.named);
        assertEquals(1, ledgers.stored.size());
        assertTrue(stored().containsAll(cursor.moment().orElseThrow().acked()));
    }

    @Test
    void aJournalThatBeginsWithManyShortEntriesIsNotWrittenAnewEachTick() throws DamagedJournalException {
        ledgers.mostBytes = JournalEntry.LEAST_BYTES;
        Random random = new Random(1);
        for (int i = 0; i < ENTRIES; i++) {
            acknowledge(1 + random.nextInt(2), random.nextInt(ENTRIES));
        }
        tick();
        assertTrue(ledgers.stored.firstEntry().getValue().size() > 1_100);
        for (int i = 0; i < 3; i++) {
            acknowledge(3, 2 * i);
            tick();
        }
        assertEquals(1, ledgers.nextId);
        assertTrue(stored().containsAll(cursor.moment().orElseThrow().acked()));
    }

    /** At 10,000 acknowledgements a second, with a tick in 5 s. */
    @Test
    void anAcknowledgementTakesLessThanThreeBytesAndATickLessThanTwoPercentOfAProcessor() {
        Random random = new Random(1);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long acknowledged = 0;
        long nanos = 0;
        int ticks = 0;
        while (acknowledged < LEDGERS * ENTRIES / 2) {
            for (int i = 0; i < 50_000; i++) {
                acknowledge(1 + random.nextInt(LEDGERS), random.nextInt(ENTRIES));
            }
            acknowledged += 50_000;
            long before = threads.getCurrentThreadCpuTime();
            tick();
            nanos += threads.getCurrentThreadCpuTime() - before;
            ticks++;
        }
        double millis = nanos / 1e6 / ticks;
        tick();
        tick();
        long entries = cursor.moment().orElseThrow().acked().entries();
        double each = (double) ledgers.bytes / entries;
        System.out.printf("journal: %,d acknowledgements in random order, 50,000 a tick: %.2f bytes each, %d ledgers, %.1f ms of"
                + " processor a tick%n", entries, each, ledgers.nextId, millis);
        assertTrue(each < 3, () -> each + " bytes each");
        assertTrue(millis < 0.02 * TICK_MILLIS, () -> millis + " ms a tick");
        assertEquals(1, ledgers.stored.size());
    }
}
