/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static io.github.delayedtracker.it.cluster.FaultPlan.Kind.CUT_STORAGE;
import static io.github.delayedtracker.it.cluster.FaultPlan.Kind.KILL_BROKER;
import static io.github.delayedtracker.it.cluster.FaultPlan.Kind.UNLOAD_TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which kinds of faults a run has. */
class RunPlanTest {

    private static final List<FaultPlan.Kind> POSSIBLE = List.of(KILL_BROKER, UNLOAD_TOPIC);

    @Test
    void allThatArePossibleIfNoneIsNamed() {
        assertEquals(POSSIBLE, RunPlan.chosen("", "", POSSIBLE));
    }

    @Test
    void oneNamedTwiceIsChosenTwiceAsOften() {
        assertEquals(List.of(UNLOAD_TOPIC, UNLOAD_TOPIC, KILL_BROKER),
                RunPlan.chosen("UNLOAD_TOPIC,UNLOAD_TOPIC,KILL_BROKER", "", POSSIBLE));
    }

    @Test
    void thoseLeftOutNeedNotBePossible() {
        assertEquals(List.of(KILL_BROKER), RunPlan.chosen("", "CUT_STORAGE,UNLOAD_TOPIC", POSSIBLE));
    }

    @Test
    void oneThatIsNotPossibleIsRefused() {
        assertEquals("fire.kinds has faults that this machine does not let a run have: CUT_STORAGE; possible are "
                + POSSIBLE, assertThrows(IllegalArgumentException.class,
                () -> RunPlan.chosen(CUT_STORAGE.name(), "", POSSIBLE)).getMessage());
    }

    @Test
    void aPlanOfNothingIsRefused() {
        assertEquals("fire.without leaves no kind of fault: KILL_BROKER", assertThrows(IllegalArgumentException.class,
                () -> RunPlan.chosen("KILL_BROKER", "KILL_BROKER", POSSIBLE)).getMessage());
    }
}
