/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.backend.JournalStore.Content;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.command.RefusedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.BeforeEach;

/** A topic of a hundred entries, of which a test moves some. */
abstract class MovedMessages extends JournaledTracker {

    static final long SOON = FakeBroker.NOW + 10_000;
    static final long LATER = FakeBroker.NOW + 100_000;

    @BeforeEach
    void aTopicOfAHundredEntries() {
        when(broker.topic.getName()).thenReturn("persistent://public/default/t");
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, 99));
        broker.ledgers(1);
    }

    CompletableFuture<List<Answer>> move(long dueMillis, long... entryIds) {
        return move(LongStream.of(entryIds).mapToObj(entryId -> MessageName.parse("1:" + entryId)).toList(), dueMillis);
    }

    List<Long> due() {
        return tracker.getScheduledMessages(100).stream().map(Position::getEntryId).toList();
    }

    Reason refusal(CompletableFuture<List<Answer>> answers) {
        ExecutionException refused = assertThrows(ExecutionException.class, answers::get);
        return assertInstanceOf(RefusedException.class, refused.getCause()).reason();
    }

    MemoryJournals moves() {
        return journals.of(Content.MOVES);
    }
}
