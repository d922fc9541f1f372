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

/** Hypothesis: a task submitted while the last one of its key ends is not lost with the worker, and sees what that one left. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "The second task ran, saw the first one's write, and nothing is left")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, run before its turn, or a worker left behind")
@State
public class SubmitAgainstLastTask {

    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(Runnable::run, () -> 0);
    private final CompletableFuture<Void> stage = new CompletableFuture<>();
    private int written;
    private int seen;
    private int ran;

    public SubmitAgainstLastTask() {
        var unused = executor.submit("key", () -> stage);
    }

    @Actor
    public void endTheFirst() {
        written = 1;
        stage.complete(null);
    }

    @Actor
    public void submitTheSecond() {
        var unused = executor.submit("key", () -> {
            ran++;
            seen = written;
            return CompletableFuture.completedFuture(null);
        });
    }

    @Arbiter
    public void look(III_Result result) {
        result.r1 = ran;
        result.r2 = seen;
        result.r3 = (int) executor.stats().busyKeys();
    }
}
