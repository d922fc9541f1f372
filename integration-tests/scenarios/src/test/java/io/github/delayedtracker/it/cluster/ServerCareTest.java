/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.it.cluster.ServerCare.Deed;
import org.junit.jupiter.api.Test;

/** What ought to serve is waited for, started and ended, until it does. */
class ServerCareTest {

    private static final long PATIENCE = 100;

    private final ServerCare care = new ServerCare(PATIENCE);

    private Deed running(long nowMillis) {
        return care.next(true, false, false, nowMillis);
    }

    @Test
    void oneThatServesIsLeftAlone() {
        assertEquals(Deed.NOTHING, care.next(true, true, false, 5));
    }

    @Test
    void oneThatHasEndedIsStarted() {
        assertEquals(Deed.START, care.next(false, false, true, 5));
    }

    @Test
    void oneThatCouldNotServeYetIsNotStarted() {
        assertEquals(Deed.WAIT, care.next(false, false, false, 5));
    }

    @Test
    void oneThatRunsAndDoesNotServeIsEndedOnlyWhenThatHasLasted() {
        assertEquals(Deed.WAIT, running(1_000));
        assertEquals(Deed.WAIT, running(1_000 + PATIENCE - 1));
        assertEquals(Deed.END, running(1_000 + PATIENCE));
    }

    @Test
    void oneThatHasServedMeanwhileHasItsTimeAgain() {
        assertEquals(Deed.WAIT, running(0));
        assertEquals(Deed.NOTHING, care.next(true, true, false, PATIENCE));
        assertEquals(Deed.WAIT, running(PATIENCE + 1));
        assertEquals(Deed.END, running(2 * PATIENCE + 1));
    }

    @Test
    void oneThatWasStartedAgainHasTwiceTheTime() {
        running(0);
        assertEquals(Deed.END, running(PATIENCE));
        assertEquals(Deed.START, care.next(false, false, true, PATIENCE));
        assertEquals(Deed.WAIT, running(200));
        assertEquals(Deed.WAIT, running(200 + 2 * PATIENCE - 1));
        assertEquals(Deed.END, running(200 + 2 * PATIENCE));
    }

    @Test
    void oneThatWasStartedByOthersHasItsTimeFromThenOn() {
        running(0);
        assertEquals(Deed.START, care.next(false, false, true, 90));
        assertEquals(Deed.WAIT, running(95));
        assertEquals(Deed.WAIT, running(95 + PATIENCE - 1));
    }
}
