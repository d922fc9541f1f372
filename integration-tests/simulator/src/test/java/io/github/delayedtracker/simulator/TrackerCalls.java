/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The broker's calls of one tracker: none throws or answers null, and each is told. */
record TrackerCalls(World world, int number) {

    <T> T call(String name, Supplier<T> call) {
        List<T> answer = new ArrayList<>(1);
        try {
            answer.add(call.get());
        } catch (Violation violation) {
            throw violation;
        } catch (RuntimeException e) {
            throw new Violation(NothingFails.class.getSimpleName(), world.describe(name + " threw " + e), e);
        }
        if (world.isTraced()) {
            world.tell("tracker %d: %s = %s", number, name, answer.get(0));
        }
        if (answer.get(0) == null) {
            throw broken(name + " answered null");
        }
        return answer.get(0);
    }

    /** An answer that no tracker may give. */
    Violation broken(String what) {
        return new Violation(NothingFails.class.getSimpleName(), world.describe(what), null);
    }

    /** Completes an answer as another one. */
    static void pass(CompletableFuture<Void> ends, CompletableFuture<Void> over) {
        ends.whenComplete((done, failure) -> {
            if (failure == null) {
                over.complete(null);
            } else {
                over.completeExceptionally(failure);
            }
        }).isDone();
    }
}
