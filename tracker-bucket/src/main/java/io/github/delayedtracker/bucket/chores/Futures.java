/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Small joints between futures. */
final class Futures {

    static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private Futures() {
    }

    /** Looks at an outcome where nobody waits for the looking. */
    @SuppressWarnings("FutureReturnValueIgnored")
    static <T> void whenDone(CompletableFuture<T> future, BiConsumer<? super T, ? super Throwable> look) {
        future.whenComplete(look);
    }

    /** Begins something that may throw instead of failing. */
    static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> step) {
        try {
            return step.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Goes on after a good outcome and after a bad one; the answer is what the follower answers. */
    static <T, U> CompletableFuture<U> either(CompletableFuture<T> future, Function<? super T, CompletableFuture<U>> good,
            Function<? super Throwable, CompletableFuture<U>> bad) {
        CompletableFuture<U> answer = new CompletableFuture<>();
        whenDone(future, (value, failure) -> whenDone(begun(() -> failure == null ? good.apply(value) : bad.apply(failure)),
                (next, nextFailure) -> {
                    if (nextFailure == null) {
                        answer.complete(next);
                    } else {
                        answer.completeExceptionally(nextFailure);
                    }
                }));
        return answer;
    }

    /** Answers well when a step has ended, however, and after a time at the latest. */
    static CompletableFuture<Void> within(long millis, WakeUpTimer timer, CompletableFuture<?> step) {
        if (step.isDone()) {
            return DONE;
        }
        CompletableFuture<Void> answer = new CompletableFuture<>();
        WakeUpTimer.Armed deadline = timer.arm(millis, () -> answer.complete(null));
        whenDone(step, (value, failure) -> {
            deadline.cancel();
            answer.complete(null);
        });
        return answer;
    }

    /** What failed, without the wrapping of futures. */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Whether this side ended it. */
    static boolean isClosed(Throwable failure) {
        return cause(failure) instanceof StorageException known && known.kind() == StorageException.Kind.CLOSED;
    }
}
