/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.slf4j.Logger;

/** Warnings about storage that is away, of one subscription and of thousands. */
class StorageWarningsTest {

    private static final long MINUTE = 60_000;

    private final Logger log = mock(Logger.class);
    private long nowMillis = 1_700_000_000_000L;
    private final StorageWarnings warnings = new StorageWarnings(() -> nowMillis);

    private List<String> lines() {
        return Mockito.mockingDetails(log).getInvocations().stream()
                .map(call -> "" + call.getArgument(1) + call.getArgument(2) + call.getArgument(3)).toList();
    }

    @Test
    void aSubscriptionWritesOneLineAMinuteAndTellsHowManyWereHeldBack() {
        for (int i = 0; i < 5; i++) {
            warnings.write(log, "a ", "away");
        }
        nowMillis += MINUTE;
        warnings.write(log, "a ", "away");
        assertEquals(List.of("a away", "a away (4 such lines of the broker were not written)"), lines());
    }

    @Test
    void tenThousandSubscriptionsWriteTwentyLinesAMinute() {
        for (int i = 0; i < 10_000; i++) {
            warnings.write(log, "s" + i, " away");
        }
        assertEquals(StorageWarnings.LINES_A_MINUTE, lines().size());
        nowMillis += MINUTE;
        warnings.write(log, "t", " away");
        assertEquals("t away (9980 such lines of the broker were not written)", lines().get(StorageWarnings.LINES_A_MINUTE));
    }

    @Test
    void aClockThatWasSetBackBeginsANewMinute() {
        warnings.write(log, "a", "");
        nowMillis -= 100 * MINUTE;
        warnings.write(log, "a", "");
        assertEquals(2, lines().size());
    }
}
