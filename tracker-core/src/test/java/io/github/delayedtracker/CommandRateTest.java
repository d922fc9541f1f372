/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How often commands of a subscription may come. */
class CommandRateTest {

    private static final long NOW = 1_700_000_000_000L;

    private final CommandRate rate = new CommandRate();

    private int admitted(long nowMillis) {
        int admitted = 0;
        while (rate.admits(nowMillis)) {
            admitted++;
        }
        return admitted;
    }

    @Test
    void afterAQuietTimeSomeComeAtOnceThenSoManyASecond() {
        assertEquals(CommandRate.AT_ONCE, admitted(NOW));
        assertFalse(rate.admits(NOW + 1));
        assertEquals(CommandRate.A_SECOND, admitted(NOW + 1_000));
        assertEquals(CommandRate.AT_ONCE, admitted(NOW + 3_600_000));
    }

    @Test
    void aClockThatIsSetBackLendsNothingAndStopsNothing() {
        assertEquals(CommandRate.AT_ONCE, admitted(NOW));
        assertFalse(rate.admits(NOW - 3_600_000));
        assertTrue(rate.admits(NOW - 3_600_000 + 1_000));
    }
}
