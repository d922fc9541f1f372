/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.cluster.FaultPlan.Kind;
import io.github.delayedtracker.it.cluster.FaultPlan.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver does as many faults as are planned, one at a time, and goes on when the cluster refuses one. */
class FaultDriverTest {

    private static final int COUNT = 4;

    @TempDir
    private Path folder;

    private final List<String> done = new ArrayList<>();
    private OptionalInt brokerOfTheMoment = OptionalInt.empty();

    /** Refuses the tries with these numbers, or all. */
    private class Victim implements FaultDriver.Victim {

        private final Set<Integer> refused;
        private final boolean isRefusingAll;
        private int tries;

        Victim(boolean isRefusingAll, Integer... refused) {
            this.isRefusingAll = isRefusingAll;
            this.refused = Set.of(refused);
        }

        @Override
        public OptionalInt await(Moment moment) {
            return brokerOfTheMoment;
        }

        @Override
        public Optional<String> strike(Step step, int target) {
            tries++;
            done.add(step.kind() + " " + target);
            return isRefusingAll || refused.contains(tries) ? Optional.of("not enough bookies") : Optional.empty();
        }

        @Override
        public void heal() {
            done.add("healed");
        }
    }

    private static FaultPlan plan(Kind... kinds) {
        return FaultPlan.of(7, COUNT, List.of(kinds), 1);
    }

    private Verdict run(FaultDriver.Victim victim, FaultPlan plan) throws Exception {
        try (RunFile file = new RunFile(folder, "faults")) {
            new FaultDriver(victim, file, millis -> { }).run(plan);
        }
        return Judge.of(RunFile.all(folder));
    }

    private long strikes() {
        return done.stream().filter(deed -> !deed.equals("healed")).count();
    }

    @Test
    void aPlanOfWhichNothingIsRefusedIsDoneWithoutItsSpareSteps() throws Exception {
        Verdict verdict = run(new Victim(false), plan(Kind.UNLOAD_TOPIC));
        assertEquals(COUNT, verdict.figures().get("faults"));
        assertEquals(List.of(), verdict.refused());
        assertEquals(COUNT, strikes());
    }

    @Test
    void aFaultThatIsRefusedIsWrittenDownAndMadeUpFor() throws Exception {
        Verdict verdict = run(new Victim(false, 1, 3), plan(Kind.UNLOAD_TOPIC));
        assertEquals(COUNT, verdict.figures().get("faults"));
        assertEquals(2, verdict.figures().get("refused-faults"));
        assertEquals(List.of("1-UNLOAD_TOPIC-0", "3-UNLOAD_TOPIC-0"),
                verdict.refused().stream().map(name -> name.replaceAll("-[A-Z]+(-missed)?$", "")).sorted().toList());
        assertEquals(COUNT + 2, strikes());
    }

    @Test
    void aClusterThatRefusesEverythingEndsThePlan() throws Exception {
        FaultPlan plan = plan(Kind.SPLIT_BUNDLE);
        Verdict verdict = run(new Victim(true), plan);
        assertEquals(0, verdict.figures().get("faults"));
        assertEquals(plan.steps().size(), verdict.refused().size());
        assertTrue(plan.steps().size() > COUNT, () -> plan.steps().toString());
    }

    @Test
    void allServesBeforeAndAfterEachFault() throws Exception {
        run(new Victim(false, 2), plan(Kind.KILL_BOOKIE));
        for (int i = 0; i < done.size(); i += 3) {
            assertEquals(List.of("healed", "KILL_BOOKIE 0", "healed"), done.subList(i, i + 3));
        }
    }

    @Test
    void theBrokerThatHasTheMomentIsStruck() throws Exception {
        brokerOfTheMoment = OptionalInt.of(2);
        run(new Victim(false), plan(Kind.KILL_BROKER));
        assertTrue(done.contains("KILL_BROKER 2") && !done.contains("KILL_BROKER 0"), done::toString);
    }

    @Test
    void aClusterThatIsNotHealedEndsTheRunWithTheFaultOpen() throws Exception {
        FaultDriver.Victim victim = new Victim(false) {
            @Override
            public void heal() {
                super.heal();
                if (strikes() == 1) {
                    throw new AssertionError("a topic is not served");
                }
            }
        };
        assertThrows(AssertionError.class, () -> run(victim, plan(Kind.UNLOAD_TOPIC)));
        Verdict verdict = Judge.of(RunFile.all(folder));
        assertEquals(0, verdict.figures().get("faults"));
        assertTrue(verdict.text().contains("was not healed"), verdict::text);
    }
}
