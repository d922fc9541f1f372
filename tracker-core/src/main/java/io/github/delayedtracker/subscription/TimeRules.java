/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

/**
 * The rules of when a position may be handed out: the rounding of deliverAt, the window in which early delivery is allowed, and
 * the latest due time that is open at a moment.
 *
 * <p>Strict: never before deliverAt. Non-strict: never before deliverAt less the tick. Times rounded down stand up to
 * {@code precision - 1} ms before their deliverAt, so the window is shortened by that much.
 *
 * <p>A message is rounded to a precision of its own: the subscription's, or a wider one that {@link AdaptivePrecision} allows for
 * its remaining delay. While somebody asks, it is handed out less than its own precision after deliverAt.
 *
 * <p>A position that was rounded down by other rules, with a longer tick, may be open by these rules before its message may be
 * delivered. That is safe: the message is read and offered again with its deliverAt, and {@link #deliversAtOnce} decides. On a no
 * the position is rounded by these rules, to a time that is not open at that moment. So each position comes back at most once for
 * each change of the rules.
 *
 * <p>Immutable; sums saturate, so deliverAt may be anything up to {@link Long#MAX_VALUE}.
 *
 * @param strict whether early delivery is never allowed
 * @param tickMillis granularity of delivery, 1 ms or more
 * @param precisionMillis width of a time bucket, a power of two, 1 ms or more
 * @param adaptive widens the precision of far messages
 */
public record TimeRules(boolean strict, long tickMillis, long precisionMillis, AdaptivePrecision adaptive) {

    /** Checks the ranges. */
    public TimeRules {
        if (tickMillis < 1) {
            throw new IllegalArgumentException("tickMillis must be 1 or more: " + tickMillis);
        }
        if (precisionMillis < 1 || Long.bitCount(precisionMillis) != 1) {
            throw new IllegalArgumentException("precisionMillis must be a power of two: " + precisionMillis);
        }
    }

    /** Rules with one precision for all messages. */
    public TimeRules(boolean strict, long tickMillis, long precisionMillis) {
        this(strict, tickMillis, precisionMillis, AdaptivePrecision.OFF);
    }

    /** The same rules with another tick and precision. */
    public TimeRules withTick(long newTickMillis, long newPrecisionMillis) {
        return new TimeRules(strict, newTickMillis, newPrecisionMillis, adaptive);
    }

    /** Whether a message with this deliverAt may be delivered at once instead of being indexed. */
    public boolean deliversAtOnce(long deliverAtMillis, long nowMillis) {
        return deliverAtMillis <= saturatedSum(nowMillis, strict ? 0 : tickMillis);
    }

    /** The precision of a message, a power of two: its remaining delay may widen the subscription's precision. */
    public long precisionMillis(long deliverAtMillis, long nowMillis) {
        return Math.max(precisionMillis, adaptive.precisionMillis(deliverAtMillis, nowMillis));
    }

    /**
     * The time to index a message under: deliverAt rounded to the message's precision, saturating at
     * {@link Long#MAX_VALUE}.
     */
    public long round(long deliverAtMillis, long nowMillis) {
        long ownMillis = precisionMillis(deliverAtMillis, nowMillis);
        if (roundsDown(ownMillis)) {
            return deliverAtMillis & -ownMillis;
        }
        long raisedMillis = deliverAtMillis + (ownMillis - 1);
        return raisedMillis < deliverAtMillis ? Long.MAX_VALUE : raisedMillis & -ownMillis;
    }

    /** The most milliseconds by which a time rounded by these rules may stand before its deliverAt; less than the tick. */
    public long roundingSlackMillis() {
        if (!roundsDown(precisionMillis)) {
            return 0;
        }
        return Math.min(Long.highestOneBit(tickMillis), Math.max(precisionMillis, adaptive.maxMillis())) - 1;
    }

    // Rounds down only where a bucket is no wider than the tick, which may be given away.
    private boolean roundsDown(long ownMillis) {
        return !strict && ownMillis <= tickMillis;
    }

    /** The time by which a position may be handed out before its indexed time, 0 or more. */
    public long windowMillis() {
        return strict ? 0 : tickMillis - roundingSlackMillis();
    }

    /** The latest indexed time that may be handed out now. */
    public long openUntilMillis(long nowMillis) {
        return saturatedSum(nowMillis, windowMillis());
    }

    /** The time from which on an indexed time may be handed out: the reverse of {@link #openUntilMillis}. */
    public long openFromMillis(long indexedMillis) {
        return saturatedSum(indexedMillis, -windowMillis());
    }

    static long saturatedSum(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) {
            return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return sum;
    }
}
