/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One busy key: its queue and whose turn it is. It exists from the submission that finds the key idle until the queue is empty.
 *
 * <p>A turn takes one visit of a thread. The visit completes the future of the task that ended and starts the next one; it is
 * over when {@link KeyedTask#start} has returned. While the stage is pending the key has no thread; its completion asks for
 * the next visit. A task that ends at once is settled in the same visit, and the key goes to the end of the line for threads,
 * so that a key with many short tasks does not keep a thread from others.
 *
 * <p>The lock covers the fields alone: tasks and futures are run with it released. Thread safe.
 */
final class KeyWorker<K> implements Runnable {

    private final K key;
    private final long birth;
    private final Executor threads;
    private final ExecutorMeter meter;
    private final Consumer<KeyWorker<K>> onGone;

    @GuardedBy("this")
    private WorkerState state = WorkerState.READY;
    @GuardedBy("this")
    private QueuedTask<?> first;
    @GuardedBy("this")
    private QueuedTask<?> last;
    /** The task that has ended and is to be settled. */
    @GuardedBy("this")
    private QueuedTask<?> ended;
    /** Whether a thread is starting the task and will look whether it has ended; if not, the end of the task asks for a visit. */
    @GuardedBy("this")
    private boolean visited;
    @GuardedBy("this")
    private long startedNanos;

    /**
     * A worker without a task, for {@link #offer} and then one {@link #visit}.
     *
     * @param birth orders the workers of an executor
     * @param onGone called once, when the key is idle again
     */
    KeyWorker(K key, long birth, Executor threads, ExecutorMeter meter, Consumer<KeyWorker<K>> onGone) {
        this.key = key;
        this.birth = birth;
        this.threads = threads;
        this.meter = meter;
        this.onGone = onGone;
    }

    K key() {
        return key;
    }

    long birth() {
        return birth;
    }

    /** Queues the task; false, and nothing done, when this worker is gone. */
    synchronized boolean offer(QueuedTask<?> task) {
        if (state == WorkerState.GONE) {
            return false;
        }
        append(task);
        return true;
    }

    /** The time for which the running task has run; 0 if none runs. */
    long runningNanos(long nowNanos) {
        synchronized (this) {
            return state == WorkerState.RUNNING ? Math.max(0, nowNanos - startedNanos) : 0;
        }
    }

    /** Asks for a thread to go on with the key. */
    void visit() {
        try {
            threads.execute(this);
        } catch (RuntimeException | Error none) {
            endWithoutThread(none);
        }
    }

    /** Gives up the queued tasks. The running task goes on. */
    void abandon() {
        QueuedTask<?> rest;
        synchronized (this) {
            rest = takeAll();
        }
        giveUp(rest, ClosedException::abandoned);
    }

    @Override
    public void run() {
        try {
            settle();
        } finally {
            startNext();
        }
    }

    private void startNext() {
        long nowNanos = meter.nanos();
        QueuedTask<?> next;
        synchronized (this) {
            startedNanos = nowNanos;
            // a visit that the threads refused by an Error may come all the same
            if (state == WorkerState.GONE) {
                return;
            }
            next = takeFirst();
            visited = true;
            become(next == null ? WorkerState.GONE : WorkerState.RUNNING);
        }
        if (next == null) {
            onGone.accept(this);
        } else {
            start(next);
        }
    }

    private <T> void start(QueuedTask<T> task) {
        try {
            var unused = task.start(meter).whenComplete((value, thrown) -> end(task, value, thrown));
        } catch (Exception | Error thrown) {
            // Without an object more: there may be no memory for it.
            if (!isSettling()) {
                end(task, null, thrown);
            }
        }
        boolean over;
        synchronized (this) {
            visited = false;
            over = state == WorkerState.SETTLING;
        }
        if (over) {
            try {
                settle();
            } finally {
                goOnOrEnd();
            }
        }
    }

    private synchronized boolean isSettling() {
        return state == WorkerState.SETTLING;
    }

    private <T> void end(QueuedTask<T> task, T value, Throwable thrown) {
        task.end(meter, value, thrown);
        boolean alone;
        synchronized (this) {
            become(WorkerState.SETTLING);
            ended = task;
            alone = !visited;
        }
        if (alone) {
            visit();
        }
    }

    private void settle() {
        QueuedTask<?> task;
        synchronized (this) {
            task = ended;
            ended = null;
        }
        if (task != null) {
            task.publish();
        }
    }

    private void goOnOrEnd() {
        boolean more;
        synchronized (this) {
            more = first != null;
            become(more ? WorkerState.READY : WorkerState.GONE);
        }
        if (more) {
            visit();
        } else {
            onGone.accept(this);
        }
    }

    private void endWithoutThread(Throwable reason) {
        try {
            settle();
        } finally {
            giveUpAll(reason);
        }
    }

    private void giveUpAll(Throwable reason) {
        QueuedTask<?> rest;
        synchronized (this) {
            rest = takeAll();
            become(WorkerState.GONE);
        }
        giveUp(rest, name -> new NoThreadException(name, reason));
        onGone.accept(this);
    }

    private void giveUp(QueuedTask<?> rest, Function<K, NotStartedException> reason) {
        QueuedTask<?> task = rest;
        while (task != null) {
            QueuedTask<?> behind = task.behind;
            meter.abandoned();
            task.giveUp(reason.apply(key));
            task = behind;
        }
    }

    @GuardedBy("this")
    private void append(QueuedTask<?> task) {
        if (first == null) {
            first = task;
        } else {
            last.behind = task;
        }
        last = task;
        meter.queued();
    }

    @GuardedBy("this")
    private QueuedTask<?> takeFirst() {
        QueuedTask<?> task = first;
        if (task != null) {
            first = task.behind;
            task.behind = null;
        }
        if (first == null) {
            last = null;
        }
        return task;
    }

    @GuardedBy("this")
    private QueuedTask<?> takeAll() {
        QueuedTask<?> rest = first;
        first = null;
        last = null;
        return rest;
    }

    @GuardedBy("this")
    private void become(WorkerState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("Key " + key + " is " + state + " and may not become " + next);
        }
        state = next;
    }
}
