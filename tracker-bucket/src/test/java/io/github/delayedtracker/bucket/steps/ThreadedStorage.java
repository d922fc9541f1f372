/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.storage.MemoryStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A storage in memory that answers on threads of its own, at random moments, and clears away what nobody waits for. */
final class ThreadedStorage extends MemoryStorage {

    final AtomicInteger underWay = new AtomicInteger();
    private final Executor threads;

    ThreadedStorage(Executor threads) {
        super(1 << 20);
        this.threads = threads;
    }

    @Override
    protected <T> CompletableFuture<T> answer(String call, Effect<T> effect, Consumer<T> dispose) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        underWay.incrementAndGet();
        threads.execute(() -> {
            int spins = ThreadLocalRandom.current().nextInt(50);
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            try {
                T value = effect.take();
                if (!answer.complete(value)) {
                    dispose.accept(value);
                }
            } catch (StorageException e) {
                answer.completeExceptionally(e);
            } finally {
                underWay.decrementAndGet();
            }
        });
        return answer;
    }
}
