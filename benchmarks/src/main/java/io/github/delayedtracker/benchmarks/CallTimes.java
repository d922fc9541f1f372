/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.Locale;

/** How many calls of a kind took how long, to the microsecond; those beyond some milliseconds are counted together. */
final class CallTimes {

    private static final int MOST_MICROS = 100_000;
    private static final double NANOS_OF_A_MILLI = 1e6;

    private final String name;
    private final int[] calls = new int[MOST_MICROS + 1];
    private long count;
    private long worstNanos;

    CallTimes(String name) {
        this.name = name;
    }

    void add(long nanos) {
        calls[(int) Math.min(MOST_MICROS, nanos / 1_000)]++;
        count++;
        worstNanos = Math.max(worstNanos, nanos);
    }

    /** The time in ms that so many calls of all took at most, rounded up to a microsecond. */
    double quantileMillis(double share) {
        long beyond = (long) (count * (1 - share));
        int micros = MOST_MICROS;
        while (micros > 0 && beyond >= calls[micros]) {
            beyond -= calls[micros];
            micros--;
        }
        return (micros + 1) / 1e3;
    }

    double worstMillis() {
        return worstNanos / NANOS_OF_A_MILLI;
    }

    void print() {
        System.out.printf(Locale.ROOT, "%s: %,d calls, p99 %.3f ms, p99.9 %.3f, p99.99 %.3f, p99.999 %.3f, worst %.3f%n", name,
                count, quantileMillis(0.99), quantileMillis(0.999), quantileMillis(0.9999), quantileMillis(0.99999),
                worstMillis());
    }
}
