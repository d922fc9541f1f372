/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.backend.JournalStore.Content;
import java.util.List;
import org.apache.pulsar.broker.service.Consumer;
import org.junit.jupiter.api.Test;

/** A restore that ends, on the worker, while an entry is being offered to consumers that have come back. */
class RestoreEndsMeanwhileTest extends JournaledTracker {

    private Runnable meanwhile = () -> { };

    @Test
    void theGateIsOpenAfterTheRestoreHasEnded() {
        assertFalse(tracker.addMessage(1, 0, 0));
        acknowledgeMany();
        afterSeconds(15);
        tracker.close();
        MemoryJournals moves = journals.of(Content.MOVES);
        moves.named = List.of(500L);
        moves.answer = MemoryJournals.Answer.FAILS_LATE;
        journals.answer = MemoryJournals.Answer.FAILS_LATE;
        loadFromTheRecord();
        assertTrue(tracker.addMessage(1, 0, 0), "held");
        afterSeconds(11);
        assertFalse(tracker.acks.pausesReads(), "consumers get messages without the journal");
        List.copyOf(journals.late).forEach(Runnable::run);
        journals.answer = MemoryJournals.Answer.AT_ONCE;
        // All consumers have gone, and one is back.
        consumer = mock(Consumer.class);
        when(broker.dispatcher.isConsumerConnected()).thenAnswer(call -> {
            Runnable step = meanwhile;
            meanwhile = () -> { };
            step.run();
            return true;
        });
        // On the worker, while the thread that offers copies the cursor: the last that the restore waits for.
        meanwhile = () -> {
            List.copyOf(moves.late).forEach(Runnable::run);
            };
        var unused = tracker.addMessage(1, 2, 0);
        for (int i = 0; i < 120; i++) {
            afterSeconds(60);
            tracker.sweep();
        }
        assertFalse(tracker.acks.pausesReads(), "two hours later nothing is read");
    }
}
