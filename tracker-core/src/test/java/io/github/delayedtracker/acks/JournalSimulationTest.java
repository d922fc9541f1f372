/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckRestore.End;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Random runs of the journal. {@code -Djournal.seed=N} begins with that seed, {@code -Djournal.runs=N} runs another number. */
class JournalSimulationTest {

    private static final int RUNS = Integer.getInteger("journal.runs", 4_000);
    private static final long FIRST_SEED = Long.getLong("journal.seed", 1);

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void nothingIsAcknowledgedThatNobodyHasAcknowledgedAndNothingIsForgotten() {
        Map<End, Integer> ends = new EnumMap<>(End.class);
        long restored = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            JournalScenario scenario = JournalSimulation.scenario(seed, false);
            try {
                scenario.run();
            } catch (AssertionError | RuntimeException e) {
                JournalSimulation.scenario(seed, true).run();
                throw new AssertionError("seed " + seed + " does not fail with a log: " + e.getMessage(), e);
            }
            scenario.restores.ends.forEach((end, count) -> ends.merge(end, count, Integer::sum));
            restored += scenario.restores.positions;
        }
        System.out.printf("journal: %,d runs, restores %s, %,d positions%n", RUNS, ends, restored);
        assertTrue(RUNS < 100 || ends.getOrDefault(End.APPLIED, 0) > RUNS, () -> "hardly anything was restored: " + ends);
    }
}
