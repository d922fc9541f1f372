/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Commands that change the schedule of one subscription: one at a time, in their order, on the worker. Thread safe. */
final class CommandQueue {

    private static final int MOST_WAITING = 64;

    private final Executor worker;
    private final AtomicInteger waiting = new AtomicInteger();
    /** The last command, which never fails. */
    @GuardedBy("this")
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    CommandQueue(Executor worker) {
        this.worker = worker;
    }

    /** Runs a command when its turn has come; its answer. It fails with a {@link RefusedException} if too many wait. */
    <T> CompletableFuture<T> inTurn(Supplier<CompletableFuture<T>> command) {
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            return refused(Reason.TOO_MANY, "at most " + MOST_WAITING + " commands wait for a subscription");
        }
        CompletableFuture<T> answer;
        synchronized (this) {
            answer = last.thenComposeAsync(done -> command.get(), worker);
            last = answer.handle((done, failure) -> null);
        }
        return answer.whenComplete((done, failure) -> waiting.decrementAndGet());
    }

    static <T> CompletableFuture<T> refused(Reason reason, String message) {
        return CompletableFuture.failedFuture(new RefusedException(reason, message));
    }
}
