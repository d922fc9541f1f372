/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Calls that take long, as a pass over a whole schedule: while one is under way another is refused. Thread safe. */
final class OneAtATime {

    private final AtomicBoolean isUnderWay = new AtomicBoolean();

    /** Begins one; it fails with a {@link RefusedException} if there is one, which is told as what is under way. */
    <T> CompletableFuture<T> one(String underWay, Supplier<CompletableFuture<T>> call) {
        if (!isUnderWay.compareAndSet(false, true)) {
            return CommandQueue.refused(Reason.TOO_MANY, underWay + " for another call; try again");
        }
        CompletableFuture<T> begun;
        try {
            begun = call.get();
        } catch (RuntimeException | Error e) {
            begun = CompletableFuture.failedFuture(e);
        }
        return begun.whenComplete((done, failure) -> isUnderWay.set(false));
    }
}
