/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.executor.KeyOrderedExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of a listener by keys. */
@Timeout(30)
class WorkerThreadsTest {

    @Test
    void threadsAreVirtualFromJava21On() {
        assertEquals(Runtime.version().feature() >= 21, WorkerThreads.virtual("x").isPresent());
    }

    @Test
    void anExecutorRunsOnNamedDaemonsAndEndsThem() throws Exception {
        WorkerThreads threads = WorkerThreads.of("listener", 2);
        KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(threads, System::nanoTime);
        Thread thread = executor.submit("a", () -> CompletableFuture.completedFuture(Thread.currentThread())).get();

        assertTrue(thread.getName().startsWith("listener-"), thread.getName());
        assertTrue(thread.isDaemon());
        executor.close().thenRun(threads::end).get();
        thread.join(TimeUnit.SECONDS.toMillis(20));
        assertTrue(!thread.isAlive());
    }

    @Test
    void thePoolIsBoundedAndItsThreadsEndWhenIdle() {
        ExecutorService pool = WorkerThreads.pool("x", 3);
        try {
            ThreadPoolExecutor bounded = (ThreadPoolExecutor) pool;
            assertEquals(3, bounded.getMaximumPoolSize());
            assertTrue(bounded.allowsCoreThreadTimeOut());
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aPoolOfNoThreadsIsNamed() {
        Throwable bad = assertThrows(IllegalArgumentException.class, () -> WorkerThreads.of("x", 0));
        assertEquals("poolThreads must be at least 1: 0", bad.getMessage());
    }
}
