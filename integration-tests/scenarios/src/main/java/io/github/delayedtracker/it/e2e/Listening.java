/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.e2e;

import io.github.delayedtracker.executor.KeyOrderedExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Where the messages of one consumer are worked on: messages of one key one after the other, in the order they came.
 *
 * <p>{@code keys}: a worker for each busy key, gone when its key has no more messages, virtual where the JVM has them; its
 * work waits without a thread. {@code pool}: keys are hashed to a few threads that all consumers share, so a message waits for
 * other keys. {@code single}: one thread for each consumer, as without any executor.
 */
interface Listening extends AutoCloseable {

    /** Works on a message that was received. */
    void received(String key, Supplier<CompletableFuture<Void>> work);

    @Override
    void close();

    /** How the consumers of one cell listen. */
    enum Kind {
        KEYS, POOL, SINGLE;

        static final int POOL_THREADS = 64;
        private static final int KEY_THREADS = 2;

        /** What all consumers share. */
        List<ExecutorService> shared() {
            List<ExecutorService> threads = new ArrayList<>();
            for (int i = 0; this == POOL && i < POOL_THREADS; i++) {
                threads.add(Executors.newSingleThreadExecutor(Kind::daemon));
            }
            return threads;
        }

        /** What one consumer has. */
        Listening open(List<ExecutorService> shared) {
            return switch (this) {
                case KEYS -> new Keys();
                case POOL -> new Threads(shared, false);
                case SINGLE -> new Threads(List.of(Executors.newSingleThreadExecutor(Kind::daemon)), true);
            };
        }

        private static Thread daemon(Runnable task) {
            Thread thread = new Thread(task, "listener");
            thread.setDaemon(true);
            return thread;
        }
    }

    /** A worker a busy key. */
    final class Keys implements Listening {
        private final WorkerThreads threads = WorkerThreads.of("listener", Kind.KEY_THREADS);
        private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(threads, System::nanoTime);

        @Override
        public void received(String key, Supplier<CompletableFuture<Void>> work) {
            var unused = executor.submit(key, work::get);
        }

        @Override
        public void close() {
            var unused = executor.close().thenRun(threads::end);
        }
    }

    /** Threads that block until a message is worked on. */
    final class Threads implements Listening {
        private final List<ExecutorService> threads;
        private final boolean own;

        Threads(List<ExecutorService> threads, boolean own) {
            this.threads = threads;
            this.own = own;
        }

        @Override
        public void received(String key, Supplier<CompletableFuture<Void>> work) {
            threads.get(Math.floorMod(key.hashCode(), threads.size())).execute(() -> work.get().join());
        }

        @Override
        public void close() {
            if (own) {
                threads.forEach(ExecutorService::shutdownNow);
            }
        }
    }
}
