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
import io.github.delayedtracker.acks.JournalCursor.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A restore whose cursor is reset while its journal is read; an acknowledgement held up over that puts the stamp back. */
class AckRestoreTest extends JournalFixture {

    private AckRestore restore;
    private CompletableFuture<Outcome> ended;

    @BeforeEach
    void theJournalOfARecordThatWasCutOffIsBeingRead() {
        acknowledgeRanges(2 * MOST);
        tick();
        acked.clear();
        acknowledgeRanges(MOST);
        ledgers.isLate = true;
        restore = new AckRestore(cursor, ledgers, HEAD, Runnable::run, (restMillis, step) -> step.run(), () -> true);
        ended = restore.run();
        assertFalse(ended.isDone());
    }

    private void resetWithTheStampPutBack() {
        Optional<Stamp> before = cursor.stamp;
        assertTrue(before.isPresent());
        acked.clear();
        cursor.stamp = before;
    }

    private AckRestore restoring(List<Runnable> rests) {
        return new AckRestore(cursor, ledgers, HEAD, Runnable::run, (restMillis, step) -> rests.add(step), () -> true);
    }

    @Test
    void aJournalThatCannotBeReadNowIsReadAndAppliedOnceItCan() {
        ledgers.isLate = false;
        ledgers.isAway = true;
        List<AckedPositions> slices = new ArrayList<>();
        acknowledging = positions -> {
            slices.add(positions);
            return CompletableFuture.completedFuture(null);
        };
        List<Runnable> rests = new ArrayList<>();
        AckRestore patient = restoring(rests);
        CompletableFuture<Outcome> applied = patient.run();
        assertTrue(patient.letMessagesGo());
        rests.remove(0).run();
        assertFalse(applied.isDone());
        ledgers.isAway = false;
        rests.remove(0).run();
        assertEquals(End.APPLIED, applied.join().end(), applied.join()::reason);
        assertEquals(MOST, slices.stream().mapToLong(AckedPositions::entries).sum());
        assertTrue(cursor.stamp.isPresent());
    }

    @Test
    void aJournalThatCannotBeReadNowIsNotReadOnceItsTopicIsClosed() {
        ledgers.isLate = false;
        ledgers.isAway = true;
        List<Runnable> rests = new ArrayList<>();
        AckRestore patient = restoring(rests);
        CompletableFuture<Outcome> left = patient.run();
        patient.leave();
        assertEquals(End.LEFT, left.join().end());
        int before = ledgers.reads;
        rests.remove(0).run();
        assertEquals(before, ledgers.reads, "it may have another owner");
        assertTrue(cursor.stamp.isPresent());
    }

    @Test
    void noSliceIsAcknowledgedOnceWhatWasRecoveredIsGone() {
        resetWithTheStampPutBack();
        ledgers.isLate = false;
        ledgers.answerLate();
        assertTrue(ended.isDone());
        assertEquals(End.RESET, ended.join().end());
        assertEquals(Optional.empty(), cursor.stamp);
    }

    @Test
    void beforeMessagesGoWithoutTheJournalItIsRefusedIfWhatWasRecoveredIsGone() {
        resetWithTheStampPutBack();
        assertTrue(restore.letMessagesGo());
        assertTrue(ended.isDone());
        assertEquals(End.RESET, ended.join().end());
        assertEquals(Optional.empty(), cursor.stamp);
    }

    @Test
    void messagesThatGoWithoutTheJournalLeaveItToBeAppliedIfNothingIsGone() {
        assertTrue(restore.letMessagesGo());
        assertFalse(ended.isDone());
    }

    @Test
    void beforeMessagesGoItsStampIsTakenAwayThoughItsEndIsStillToBeSeenTo() {
        AckRestore other = new AckRestore(cursor, ledgers, HEAD, task -> { }, (restMillis, step) -> { }, () -> true);
        CompletableFuture<Outcome> unused = other.run();
        other.giveUp("it takes too long");
        resetWithTheStampPutBack();
        assertTrue(other.letMessagesGo());
        assertEquals(Optional.empty(), cursor.stamp);
    }

    @Test
    void aLongRestoreRestsBetweenItsSlices() {
        ledgers.isLate = false;
        acked.clear();
        acknowledgeRanges(5 * MOST);
        tick();
        acked.clear();
        acknowledgeRanges(MOST);
        acknowledging = positions -> {
            IntStream.range(0, ENTRIES).filter(entryId -> positions.contains(1, entryId))
                    .forEach(entryId -> acknowledge(1, entryId));
            return CompletableFuture.completedFuture(null);
        };
        List<Long> rests = new ArrayList<>();
        Outcome outcome = new AckRestore(cursor, ledgers, HEAD, Runnable::run, (restMillis, step) -> {
            rests.add(restMillis);
            step.run();
        }, () -> true).run().join();
        assertEquals(End.APPLIED, outcome.end(), outcome.reason());
        assertEquals(4 * MOST, outcome.positions());
        assertEquals(List.of(5L, 5L, 5L), rests);
    }
}
