/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * The tasks of one subscription and the orders in which they run. Everything that writes runs in the subscription's order. Tasks
 * of one ledger run in its order, so that a slow one delays its bucket alone. Merges have an order of their own. Other tasks run
 * soon or after a time. Anything that a task throws fails its future. Thread safe.
 */
final class ChoreTasks {

    private static final long AGAIN_MILLIS = 1_000;

    private final KeyOrderedExecutor<BucketKey> executor;
    private final Executor threads;
    private final WakeUpTimer timer;
    private final BucketKey key;
    private final ChoreLog log;
    private volatile boolean closed;

    ChoreTasks(KeyOrderedExecutor<BucketKey> executor, Executor threads, WakeUpTimer timer, BucketKey key, ChoreLog log) {
        this.executor = executor;
        this.threads = threads;
        this.timer = timer;
        this.key = key;
        this.log = log;
    }

    /** Runs a task when the subscription's tasks before it are over. */
    <T> CompletableFuture<T> inOrder(Supplier<CompletableFuture<T>> task) {
        return submit(key, task);
    }

    /** Runs a task when the ledger's tasks before it are over. */
    <T> CompletableFuture<T> ofLedger(long ledgerId, Supplier<CompletableFuture<T>> task) {
        return submit(key.of(ledgerId), task);
    }

    /** Runs a merge when the one before it is over. */
    <T> CompletableFuture<T> ofMerges(Supplier<CompletableFuture<T>> task) {
        return submit(key.of(BucketKey.MERGES), task);
    }

    private <T> CompletableFuture<T> submit(BucketKey order, Supplier<CompletableFuture<T>> task) {
        return Futures.begun(() -> executor.submit(order, task::get));
    }

    /** Runs a task on the threads that work for all subscriptions, once there is one; not at all when the broker ends. */
    void soon(Runnable task) {
        try {
            threads.execute(() -> {
                try {
                    task.run();
                } catch (Throwable e) {
                    log.warn("Some work failed; it is begun again with the next look", e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.debug("Nothing is begun any more");
        } catch (RuntimeException | Error e) {
            log.warn("Some work has no thread now; it is begun again in a second", e);
            timer.arm(AGAIN_MILLIS, () -> soon(task));
        }
    }

    /** Runs a short task after a time, on the timer's thread. The handle cancels it. */
    WakeUpTimer.Armed after(long millis, Runnable task) {
        return timer.arm(millis, task);
    }

    /** An alarm on the same timer. */
    Alarm alarm(Runnable task) {
        return new Alarm(timer, task);
    }

    /** Goes on on the threads once a future is done, which may happen on the timer's thread. */
    CompletableFuture<Void> onThreads(CompletableFuture<Void> over) {
        return over.isDone() ? over : over.thenRunAsync(() -> { }, threads);
    }

    /** Ends the tasks: nothing is to be begun any more, and tasks under way end. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
