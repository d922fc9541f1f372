/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The journal of a cursor for which another tracker is made while the topic stays loaded, or is being closed. */
class JournalMadeAnewTest extends JournaledTracker {

    /** More in each ledger of the topic than a record takes. */
    private void aJournalOfTwoLedgersIsKept() {
        for (int i = 0; i < ACKED; i++) {
            acknowledge(2, 2L * i + 1);
        }
        aJournalIsKept();
    }

    @Test
    @DisplayName("Cluster 206, 207, 208: a tracker that a late read makes leaves the journal to the next owner of the topic")
    void aTrackerMadeForAClosedDispatcherLeavesTheJournalAlone() {
        aJournalOfTwoLedgersIsKept();
        tracker.close();
        Map<Long, Integer> before = entries();
        Map<String, Long> stamp = Map.copyOf(properties);
        when(broker.dispatcher.isClosed()).thenReturn(true);
        load();
        assertTrue(tracker.addMessage(1, 2, FakeBroker.NOW + 3_600_000));
        acknowledge(0);
        afterSeconds(60);
        assertEquals(before, entries());
        assertEquals(stamp, properties);
        when(broker.dispatcher.isClosed()).thenReturn(false);
        loadFromTheRecord();
        afterSeconds(1);
        assertEquals(2 * ACKED + 1, broker.acknowledged.size(), "with the one of meanwhile, which the record has");
    }

    @Test
    @DisplayName("Seed 1636: nothing is let through before the journals tell what is acknowledged, cancelled or moved")
    void aTrackerMadeForAClosedDispatcherHoldsAllAndBeginsOnceItIsInUseAgain() {
        aJournalOfTwoLedgersIsKept();
        tracker.close();
        when(broker.dispatcher.isClosed()).thenReturn(true);
        load();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        assertEquals(Optional.of("the topic is being closed"), tracker.acks.reasonNotToPersist());
        assertTrue(tracker.acks.pausesReads());
        when(broker.dispatcher.isClosed()).thenReturn(false);
        assertFalse(tracker.acks.pausesReads(), "the journal is restored");
        assertEquals(Set.of(PositionFactory.create(1, 0)), tracker.getScheduledMessages(100));
        afterSeconds(60);
        assertEquals(1, journals.ledgers.size());
    }

    @Test
    void aTrackerMadeForAClosedDispatcherOpensItsGateWhereTheJournalWentMeanwhile() {
        aJournalOfTwoLedgersIsKept();
        tracker.close();
        when(broker.dispatcher.isClosed()).thenReturn(true);
        load();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        properties.clear();
        journals.named = List.of();
        when(broker.dispatcher.isClosed()).thenReturn(false);
        assertFalse(tracker.acks.pausesReads());
        assertEquals(Set.of(PositionFactory.create(1, 0)), tracker.getScheduledMessages(100));
    }

    @Test
    @DisplayName("Consumers of another type: what the record leaves out has a journal all the time")
    void aTrackerMadeAnewOnACursorInMemoryLeavesNothingWithoutAJournal() {
        aJournalOfTwoLedgersIsKept();
        tracker.close();
        load();
        for (int millis = 0; millis < 15_000; millis++) {
            broker.timer.advanceTo(broker.timer.nowMillis() + 1);
            long epoch = BrokerJournalCursor.stampOf(broker.cursor).orElseThrow().epoch();
            assertTrue(journals.ledgers.containsKey(epoch), () -> "no ledger " + epoch + " among " + journals.ledgers.keySet());
        }
        assertEquals(1, journals.ledgers.size());
        loadFromTheRecord();
        afterSeconds(1);
        assertEquals(2 * ACKED, broker.acknowledged.size());
    }

    private Map<Long, Integer> entries() {
        Map<Long, Integer> entries = new TreeMap<>();
        journals.ledgers.forEach((ledgerId, stored) -> entries.put(ledgerId, stored.size()));
        return entries;
    }
}
