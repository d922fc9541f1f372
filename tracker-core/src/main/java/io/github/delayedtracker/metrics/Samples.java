/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/** The values of some metrics at one moment, in the order in which they were put. Not thread safe. */
public final class Samples {

    private final List<Sample> samples = new ArrayList<>();

    /**
     * One value.
     *
     * @param labelValues one for each label of the metric
     */
    public record Sample(Metric metric, long value, List<String> labelValues) {

        /** A value that fits its metric. */
        public Sample {
            if (labelValues.size() != metric.labels().size()) {
                throw new IllegalArgumentException(metric.exportedName() + " has the labels " + metric.labels()
                        + ", and not as many values: " + labelValues);
            }
        }

        /**
         * The name that tells the series of one subscription apart: the exported name and, unless the metric is a state, its
         * label values.
         */
        public String series() {
            return metric.family() + shortSeries();
        }

        private String shortSeries() {
            return labelValues.isEmpty() || metric.kind() == Metric.Kind.STATE
                    ? metric.name() : metric.name() + '_' + String.join("_", labelValues);
        }
    }

    /** Adds a value, with one label value for each label of the metric. */
    @CanIgnoreReturnValue
    public Samples put(Metric metric, long value, String... labelValues) {
        samples.add(new Sample(metric, value, List.of(labelValues)));
        return this;
    }

    /** Adds all values of others behind these. */
    @CanIgnoreReturnValue
    public Samples putAll(Samples others) {
        samples.addAll(others.samples);
        return this;
    }

    /** All values. A copy. */
    public List<Sample> all() {
        return List.copyOf(samples);
    }

    /**
     * The value of one series. Linear.
     *
     * @param series name without the family, then each label value behind a {@code _}
     * @throws NoSuchElementException if there is none
     */
    public long get(String series) {
        return samples.stream().filter(sample -> sample.shortSeries().equals(series)).mapToLong(Sample::value).findFirst()
                .orElseThrow(() -> new NoSuchElementException("no " + series + " in " + this));
    }

    @Override
    public String toString() {
        return String.join(" ", samples.stream().map(sample -> sample.shortSeries() + '=' + sample.value()).toList());
    }
}
