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

/** The few BookKeeper calls that block, each on the executor given for them. */
final class Blocking {

    private Blocking() {
    }

    static <T> void run(Executor executor, String what, CompletableFuture<T> answer, Callable<T> call) {
        try {
            executor.execute(() -> {
                try {
                    answer.complete(call.call());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    answer.completeExceptionally(ForeignFailures.ofLedger(e, what));
                } catch (Throwable e) {
                    answer.completeExceptionally(ForeignFailures.ofLedger(e, what));
                }
            });
        } catch (Throwable e) {
            answer.completeExceptionally(ForeignFailures.ofLedger(e, what));
        }
    }
}
