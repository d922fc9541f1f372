/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * How often and how long the storage is asked. A call that does not answer in time is given up by cancelling the storage's own
 * future, so that the storage clears away what arrives later; to the caller it is UNAVAILABLE. What may succeed later is tried
 * again after a random part of a wait that doubles (full jitter), a bounded number of times. Once {@link #abandon}ed nothing is
 * begun any more, and whatever waits, for the storage or for its next try, fails with CLOSED.
 *
 * <p>What follows on a call runs on the worker, never on a thread of the storage or of the timer. Thread safe.
 */
public final class Retries {

    private final WakeUpTimer timer;
    private final Executor worker;
    private final LongUnaryOperator jitter;
    private final JobLimits limits;
    /** What ends each wait there is, a few, in the order they began, so that a simulated run is repeatable. */
    private final Queue<Runnable> waits = new ConcurrentLinkedQueue<>();
    private volatile boolean abandoned;

    /**
     * Retries of one subscription.
     *
     * @param worker where to go on; one that refuses leaves the rest to the calling thread
     * @param jitter from a bound, 1 or more, a random number from 0 up to the bound, exclusive
     */
    public Retries(WakeUpTimer timer, Executor worker, LongUnaryOperator jitter, JobLimits limits) {
        this.timer = timer;
        this.worker = worker;
        this.jitter = jitter;
        this.limits = limits;
    }

    /** The same policy for steps that go on when these are abandoned. */
    public Retries fresh() {
        return new Retries(timer, worker, jitter, limits);
    }

    /** The same policy, with waits that are no longer than some time. */
    public Retries withBackOffUpTo(long longestBackOffMillis) {
        return new Retries(timer, worker, jitter, limits.withBackOffUpTo(longestBackOffMillis));
    }

    /** The limits. */
    public JobLimits limits() {
        return limits;
    }

    /** A random number from 0 up to a bound, exclusive. */
    int draw(int bound) {
        return Math.toIntExact(jitter.applyAsLong(bound));
    }

    /** Runs something after the time that one call may take; the handle takes that back. */
    WakeUpTimer.Armed afterOneCall(Runnable task) {
        return timer.arm(limits.timeoutMillis(), task);
    }

    /** Abandons after a time; the handle takes that back. */
    public WakeUpTimer.Armed abandonAfter(long millis) {
        return timer.arm(millis, () -> move(this::abandon));
    }

    /** Ends every wait with CLOSED and begins nothing more. Idempotent. */
    public void abandon() {
        abandoned = true;
        waits.forEach(Runnable::run);
    }

    /** One call, with the timeout, tried again while that may help. */
    public <T> CompletableFuture<T> call(String what, Supplier<CompletableFuture<T>> call) {
        return repeat(what, () -> once(what, call), StorageException::isRetryable);
    }

    /** One call, with the timeout, begun unless abandoned. Cancelling the answer gives the call up. */
    public <T> CompletableFuture<T> once(String what, Supplier<CompletableFuture<T>> call) {
        return abandoned ? CompletableFuture.failedFuture(Failures.closed(what)) : begin(what, call, true);
    }

    /** One call to clear up with: with the timeout, begun even when abandoned. */
    public <T> CompletableFuture<T> lastly(String what, Supplier<CompletableFuture<T>> call) {
        return begin(what, call, false);
    }

    private <T> CompletableFuture<T> begin(String what, Supplier<CompletableFuture<T>> call, boolean mayBeAbandoned) {
        CompletableFuture<T> underWay = Futures.begun(call);
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable end = () -> underWay.cancel(false);
        WakeUpTimer.Armed timeout;
        try {
            timeout = underWay.isDone() ? () -> { } : timer.arm(limits.timeoutMillis(), end);
        } catch (Throwable e) {
            end.run();
            return CompletableFuture.failedFuture(Failures.of(e, what));
        }
        if (mayBeAbandoned) {
            waits.add(end);
        }
        Futures.whenDone(underWay, answer, (value, failure) -> {
            timeout.cancel();
            waits.remove(end);
            StorageException known = failure == null ? null
                    : failure instanceof CancellationException ? givenUp(what, mayBeAbandoned) : Failures.of(failure, what);
            move(() -> pass(answer, value, known));
        });
        if (mayBeAbandoned && abandoned) {
            end.run();
        }
        Futures.whenDone(answer, (value, failure) -> {
            if (answer.isCancelled()) {
                end.run();
            }
        });
        return answer;
    }

    private StorageException givenUp(String what, boolean mayBeAbandoned) {
        return mayBeAbandoned && abandoned ? Failures.closed(what)
                : new StorageException(Kind.UNAVAILABLE, what + " has had no answer within " + limits.timeoutMillis() + " ms");
    }

    private static <T> void pass(CompletableFuture<T> answer, T value, StorageException failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    /**
     * Repeats an attempt that may consist of several calls.
     *
     * @param again whether another attempt may help after a failure
     */
    public <T> CompletableFuture<T> repeat(String what, Supplier<CompletableFuture<T>> attempt,
            Predicate<StorageException> again) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        attempt(what, attempt, again, 1, answer);
        return answer;
    }

    private <T> void attempt(String what, Supplier<CompletableFuture<T>> attempt, Predicate<StorageException> again, int number,
            CompletableFuture<T> answer) {
        Futures.whenDone(Futures.begun(attempt), answer, (value, failure) -> {
            if (failure == null) {
                answer.complete(value);
                return;
            }
            StorageException known = Failures.of(failure, what);
            if (!again.test(known)) {
                answer.completeExceptionally(known);
            } else if (number >= limits.mostAttempts()) {
                answer.completeExceptionally(new StorageException(known.kind(),
                        what + " has failed " + number + " times, at last: " + known.getMessage(), known));
            } else {
                Futures.whenDone(waited(number), (done, ended) -> {
                    if (ended == null) {
                        move(() -> attempt(what, attempt, again, number + 1, answer));
                    } else {
                        answer.completeExceptionally(Failures.closed(what));
                    }
                });
            }
        });
    }

    /** The wait after so many failures; cancelled when abandoned. */
    private CompletableFuture<Void> waited(int failures) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        WakeUpTimer.Armed wait = timer.arm(jitter.applyAsLong(limits.backOffMillis(failures) + 1), () -> over.complete(null));
        Runnable end = () -> over.cancel(false);
        waits.add(end);
        Futures.whenDone(over, (done, ended) -> {
            wait.cancel();
            waits.remove(end);
        });
        if (abandoned) {
            end.run();
        }
        return over;
    }

    /** A worker that has no thread to give may have queued the rest all the same: it runs once. */
    private void move(Runnable rest) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                rest.run();
            }
        };
        try {
            worker.execute(once);
        } catch (Throwable e) {
            once.run();
        }
    }
}
