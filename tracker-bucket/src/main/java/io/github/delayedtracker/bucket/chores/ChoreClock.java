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
 * The clock of the chores and their rests after a failure for good: half a pause and a random part of the other half.
 *
 * @param wallMillis the clock that decides what is due, epoch milliseconds
 * @param jitter gives a random number below a bound
 * @param pauseMillis the longest such rest
 */
record ChoreClock(LongSupplier wallMillis, LongUnaryOperator jitter, long pauseMillis) {

    long nowMillis() {
        return wallMillis.getAsLong();
    }

    /** The end of a chore's rest. */
    long restUntilMillis() {
        return restUntilMillis(0);
    }

    /** The end of the rest of a chore that has failed before as well: the rest is doubled a number of times. */
    long restUntilMillis(int doublings) {
        return nowMillis() + restMillis(doublings);
    }

    /** The rest of a chore, doubled a number of times. */
    long restMillis(int doublings) {
        return jittered(pauseMillis) << doublings;
    }

    /** Half a time and a random part of the other half. */
    long jittered(long longestMillis) {
        return longestMillis / 2 + jitter.applyAsLong(Math.max(1, longestMillis / 2));
    }
}
