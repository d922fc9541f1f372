/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.wakeup.WakeUpTimer;

/**
 * The deferred work of one subscription's index, on the timer's thread a slice at a time, so that other subscriptions' wake-ups
 * come in between. Ends by itself once the state is closed. A base of {@link Purging}, whose finds it tidies away: there may be
 * a hundred thousand of them, and one object takes less than two.
 */
abstract class Tidying {

    private static final int SLICE = 2_048;
    private static final long GAP_MILLIS = 2;

    final SubscriptionState state;
    final CursorView cursor;
    private volatile boolean underWay;

    Tidying(SubscriptionState state, CursorView cursor) {
        this.state = state;
        this.cursor = cursor;
    }

    private WakeUpTimer timer() {
        return cursor.services().timer();
    }

    /** Begins in a moment, from any thread. */
    final void soon() {
        timer().arm(GAP_MILLIS, this::inSlices);
    }

    /** Does a slice, and goes on in a moment if there is more. */
    final void inSlices() {
        if (!underWay && state.tidy(SLICE)) {
            underWay = true;
            try {
                timer().arm(GAP_MILLIS, () -> {
                    underWay = false;
                    inSlices();
                });
            } catch (RuntimeException | Error e) {
                underWay = false;
                throw e;
            }
        }
    }
}
