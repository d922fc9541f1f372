/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.util.ArrayDeque;
import java.util.Deque;

/** When a tracker has woken its dispatcher: since that asked last, and in vain since it got anything last. */
final class WakeUpTimes {

    private final Deque<Long> unasked = new ArrayDeque<>();
    private final Deque<Long> inVain = new ArrayDeque<>();

    void woken(long nowMillis) {
        unasked.addLast(nowMillis);
    }

    /** The dispatcher asked, and got nothing. */
    void unanswered(long nowMillis) {
        if (!unasked.isEmpty()) {
            inVain.addLast(nowMillis);
        }
        unasked.clear();
    }

    /** The dispatcher asked, and got something. */
    void answered() {
        unasked.clear();
        inVain.clear();
    }

    /** The normal read goes on: what it passes may be handed out. */
    void readGoesOn() {
        inVain.clear();
    }

    /** How many from a time on after which the dispatcher has not asked so far. */
    int unasked(long fromMillis) {
        return from(unasked, fromMillis);
    }

    /** How often from a time on the dispatcher was woken, asked and got nothing. */
    int inVain(long fromMillis) {
        return from(inVain, fromMillis);
    }

    private static int from(Deque<Long> times, long fromMillis) {
        while (!times.isEmpty() && times.peekFirst() < fromMillis) {
            times.removeFirst();
        }
        return times.size();
    }
}
