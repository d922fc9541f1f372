/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls of BookKeeper for callers that may have stopped waiting: an answer that comes too late is disposed of. Anything
 * thrown in between, an Error too, is the caller's failure, so that no caller waits for an answer that will not come.
 */
final class ForeignCalls {

    private ForeignCalls() {
    }

    /**
     * Begins a call and passes its answer on.
     *
     * @param translate makes the caller's answer out of the foreign one
     * @param dispose clears away an answer that nobody takes
     */
    static <F, T> CompletableFuture<T> begin(String what, Supplier<CompletableFuture<F>> call, Function<F, T> translate,
            Consumer<? super T> dispose) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Futures.whenDone(Futures.begun(call).<T>thenApply(translate), (translated, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(ForeignFailures.ofLedger(failure, what));
            } else if (!answer.complete(translated)) {
                dispose.accept(translated);
            }
        });
        return answer;
    }

    /** Begins a call whose answer is passed on as it is and needs no clearing away. */
    static <T> CompletableFuture<T> begin(String what, Supplier<CompletableFuture<T>> call) {
        return begin(what, call, answer -> answer, late -> { });
    }

    /** Makes a blocking call on an executor. */
    static <T> CompletableFuture<T> block(Executor executor, String what, Callable<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    answer.complete(call.call());
                } catch (Throwable e) {
                    if (e instanceof InterruptedException) {
                        Thread.currentThread().interrupt();
                    }
                    answer.completeExceptionally(ForeignFailures.ofLedger(e, what));
                }
            });
        } catch (Throwable e) {
            answer.completeExceptionally(ForeignFailures.ofLedger(e, what));
        }
        return answer;
    }
}
