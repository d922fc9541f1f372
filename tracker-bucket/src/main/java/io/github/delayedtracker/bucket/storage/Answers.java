/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Hands foreign answers over to callers that may have stopped waiting: what comes too late is disposed of. Whatever is thrown in
 * between is the caller's failure, an Error too, so that nobody waits for an answer that will not come.
 */
final class Answers {

    private Answers() {
    }

    /** Something foreign that begins an operation. */
    interface Call<F> {
        CompletableFuture<F> begin() throws Exception;
    }

    /**
     * Begins an operation and passes its answer on.
     *
     * @param translate makes the caller's answer out of the foreign one
     * @param dispose clears away an answer that nobody takes
     */
    static <F, T> CompletableFuture<T> of(String what, Call<F> call, Function<F, T> translate,
            Consumer<? super T> dispose) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<F> foreign;
        try {
            foreign = call.begin();
        } catch (Throwable e) {
            answer.completeExceptionally(ForeignFailures.ofLedger(e, what));
            return answer;
        }
        Futures.whenDone(foreign.<T>thenApply(translate), (translated, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(ForeignFailures.ofLedger(failure, what));
            } else if (!answer.complete(translated)) {
                dispose.accept(translated);
            }
        });
        return answer;
    }

    /** An answer that says no more than that it was done. */
    static CompletableFuture<Void> ofDone(String what, Call<Void> call) {
        return of(what, call, done -> null, done -> { });
    }
}
