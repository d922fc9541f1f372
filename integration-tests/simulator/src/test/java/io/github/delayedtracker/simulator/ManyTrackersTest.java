/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.simulator.ManyTrackers.Backend;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The cost of a subscription of one delayed message for a broker that has very many of them. With
 * {@code -Ddelayed.test.trackers=20000} a table of as many of each backend is printed.
 */
class ManyTrackersTest {

    private static final int TRACKERS = 300;
    private static final int MOST_BYTES = 1_024;

    /** A7. */
    @ParameterizedTest
    @EnumSource(value = Backend.class, names = {"TIMEBUCKET", "BUCKET"})
    void aTrackerOfOneMessageTakesAKibibyteBeyondItsShellAtMost(Backend backend) throws Exception {
        ManyTrackers.bytesOfOne(Backend.SHELL, 1, 1);
        ManyTrackers.bytesOfOne(backend, 1, 1);
        double shell = ManyTrackers.bytesOfOne(Backend.SHELL, TRACKERS, TRACKERS);
        double whole = ManyTrackers.bytesOfOne(backend, TRACKERS, TRACKERS);
        assertTrue(whole - shell <= MOST_BYTES, () -> "a tracker takes " + whole + " bytes, " + shell + " of them its shell");
    }

    @AfterAll
    static void printTheTable() throws Exception {
        int trackers = Integer.getInteger("delayed.test.trackers", 0);
        if (trackers > 0) {
            System.out.println(ManyTrackers.table(trackers));
        }
    }

    @Test
    void eachTrackerOfOneMessageHasOneWakeUpArmed() throws Exception {
        try (ManyTrackers many = new ManyTrackers(Backend.TIMEBUCKET, TRACKERS)) {
            many.make(TRACKERS);
            int withoutMessages = many.armed();
            many.offer(0);
            assertEquals(withoutMessages + TRACKERS, many.armed());
        }
    }
}
