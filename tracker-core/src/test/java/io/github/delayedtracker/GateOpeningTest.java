/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.github.delayedtracker.subscription.HoldGate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GateOpeningTest {

    private static final long SECOND = 1_000;

    private final FakeBroker broker = new FakeBroker();
    private final HoldGate gate = new HoldGate();
    private long offers;
    private final GateOpening opening = new GateOpening(broker.dispatcher, new CursorView(broker.cursor, broker.services), gate,
            broker.timer, () -> offers, () -> false);

    @BeforeEach
    void anEntryIsHeld() {
        gate.shut();
        assertTrue(gate.holds(1, 0));
    }

    @Test
    void aDispatcherThatDoesNotReadIsWoken() {
        opening.open();
        verify(broker.dispatcher, never()).readMoreEntriesAsync();
        broker.timer.advanceTo(NOW + SECOND);
        verify(broker.dispatcher).readMoreEntriesAsync();
    }

    @Test
    void aDispatcherThatReadsIsNotWoken() {
        opening.open();
        offers++;
        broker.timer.advanceTo(NOW + SECOND);
        verify(broker.dispatcher, never()).readMoreEntriesAsync();
    }

    @Test
    @DisplayName("S2: where what is handed out cannot be watched no entry waits for it")
    void whatCannotBeWatchedHoldsNothingUp() {
        broker.timer.failNext();
        opening.open();
        assertFalse(gate.holds(1, 7), "behind one that was held");
        broker.timer.advanceTo(NOW + SECOND);
        verify(broker.dispatcher).readMoreEntriesAsync();
    }

    @Test
    @DisplayName("S2: a dispatcher for which no wake-up can be armed is woken at once")
    void aDispatcherIsWokenAtOnceWhereNothingCanBeArmed() {
        gate.isRead(1, 0);
        broker.timer.failNext();
        opening.open();
        verify(broker.dispatcher).readMoreEntriesAsync();
    }
}
