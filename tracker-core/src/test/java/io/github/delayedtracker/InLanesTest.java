/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Steps for many are done a few at a time. */
class InLanesTest {

    private static final List<Integer> TEN = IntStream.range(0, 10).boxed().toList();

    private final List<CompletableFuture<String>> begun = new ArrayList<>();

    private CompletableFuture<String> step(int number) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        begun.add(answer);
        return answer;
    }

    @Test
    void asManyAreUnderWayAsThereAreLanesAndEachAnswerHasItsPlace() {
        CompletableFuture<List<String>> all = InLanes.each(TEN, 3, this::step, Runnable::run);
        assertEquals(3, begun.size());
        begun.get(1).complete("1");
        assertEquals(4, begun.size());
        for (int i = 0; i < 10; i++) {
            assertFalse(all.isDone());
            begun.get(i).complete(Integer.toString(i));
        }
        assertEquals(TEN.stream().map(String::valueOf).toList(), all.join());
    }

    @Test
    void aStepThatFailsIsTheAnswerAndTheOthersAreDone() {
        CompletableFuture<List<String>> all = InLanes.each(TEN, 3, this::step, Runnable::run);
        IllegalStateException failure = new IllegalStateException("for the test");
        begun.get(0).completeExceptionally(failure);
        for (int i = 1; i < 10; i++) {
            assertFalse(all.isDone());
            begun.get(i).complete("");
        }
        assertSame(failure, assertThrows(CompletionException.class, all::join).getCause());
    }

    @Test
    void aStepThatCannotBeBegunIsAFailure() {
        CompletableFuture<List<String>> all = InLanes.each(TEN, 20, number -> {
            throw new IllegalStateException("for the test");
        }, Runnable::run);
        assertThrows(CompletionException.class, all::join);
    }

    @Test
    void theLastStepNeedsNoThread() {
        CompletableFuture<List<String>> one = InLanes.each(List.of(1), 3, this::step, task -> {
            throw new RejectedExecutionException("for the test");
        });
        begun.get(0).complete("1");
        assertEquals(List.of("1"), one.join());
    }

    @Test
    void forNoneThereIsAnEmptyAnswer() {
        assertEquals(List.of(), InLanes.each(List.<Integer>of(), 3, this::step, Runnable::run).join());
    }
}
