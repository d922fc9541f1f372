/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Hypothesis: a task armed while the driver lies down is seen by the driver, or wakes it; not neither and not both. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The driver saw the task before it lay down")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "It lay down, and was woken")
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "The task is slept through")
@Outcome(expect = Expect.FORBIDDEN, desc = "Woken for nothing")
@State
public class ArmAgainstSleep {

    private int wakes;
    private final SharedWheel wheel = new SharedWheel(() -> 0, 1, () -> wakes++, failure -> { });

    @Actor
    public void arming(II_Result result) {
        wheel.arm(0, () -> { });
        result.r2 = wakes;
    }

    @Actor
    public void driver(II_Result result) {
        result.r1 = wheel.step() == Long.MAX_VALUE ? 1 : 0;
    }
}
