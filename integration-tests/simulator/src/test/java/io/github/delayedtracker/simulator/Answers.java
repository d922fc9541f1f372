/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.RefusedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;

/** Answers of the tracker to commands: a promise that is found broken when one comes ends the scenario. */
final class Answers {

    private Answers() {
    }

    /** What a command that fails tells: nothing was done, or nobody knows. */
    static Answer of(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RefusedException ? Answer.REFUSED : Answer.OUTCOME_UNKNOWN;
    }

    /** Takes an answer when it comes, or a failure. A future would keep what is thrown to itself. */
    static <T> void take(World world, CompletableFuture<T> answer, BiConsumer<T, Throwable> taker) {
        var unused = answer.whenComplete((value, failure) -> {
            try {
                taker.accept(value, failure);
            } catch (RuntimeException | Error e) {
                world.scheduler().after(0, () -> {
                    throw e;
                });
            }
        });
    }
}
