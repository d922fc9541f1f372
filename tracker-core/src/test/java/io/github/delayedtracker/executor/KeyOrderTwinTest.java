/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Random submissions, visits, completions and closing, against a list of tasks for each key. */
@SuppressWarnings("FutureReturnValueIgnored") // the test looks at the log or the figures instead
class KeyOrderTwinTest {

    @Test
    void itDoesWhatAListForEachKeyDoes() {
        for (long seed = 1; seed <= 400; seed++) {
            new Run(seed).play();
        }
        new Run(new Random().nextLong()).play();
    }

    /** What the model knows of a task. */
    private static final class Expected {
        final CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> future;
        boolean started;
    }

    private static final class Run {
        final String seedText;
        final Random random;
        final ManualThreads threads = new ManualThreads();
        final KeyOrderedExecutor<Integer> executor = new KeyOrderedExecutor<>(threads, () -> 0);
        /** Not yet ended tasks of each key, the running one first. */
        final Map<Integer, Deque<Expected>> model = new HashMap<>();
        final List<Expected> running = new ArrayList<>();
        boolean closed;

        Run(long seed) {
            seedText = "seed " + seed;
            random = new Random(seed);
        }

        void play() {
            for (int step = 0; step < 500; step++) {
                int dice = random.nextInt(100);
                if (dice < 45) {
                    submit(random.nextInt(6));
                } else if (dice < 75 && threads.waiting() > 0) {
                    threads.runOneOf(random);
                } else if (dice < 98 && !running.isEmpty()) {
                    complete();
                } else if (step > 400 && !closed) {
                    closed = true;
                    executor.close();
                }
            }
            while (threads.waiting() > 0 || !running.isEmpty()) {
                threads.runAll();
                if (!running.isEmpty()) {
                    complete();
                }
            }
            assertEquals(0, executor.stats().busyKeys(), seedText);
            assertEquals(0, executor.stats().queuedTasks(), seedText);
            model.values().forEach(tasks -> assertTrue(tasks.isEmpty(), seedText));
            assertTrue(executor.close().isDone(), seedText);
        }

        private void submit(int key) {
            Deque<Expected> tasks = model.computeIfAbsent(key, k -> new ArrayDeque<>());
            int end = random.nextInt(4);
            Expected task = new Expected();
            KeyedTask<String> work = () -> start(tasks, task, end);
            if (!closed) {
                tasks.add(task);
            }
            task.future = executor.submit(key, work);
            assertEquals(closed, task.future.isCompletedExceptionally(), seedText);
            task.future.whenComplete((value, thrown) -> tasks.remove(task));
        }

        private CompletableFuture<String> start(Deque<Expected> tasks, Expected task, int end) {
            assertTrue(tasks.peekFirst() == task, seedText + ": not the first of its key");
            assertTrue(!task.started, seedText + ": started twice");
            task.started = true;
            if (end == 0) {
                throw new IllegalStateException("thrown by the test");
            }
            if (end == 1) {
                task.stage.complete("");
            } else {
                running.add(task);
            }
            return task.stage;
        }

        private void complete() {
            Expected task = running.remove(random.nextInt(running.size()));
            assertTrue(!task.future.isDone(), seedText + ": ended before its stage");
            if (random.nextInt(3) == 0) {
                task.stage.completeExceptionally(new IllegalStateException("failed by the test"));
            } else {
                task.stage.complete("");
            }
        }
    }
}
