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

import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Positions that are to be kept have a journal however few they are, and whoever waits for them is told the truth. */
class KeptAcksTest extends JournalFixture {

    @Test
    void aJournalIsBegunForOnePositionThatIsToBeKeptAndDoesNotEnd() throws DamagedJournalException {
        assertTrue(persist(7).isDone());
        tick();
        tick();
        assertTrue(journal.isActive());
        assertTrue(stored().contains(1, 7));
        assertEquals(Optional.of(new JournalCursor.Stamp(1, 1)), cursor.stamp);
        assertFalse(journal.isUnsettled());
    }

    @Test
    void itEndsOnceMarkDeleteHasPassedAllThatIsToBeKept() {
        CompletableFuture<Void> unused = persist(7);
        cursor.markDelete = 7;
        acked.clear();
        recordsAreLate = true;
        tick();
        tick();
        assertTrue(journal.isActive(), "mark-delete has moved in memory only");
        recordsAreLate = false;
        tick();
        tick();
        assertFalse(journal.isActive());
        assertEquals(Map.of(), ledgers.stored);
    }

    @Test
    void positionsAreDurableOnlyOnceARecordWithTheStampIsWritten() {
        recordsAreLate = true;
        CompletableFuture<Void> durable = persist(7, 9);
        assertFalse(durable.isDone());
        assertTrue(journal.isUnsettled());
        tick();
        assertFalse(durable.isDone());
        recordsAreLate = false;
        tick();
        assertTrue(durable.isDone());
    }

    @Test
    void positionsThatMarkDeleteHasPassedAreDurableWithTheNextRecord() {
        cursor.markDelete = 9;
        recordsAreLate = true;
        CompletableFuture<Void> durable = persist(7);
        assertFalse(durable.isDone());
        recordsAreLate = false;
        tick();
        assertTrue(durable.isDone());
        assertEquals(0, ledgers.nextId);
    }

    @Test
    void positionsThatAResetHasTakenAreNotDurable() {
        recordsAreLate = true;
        CompletableFuture<Void> durable = persist(7);
        acked.clear();
        cursor.stamp = Optional.empty();
        recordsAreLate = false;
        tick();
        assertTrue(durable.isCompletedExceptionally());
        tick();
        assertFalse(journal.isActive());
    }

    @Test
    void storageThatFailsIsToldAndThePositionsAreStillKeptLater() throws DamagedJournalException {
        ledgers.isAway = true;
        assertTrue(persist(7).isCompletedExceptionally());
        assertTrue(persist(8).isCompletedExceptionally(), "a journal at rest takes nothing");
        ledgers.isAway = false;
        nowMillis += 600_000;
        tick();
        tick();
        assertTrue(stored().contains(1, 7));
    }

    @Test
    void positionsAskedForDuringAStepAreKeptByTheNext() throws DamagedJournalException {
        acknowledgeRanges(MOST);
        ledgers.isLate = true;
        nowMillis += 5_000;
        CompletableFuture<Void> step = journal.tick(nowMillis);
        CompletableFuture<Void> durable = persist(2 * MOST + 1);
        assertFalse(durable.isDone());
        ledgers.isLate = false;
        ledgers.answerLate();
        assertTrue(step.isDone());
        assertTrue(durable.isDone());
        assertTrue(stored().contains(1, 2 * MOST + 1));
    }

    @Test
    void allWhoAskDuringAStepAreAnsweredByOneLookAndOneEntry() throws DamagedJournalException {
        acknowledgeRanges(MOST);
        ledgers.isLate = true;
        nowMillis += 5_000;
        CompletableFuture<Void> step = journal.tick(nowMillis);
        long looks = journal.looks();
        Set<CompletableFuture<Void>> answers = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 10_000; i++) {
            answers.add(persist(2 * MOST + 1 + 2 * i));
        }
        ledgers.isLate = false;
        ledgers.answerLate();
        assertTrue(step.isDone());
        assertEquals(1, answers.size());
        assertTrue(answers.iterator().next().isDone());
        assertEquals(looks + 2, journal.looks());
        assertEquals(3, ledgers.stored.lastEntry().getValue().size(), "head, base and one entry");
        assertTrue(stored().contains(1, 2 * MOST + 1 + 19_998));
    }

    @Test
    void whoeverWaitsIsToldThatTheTopicIsClosed() {
        recordsAreLate = true;
        CompletableFuture<Void> durable = persist(7);
        assertTrue(journal.close().isDone());
        assertTrue(durable.isCompletedExceptionally());
        assertTrue(persist(8).isCompletedExceptionally());
    }

    @Test
    void positionsToBeKeptAreKnownAgainAfterALoad() throws DamagedJournalException {
        CompletableFuture<Void> unused = persist(7);
        AckedPositions kept = JournalContents.read(ledgers.stored.lastEntry().getValue(), 1, NONE).kept();
        AckJournal loaded = new AckJournal(cursor, ledgers, HEAD, new Outcome(End.NOT_NEEDED, "", 0, kept, kept.none()),
                Runnable::run, failures::add);
        assertTrue(loaded.keepOn(nowMillis).isDone());
        assertTrue(loaded.isActive());
        assertEquals(2, ledgers.stored.lastKey());
        assertTrue(JournalContents.read(ledgers.stored.lastEntry().getValue(), 1, NONE).kept().contains(1, 7));
    }
}
