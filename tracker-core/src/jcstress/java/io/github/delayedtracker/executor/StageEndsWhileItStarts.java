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
import org.openjdk.jcstress.infra.results.III_Result;

/** Hypothesis: of the thread that starts a task and the one that completes its stage exactly one goes on with the key. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "Both tasks ended and nothing is left")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both or neither went on")
@State
public class StageEndsWhileItStarts {

    /** Brings the completion close to the start; without it they hardly meet. */
    private static final int PATIENCE = 1_000;

    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(Runnable::run, () -> 0);
    private final CompletableFuture<Void> stage = new CompletableFuture<>();
    private CompletableFuture<Void> first;
    private volatile boolean started;
    private int ran;

    @Actor
    public void submitTwo() {
        first = executor.submit("key", () -> {
            started = true;
            return stage;
        });
        var unused = executor.submit("key", () -> {
            ran++;
            return CompletableFuture.completedFuture(null);
        });
    }

    @Actor
    public void complete() {
        for (int spin = 0; spin < PATIENCE && !started; spin++) {
            Thread.onSpinWait();
        }
        stage.complete(null);
    }

    @Arbiter
    public void look(III_Result result) {
        result.r1 = first.isDone() ? 1 : 0;
        result.r2 = ran;
        result.r3 = (int) executor.stats().busyKeys();
    }
}
