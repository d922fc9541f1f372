/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Errors after a step: what is told of its end throws. */
class WedgedJournalTest extends JournalFixture {

    @Test
    void anErrorWhileAFailureIsToldDoesNotEndTheJournalForEver() {
        AtomicBoolean isOut = new AtomicBoolean(true);
        AckJournal wedged = new AckJournal(cursor, ledgers, HEAD, new Outcome(End.NONE, "", 0), Runnable::run, failure -> {
            if (isOut.getAndSet(false)) {
                throw new OutOfMemoryError("for the test");
            }
        });
        acknowledgeRanges(MOST);
        ledgers.isAway = true;
        CompletableFuture<Void> unused = wedged.tick(5_000);
        ledgers.isAway = false;
        CompletableFuture<Void> later = wedged.tick(700_000);
        assertTrue(later.isDone(), "a step that never ends");
        CompletableFuture<Void> last = wedged.tick(1_400_000);
        assertTrue(last.isDone(), "a step that never ends");
        assertEquals(true, wedged.isActive());
    }
}
