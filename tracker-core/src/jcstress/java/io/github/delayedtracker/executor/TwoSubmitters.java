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

/** Hypothesis: tasks of one key submitted by two threads to an idle key exclude each other; plain fields are safe in them. */
@JCStressTest
@Outcome(id = "4, 0, 0", expect = Expect.ACCEPTABLE, desc = "Four tasks, one at a time")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or two at a time")
@State
public class TwoSubmitters {

    private final KeyOrderedExecutor<String> executor = new KeyOrderedExecutor<>(Runnable::run, () -> 0);
    private int count;
    private int inside;
    private int met;

    private CompletableFuture<Void> turn() {
        met |= inside;
        inside = 1;
        count++;
        inside = 0;
        return CompletableFuture.completedFuture(null);
    }

    private void submitTwo() {
        for (int i = 0; i < 2; i++) {
            var unused = executor.submit("key", this::turn);
        }
    }

    @Actor
    public void one() {
        submitTwo();
    }

    @Actor
    public void other() {
        submitTwo();
    }

    @Arbiter
    public void look(III_Result result) {
        result.r1 = count;
        result.r2 = met;
        result.r3 = (int) executor.stats().busyKeys();
    }
}
