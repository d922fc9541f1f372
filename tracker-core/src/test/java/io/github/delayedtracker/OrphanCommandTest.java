/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.backend.StoredOrphans;
import io.github.delayedtracker.command.DelayedCommands.Orphan;
import io.github.delayedtracker.command.DelayedCommands.Sweep;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** One look for ledgers that nothing names at a time goes to the storage; its failures are refusals. */
class OrphanCommandTest {

    private final List<Long> asked = new ArrayList<>();
    private Optional<CompletableFuture<StoredOrphans>> stored = Optional.of(new CompletableFuture<>());
    private final OrphanCommand command = new OrphanCommand(after -> {
        asked.add(after);
        return stored;
    });

    private static RefusedException refusal(CompletableFuture<?> command) {
        ExecutionException refused = assertThrows(ExecutionException.class, command::get);
        return assertInstanceOf(RefusedException.class, refused.getCause());
    }

    @Test
    void aPageIsPassedOn() throws Exception {
        CompletableFuture<Sweep> sweep = command.sweep(OptionalLong.empty());
        stored.orElseThrow().complete(new StoredOrphans(9, 4, 1, 2, 3, 1, Optional.of("why"), 60,
                List.of(new StoredOrphans.Orphan(5, "t", "c", 7)), OptionalLong.of(12)));
        assertEquals(new Sweep(9, 4, 1, 2, 3, 1, Optional.of("why"), 60, List.of(new Orphan(5, "t", "c", 7)),
                OptionalLong.of(12)), sweep.get());
        assertEquals(List.of(-1L), asked);
    }

    @Test
    void oneLookAtATime() {
        var unused = command.sweep(OptionalLong.of(5));
        assertEquals(Reason.TOO_MANY, refusal(command.sweep(OptionalLong.of(6))).reason());
        assertEquals(List.of(5L), asked);
        stored.orElseThrow().completeExceptionally(new IllegalStateException("no bookie"));
        stored = Optional.empty();
        assertEquals(Reason.NO_SCHEDULE, refusal(command.sweep(OptionalLong.of(7))).reason());
    }

    @Test
    void aFailureOfTheStorageIsARefusalThatNamesIt() {
        CompletableFuture<Sweep> sweep = command.sweep(OptionalLong.empty());
        stored.orElseThrow().completeExceptionally(new IllegalStateException("no bookie"));
        RefusedException refused = refusal(sweep);
        assertEquals(Reason.UNREAD, refused.reason());
        assertTrue(refused.getMessage().contains("no bookie"), refused::getMessage);
    }
}
