/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Closing: what still runs, what does not, and when it is over. */
@SuppressWarnings("FutureReturnValueIgnored") // the test looks at the log or the figures instead
class ExecutorCloseTest {

    private final ManualThreads threads = new ManualThreads();
    private final TaskLog log = new TaskLog();
    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(threads, () -> 0);
    private final CompletableFuture<String> stage = new CompletableFuture<>();

    private static void assertClosed(CompletableFuture<?> future) {
        assertInstanceOf(ClosedException.class, assertThrows(CompletionException.class, future::join).getCause());
    }

    @Test
    void anIdleExecutorIsClosedAtOnce() {
        assertTrue(executor.close().isDone());
    }

    @Test
    void closingFailsWhatIsQueuedLetsTheRunningEndAndAcceptsNothing() {
        CompletableFuture<String> running = executor.submit("a", log.until("a1", stage));
        CompletableFuture<String> queued = executor.submit("a", log.atOnce("a2"));
        threads.runAll();
        CompletableFuture<String> ready = executor.submit("b", log.atOnce("b1"));

        CompletableFuture<Void> closed = executor.close();
        assertClosed(queued);
        assertClosed(ready);
        assertClosed(executor.submit("a", log.atOnce("late")));
        assertClosed(executor.submit("c", log.atOnce("late")));
        threads.runAll();
        assertFalse(closed.isDone());

        stage.complete("end");
        threads.runAll();
        assertEquals("end", running.join());
        assertTrue(closed.isDone());
        assertEquals(List.of("a1"), log.lines());
        assertEquals(2, executor.stats().abandonedTasks());
    }

    @Test
    void tasksAreAbandonedInTheOrderTheirKeysBecameBusy() {
        List<Integer> order = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int number = i;
            executor.submit("key" + i * 7919, log.atOnce("")).whenComplete((value, closed) -> order.add(number));
            expected.add(number);
        }
        executor.close();
        assertEquals(expected, order);
    }

    @Test
    void nobodyElseCanCompleteTheClosing() {
        executor.submit("a", log.until("a1", stage));
        executor.close().complete(null);
        assertFalse(executor.close().isDone());
    }
}
