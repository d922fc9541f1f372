/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.FaultCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Runs random scenarios for a while or up to a number of them, on all processors, and ends with one line
 * {@code scenarios N, events N, faults N, violations N}; the exit code is 1 unless the last is 0. Before that come the failing
 * scenarios, shrunk, and the table of what happened during what.
 *
 * <p>Arguments: minutes, first seed (0: drawn from the clock; negative seeds are scenarios of the backend that stores), number of
 * scenarios (0: as many as the minutes allow), whether with shortages of threads and memory.
 */
public final class SimulateMain {

    private static final int BATCH = 500;
    private static final int FAILURES_SHOWN = 30;

    private final AtomicLong nextSeed;
    private final long lastSeed;
    private final long untilNanos;
    private final LongFunction<Scenario> drawing;
    private final Coverage coverage = new Coverage();
    private final FaultCounts storageFaults = new FaultCounts();
    private long scenarios;
    private long events;
    private long violations;

    private SimulateMain(LongFunction<Scenario> drawing, long firstSeed, long wanted, Duration duration) {
        this.drawing = drawing;
        nextSeed = new AtomicLong(firstSeed);
        lastSeed = wanted == 0 ? Long.MAX_VALUE : firstSeed + wanted - 1;
        untilNanos = System.nanoTime() + duration.toNanos();
    }

    /** See the class. */
    public static void main(String[] arguments) throws InterruptedException {
        Duration duration = Duration.ofMillis((long) (Double.parseDouble(arguments[0]) * 60_000));
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 0;
        long wanted = arguments.length > 2 ? Long.parseLong(arguments[2]) : 0;
        long firstSeed = seed == 0 ? System.currentTimeMillis() * 1_000_000 : seed;
        boolean withShortages = arguments.length > 3 && Boolean.parseBoolean(arguments[3]);
        SimulateMain all = new SimulateMain(withShortages ? Shortages::drawn : Scenario::drawn, firstSeed, wanted, duration);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread thread = new Thread(all::work, "simulation-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println();
        System.out.println(all.coverage.table());
        if (all.storageFaults.faults() > 0) {
            System.out.println(all.storageFaults.table());
        }
        System.out.printf("first seed %d%n", firstSeed);
        System.out.printf("scenarios %d, events %d, faults %d, violations %d%n", all.scenarios, all.events,
                all.coverage.faults() + all.storageFaults.faults(), all.violations);
        System.exit(all.violations == 0 ? 0 : 1);
    }

    private void work() {
        while (System.nanoTime() < untilNanos) {
            long from = nextSeed.getAndAdd(BATCH);
            long to = Math.min(from + BATCH - 1, lastSeed);
            if (from > to) {
                return;
            }
            Simulation simulation = new Simulation();
            for (long seed = from; seed <= to; seed++) {
                Scenario scenario = drawing.apply(seed);
                Optional<Violation> violation = simulation.run(scenario);
                if (violation.isPresent()) {
                    report(new Simulation.Failure(seed, scenario, violation.get()));
                }
            }
            add(simulation);
        }
    }

    private synchronized void report(Simulation.Failure failure) {
        violations++;
        if (violations <= FAILURES_SHOWN) {
            System.out.println("\n" + failure.report());
        }
    }

    private synchronized void add(Simulation simulation) {
        scenarios += simulation.scenarios();
        events += simulation.events();
        coverage.add(simulation.coverage());
        storageFaults.addAll(simulation.storageFaults());
        System.out.printf(Locale.ROOT, "\r%,d scenarios, %,d events, %d violations", scenarios, events, violations);
    }
}
