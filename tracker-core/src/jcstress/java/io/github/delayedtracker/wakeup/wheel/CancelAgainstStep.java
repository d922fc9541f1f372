/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Hypothesis: of two due tasks, one cancelled while the driver takes them, each runs once or is gone, and none is counted. */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "Cancelled in time; the other ran")
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "Its turn came first")
@Outcome(expect = Expect.FORBIDDEN, desc = "Run twice, lost, or counted wrongly")
@State
public class CancelAgainstStep {

    private final SharedWheel wheel = new SharedWheel(() -> 0, 1, () -> { }, failure -> { });
    private int cancelledRuns;
    private int otherRuns;
    private final ArmedTask cancelled = wheel.arm(0, () -> cancelledRuns++);

    public CancelAgainstStep() {
        wheel.arm(0, () -> otherRuns++);
    }

    @Actor
    public void canceller() {
        cancelled.cancel();
    }

    @Actor
    public void driver() {
        while (wheel.step() == 0) {
            // one task a step
        }
    }

    @Arbiter
    public void look(III_Result result) {
        result.r1 = cancelledRuns;
        result.r2 = otherRuns;
        result.r3 = wheel.armedCount();
    }
}
