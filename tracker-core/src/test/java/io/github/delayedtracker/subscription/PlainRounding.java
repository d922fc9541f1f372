/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import java.math.BigInteger;

/** The rounding of a delivery time by its definition: with division, a loop and numbers that do not overflow. */
final class PlainRounding {

    private static final BigInteger LATEST = BigInteger.valueOf(Long.MAX_VALUE);

    private PlainRounding() {
    }

    /** The larger of the configured precision and the largest power of two up to the cap and remaining delay / ratio. */
    static long precisionMillis(long configuredMillis, AdaptivePrecision adaptive, long deliverAtMillis, long nowMillis) {
        if (adaptive.ratio() == 0) {
            return configuredMillis;
        }
        BigInteger share = BigInteger.valueOf(deliverAtMillis).subtract(BigInteger.valueOf(nowMillis))
                .divide(BigInteger.valueOf(adaptive.ratio()));
        BigInteger limit = share.min(BigInteger.valueOf(adaptive.maxMillis()));
        BigInteger widest = BigInteger.ZERO;
        for (BigInteger power = BigInteger.ONE; power.compareTo(limit) <= 0; power = power.shiftLeft(1)) {
            widest = power;
        }
        return widest.max(BigInteger.valueOf(configuredMillis)).longValueExact();
    }

    /** The next multiple of the precision at or below deliverAt if that much may be given away, else at or above. */
    static long round(boolean strict, long tickMillis, long ownMillis, long deliverAtMillis) {
        BigInteger deliverAt = BigInteger.valueOf(deliverAtMillis);
        BigInteger own = BigInteger.valueOf(ownMillis);
        BigInteger below = deliverAt.subtract(deliverAt.mod(own));
        if (!strict && ownMillis <= tickMillis || below.equals(deliverAt)) {
            return below.longValueExact();
        }
        return below.add(own).min(LATEST).longValueExact();
    }

    /** How far down a time may have been rounded: one less than the widest precision that is rounded down. */
    static long slackMillis(TimeRules rules) {
        long widest = 1;
        if (!rules.strict() && rules.precisionMillis() <= rules.tickMillis()) {
            while (widest * 2 <= rules.tickMillis()
                    && widest * 2 <= Math.max(rules.precisionMillis(), rules.adaptive().maxMillis())) {
                widest *= 2;
            }
        }
        return widest - 1;
    }
}
