/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import com.google.errorprone.annotations.Immutable;
import java.util.List;

/**
 * One series: a metric with a value for each of its labels, and the texts that the broker's page takes, made once. Where the
 * label values are known beforehand it is a constant, so that a page with very many values makes no texts for them. Immutable.
 */
// The list is a copy that cannot be changed, and nobody changes the array.
@Immutable
@SuppressWarnings("Immutable")
public final class Series {

    private final Metric metric;
    private final List<String> labelValues;
    private final String shortName;
    private final String name;
    private final String[] labelsAndValues;

    /** A series whose label values fit its metric. */
    Series(Metric metric, List<String> labelValues) {
        if (labelValues.size() != metric.labels().size()) {
            throw new IllegalArgumentException(metric.exportedName() + " has the labels " + metric.labels()
                    + ", and not as many values: " + labelValues);
        }
        this.metric = metric;
        this.labelValues = labelValues;
        this.shortName = labelValues.isEmpty() || metric.kind() == Metric.Kind.STATE
                ? metric.name() : metric.name() + '_' + String.join("_", labelValues);
        this.name = metric.family() + shortName;
        this.labelsAndValues = new String[2 * labelValues.size()];
        for (int i = 0; i < labelValues.size(); i++) {
            labelsAndValues[2 * i] = metric.labels().get(i);
            labelsAndValues[2 * i + 1] = labelValues.get(i);
        }
    }

    /** The metric it is one of. */
    public Metric metric() {
        return metric;
    }

    /** The label values, one for each label of the metric. */
    public List<String> labelValues() {
        return labelValues;
    }

    /**
     * The name that tells the series of one subscription apart: the exported name and, unless the metric is a state, its label
     * values.
     */
    public String name() {
        return name;
    }

    /** The same without the family of the metric. */
    String shortName() {
        return shortName;
    }

    /** Each label and its value behind it; empty without labels. Not a copy: it must not be changed. */
    public String[] labelsAndValues() {
        return labelsAndValues;
    }

    @Override
    public String toString() {
        return name;
    }
}
