/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * An executor that runs tasks of one key one at a time, in the order of submission; tasks of different keys do not wait for each
 * other.
 *
 * <p>A task has its turn until the stage it returned is complete and its future was completed. Dependents of the future without
 * an executor of their own run within that turn, so when a task starts, everything before it is over and visible. A task that
 * throws or fails ends its own turn and nothing else. Completing or cancelling a future from outside stops nothing.
 *
 * <p>Submitting costs a look-up, two atomic updates and, where the key was idle, one call of the threads below; nothing is kept
 * of an idle key. Thread safe. No call blocks, and no lock is held while a task, a future or the threads below are called.
 *
 * @param <K> the keys, told apart by {@code equals}; their text appears in messages
 */
public final class KeyOrderedExecutor<K> {

    private final Executor threads;
    private final ExecutorMeter meter;
    private final Gate gate = new Gate();
    private final ConcurrentHashMap<K, KeyWorker<K>> workers = new ConcurrentHashMap<>();
    private final AtomicLong births = new AtomicLong();
    private volatile boolean abandoning;

    /**
     * An executor on threads that belong to the caller.
     *
     * @param threads runs each command once, in any order; on the calling thread works, but each queued task then costs stack
     * @param nanoClock a clock that never goes back, nanoseconds from any origin
     */
    public KeyOrderedExecutor(Executor threads, LongSupplier nanoClock) {
        this.threads = Objects.requireNonNull(threads, "threads");
        this.meter = new ExecutorMeter(Objects.requireNonNull(nanoClock, "nanoClock"));
    }

    /**
     * Queues a task. Its future fails with a {@link NotStartedException} if the task will not start. Otherwise the future ends as
     * the task does, with the cause itself and not a CompletionException around it. It is completed on a thread of the executor,
     * or on the caller's where the task is not accepted.
     */
    public <T> CompletableFuture<T> submit(K key, KeyedTask<T> task) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(task, "task");
        QueuedTask<T> queued = new QueuedTask<>(task, meter.nanos());
        if (gate.enter()) {
            place(key, queued);
        } else {
            queued.giveUp(ClosedException.refused(key));
        }
        return queued.future();
    }

    /**
     * Accepts no task from now on, not even from within a task, and abandons the queued tasks: they never start, and their
     * futures fail on the calling thread with {@link ClosedException}. Running tasks end by themselves. May be called again.
     *
     * @return completes when no task is queued or running; never, while a stage hangs
     */
    public CompletableFuture<Void> close() {
        abandoning = true;
        gate.close();
        // a submission under way that this look misses sees the flag
        List<KeyWorker<K>> busy = new ArrayList<>(workers.values());
        busy.sort(Comparator.comparingLong(KeyWorker::birth));
        busy.forEach(KeyWorker::abandon);
        return gate.empty().copy();
    }

    /** The figures of this moment. Costs a walk over some counters. */
    public ExecutorStats stats() {
        return meter.stats(workers.mappingCount());
    }

    /** The time for which the longest running task has run; 0 if none runs. Costs a look at each busy key. */
    public long longestRunningNanos() {
        long nowNanos = meter.nanos();
        long longest = 0;
        for (KeyWorker<K> worker : workers.values()) {
            longest = Math.max(longest, worker.runningNanos(nowNanos));
        }
        return longest;
    }

    /** Gives the task to the worker of its key. A new worker takes over the entry at the gate, and leaves when it is gone. */
    private void place(K key, QueuedTask<?> task) {
        KeyWorker<K> worker = null;
        boolean made = false;
        boolean placed = false;
        while (!placed) {
            worker = workers.get(key);
            if (worker == null) {
                KeyWorker<K> fresh = new KeyWorker<>(key, births.getAndIncrement(), threads, meter, this::gone);
                worker = workers.putIfAbsent(key, fresh);
                if (worker == null) {
                    worker = fresh;
                    made = true;
                }
            }
            placed = worker.offer(task);
            if (!placed) {
                workers.remove(key, worker);
            }
        }
        if (abandoning) {
            worker.abandon();
        }
        if (made) {
            worker.visit();
        } else {
            gate.leave();
        }
    }

    private void gone(KeyWorker<K> worker) {
        workers.remove(worker.key(), worker);
        gate.leave();
    }
}
