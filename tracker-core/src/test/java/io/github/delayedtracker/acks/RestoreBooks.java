/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.AckRestore.Outcome;
import java.util.EnumMap;
import java.util.Map;

/** The restores of one run: how often they ended how, how many positions they have acknowledged, and what was wrong. */
final class RestoreBooks {

    final Map<End, Integer> ends = new EnumMap<>(End.class);
    long positions;
    private final RunLog log;
    private int wrong;
    /** Whether something durable has come again. */
    boolean isForgotten;

    RestoreBooks(RunLog log) {
        this.log = log;
    }

    void ended(Outcome outcome) {
        log.add(() -> "restored " + outcome);
        ends.merge(outcome.end(), 1, Integer::sum);
        positions += outcome.positions();
    }

    void isWrong(int place) {
        log.add(() -> "WRONG: place " + place + " was acknowledged by nobody since the last seek");
        wrong++;
    }

    void assertNothingIsWrong() {
        assertEquals(0, wrong, () -> "acknowledged by nobody since the last seek\n" + log);
        assertFalse(isForgotten, () -> "acknowledged, and come again after a crash\n" + log);
    }
}
