/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

/**
 * A precision that grows with the remaining delay: the largest power of two that is no more than the remaining delay divided by
 * the ratio, up to a cap. A consumer that waits for a day does not mind a minute, and wide time buckets need less memory.
 *
 * <p>Immutable.
 *
 * @param ratio how many times the remaining delay is longer than the precision, at least; 0: off, every precision is 0
 * @param maxMillis widest precision given, a power of two; 0 where off
 */
public record AdaptivePrecision(long ratio, long maxMillis) {

    /** Off: no message has a precision of its own. */
    public static final AdaptivePrecision OFF = new AdaptivePrecision(0, 0);

    /** Checks the ranges. */
    public AdaptivePrecision {
        if (ratio < 0) {
            throw new IllegalArgumentException("ratio must be 0 or more: " + ratio);
        }
        if (ratio == 0 ? maxMillis != 0 : maxMillis < 1 || Long.bitCount(maxMillis) != 1) {
            throw new IllegalArgumentException("maxMillis must be a power of two, or 0 with ratio 0: " + maxMillis
                    + " with ratio " + ratio);
        }
    }

    /**
     * The precision for a delivery time seen from a moment: a power of two, or 0 where the remaining delay is shorter than
     * {@code ratio} ms. There is no division: the quotient's highest bit follows from the highest bits of dividend and divisor,
     * and one compare settles which of two it is.
     */
    public long precisionMillis(long deliverAtMillis, long nowMillis) {
        if (ratio == 0 || deliverAtMillis <= nowMillis) {
            return 0;
        }
        long differenceMillis = deliverAtMillis - nowMillis;
        long remainingMillis = differenceMillis < 0 ? Long.MAX_VALUE : differenceMillis;
        int shift = Long.numberOfLeadingZeros(ratio) - Long.numberOfLeadingZeros(remainingMillis);
        if (shift >= 0 && ratio << shift > remainingMillis) {
            shift--;
        }
        return shift < 0 ? 0 : Math.min(1L << shift, maxMillis);
    }
}
