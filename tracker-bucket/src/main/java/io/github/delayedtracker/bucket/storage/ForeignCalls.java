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
 * Begins calls of BookKeeper for callers that may have stopped waiting: what comes too late is disposed of. Whatever is thrown in
 * between is the caller's failure, an Error too, so that nobody waits for an answer that will not come.
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

    /** The same with an answer as it is, of which nothing is to be cleared away. */
    static <T> CompletableFuture<T> begin(String what, Supplier<CompletableFuture<T>> call) {
        return begin(what, call, answer -> answer, late -> { });
    }

    /** Makes a call that blocks, upon an executor. */
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
