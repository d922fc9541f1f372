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

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a restart would bring back, where a journal keeps what the cursor's record leaves out. */
class JournalFiguresTest extends JournaledTracker {

    private double figure(String name) {
        return tracker.samples().get(name);
    }

    @Test
    void whatTheJournalHasTakenInSinceTheLastPassIsNotCalledLostAnyMore() {
        assertFalse(tracker.addMessage(1, 0, 0));
        acknowledgeMany();
        tracker.sweep();
        assertEquals(ACKED - MOST, figure("acks_lost_on_restart_planned"));
        afterSeconds(15);
        tracker.sweep();
        assertEquals(0, figure("acks_lost_on_restart_planned"));
        assertEquals(0, figure("acks_lost_on_restart_crash"));
        afterSeconds(60);
        tracker.sweep();
        assertEquals(2, broker.services.purges().ended(), "nothing has changed since");
    }

    @Test
    void whatARestoredJournalKeepsIsNotCalledLostOnceItCountsAgain() {
        aJournalIsKept();
        tracker.close();
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        for (int millis = 0; millis < 1_000 && broker.acknowledged.size() < ACKED; millis++) {
            broker.timer.advanceTo(broker.timer.nowMillis() + 1);
        }
        tracker.sweep();
        assertEquals(ACKED - MOST, figure("acks_lost_on_restart_planned"), "none counts yet");
        afterSeconds(15);
        tracker.sweep();
        assertEquals(0, figure("acks_lost_on_restart_planned"));
    }

    @Test
    void withoutItsJournalTheSameAreLostAgain() {
        aJournalIsKept();
        tracker.sweep();
        assertEquals(0, figure("acks_lost_on_restart_planned"));
        journals.answer = MemoryJournals.Answer.FAILS;
        CompletableFuture<Void> unused = tracker.acks.clear();
        afterSeconds(11);
        tracker.sweep();
        assertEquals(ACKED - MOST, figure("acks_lost_on_restart_planned"));
    }
}
