/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.FaultCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Runs scenarios against the real trackers and tells what broke. The same scenario always runs the same way.
 *
 * <p>One thread a simulation.
 */
public final class Simulation {

    private final Consumer<String> trace;
    private final Coverage coverage = new Coverage();
    private final FaultCounts storageFaults = new FaultCounts();
    private long scenarios;
    private long events;
    private long journals;
    private long restored;

    /** Starts with nothing run. */
    public Simulation() {
        this(null);
    }

    /** Tells the given listener about every call, message and disturbance, a line each. */
    public Simulation(Consumer<String> trace) {
        this.trace = trace;
    }

    private static List<Invariant> invariants() {
        return List.of(new ContainedMeansScheduled(), new HeldIsSkipped(), new AllIsDelivered(), new HandedOutOncePerAdd(),
                new NotSentWhileHeld(), new DeliveredOnce(), new NeverEarly(), new NeverLate(), new CountIsTrue(),
                new NothingFails(), new NothingIsLeft(), new DueHasAWakeUp(), new NoCallAfterClose(),
                new ClosedWritesNothing(), new NoIdleSpinning(), new NewerIsLeftAlone(), new MergingGoesOn(),
                new SealsKeepTheirSize(), new OwnersLedgersStay(), new AcknowledgedStays(), new NothingElseIsAcknowledged(),
                new CancelledStays(), new GateOpensInTime());
    }

    /** Runs one scenario to its end; what it broke, if anything. */
    public Optional<Violation> run(Scenario scenario) {
        World world = new World(scenario.setup(), invariants(), trace);
        scenarios++;
        try {
            new Stage(scenario, world, coverage).play();
            return Optional.empty();
        } catch (Violation violation) {
            return Optional.of(violation);
        } catch (RuntimeException | Error e) {
            return Optional.of(new Violation(NothingFails.class.getSimpleName(), world.describe("an event threw " + e), e));
        } finally {
            events += world.scheduler().eventsRun();
            if (scenario.setup().is(Setup.Parameter.JOURNAL)) {
                journals++;
                restored += world.userAcks().restoredPositions();
            }
            world.storage().ifPresent(storage -> storageFaults.addAll(storage.counts()));
        }
    }

    /** Leaves out actions as long as the same promise stays broken. */
    public static Scenario shrink(Scenario failing, String invariant) {
        List<Action> actions = new ArrayList<>(failing.actions());
        for (int size = Math.max(1, actions.size() / 2); size >= 1; size = size == 1 ? 0 : size / 2) {
            for (int from = 0; from + size <= actions.size();) {
                List<Action> fewer = new ArrayList<>(actions);
                fewer.subList(from, from + size).clear();
                if (new Simulation().run(failing.withActions(fewer)).filter(v -> v.invariant().equals(invariant)).isPresent()) {
                    actions = fewer;
                } else {
                    from += size;
                }
            }
        }
        return failing.withActions(actions);
    }

    /** One scenario after another from consecutive seeds, up to the first violation; the failing seed, if any. */
    public Optional<Failure> run(long firstSeed, int count) {
        return run(Scenario::drawn, firstSeed, count);
    }

    /** The same with scenarios that are drawn otherwise. */
    Optional<Failure> run(LongFunction<Scenario> drawing, long firstSeed, int count) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            Scenario scenario = drawing.apply(seed);
            Optional<Violation> violation = run(scenario);
            if (violation.isPresent()) {
                return Optional.of(new Failure(seed, scenario, violation.get()));
            }
        }
        return Optional.empty();
    }

    /**
     * A scenario that broke a promise.
     *
     * @param seed where it came from
     * @param scenario as it was drawn
     * @param violation what it broke
     */
    public record Failure(long seed, Scenario scenario, Violation violation) {

        /** The message, the shrunk scenario, and how to run it again. */
        public String report() {
            return violation.invariant() + ": " + violation.getMessage() + "\nseed " + seed + ", shrunk to:\n"
                    + shrink(scenario, violation.invariant()) + "\nrun it again: mvn -B -q -pl integration-tests/simulator"
                    + " -am test -Dtest=SimulatorTest -Dsurefire.failIfNoSpecifiedTests=false -Dsimulate.seed=" + seed;
        }
    }

    long scenarios() {
        return scenarios;
    }

    long events() {
        return events;
    }

    /** The scenarios with a journal. */
    long journals() {
        return journals;
    }

    /** The positions that journals have acknowledged again. */
    long restored() {
        return restored;
    }

    FaultCounts storageFaults() {
        return storageFaults;
    }

    Coverage coverage() {
        return coverage;
    }
}
