/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.bucket.steps.JobTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** S9: seals by age are spread over time, the oldest tail first. */
class AgeSealsTest {

    private final JobTime time = new JobTime(1);
    private final AgeSeals ages = new AgeSeals(time, time);
    private final List<String> told = new ArrayList<>();

    private final class Tail implements AgeSeals.Owner {
        private final String name;

        Tail(String name) {
            this.name = name;
        }

        @Override
        public void mayBeSealed() {
            told.add(name + " at " + time.nowMillis());
        }

        @Override
        public void forgotten() {
            told.add(name + " forgotten");
        }
    }

    @Test
    void theFirstIsSealedAtOnceAndThenOneEachHalfSecondTheOldestFirst() {
        ages.ask(new Tail("first"), 900);
        ages.ask(new Tail("young"), 300);
        ages.ask(new Tail("old"), 100);
        ages.ask(new Tail("as old"), 100);
        time.runAll();
        assertEquals(List.of("first at 0", "old at 500", "as old at 1000", "young at 1500"), told);
        time.runUntil(10_000);
        ages.ask(new Tail("later"), 9_000);
        time.runAll();
        assertEquals("later at 10000", told.get(told.size() - 1));
    }

    @Test
    void aTailThatLeavesIsNotSealed() {
        Tail gone = new Tail("gone");
        ages.ask(new Tail("first"), 1);
        ages.ask(gone, 2);
        ages.ask(new Tail("last"), 3);
        assertEquals(2, waiting());
        ages.leave(gone);
        ages.leave(gone);
        assertEquals(1, waiting());
        time.runAll();
        assertEquals(List.of("first at 0", "last at 500"), told);
        assertEquals(0, waiting());
    }

    @Test
    void anOwnerWhoseTurnCameMayAskAgain() {
        Tail one = new Tail("one");
        ages.ask(one, 1);
        time.runUntil(100);
        ages.ask(one, 2);
        time.runAll();
        assertEquals(List.of("one at 0", "one at 500"), told);
    }

    @Test
    void anOwnerThatCannotBeToldIsForgottenAndTheNextOneHasItsTurn() {
        AgeSeals refusing = new AgeSeals(time, task -> {
            throw new RejectedExecutionException("on purpose");
        });
        refusing.ask(new Tail("a"), 1);
        refusing.ask(new Tail("b"), 2);
        time.runAll();
        assertEquals(List.of("a forgotten", "b forgotten"), told);
        assertEquals(0, refusing.samples().get("bucket_age_seals_waiting"));
    }

    private long waiting() {
        return ages.samples().get("bucket_age_seals_waiting");
    }
}
