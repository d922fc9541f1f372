/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.delayedtracker.simulator.Action.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scenarios against the real trackers; those that once broke a promise; and what the simulator says of itself.
 * {@code -Dsimulate.seed=N} runs and traces one seed, {@code -Dsimulate.scenarios=N} another number of them,
 * {@code -Dsimulate.stored=N} another number with the backend that stores, which have the negative seeds.
 */
class SimulatorTest {

    private static final int STORED_SCENARIOS = Integer.getInteger("simulate.stored", 300);
    private static final int SCENARIOS = Integer.getInteger("simulate.scenarios", 20_000);
    /** From this many on every disturbance has met every step. */
    private static final int ALL_STEPS_MET = 20_000;
    private static final int SHORT_SCENARIOS = 4_000;
    private static final int SHORT_STORED = 200;
    private static final long FIRST_SEED = 1;

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void randomScenariosKeepEveryPromiseAndDisturbEveryStep() {
        Long seed = Long.getLong("simulate.seed");
        if (seed != null) {
            new Simulation(System.out::println).run(Scenario.drawn(seed));
        }
        Simulation simulation = new Simulation();
        simulation.run(seed == null ? FIRST_SEED : seed, seed == null ? SCENARIOS : 1)
                .ifPresent(failure -> fail(failure.report()));
        System.out.printf("simulator: %,d scenarios, %,d with a journal, %,d positions restored, %,d events, %,d disturbances,"
                + " 0 violations%n", simulation.scenarios(), simulation.journals(), simulation.restored(), simulation.events(),
                simulation.coverage().faults());
        if (simulation.scenarios() >= ALL_STEPS_MET) {
            assertEquals(List.of(), missed(simulation.coverage()), "what never happened while what");
            assertTrue(simulation.restored() > simulation.journals(), () -> simulation.restored() + " positions restored");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void randomScenariosOfTheBackendThatStoresKeepEveryPromise() {
        Simulation simulation = new Simulation();
        simulation.run(-STORED_SCENARIOS, STORED_SCENARIOS).ifPresent(failure -> fail(failure.report()));
        long faults = simulation.storageFaults().faults();
        System.out.printf("simulator: %,d scenarios with storage, %,d events, %,d disturbances, %,d faults, 0 violations%n",
                simulation.scenarios(), simulation.events(), simulation.coverage().faults(), faults);
        assertTrue(faults > STORED_SCENARIOS, () -> "only " + faults + " faults of the storage");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void withoutAThreadOrMemoryForAMomentEveryPromiseIsKept() {
        Simulation simulation = new Simulation();
        simulation.run(Shortages::drawn, FIRST_SEED, SHORT_SCENARIOS).ifPresent(failure -> fail(failure.report()));
        simulation.run(Shortages::drawn, -SHORT_STORED, SHORT_STORED).ifPresent(failure -> fail(failure.report()));
        System.out.printf("simulator: %,d scenarios without a thread or memory for a moment, %,d events, %,d disturbances,"
                + " 0 violations%n", simulation.scenarios(), simulation.events(), simulation.coverage().faults());
    }

    private static List<String> missed(Coverage coverage) {
        List<String> missed = new ArrayList<>();
        for (Step step : Step.values()) {
            for (Kind kind : Kind.values()) {
                if (kind.isDisturbance() && kind.isOfAnyBackend() && coverage.of(step, kind) == 0) {
                    missed.add(kind + " while " + step);
                }
            }
        }
        return missed;
    }

    static Stream<String> regressions() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                SimulatorTest.class.getResourceAsStream("regressions.txt"), StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("regressions")
    @Execution(ExecutionMode.CONCURRENT)
    void whatOnceBrokeAPromiseKeepsIt(String line) {
        new Simulation().run(Scenario.parse(line)).ifPresent(violation -> fail(violation.getMessage() + "\n" + line));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aScenarioIsOneLineOfText() {
        for (long seed = 1; seed <= 100; seed++) {
            Scenario scenario = Scenario.drawn(seed);
            assertEquals(scenario.toString(), Scenario.parse(scenario.toString()).toString());
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aScenarioRunsTheSameWayEachTime() {
        for (long seed = -50; seed <= 100; seed++) {
            long drawn = seed;
            // Another thread draws other identity hashes.
            List<String> again = CompletableFuture.supplyAsync(() -> trace(drawn), task -> new Thread(task).start()).join();
            assertEquals(trace(seed), again, "seed " + seed);
        }
    }

    private static List<String> trace(long seed) {
        List<String> lines = new ArrayList<>();
        new Simulation(line -> lines.add(line.replaceAll("@[0-9a-f]+", ""))).run(Scenario.drawn(seed));
        return lines;
    }
}
