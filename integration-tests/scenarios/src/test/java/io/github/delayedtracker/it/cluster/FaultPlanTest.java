/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.cluster.FaultPlan.Kind;
import io.github.delayedtracker.it.cluster.FaultPlan.Step;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A plan is a function of its seed, has every kind of fault, and leaves the cluster no long rest. */
class FaultPlanTest {

    private static final int COUNT = 500;
    private static final int TARGETS = 3;

    private static FaultPlan plan(long seed) {
        return FaultPlan.of(seed, COUNT, List.of(Kind.values()), TARGETS);
    }

    private static FaultPlan plan(long seed, int count) {
        return FaultPlan.of(seed, count, List.of(Kind.values()), TARGETS);
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        assertEquals(plan(1), plan(1));
        assertNotEquals(plan(1).steps(), plan(2).steps());
    }

    @Test
    void aLongerPlanOfTheSameSeedBeginsWithTheSameSteps() {
        FaultPlan shorter = plan(1, 10);
        assertEquals(shorter.steps(), plan(1).steps().subList(0, shorter.steps().size()));
    }

    @Test
    void aHalfMoreStepsAreToSpareAndThreeAtLeast() {
        assertEquals(15, plan(1, 10).steps().size());
        assertEquals(5, plan(1, 2).steps().size());
    }

    @Test
    void everyKindStrikesEveryTarget() {
        Set<List<Object>> struck = plan(1).steps().stream().map(step -> List.<Object>of(step.kind(), step.target()))
                .collect(Collectors.toSet());
        assertEquals(Kind.values().length * TARGETS, struck.size());
    }

    @Test
    void everyMomentIsWaitedForAndSomeFaultsFollowAtOnce() {
        Set<Moment> moments = plan(1).steps().stream().map(Step::moment).collect(Collectors.toSet());
        assertEquals(EnumSet.allOf(Moment.class), moments);
        List<Step> steps = plan(1).steps();
        long atOnce = steps.stream().filter(step -> step.afterMillis() == 0).count();
        assertTrue(atOnce > steps.size() / 5 && atOnce < steps.size() / 2, () -> atOnce + " of " + steps.size());
    }

    @Test
    void faultsAreHalfAMinuteApartAtMostAndLastAMinuteAtMost() {
        Set<Kind> still = EnumSet.of(Kind.FREEZE_BROKER, Kind.FREEZE_BOOKIE, Kind.CUT_STORAGE, Kind.CUT_CLIENTS, Kind.CUT_BOOKIE,
                Kind.FULL_DISK, Kind.STEP_CLOCK, Kind.STALL_CONSUMER);
        for (Step step : plan(1).steps()) {
            assertTrue(step.afterMillis() + Moment.MOST_WAIT_MILLIS < 30_000 && step.forMillis() < 60_000, step::toString);
            assertTrue(!still.contains(step.kind()) || step.forMillis() >= 5_000, step::toString);
        }
    }
}
