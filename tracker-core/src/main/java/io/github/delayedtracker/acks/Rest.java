/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

/**
 * The rest after a step that has failed: 5 s, and twice as long after each further one, up to 5 min. A clock that is set back
 * makes none longer than that. One thread at a time.
 */
public final class Rest {

    private static final long FIRST_MILLIS = 5_000;
    private static final long LONGEST_MILLIS = 300_000;

    private long millis = FIRST_MILLIS;
    private volatile long untilMillis = Long.MIN_VALUE;

    /** Whether a rest is not over. */
    public boolean lasts(long nowMillis) {
        return nowMillis < untilMillis && untilMillis - nowMillis <= LONGEST_MILLIS;
    }

    /** Begins a rest. */
    public void begin(long nowMillis) {
        untilMillis = nowMillis + millis;
        millis = Math.min(LONGEST_MILLIS, 2 * millis);
    }

    /** The next one is the first again. */
    public void forget() {
        millis = FIRST_MILLIS;
    }
}
