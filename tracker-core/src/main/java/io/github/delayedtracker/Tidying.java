/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The deferred work of one subscription's index, a slice at a time and all but the first on the timer's thread, so that wake-ups
 * come in between. Ends by itself once the state is closed. A base of {@link Purging}, whose finds it tidies away: there may be
 * a hundred thousand of them, and one object takes less than two.
 */
abstract class Tidying {

    private static final VarHandle UNDER_WAY = underWay();
    private static final int SLICE = 2_048;
    private static final long GAP_MILLIS = 2;

    final SubscriptionState state;
    final CursorView cursor;
    /** Whether a slice is being done or armed. */
    private volatile boolean underWay;

    Tidying(SubscriptionState state, CursorView cursor) {
        this.state = state;
        this.cursor = cursor;
    }

    private static VarHandle underWay() {
        try {
            return MethodHandles.lookup().findVarHandle(Tidying.class, "underWay", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private WakeUpTimer timer() {
        return cursor.services().timer();
    }

    /** Begins in a moment, from any thread. */
    final void soon() {
        timer().arm(GAP_MILLIS, this::inSlices);
    }

    /** Does a slice, and goes on in a moment if there is more; does nothing while that is under way. */
    final void inSlices() {
        if (!UNDER_WAY.compareAndSet(this, false, true)) {
            return;
        }
        boolean armed = false;
        try {
            if (state.tidy(SLICE)) {
                timer().arm(GAP_MILLIS, () -> {
                    underWay = false;
                    inSlices();
                });
                armed = true;
            }
        } finally {
            if (!armed) {
                underWay = false;
            }
        }
    }
}
