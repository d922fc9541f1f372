/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TimerKindTest {

    @ParameterizedTest
    @EnumSource
    void aCancelledTimerIsNotArmedAnyMore(TimerKind kind) {
        try (TimerContender timer = kind.open()) {
            Object first = timer.arm(600_000);
            timer.arm(700_000);
            Object third = timer.arm(600_000);
            assertEquals(3, timer.armedCount());
            timer.cancel(first);
            timer.cancel(third);
            // Netty's own thread takes it out.
            while (timer.armedCount() > 1) {
                Thread.onSpinWait();
            }
            assertEquals(1, timer.armedCount());
        }
    }

    @Test
    void aKindIsNamedInLowerCase() {
        assertSame(TimerKind.DELAY_QUEUE, TimerKind.of("delay-queue"));
        assertThrows(IllegalArgumentException.class, () -> TimerKind.of("none"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"delay-queue", "wheel"})
    void aRequestEndsByItsTimeoutOrByItsCompletionWhicheverComesFirst(String design) {
        try (EnqueueDesign purgatory = EnqueueDesign.open(design, 5)) {
            EnqueueRequest late = new EnqueueRequest(System.nanoTime() + 5_000_000);
            purgatory.add(late);
            while (!late.isOver()) {
                Thread.onSpinWait();
            }
            purgatory.complete(late);
            EnqueueRequest soon = new EnqueueRequest(System.nanoTime() + 5_000_000);
            purgatory.add(soon);
            purgatory.complete(soon);
            assertTrue(soon.isOver());
        }
    }
}
