/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

/** The times that calls took, to a tenth of a microsecond up to 100 ms. Not thread safe. */
final class CallTimes {

    private static final int TENTHS = 1_000_000;
    private static final int NANOS_A_TENTH = 100;

    private final int[] counts = new int[TENTHS + 1];
    private long calls;
    private long worstNanos;

    void count(long nanos) {
        counts[(int) Math.min(TENTHS, nanos / NANOS_A_TENTH)]++;
        calls++;
        worstNanos = Math.max(worstNanos, nanos);
    }

    long calls() {
        return calls;
    }

    double worstMillis() {
        return worstNanos / 1e6;
    }

    /** The time in milliseconds that this part of the calls did not exceed. */
    double quantileMillis(double quantile) {
        long beyond = (long) (calls * (1 - quantile));
        for (int tenths = TENTHS; tenths >= 0; tenths--) {
            beyond -= counts[tenths];
            if (beyond < 0) {
                return (tenths + 1) / 1e4;
            }
        }
        return 0;
    }
}
