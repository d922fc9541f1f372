/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The calls to the storage, with timeouts and tries. A call that does not answer in time is given up by cancelling the storage's
 * own future, so that the storage clears away a later answer; to the caller it is UNAVAILABLE. A step that may succeed later is
 * tried again after a random part of a wait that doubles (full jitter), a bounded number of times. After {@link #abandon} nothing
 * is begun any more, and every step that waits, for the storage or for its next try, fails with CLOSED.
 *
 * <p>The followers of a call run on the worker, never on a thread of the storage or of the timer. Thread safe.
 */
public final class Retries {

    private static final Metric UNDER_WAY = Metric.gauge(Metric.BROKER, "bucket_calls_under_way", "calls",
            "to the storage and to metadata, not answered yet");
    private static final Metric WAITING = Metric.gauge(Metric.BROKER, "bucket_calls_waiting", "calls",
            "to the storage and to metadata that wait for their turn: see [limits](limits.md)");

    private final WakeUpTimer timer;
    private final Executor worker;
    private final LongUnaryOperator jitter;
    private final JobLimits limits;
    private final StorageCalls calls;
    private final LongSupplier wantedMillis;
    /** The ends of the waits there are, a few, in the order they began, so that a simulated run is repeatable. */
    private final Queue<Runnable> waits;
    private final AtomicBoolean abandoned;

    /**
     * The retries of a broker, with a queue of their own. Their calls are wanted when they are made. Each subscription has
     * {@link #fresh} ones.
     *
     * @param worker the executor to go on with; if it refuses, the calling thread goes on
     * @param jitter from a bound, 1 or more, a random number from 0 up to the bound, exclusive
     * @param wallMillis the clock that decides what is due, epoch milliseconds
     * @param monotonicMillis a clock that never goes back, milliseconds from any origin
     */
    public Retries(WakeUpTimer timer, Executor worker, LongUnaryOperator jitter, JobLimits limits, LongSupplier wallMillis,
            LongSupplier monotonicMillis) {
        this(timer, worker, jitter, limits, new StorageCalls(limits.callsUnderWay(), timer, worker, wallMillis, monotonicMillis));
    }

    private Retries(WakeUpTimer timer, Executor worker, LongUnaryOperator jitter, JobLimits limits, StorageCalls calls) {
        this(timer, worker, jitter, limits, calls, calls::nowMillis, new ConcurrentLinkedQueue<>(), new AtomicBoolean());
    }

    private Retries(WakeUpTimer timer, Executor worker, LongUnaryOperator jitter, JobLimits limits, StorageCalls calls,
            LongSupplier wantedMillis, Queue<Runnable> waits, AtomicBoolean abandoned) {
        this.timer = timer;
        this.worker = worker;
        this.jitter = jitter;
        this.limits = limits;
        this.calls = calls;
        this.wantedMillis = wantedMillis;
        this.waits = waits;
        this.abandoned = abandoned;
    }

    /** The same policy and queue for steps that go on when these are abandoned. */
    public Retries fresh() {
        return new Retries(timer, worker, jitter, limits, calls);
    }

    /** The same policy and queue, with waits that are no longer than a given time. */
    public Retries withBackOffUpTo(long longestBackOffMillis) {
        return new Retries(timer, worker, jitter, limits.withBackOffUpTo(longestBackOffMillis), calls);
    }

    /** These retries, for calls that are wanted at a moment, epoch milliseconds; abandoned with these. */
    public Retries wantedAt(long millis) {
        return wantedAt(() -> millis);
    }

    /** These retries, for calls that may wait for a time while there are more urgent ones; abandoned with these. */
    public Retries wantedWithin(long millis) {
        return wantedAt(() -> calls.nowMillis() + millis);
    }

    private Retries wantedAt(LongSupplier when) {
        return new Retries(timer, worker, jitter, limits, calls, when, waits, abandoned);
    }

    /** The limits. */
    public JobLimits limits() {
        return limits;
    }

    /** A random number from 0 up to a bound, exclusive. */
    int draw(int bound) {
        return Math.toIntExact(jitter.applyAsLong(bound));
    }

    /** Runs a task after the time that one call may take; the handle takes that back. */
    WakeUpTimer.Armed afterOneCall(Runnable task) {
        return armed(limits.timeoutMillis(), task);
    }

    /** Abandons after a time; the handle takes that back. */
    public WakeUpTimer.Armed abandonAfter(long millis) {
        return armed(millis, () -> move(this::abandon));
    }

    /** A limit for some calls, each of which has its own time still where this cannot be armed. */
    private WakeUpTimer.Armed armed(long millis, Runnable task) {
        try {
            return timer.arm(millis, task);
        } catch (RuntimeException | Error e) {
            return () -> { };
        }
    }

    /** Ends every wait with CLOSED and begins nothing more. Idempotent. */
    public void abandon() {
        abandoned.set(true);
        waits.forEach(Runnable::run);
    }

    /** Makes one call, with the timeout, tried again while that may help. */
    public <T> CompletableFuture<T> call(String what, Supplier<CompletableFuture<T>> call) {
        return repeat(what, () -> once(what, call), StorageException::isRetryable);
    }

    /**
     * Makes one call in its turn, with the timeout from then on, begun unless abandoned. Cancelling the answer gives the call up,
     * or takes it out of the queue.
     */
    public <T> CompletableFuture<T> once(String what, Supplier<CompletableFuture<T>> call) {
        if (abandoned.get()) {
            return CompletableFuture.failedFuture(StorageException.closed(what));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        StorageCalls.Turn turn = calls.ask(wantedMillis.getAsLong(), begun -> begin(what, call, true, answer, begun));
        if (turn.isWaiting()) {
            Runnable end = () -> {
                if (turn.leave()) {
                    move(() -> answer.completeExceptionally(StorageException.closed(what)));
                }
            };
            waits.add(end);
            Futures.whenDone(answer, (value, failure) -> {
                waits.remove(end);
                turn.leave();
            });
            if (abandoned.get()) {
                end.run();
            }
        }
        return answer;
    }

    /** Makes one call of a step under way: at once, so that it neither waits nor overtakes another; else as {@link #once}. */
    public <T> CompletableFuture<T> next(String what, Supplier<CompletableFuture<T>> call) {
        return abandoned.get() ? CompletableFuture.failedFuture(StorageException.closed(what)) : atOnce(what, call, true);
    }

    /** Makes one call to clear up: at once, with the timeout, begun even when abandoned. */
    public <T> CompletableFuture<T> lastly(String what, Supplier<CompletableFuture<T>> call) {
        return atOnce(what, call, false);
    }

    private <T> CompletableFuture<T> atOnce(String what, Supplier<CompletableFuture<T>> call, boolean mayBeAbandoned) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        begin(what, call, mayBeAbandoned, answer, calls.atOnce());
        return answer;
    }

    private <T> void begin(String what, Supplier<CompletableFuture<T>> call, boolean mayBeAbandoned,
            CompletableFuture<T> answer, StorageCalls.Turn turn) {
        CompletableFuture<T> underWay = Futures.begun(call);
        Runnable end = () -> underWay.cancel(false);
        Futures.whenDone(underWay, (value, failure) -> turn.end());
        WakeUpTimer.Armed timeout;
        try {
            timeout = underWay.isDone() ? () -> { } : timer.arm(limits.timeoutMillis(), end);
        } catch (Throwable e) {
            end.run();
            answer.completeExceptionally(StorageException.of(e, what));
            return;
        }
        if (mayBeAbandoned) {
            waits.add(end);
        }
        Futures.whenDone(underWay, answer, (value, failure) -> {
            timeout.cancel();
            waits.remove(end);
            StorageException known = failure == null ? null
                    : failure instanceof CancellationException ? givenUp(what, mayBeAbandoned)
                    : StorageException.of(failure, what);
            move(() -> pass(answer, value, known));
        });
        if (mayBeAbandoned && abandoned.get()) {
            end.run();
        }
        Futures.whenDone(answer, (value, failure) -> {
            if (answer.isCancelled()) {
                end.run();
            }
        });
    }

    private StorageException givenUp(String what, boolean mayBeAbandoned) {
        return mayBeAbandoned && abandoned.get() ? StorageException.closed(what)
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
            StorageException known = StorageException.of(failure, what);
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
                        answer.completeExceptionally(StorageException.closed(what));
                    }
                });
            }
        });
    }

    /** The wait after a number of failures; cancelled when abandoned. */
    private CompletableFuture<Void> waited(int failures) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        WakeUpTimer.Armed wait = timer.arm(jitter.applyAsLong(limits.backOffMillis(failures) + 1), () -> over.complete(null));
        Runnable end = () -> over.cancel(false);
        waits.add(end);
        Futures.whenDone(over, (done, ended) -> {
            wait.cancel();
            waits.remove(end);
        });
        if (abandoned.get()) {
            end.run();
        }
        return over;
    }

    /** The samples of the queue. Fresh. */
    public Samples samples() {
        return new Samples().put(UNDER_WAY, calls.underWay()).put(WAITING, calls.waiting());
    }

    private void move(Runnable rest) {
        Futures.runOn(worker, rest);
    }

    /**
     * The limits of a step: its time, its tries and its calls at a time.
     *
     * @param timeoutMillis the longest time of one call of the storage
     * @param firstBackOffMillis the longest wait after the first failure; doubles with each further one
     * @param longestBackOffMillis the longest wait
     * @param mostAttempts the number of failures after which a step fails
     * @param appendsUnderWay the number of entries of a ledger that may be on their way at a time
     * @param deletesUnderWay the number of ledgers that are deleted at a time
     * @param callsUnderWay the number of calls of all steps that are on their way at a time, without calls that hang: others wait
     * for their turn
     */
    public record JobLimits(long timeoutMillis, long firstBackOffMillis, long longestBackOffMillis, int mostAttempts,
            int appendsUnderWay, int deletesUnderWay, int callsUnderWay) {

        /** The limits where nothing else is configured. With 128 calls of 5 ms at a time 25,000 are made a second. */
        public static final JobLimits DEFAULT = new JobLimits(30_000, 100, 60_000, 10, 16, 4, 128);

        /** A number of doublings that is more than any wait needs. */
        private static final int MOST_DOUBLINGS = 40;

        /** Refuses limits that would never try, wait for ever, or write nothing. */
        public JobLimits {
            require(timeoutMillis >= 1, "timeoutMillis", timeoutMillis);
            require(firstBackOffMillis >= 1, "firstBackOffMillis", firstBackOffMillis);
            require(longestBackOffMillis >= firstBackOffMillis, "longestBackOffMillis", longestBackOffMillis);
            require(mostAttempts >= 1, "mostAttempts", mostAttempts);
            require(appendsUnderWay >= 1, "appendsUnderWay", appendsUnderWay);
            require(deletesUnderWay >= 1, "deletesUnderWay", deletesUnderWay);
            require(callsUnderWay >= 1, "callsUnderWay", callsUnderWay);
        }

        /** The same limits with waits that are no longer than a given time. */
        public JobLimits withBackOffUpTo(long millis) {
            return new JobLimits(timeoutMillis, Math.min(firstBackOffMillis, millis), Math.min(longestBackOffMillis, millis),
                    mostAttempts, appendsUnderWay, deletesUnderWay, callsUnderWay);
        }

        private static void require(boolean holds, String name, long value) {
            if (!holds) {
                throw new IllegalArgumentException(name + " must be 1 or more, a longest not below a first: " + value);
            }
        }

        /** The longest wait after a number of failures, which is 1 or more. */
        public long backOffMillis(int failures) {
            int doublings = Math.min(failures - 1, MOST_DOUBLINGS);
            return firstBackOffMillis > longestBackOffMillis >> doublings ? longestBackOffMillis
                    : firstBackOffMillis << doublings;
        }
    }
}
