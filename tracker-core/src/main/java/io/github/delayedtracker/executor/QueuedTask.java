/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A submitted task with its future, and the link to the task behind it. Not thread safe: the worker hands it from thread to
 * thread under its lock.
 */
final class QueuedTask<T> {

    private final KeyedTask<T> task;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final long submittedNanos;
    private long startedNanos;
    private T result;
    private Throwable failure;

    /** The next task of the same key. */
    QueuedTask<?> behind;

    QueuedTask(KeyedTask<T> task, long submittedNanos) {
        this.task = task;
        this.submittedNanos = submittedNanos;
    }

    CompletableFuture<T> future() {
        return future;
    }

    /** Starts the task, and throws what it throws. */
    CompletionStage<T> start(ExecutorMeter meter) throws Exception {
        startedNanos = meter.nanos();
        meter.started(startedNanos - submittedNanos);
        CompletionStage<T> stage = task.start();
        if (stage == null) {
            throw new NullPointerException("Task " + task + " returned no stage");
        }
        return stage;
    }

    /** Notes the result or the failure of the task, for {@link #publish}. */
    void end(ExecutorMeter meter, T value, Throwable thrown) {
        meter.ended(meter.nanos() - startedNanos, thrown != null);
        result = value;
        failure = thrown instanceof CompletionException wrapped && wrapped.getCause() != null ? wrapped.getCause() : thrown;
    }

    /** Completes the future with the result or the failure of the task. Runs the dependents of the future. */
    void publish() {
        if (failure == null) {
            future.complete(result);
        } else {
            future.completeExceptionally(failure);
        }
    }

    /** Fails the future of a task that is never started. Runs the dependents of the future. */
    void giveUp(NotStartedException reason) {
        future.completeExceptionally(reason);
    }
}
