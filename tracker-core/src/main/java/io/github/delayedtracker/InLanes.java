/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** One step for each of many, of which some are under way at a time. */
final class InLanes<A, T> {

    private final List<A> all;
    private final Function<A, CompletableFuture<T>> step;
    private final Executor worker;
    private final AtomicInteger next = new AtomicInteger();
    private final T[] answers;

    @SuppressWarnings("unchecked")
    private InLanes(List<A> all, Function<A, CompletableFuture<T>> step, Executor worker) {
        this.all = all;
        this.step = step;
        this.worker = worker;
        this.answers = (T[]) new Object[all.size()];
    }

    /**
     * Does a step for each, so many at a time.
     *
     * @param worker goes on after each step
     * @return the answers in the order of all. It fails as the first step that failed, or could not be begun, in its lane: the
     *     rest of that lane is left to the others
     */
    static <A, T> CompletableFuture<List<T>> each(List<A> all, int lanes, Function<A, CompletableFuture<T>> step,
            Executor worker) {
        InLanes<A, T> work = new InLanes<>(all, step, worker);
        List<CompletableFuture<Void>> begun = new ArrayList<>();
        for (int i = 0; i < Math.min(lanes, all.size()); i++) {
            begun.add(work.goOn());
        }
        return CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new))
                .thenApply(done -> List.copyOf(Arrays.asList(work.answers)));
    }

    private CompletableFuture<Void> goOn() {
        int number = next.getAndIncrement();
        if (number >= all.size()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<T> answer;
        try {
            answer = step.apply(all.get(number));
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Void> placed = answer.thenAccept(value -> answers[number] = value);
        // From another thread, or thousands of steps that end at once would stand on one stack.
        return next.get() >= all.size() ? placed : placed.thenComposeAsync(done -> goOn(), worker);
    }
}
