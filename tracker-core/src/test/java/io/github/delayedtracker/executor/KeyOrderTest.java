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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Order and exclusion within a key, independence between keys, and tasks that fail. */
@SuppressWarnings("FutureReturnValueIgnored") // the test looks at the log or the figures instead
class KeyOrderTest {

    private final ManualThreads threads = new ManualThreads();
    private final TaskLog log = new TaskLog();
    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(threads, () -> 0);

    private static Throwable causeOf(CompletableFuture<?> future) {
        return assertThrows(CompletionException.class, future::join).getCause();
    }

    @Test
    void tasksOfAKeyStartInTheOrderOfSubmission() {
        executor.submit("a", log.atOnce("a1"));
        executor.submit("a", log.atOnce("a2"));
        executor.submit("a", log.atOnce("a3"));

        threads.runAll();

        assertEquals(List.of("a1", "a2", "a3"), log.lines());
    }

    @Test
    void aTaskWaitsUntilTheStageBeforeItIsComplete() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> first = executor.submit("a", log.until("a1", stage));
        executor.submit("a", log.atOnce("a2"));

        threads.runAll();
        assertEquals(List.of("a1"), log.lines());
        assertFalse(first.isDone());

        stage.complete("done");
        threads.runAll();
        assertEquals(List.of("a1", "a2"), log.lines());
        assertEquals("done", first.join());
    }

    @Test
    void aPendingStageHoldsNoThread() {
        executor.submit("a", log.until("a1", new CompletableFuture<>()));
        executor.submit("a", log.atOnce("a2"));
        threads.runAll();

        assertEquals(0, threads.waiting());
        assertEquals(1, executor.stats().busyKeys());
    }

    @Test
    @Timeout(30)
    void aHungKeyDelaysNoOtherOnAPoolOfOneThread() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            KeyOrderedExecutor<Integer> onOne = new KeyOrderedExecutor<>(one, System::nanoTime);
            CompletableFuture<String> hung = onOne.submit(-1, CompletableFuture::new);
            CompletableFuture<String> behind = onOne.submit(-1, () -> CompletableFuture.completedFuture("never"));
            CountDownLatch others = new CountDownLatch(1_000);
            for (int key = 0; key < 1_000; key++) {
                onOne.submit(key, () -> CompletableFuture.completedFuture("")).thenRun(others::countDown);
            }
            assertTrue(others.await(20, TimeUnit.SECONDS), "keys still waiting: " + others.getCount());
            assertFalse(hung.isDone());
            assertFalse(behind.isDone());
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void aKeyWithManyShortTasksTakesTurnsWithOthers() {
        executor.submit("a", log.atOnce("a1"));
        executor.submit("a", log.atOnce("a2"));
        executor.submit("b", log.atOnce("b1"));
        threads.runAll();

        assertEquals(List.of("a1", "b1", "a2"), log.lines());
    }

    @Test
    void aTaskThatThrowsFailsItsFutureAndTheNextOneRuns() {
        IOException failure = new IOException("disk");
        CompletableFuture<String> bad = executor.submit("a", () -> {
            throw failure;
        });
        CompletableFuture<String> worse = executor.submit("a", () -> {
            throw new StackOverflowError("deep");
        });
        CompletableFuture<String> good = executor.submit("a", log.atOnce("a3"));
        threads.runAll();

        assertSame(failure, causeOf(bad));
        assertInstanceOf(StackOverflowError.class, causeOf(worse));
        assertEquals("a3", good.join());
    }

    @Test
    void aStageThatFailsFailsTheFutureWithTheCauseItself() {
        IOException failure = new IOException("ledger");
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> bad = executor.submit("a", () -> source.thenApply(text -> text + "!"));
        CompletableFuture<String> good = executor.submit("a", log.atOnce("a2"));
        threads.runAll();
        source.completeExceptionally(failure);
        threads.runAll();

        Throwable[] seen = new Throwable[1];
        bad.whenComplete((value, thrown) -> seen[0] = thrown);
        assertSame(failure, seen[0]);
        assertEquals("a2", good.join());
    }

    @Test
    void noStageOrAnUnusableOneIsAFailure() {
        CompletableFuture<String> none = executor.submit("a", () -> null);
        CompletableFuture<String> minimal = executor.submit("a", () -> CompletableFuture.completedStage("minimal"));
        CompletableFuture<String> broken = executor.submit("a", () -> new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(
                    java.util.function.BiConsumer<? super String, ? super Throwable> action) {
                throw new UnsupportedOperationException("broken stage");
            }
        });
        CompletableFuture<String> good = executor.submit("a", log.atOnce("a4"));
        threads.runAll();

        assertInstanceOf(NullPointerException.class, causeOf(none));
        assertEquals("minimal", minimal.join());
        assertInstanceOf(UnsupportedOperationException.class, causeOf(broken));
        assertEquals("a4", good.join());
    }

    @Test
    void aTaskMaySubmitToItsOwnKeyAndToOthers() {
        executor.submit("a", () -> {
            executor.submit("a", log.atOnce("a inside"));
            executor.submit("b", log.atOnce("b inside"));
            return log.atOnce("a").start();
        });
        threads.runAll();

        assertEquals(List.of("a", "b inside", "a inside"), log.lines());
    }

    @Test
    void theFutureOfATaskIsCompleteBeforeTheNextOneStarts() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        executor.submit("a", log.until("a1", stage)).thenRun(() -> log.lines().add("after a1"));
        executor.submit("a", log.atOnce("a2")).thenRun(() -> log.lines().add("after a2"));
        executor.submit("a", log.atOnce("a3"));
        threads.runAll();
        stage.complete("");
        threads.runAll();

        assertEquals(List.of("a1", "after a1", "a2", "after a2", "a3"), log.lines());
    }

    @Test
    void whatDependsOnATaskRunsOnAThreadOfTheExecutorNotOnTheOneThatCompletesTheStage() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> future = executor.submit("a", log.until("a1", stage));
        threads.runAll();
        stage.complete("");

        assertFalse(future.isDone());
        assertEquals(1, threads.waiting());
    }

    @Test
    void completingAFutureFromOutsideDoesNotEndTheTurn() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        executor.submit("a", log.until("a1", stage)).cancel(true);
        executor.submit("a", log.atOnce("a2"));
        threads.runAll();
        assertEquals(List.of("a1"), log.lines());

        stage.complete("");
        threads.runAll();
        assertEquals(List.of("a1", "a2"), log.lines());
    }

    @Test
    void threadsThatRunOnTheCallerWork() {
        KeyOrderedExecutor<String> direct = new KeyOrderedExecutor<>(Runnable::run, () -> 0);
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletionStage<String> first = direct.submit("a", log.until("a1", stage));
        CompletableFuture<String> second = direct.submit("a", log.atOnce("a2"));
        stage.complete("");

        assertTrue(first.toCompletableFuture().isDone());
        assertEquals("a2", second.join());
        assertEquals(0, direct.stats().busyKeys());
    }

    /** As where there is no memory for what comes after. */
    @Test
    void aStageThatFailsAfterItHasToldItsEndLeavesTheKeyFree() {
        CompletableFuture<String> told = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                action.accept("a1", null);
                throw new InternalError("for the test");
            }
        };
        CompletableFuture<String> first = executor.submit("a", () -> told);
        CompletableFuture<String> second = executor.submit("a", log.atOnce("a2"));
        threads.runAll();
        assertEquals("a1", first.join());
        assertEquals("a2", second.join());
        assertEquals(0, executor.stats().busyKeys());
    }

    @Test
    void whenNoThreadIsToBeHadTheEndedTaskKeepsItsResultAndTheQueuedOnesFail() {
        boolean[] shut = new boolean[1];
        KeyOrderedExecutor<String> failing = new KeyOrderedExecutor<>(visit -> {
            if (shut[0]) {
                throw new RejectedExecutionException("shut");
            }
            threads.execute(visit);
        }, () -> 0);
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> first = failing.submit("a", log.until("a1", stage));
        CompletableFuture<String> second = failing.submit("a", log.atOnce("a2"));
        threads.runAll();
        shut[0] = true;
        stage.complete("kept");

        assertEquals("kept", first.join());
        assertInstanceOf(NoThreadException.class, causeOf(second));
        assertInstanceOf(NoThreadException.class, causeOf(failing.submit("b", log.atOnce("b1"))));
        assertEquals(new ExecutorStats(0, 0, 1, 0, 1, 0, 0, 2), failing.stats());
    }
}
