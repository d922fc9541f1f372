/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.cluster.RunEvent.Effect;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import io.github.delayedtracker.it.cluster.RunEvent.Left;
import io.github.delayedtracker.it.cluster.RunEvent.Setting;
import io.github.delayedtracker.it.cluster.Verdict.Promise;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A run proves something only if it was whole: it has ended, and what was to happen in it did. */
class JudgeWholeTest {

    private static final Set<Promise> NOT_WHOLE = Set.of(Promise.RUN_IS_WHOLE);

    @Test
    void aRunWithoutEventsDoesNotHold() {
        assertFalse(Judge.of(List.of()).holds());
    }

    @Test
    void aRunInWhichNothingHappenedDoesNotHold() {
        assertEquals(NOT_WHOLE, JudgedRun.whole(0, Kind.SENDING, Kind.SENT, Kind.RECEIVED, Kind.ACKNOWLEDGED).broken());
    }

    @Test
    void aRunInWhichNothingWasAcknowledgedDoesNotHold() {
        assertEquals(NOT_WHOLE, JudgedRun.whole(0, Kind.ACKNOWLEDGED).broken());
    }

    @Test
    void aRunThatHasNotEndedDoesNotHold() {
        assertEquals(NOT_WHOLE, JudgedRun.whole(0, Kind.ENDED).broken());
    }

    @Test
    void whatIsLeftHasToBeKnown() {
        for (Left name : Left.values()) {
            JudgedRun run = JudgedRun.whole(0);
            run.without(name.name());
            assertEquals(NOT_WHOLE, run.broken(), name.name());
        }
    }

    @Test
    void everySettingHasToBeKnown() {
        for (Setting setting : Setting.values()) {
            JudgedRun run = JudgedRun.whole(0);
            run.without(setting.name());
            assertEquals(NOT_WHOLE, run.broken(), setting.name());
        }
    }

    @Test
    void aFaultThatWasNotHealedIsToldOf() {
        JudgedRun run = JudgedRun.whole(0);
        run.event(Kind.FAULT, 4_000, 0, "", "2-kill-bookie-0", Effect.FORGETS.code());
        assertEquals(NOT_WHOLE, run.broken());
    }

    @Test
    void asMuchHasToHappenAsWasPlanned() {
        JudgedRun run = JudgedRun.whole(0);
        run.event(Kind.LEAST, 0, 0, "", "faults", 1);
        assertEquals(NOT_WHOLE, run.broken());
        run.fault(Effect.FORGETS, 10_000, 11_000);
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void aFaultThatWasRefusedIsNamedAndDoesNotCount() {
        JudgedRun run = JudgedRun.whole(0);
        run.event(Kind.LEAST, 0, 0, "", "faults", 1);
        run.refused(Effect.FORGETS, 10_000, 11_000);
        assertEquals(NOT_WHOLE, run.broken());
        assertEquals(List.of("2-unload-topic-0"), run.verdict().refused());
        assertTrue(run.verdict().text().contains("\nrefused: 2-unload-topic-0\n"), run.verdict()::text);
        run.fault(Effect.FORGETS, 12_000, 13_000);
        assertEquals(Set.of(), run.broken());
        assertEquals(1, run.figure("faults"));
        assertEquals(1, run.figure("refused-faults"));
    }

    @Test
    void whatTheClusterDidIsAddedUp() {
        JudgedRun run = JudgedRun.whole(0);
        run.event(Kind.LEAST, 0, 0, "", "seals", 5);
        run.event(Kind.SEEN, 10, 0, "", "seals", 2);
        run.event(Kind.SEEN, 20, 0, "", "seals", 2);
        assertEquals(NOT_WHOLE, run.broken());
        run.event(Kind.SEEN, 30, 0, "", "seals", 1);
        assertEquals(Set.of(), run.broken());
        assertEquals(5, run.figure("seals"));
    }
}
