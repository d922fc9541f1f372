/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * The clock of the chores, and how long one rests that has failed for good: half a pause and a random part of the other half.
 *
 * @param wallMillis the clock that decides what is due, epoch milliseconds
 * @param jitter from a bound a random number below it
 * @param pauseMillis how long such a rest is at most
 */
record ChoreClock(LongSupplier wallMillis, LongUnaryOperator jitter, long pauseMillis) {

    long nowMillis() {
        return wallMillis.getAsLong();
    }

    /** Until when a chore rests. */
    long restUntilMillis() {
        return restUntilMillis(0);
    }

    /** Until when a chore rests that has failed before as well: the rest is doubled a number of times. */
    long restUntilMillis(int doublings) {
        return nowMillis() + restMillis(doublings);
    }

    /** How long a chore rests, doubled a number of times. */
    long restMillis(int doublings) {
        return jittered(pauseMillis) << doublings;
    }

    /** Half a time and a random part of the other half. */
    long jittered(long longestMillis) {
        return longestMillis / 2 + jitter.applyAsLong(Math.max(1, longestMillis / 2));
    }
}
