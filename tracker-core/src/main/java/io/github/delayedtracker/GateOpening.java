/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.subscription.HoldGate;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/**
 * The opening of the gate before the consumers of one subscription: has the dispatcher ask for what was held, and looks after
 * what was handed out and does not come again.
 *
 * <p>Policy. A dispatcher that goes on reading asks by itself. It is woken only if it does not: a replay that is begun while a
 * normal read is under way may be read twice by the broker, and sent twice. While held entries are on their way others wait
 * behind them. Those that are gone are let go of every ten seconds. When nothing else has moved for five minutes, or too many
 * wait, no entry waits any more. Thread safe.
 *
 * @param offers the number of entries that the dispatcher has offered
 * @param isClosed whether the tracker is closed
 */
record GateOpening(AbstractPersistentDispatcherMultipleConsumers dispatcher, CursorView cursor, HoldGate gate, WakeUpTimer timer,
        LongSupplier offers, BooleanSupplier isClosed) {

    private static final long WAKE_MILLIS = 100;
    private static final long LOOK_MILLIS = 10_000;
    private static final int MOST_LOOKS_UNMOVED = 30;
    private static final long MOST_HELD = 200_000;

    /** Opens the gate, unless the tracker is closed: what is offered then is read again by the next one. */
    void open() {
        if (!isClosed.getAsBoolean()) {
            openInAnyCase();
        }
    }

    /** Opens the gate of a dispatcher that is in use, though what looked after it may have been closed meanwhile. */
    void openInAnyCase() {
        gate.open();
        if (isClosed.getAsBoolean()) {
            // Nobody would watch what was handed out.
            gate.stopDraining();
        } else if (!gate.isOpen()) {
            watch(gate.moves(), 0);
        }
        wakeUnlessReading();
    }

    /** Opens the gate, with nobody to watch what is handed out: no entry waits any more. */
    void leaveOpen() {
        gate.open();
        gate.stopDraining();
        if (gate.hasToHandOut()) {
            wakeUnlessReading();
        }
    }

    private void wakeUnlessReading() {
        long offered = offers.getAsLong();
        try {
            timer.arm(WAKE_MILLIS, () -> wakeUnlessOffered(offered));
        } catch (RuntimeException | Error e) {
            // Nobody else would wake it; a message may be sent twice then.
            wakeUnlessOffered(offered);
        }
    }

    private void wakeUnlessOffered(long offered) {
        if (!isClosed.getAsBoolean() && !dispatcher.isClosed() && offers.getAsLong() == offered) {
            dispatcher.readMoreEntriesAsync();
        }
    }

    private void watch(long moves, int unmoved) {
        try {
            timer.arm(LOOK_MILLIS, () -> look(moves, unmoved));
        } catch (RuntimeException | Error e) {
            // With nobody to watch no entry waits.
            gate.stopDraining();
        }
    }

    private void look(long moves, int unmoved) {
        if (gate.isOpen() || gate.isShut() || isClosed.getAsBoolean()) {
            return;
        }
        gate.forget((ledgerId, entryId) -> cursor.isGone(PositionFactory.create(ledgerId, entryId)));
        long now = gate.moves();
        int looks = now == moves ? unmoved + 1 : 0;
        if (looks >= MOST_LOOKS_UNMOVED || gate.held() > MOST_HELD) {
            gate.stopDraining();
        } else {
            watch(now, looks);
        }
    }
}
