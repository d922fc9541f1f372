/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The ways to join futures: loops that do not grow the stack, answers whose failures are not wrapped.
 *
 * <p>Anything thrown is a failure, an Error too: a step that never ends holds its writer, its permit and its subscription's turn
 * for ever. The JVM ends by its own options where it is to end. So nothing thrown gets past a future that a caller waits for.
 */
public final class Futures {

    public static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);
    public static final CompletableFuture<Boolean> MORE = CompletableFuture.completedFuture(true);
    public static final CompletableFuture<Boolean> NO_MORE = CompletableFuture.completedFuture(false);

    private Futures() {
    }

    /** Begins a step that may throw, or answer null, instead of failing. */
    public static <T> CompletableFuture<T> begun(Supplier<? extends CompletableFuture<T>> step) {
        try {
            CompletableFuture<T> begun = step.get();
            return begun != null ? begun : CompletableFuture.failedFuture(new NullPointerException(step + " gave no future"));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Begins a step; its answer carries nothing but storage exceptions, and cancelling it changes nothing. */
    public static <T> CompletableFuture<T> step(String what, Supplier<? extends CompletableFuture<T>> step) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        whenDone(begun(step), answer, (value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(StorageException.of(failure, what));
            }
        });
        return answer;
    }

    /** Looks at an outcome on which an answer depends: an exception of the look fails the answer. */
    public static <T> void whenDone(CompletableFuture<T> future, CompletableFuture<?> answer,
            BiConsumer<? super T, ? super Throwable> look) {
        whenDone(future, (value, failure) -> {
            try {
                look.accept(value, failure);
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
    }

    /** Closes a handle. An exception here does not fail the step, which has read already, and keeps no other handle open. */
    public static void close(SnapshotReader reader) {
        whenDone(begun(() -> {
            reader.close();
            return DONE;
        }), (done, failure) -> { });
    }

    /** Closes a store; answers without failure once the store has answered, failed or thrown. */
    public static CompletableFuture<Void> closed(CatalogueStore store) {
        return begun(store::close).handle((done, failure) -> null);
    }

    /** Looks at an outcome; no caller waits for the look. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public static <T> void whenDone(CompletableFuture<T> future, BiConsumer<? super T, ? super Throwable> look) {
        future.whenComplete(look);
    }

    /** Goes on after a good outcome and after a bad one; the answer is what the follower answers. */
    public static <T, U> CompletableFuture<U> either(CompletableFuture<T> future, Function<? super T, CompletableFuture<U>> good,
            Function<? super Throwable, CompletableFuture<U>> bad) {
        CompletableFuture<U> answer = new CompletableFuture<>();
        whenDone(future, (value, failure) ->
                pass(begun(() -> failure == null ? good.apply(value) : bad.apply(failure)), answer));
        return answer;
    }

    /** Runs a task once: on a worker, or here if the worker refuses, which may have queued the task all the same. */
    static void runOn(Executor worker, Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                task.run();
            }
        };
        try {
            worker.execute(once);
        } catch (Throwable e) {
            once.run();
        }
    }

    /** The failure without the wrapping of futures. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Repeats a step until it answers false; steps that are over at once take no room on the stack. */
    public static CompletableFuture<Void> whileTrue(Supplier<CompletableFuture<Boolean>> step) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        turn(step, over);
        return over;
    }

    private static void turn(Supplier<CompletableFuture<Boolean>> step, CompletableFuture<Void> over) {
        boolean more = true;
        while (more) {
            CompletableFuture<Boolean> next = begun(step);
            if (!next.isDone()) {
                whenDone(next, over, (again, failure) -> {
                    if (failure == null && again) {
                        turn(step, over);
                    } else {
                        pass(null, failure, over);
                    }
                });
                return;
            }
            if (next.isCompletedExceptionally()) {
                whenDone(next, (again, failure) -> pass(null, failure, over));
                return;
            }
            more = next.join();
        }
        over.complete(null);
    }

    /** Answers as another future does, whose failure is not wrapped. */
    static <T> void pass(CompletableFuture<T> from, CompletableFuture<? super T> to) {
        whenDone(from, (value, failure) -> pass(value, failure, to));
    }

    private static <T> void pass(T value, Throwable failure, CompletableFuture<? super T> to) {
        if (failure == null) {
            to.complete(value);
        } else {
            to.completeExceptionally(failure);
        }
    }

    /**
     * Begins a call that consists of several others, one after the other.
     *
     * @param call runs the first part, and the next one after each; the last completes the answer
     */
    public static <T> CompletableFuture<T> inParts(String what, Consumer<Parts<T>> call) {
        Parts<T> parts = new Parts<>(what);
        whenDone(parts.answer, (value, failure) -> parts.giveUp());
        try {
            call.accept(parts);
        } catch (Throwable e) {
            parts.answer.completeExceptionally(e);
        }
        return parts.answer;
    }

    /** The parts of a call. Giving up the call gives up the part under way, and no later one begins. */
    public static final class Parts<T> {
        private final String what;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final AtomicReference<CompletableFuture<?>> underWay = new AtomicReference<>(DONE);

        private Parts(String what) {
            this.what = what;
        }

        /** The answer of the whole call. */
        public CompletableFuture<T> answer() {
            return answer;
        }

        /** Runs a part, then {@code next}; a failure of the part fails the call. */
        public <U> void run(Supplier<? extends CompletableFuture<U>> part, Consumer<? super U> next) {
            CompletableFuture<U> begun = begun(part);
            underWay.set(begun);
            giveUp();
            whenDone(begun, answer, (value, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(StorageException.of(failure, what));
                } else if (!answer.isDone()) {
                    next.accept(value);
                }
            });
        }

        private void giveUp() {
            if (answer.isCancelled()) {
                underWay.get().cancel(false);
            }
        }
    }
}
