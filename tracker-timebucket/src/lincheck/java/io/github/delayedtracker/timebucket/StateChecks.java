/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Runs the checks of {@link SubscriptionStateCheck}, as a program: it ends with a failure that names the calls and their answers if
 * no order of the calls gives these. {@code lincheck.iterations} is the number of scenarios made up for each backend and strategy.
 */
final class StateChecks {

    /** A loop of more turns than this hangs: the fit of a code has some hundred. */
    private static final int HANGING_TURNS = 10_000;

    private StateChecks() {
    }

    /** Runs both strategies: all interleavings of short scenarios up to a number, then threads that run freely. */
    public static void main(String[] arguments) {
        int iterations = Integer.getInteger("lincheck.iterations", 50);
        for (Class<?> check : List.of(HeapStateCheck.class, TimeBucketStateCheck.class)) {
            new ModelCheckingOptions().iterations(iterations).invocationsPerIteration(2_000).threads(2).actorsPerThread(3)
                    .actorsBefore(3).actorsAfter(2).loopBound(HANGING_TURNS).check(check);
            new StressOptions().iterations(iterations).invocationsPerIteration(5_000).threads(3).actorsPerThread(3)
                    .actorsBefore(3).actorsAfter(2).check(check);
            System.out.println(check.getSimpleName() + ": " + iterations + " scenarios with each strategy, every answer has an order");
        }
    }
}
