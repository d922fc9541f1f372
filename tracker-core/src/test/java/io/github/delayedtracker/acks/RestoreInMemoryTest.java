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
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A restore on a cursor that is in memory already, as it is where a tracker is made anew for other consumers: what the cursor
 * tells is more than its record has, and the journal is still the only place of the rest.
 */
class RestoreInMemoryTest extends JournalFixture {

    /** More in each of two ledgers of the topic than a record takes. */
    private void acknowledgeInTwoLedgers() {
        acknowledgeRanges(2 * MOST);
        for (int i = 0; i < 2 * MOST; i++) {
            acknowledge(2, 2 * i);
        }
    }

    private Outcome restoreAnew() {
        return new AckRestore(cursor, ledgers, HEAD, Runnable::run, (restMillis, step) -> step.run(), () -> true).run().join();
    }

    private AckJournal journalAfter(Outcome outcome) {
        return new AckJournal(cursor, ledgers, HEAD, outcome, Runnable::run, failures::add);
    }

    private long stamped() {
        return cursor.stamp.orElseThrow().epoch();
    }

    @Test
    @DisplayName("Cluster 206, 207, 208: a journal is not deleted because a cursor in memory has all that it has")
    void theJournalOfMoreThanARecordHoldsCountsUntilAnotherIsRecorded() {
        acknowledgeInTwoLedgers();
        tick();
        assertTrue(journal.close().isDone());
        Outcome outcome = restoreAnew();
        assertEquals(End.APPLIED, outcome.end(), outcome.reason());
        assertEquals(0, outcome.positions());
        assertEquals(1, stamped());
        assertFalse(cursor.stamp.orElseThrow().isForKeptOnly(), "a record written now leaves out a half");
        assertEquals(List.of(1L), List.copyOf(ledgers.stored.keySet()));
        recordsAreLate = true;
        AckJournal next = journalAfter(outcome);
        assertTrue(next.tick(5_000).isDone());
        assertEquals(List.of(1L, 2L), List.copyOf(ledgers.stored.keySet()), "the record that names the other is not written");
        writeRecord();
        assertTrue(next.tick(10_000).isDone());
        assertEquals(List.of(2L), List.copyOf(ledgers.stored.keySet()));
        assertEquals(2, stamped());
    }

    @Test
    void aJournalThatIsNotNeededGoesOnceARecordThatHasAllIsWritten() {
        acknowledgeRanges(MOST / 2);
        tick();
        assertTrue(journal.close().isDone());
        acked.clear();
        acknowledgeRanges(1);
        cursor.markDelete = MOST;
        Outcome outcome = restoreAnew();
        assertEquals(End.NOT_NEEDED, outcome.end(), outcome.reason());
        assertEquals(List.of(1L), List.copyOf(ledgers.stored.keySet()));
        recordsAreLate = true;
        AckJournal next = journalAfter(outcome);
        assertTrue(next.isUnsettled());
        assertTrue(next.tick(5_000).isDone());
        assertEquals(List.of(1L), List.copyOf(ledgers.stored.keySet()), "the record that has all is not written");
        writeRecord();
        assertTrue(next.tick(10_000).isDone());
        assertTrue(next.tick(15_000).isDone());
        assertEquals(List.of(), List.copyOf(ledgers.stored.keySet()));
        assertEquals(List.of(), ledgers.named);
    }

    @Test
    void aCursorThatWasResetMeanwhileHasNoJournalAnyMore() {
        acknowledgeInTwoLedgers();
        tick();
        acked.clear();
        acknowledgeRanges(MOST / 4);
        assertEquals(End.REFUSED, restoreAnew().end());
        assertTrue(cursor.stamp.isEmpty());
        assertEquals(List.of(), List.copyOf(ledgers.stored.keySet()));
    }
}
