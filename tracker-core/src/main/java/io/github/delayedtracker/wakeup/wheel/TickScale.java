/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import java.util.concurrent.TimeUnit;

/**
 * A scale that translates between a clock in nanoseconds that never goes back and ticks counted from an origin.
 *
 * <p>A tick is the largest power of two of nanoseconds that is not above the length asked for, so nothing is divided: 1 ms
 * becomes 524,288 ns. A deadline is rounded up to a tick and a time down, so nothing is due early, and at most one tick late. A
 * deadline that leaves the range of a long, 292 years from the origin, becomes Long.MAX_VALUE, which never comes. Immutable.
 */
final class TickScale {

    private static final long LONGEST_TICK_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final long originNanos;
    private final int tickBits;

    /**
     * A scale.
     *
     * @param originNanos the clock's time at the beginning of tick 0
     * @param tickMillis greatest length of a tick, 1 ms to 1 day
     */
    TickScale(long originNanos, long tickMillis) {
        if (tickMillis < 1 || tickMillis > LONGEST_TICK_MILLIS) {
            throw new IllegalArgumentException("tickMillis must be 1 to " + LONGEST_TICK_MILLIS + ": " + tickMillis);
        }
        this.originNanos = originNanos;
        this.tickBits = Long.SIZE - 1 - Long.numberOfLeadingZeros(TimeUnit.MILLISECONDS.toNanos(tickMillis));
    }

    /** The tick that the clock is in. */
    long tickAt(long nowNanos) {
        return elapsedNanos(nowNanos) >> tickBits;
    }

    /** The first tick that begins no earlier than the delay from now; the delay is 0 or more. */
    long deadlineTick(long nowNanos, long delayMillis) {
        long roundedUpNanos = elapsedNanos(nowNanos) + TimeUnit.MILLISECONDS.toNanos(delayMillis) + (1L << tickBits) - 1;
        return roundedUpNanos < 0 ? Long.MAX_VALUE : roundedUpNanos >> tickBits;
    }

    /** The time until a tick begins, in nanoseconds; 0 if it has begun. */
    long nanosUntil(long tick, long nowNanos) {
        if (tick > Long.MAX_VALUE >> tickBits) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, (tick << tickBits) - elapsedNanos(nowNanos));
    }

    private long elapsedNanos(long nowNanos) {
        return Math.max(0, nowNanos - originNanos);
    }
}
