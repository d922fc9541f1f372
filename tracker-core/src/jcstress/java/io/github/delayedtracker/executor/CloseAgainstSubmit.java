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

/** Hypothesis: a task submitted while the executor closes is either turned away or over before the closing is. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "It ran, before the closing was over")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "It was turned away or abandoned")
@Outcome(expect = Expect.FORBIDDEN, desc = "It ran after the end, has no answer, or the closing never ends")
@State
public class CloseAgainstSubmit {

    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(Runnable::run, () -> 0);
    private CompletableFuture<Void> future;
    private volatile int ran;
    private volatile int ranAtTheEnd = -1;

    @Actor
    public void submit() {
        future = executor.submit("key", () -> {
            ran = 1;
            return CompletableFuture.completedFuture(null);
        });
    }

    @Actor
    public void close() {
        var unused = executor.close().thenRun(() -> ranAtTheEnd = ran);
    }

    @Arbiter
    public void look(III_Result result) {
        result.r1 = ran;
        result.r2 = future.isCompletedExceptionally() ? 1 : 0;
        result.r3 = ranAtTheEnd;
    }
}
