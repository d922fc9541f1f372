/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;

/** The value of an option {@code --adaptive}: {@code RATIO:MAXMILLIS}, or {@code RATIO} with the default cap. */
final class AdaptiveOption {

    static final long DEFAULT_MAX_MILLIS = 65_536;

    private static final int LEAST_RATIO = 8;
    private static final int MOST_RATIO = 1_000_000;

    private AdaptiveOption() {
    }

    /**
     * The setting as the tracker would use it. A cap that is not a power of two is lowered to one. Throws an
     * {@link IllegalArgumentException} that names the rule and the bad value.
     */
    static AdaptivePrecision parse(String value) {
        String[] parts = value.split(":", -1);
        long ratio = number(parts[0]);
        long maxMillis = parts.length == 1 ? DEFAULT_MAX_MILLIS : number(parts[1]);
        if (parts.length > 2 || ratio < LEAST_RATIO || ratio > MOST_RATIO || maxMillis < 1) {
            throw new IllegalArgumentException("--adaptive must be a ratio from " + LEAST_RATIO + " to " + MOST_RATIO
                    + ", and a cap in ms after a colon, as in 1000:65536: '" + value + "'");
        }
        return new AdaptivePrecision(ratio, Long.highestOneBit(maxMillis));
    }

    /** Non-strict rules with this setting. */
    static TimeRules rules(long tickMillis, long precisionMillis, AdaptivePrecision adaptive) {
        return new TimeRules(false, tickMillis, precisionMillis, adaptive);
    }

    private static long number(String text) {
        return text.matches("[0-9]{1,12}") ? Long.parseLong(text) : 0;
    }
}
