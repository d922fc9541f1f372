/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Hypothesis: no task submitted while the executor abandons its queues stays queued behind a stage that hangs. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Turned away or abandoned")
@Outcome(expect = Expect.FORBIDDEN, desc = "Queued for good")
@State
public class AbandonAgainstSubmit {

    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(Runnable::run, () -> 0);
    private CompletableFuture<String> future;

    public AbandonAgainstSubmit() {
        var unused = executor.submit("key", CompletableFuture::new);
    }

    @Actor
    public void submit() {
        future = executor.submit("key", () -> CompletableFuture.completedFuture("ran"));
    }

    @Actor
    public void close() {
        var unused = executor.close();
    }

    @Arbiter
    public void look(II_Result result) {
        result.r1 = future.isCompletedExceptionally() ? 1 : 0;
        result.r2 = (int) executor.stats().queuedTasks();
    }
}
