/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeadlinesTest {

    private final ManualTimer timer = new ManualTimer(0);
    private final CompletableFuture<String> step = new CompletableFuture<>();

    private CompletableFuture<Void> within(long millis) {
        return Deadlines.within(millis, timer, step);
    }

    @Test
    void aStepThatHasEndedIsWaitedForWithoutADeadline() {
        step.complete("done");
        assertTrue(within(1_000).isDone());
        assertEquals(0, timer.armings());
    }

    @Test
    void theWaitEndsWithTheStepAndTakesTheDeadlineBack() {
        CompletableFuture<Void> wait = within(1_000);
        assertFalse(wait.isDone());
        step.complete("done");
        assertTrue(wait.isDone());
        assertEquals(0, timer.armedCount());
    }

    @Test
    void aStepThatFailsEndsTheWaitWithoutFailure() {
        CompletableFuture<Void> wait = within(1_000);
        step.completeExceptionally(new IllegalStateException("on purpose"));
        assertTrue(wait.isDone() && !wait.isCompletedExceptionally());
    }

    @Test
    void theWaitEndsAtItsDeadlineAndTheStepGoesOn() {
        CompletableFuture<Void> wait = within(1_000);
        timer.advanceTo(999);
        assertFalse(wait.isDone());
        timer.advanceTo(1_000);
        assertTrue(wait.isDone() && !wait.isCompletedExceptionally());
        assertFalse(step.isDone());
    }

    @Test
    void s2_whereNoDeadlineCanBeArmedNobodyWaits() {
        timer.failNext();
        assertTrue(within(1_000).isDone());
        assertFalse(step.isDone());
    }
}
