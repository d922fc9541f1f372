/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The bound of a key's queue, and the tasks it does not bind. */
@SuppressWarnings("FutureReturnValueIgnored") // the test looks at the log or the figures instead
class RefusalTest {

    private final ManualThreads threads = new ManualThreads();
    private final TaskLog log = new TaskLog();
    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(threads, 2, () -> 0);
    private final CompletableFuture<String> stage = new CompletableFuture<>();

    private void hangAndFill() {
        executor.submit("a", log.until("running", stage));
        threads.runAll();
        executor.submit("a", log.atOnce("a1"));
        executor.submit("a", log.atOnce("a2"));
    }

    private static RefusedException refusalOf(CompletableFuture<?> future) {
        return assertInstanceOf(RefusedException.class,
                assertThrows(CompletionException.class, future::join).getCause());
    }

    @Test
    void aTaskAtTheLimitIsRefusedAndNamesKeyLimitAndLength() {
        hangAndFill();
        RefusedException refusal = refusalOf(executor.submit("a", log.atOnce("a3")));

        assertEquals("a 2 2", refusal.key() + " " + refusal.limit() + " " + refusal.length());
        assertTrue(refusal.getMessage().contains("key a") && refusal.getMessage().contains("2 tasks"), refusal.getMessage());
        assertEquals(1, executor.stats().refusedTasks());
    }

    @Test
    void theRunningTaskDoesNotCountAndARefusedOneNeverStarts() {
        hangAndFill();
        executor.submit("a", log.atOnce("a3"));
        stage.complete("");
        threads.runAll();

        assertEquals(List.of("running", "a1", "a2"), log.lines());
    }

    @Test
    void whatMustBeDoneIsNeverRefusedAndCountsForOthers() {
        hangAndFill();
        executor.submitAlways("a", log.atOnce("delete"));
        RefusedException refusal = refusalOf(executor.submit("a", log.atOnce("a4")));
        stage.complete("");
        threads.runAll();

        assertEquals(3, refusal.length());
        assertEquals(List.of("running", "a1", "a2", "delete"), log.lines());
    }

    @Test
    void theLimitIsThatOfEachKey() {
        hangAndFill();
        CompletableFuture<String> other = executor.submit("b", log.atOnce("b1"));
        threads.runAll();

        assertEquals("b1", other.join());
    }

    @Test
    void aRefusedTaskMayBeSubmittedAgainLater() {
        hangAndFill();
        refusalOf(executor.submit("a", log.atOnce("a3")));
        stage.complete("");
        threads.runAll();

        CompletableFuture<String> again = executor.submit("a", log.atOnce("a3"));
        threads.runAll();
        assertEquals("a3", again.join());
    }

    @Test
    void aLimitBelowOneIsNamed() {
        Throwable bad = assertThrows(IllegalArgumentException.class, () -> new KeyOrderedExecutor<>(threads, 0, () -> 0));
        assertEquals("queueLimit must be at least 1: 0", bad.getMessage());
    }
}
