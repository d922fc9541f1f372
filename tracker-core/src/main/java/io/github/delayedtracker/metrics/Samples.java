/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The values of some metrics at one moment, in the order in which they were put. To put one whose series is a constant, or that
 * has no labels, makes no object. Not thread safe.
 */
public final class Samples {

    private static final int USUAL_VALUES = 32;

    private Series[] series = new Series[USUAL_VALUES];
    private long[] values = new long[USUAL_VALUES];
    private int count;

    /** One value. */
    public record Sample(Series series, long value) {

        /** The metric that it is a value of. */
        public Metric metric() {
            return series.metric();
        }

        /** One for each label of the metric. */
        public List<String> labelValues() {
            return series.labelValues();
        }
    }

    /** Takes values one after the other. */
    @FunctionalInterface
    public interface Sink {

        /** Takes one. */
        void accept(Series series, long value);
    }

    /** Adds a value, with one label value for each label of the metric. */
    @CanIgnoreReturnValue
    public Samples put(Metric metric, long value, String... labelValues) {
        return put(metric.series(labelValues), value);
    }

    /** Adds a value of a series. */
    @CanIgnoreReturnValue
    public Samples put(Series of, long value) {
        if (count == series.length) {
            series = Arrays.copyOf(series, 2 * count);
            values = Arrays.copyOf(values, 2 * count);
        }
        series[count] = of;
        values[count] = value;
        count++;
        return this;
    }

    /** Adds all values of others behind these. */
    @CanIgnoreReturnValue
    public Samples putAll(Samples others) {
        others.forEach(this::put);
        return this;
    }

    /** Passes on all values, in their order. */
    public void forEach(Sink sink) {
        for (int i = 0; i < count; i++) {
            sink.accept(series[i], values[i]);
        }
    }

    /** All values. A copy. */
    public List<Sample> all() {
        return stream().toList();
    }

    private Stream<Sample> stream() {
        return IntStream.range(0, count).mapToObj(i -> new Sample(series[i], values[i]));
    }

    /**
     * The value of one series. Linear.
     *
     * @param shortName name without the family, then each label value behind a {@code _}
     * @throws NoSuchElementException if there is none
     */
    public long get(String shortName) {
        return stream().filter(sample -> sample.series().shortName().equals(shortName)).mapToLong(Sample::value).findFirst()
                .orElseThrow(() -> new NoSuchElementException("no " + shortName + " in " + this));
    }

    @Override
    public String toString() {
        return String.join(" ", stream().map(sample -> sample.series().shortName() + '=' + sample.value()).toList());
    }
}
