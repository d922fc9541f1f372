/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import io.github.delayedtracker.metrics.Samples;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalSamplesTest {

    @ParameterizedTest
    @CsvSource({"NONE, not_needed, 0", "NOT_NEEDED, not_needed, 0", "APPLIED, not_needed, 0", "LEFT, not_needed, 0",
            "REFUSED, refused, 1", "NEWER, newer, 1", "RESET, reset, 1"})
    void theStateTellsHowTheLastRestoreEnded(End end, String state, long value) {
        assertEquals(state, stateOf(false, Optional.of(new Outcome(end, "", 0)), value));
        assertEquals("restoring", stateOf(true, Optional.of(new Outcome(end, "", 0)), 1));
    }

    private static String stateOf(boolean isRestoring, Optional<Outcome> restored, long value) {
        Samples samples = new Samples();
        JournalSamples.put(samples, Optional.empty(), isRestoring, restored, 0);
        assertEquals(value, samples.get("ack_journal"));
        return samples.all().get(0).labelValues().get(0);
    }
}
