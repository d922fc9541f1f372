/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.bugs;

import io.github.delayedtracker.acks.JournalSimulation;
import io.github.delayedtracker.simulator.Simulation;
import io.github.delayedtracker.simulator.sweep.SweepSimulation;
import java.util.List;
import java.util.function.Function;

/**
 * Runs scenarios until one breaks a promise. Loaded together with the patched classes, so it talks in types that both sides
 * share: takes the first seed, the number of scenarios, and whether they are those of clusters that share bookies; answers
 * nothing, or the invariant, its message and the seed.
 */
public final class Hunt implements Function<long[], List<String>> {

    /** Kinds of scenarios, passed as numbers since every class of the project is loaded anew for a bug. */
    static final int SCENARIOS = 0;
    static final int SWEEP = 1;
    static final int JOURNAL = 2;

    /** Called by reflection. */
    public Hunt() {
        // nothing to set up
    }

    @Override
    public List<String> apply(long[] firstSeedAndCount) {
        if (firstSeedAndCount[2] == JOURNAL) {
            return JournalSimulation.run(firstSeedAndCount[0], Math.toIntExact(firstSeedAndCount[1]));
        }
        if (firstSeedAndCount[2] == SWEEP) {
            return SweepSimulation.run(firstSeedAndCount[0], Math.toIntExact(firstSeedAndCount[1]))
                    .map(broken -> List.of(broken.promise(), broken.message(), Long.toString(broken.seed()))).orElse(List.of());
        }
        return new Simulation().run(firstSeedAndCount[0], Math.toIntExact(firstSeedAndCount[1]))
                .map(failure -> List.of(failure.violation().invariant(), failure.violation().getMessage(),
                        Long.toString(failure.seed())))
                .orElse(List.of());
    }
}
