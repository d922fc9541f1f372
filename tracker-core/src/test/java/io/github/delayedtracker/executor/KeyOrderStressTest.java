/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads submit to many keys while stages are completed on others. */
@SuppressWarnings("FutureReturnValueIgnored") // the test looks at the log or the figures instead
class KeyOrderStressTest {

    private static final int SUBMITTERS = 8;
    private static final int KEYS = 200;
    private static final int TASKS = 200_000;

    /** What the tasks of a key find and leave; plain fields, since the executor promises exclusion and visibility. */
    private static final class KeySpace {
        final AtomicInteger inside = new AtomicInteger();
        final int[] lastOfSubmitter = new int[SUBMITTERS];
        long tasks;
    }

    private final KeySpace[] keys = new KeySpace[KEYS];
    private final AtomicLong wrong = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(TASKS);
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final ExecutorService storage = Executors.newFixedThreadPool(2);

    private CompletableFuture<Void> turn(KeySpace key, int submitter, int number) {
        if (key.inside.getAndIncrement() != 0 || key.lastOfSubmitter[submitter] >= number) {
            wrong.incrementAndGet();
        }
        key.lastOfSubmitter[submitter] = number;
        key.tasks++;
        return switch (number % 3) {
            case 0 -> {
                key.inside.decrementAndGet();
                yield CompletableFuture.completedFuture(null);
            }
            case 1 -> CompletableFuture.runAsync(key.inside::decrementAndGet, storage);
            default -> {
                key.inside.decrementAndGet();
                throw new IllegalStateException("thrown by the test");
            }
        };
    }

    private void submitAll(KeyOrderedExecutor<Integer> executor, int submitter, long seed) {
        Random random = new Random(seed + submitter);
        for (int i = 1; i <= TASKS / SUBMITTERS; i++) {
            int key = random.nextInt(KEYS);
            int number = i;
            executor.submit(key, () -> turn(keys[key], submitter, number)).whenComplete((done, failure) -> ended.countDown());
        }
    }

    @Test
    @Timeout(120)
    void orderAndExclusionHoldAndNoTaskIsLost() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        for (int i = 0; i < KEYS; i++) {
            keys[i] = new KeySpace();
        }
        KeyOrderedExecutor<Integer> executor = new KeyOrderedExecutor<>(threads, System::nanoTime);
        ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < SUBMITTERS; i++) {
                int submitter = i;
                parts.add(submitters.submit(() -> submitAll(executor, submitter, seed)));
            }
            for (Future<?> part : parts) {
                part.get();
            }
            assertTrue(ended.await(100, TimeUnit.SECONDS), () -> ended.getCount() + " tasks have not ended, seed " + seed);
            executor.close().get(100, TimeUnit.SECONDS);
        } finally {
            submitters.shutdownNow();
            threads.shutdownNow();
            storage.shutdownNow();
        }
        long done = 0;
        for (KeySpace key : keys) {
            done += key.tasks;
        }
        String message = "seed " + seed + ": " + executor.stats();
        assertEquals(0, wrong.get(), message);
        assertEquals(TASKS, done, message);
        assertEquals(TASKS, executor.stats().endedTasks(), message);
        assertEquals(0, executor.stats().busyKeys(), message);
        assertEquals(0, executor.stats().queuedTasks(), message);
        assertTrue(executor.close().isDone(), message);
    }
}
