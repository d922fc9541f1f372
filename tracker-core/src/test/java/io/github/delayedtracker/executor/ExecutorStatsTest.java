/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The figures, and that nothing is kept of an idle key. */
@SuppressWarnings("FutureReturnValueIgnored") // the test looks at the log or the figures instead
class ExecutorStatsTest {

    private final ManualThreads threads = new ManualThreads();
    private final TaskLog log = new TaskLog();
    private final long[] nowNanos = new long[1];
    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(threads, () -> nowNanos[0]);

    @Test
    void waitAndRunTimesAreThoseOfTheClock() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        nowNanos[0] = 100;
        executor.submit("a", log.until("a1", stage));
        executor.submit("a", log.atOnce("a2"));
        assertEquals(new ExecutorStats(1, 2, 0, 0, 0, 0, 0, 0), executor.stats());

        nowNanos[0] = 110;
        threads.runAll();
        assertEquals(new ExecutorStats(1, 1, 1, 10, 0, 0, 0, 0), executor.stats());

        nowNanos[0] = 150;
        stage.completeExceptionally(new IllegalStateException("bad"));
        nowNanos[0] = 160;
        threads.runAll();
        assertEquals(new ExecutorStats(0, 0, 2, 70, 2, 1, 40, 0), executor.stats());
    }

    /** A5: a task that never ends shows by its age. */
    @Test
    void a5_theLongestRunningTaskOfAllKeysIsTold() {
        CompletableFuture<String> hung = new CompletableFuture<>();
        assertEquals(0, executor.longestRunningNanos());
        nowNanos[0] = 100;
        executor.submit("a", log.until("a1", hung));
        nowNanos[0] = 150;
        assertEquals(0, executor.longestRunningNanos(), "it waits for a thread");
        threads.runAll();
        nowNanos[0] = 400;
        executor.submit("b", log.until("b1", new CompletableFuture<>()));
        threads.runAll();
        nowNanos[0] = 1_000;
        assertEquals(850, executor.longestRunningNanos());
        hung.complete("over");
        threads.runAll();
        assertEquals(600, executor.longestRunningNanos());
    }

    @Test
    void nothingIsKeptOfAMillionKeysTouchedOneAfterTheOther() {
        long mostBusy = 0;
        for (int key = 0; key < 1_000_000; key++) {
            executor.submit("key" + key, () -> CompletableFuture.completedFuture(""));
            mostBusy = Math.max(mostBusy, executor.stats().busyKeys());
            threads.runAll();
        }
        assertEquals(1, mostBusy);
        assertEquals(0, executor.stats().busyKeys());
        assertEquals(1_000_000, executor.stats().endedTasks());
        long bytes = org.openjdk.jol.info.GraphStats.parseInstance(executor).totalSize();
        assertTrue(bytes < 8_192, "bytes retained by an idle executor: " + bytes);
    }

    @Test
    void aWorkerMovesOnlyAlongItsStates() {
        Set<String> legal = new TreeSet<>();
        for (WorkerState from : WorkerState.values()) {
            for (WorkerState to : WorkerState.values()) {
                if (from.mayBecome(to)) {
                    legal.add(from + "-" + to);
                }
            }
        }
        assertEquals(Set.of("READY-RUNNING", "READY-GONE", "RUNNING-SETTLING", "SETTLING-READY", "SETTLING-RUNNING",
                "SETTLING-GONE"), legal);
    }
}
