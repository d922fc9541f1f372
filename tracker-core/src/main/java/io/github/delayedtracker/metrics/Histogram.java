/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many values there were up to each of some bounds, all of them, and their sum. Any thread may count and read; a reading
 * while others count may lack the last of them.
 */
public final class Histogram {

    /** The name of the label of the bounds, the last of the labels of the buckets. */
    public static final String BOUND = "le";

    private static final VarHandle NUMBERS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] bounds;
    /** The values up to each of the bounds and above the one before it, then those above the last; at the end the sum. */
    private final long[] numbers;

    /**
     * An empty one.
     *
     * @param ascendingBounds the largest values that count with each of the buckets but the last, ascending
     */
    public Histogram(long... ascendingBounds) {
        bounds = ascendingBounds.clone();
        for (int i = 1; i < bounds.length; i++) {
            if (bounds[i] <= bounds[i - 1]) {
                throw new IllegalArgumentException("the bounds of a histogram ascend, but these do not: "
                        + Arrays.toString(bounds));
            }
        }
        numbers = new long[bounds.length + 2];
    }

    /** Counts a value. O(bounds). */
    public void count(long value) {
        int at = 0;
        while (at < bounds.length && bounds[at] < value) {
            at++;
        }
        add(at, 1);
        add(numbers.length - 1, value);
    }

    private void add(int at, long more) {
        long unused = (long) NUMBERS.getAndAdd(numbers, at, more);
    }

    private long number(int at) {
        return (long) NUMBERS.getVolatile(numbers, at);
    }

    /**
     * The values of the three parts, fresh.
     *
     * @param labelValues of the labels before {@link #BOUND}
     */
    public Samples samples(Metric buckets, Metric sums, Metric all, String... labelValues) {
        Samples samples = new Samples();
        long total = 0;
        for (int i = 0; i <= bounds.length; i++) {
            total += number(i);
            List<String> values = new ArrayList<>(List.of(labelValues));
            values.add(i < bounds.length ? Long.toString(bounds[i]) : "+Inf");
            samples.put(buckets, total, values.toArray(String[]::new));
        }
        return samples.put(sums, number(numbers.length - 1), labelValues).put(all, total, labelValues);
    }
}
