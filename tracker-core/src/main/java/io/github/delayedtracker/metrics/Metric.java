/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import com.google.errorprone.annotations.Immutable;
import java.util.List;

/** The declaration of one metric, whose names are made once. Immutable; one serves all subscriptions. */
// The list is a copy that cannot be changed.
@Immutable
@SuppressWarnings("Immutable")
public final class Metric {

    /** The family of the metrics that each subscription has. */
    public static final String SUBSCRIPTION = "pulsar_delayed_index_";
    /** The family of the metrics of a broker as a whole. */
    public static final String BROKER = SUBSCRIPTION + "broker_";

    private final String family;
    private final String name;
    private final Kind kind;
    private final String unit;
    private final String help;
    private final List<String> labels;
    private final String exportedName;
    private final String typedName;
    /** The only series of a metric without labels; null with labels. */
    private final Series only;

    /** How values of a metric follow each other. */
    public enum Kind {
        /** A value that only grows while its owner lives. */
        COUNTER,
        /** A value that goes up and down. */
        GAUGE,
        /** One of the three parts of a histogram: {@code _bucket}, {@code _sum} and {@code _count} end their names. */
        HISTOGRAM,
        /** A gauge with a single series in each subscription, whose labels say how it stands. */
        STATE
    }

    /**
     * A declaration.
     *
     * @param family the beginning of the exported name
     * @param name the rest of the exported name
     * @param kind how its values follow each other
     * @param unit the unit of the values; empty for a plain number
     * @param help the meaning, as Markdown
     * @param labels the names of its own labels, in the order of their values
     */
    public Metric(String family, String name, Kind kind, String unit, String help, List<String> labels) {
        this.family = family;
        this.name = name;
        this.kind = kind;
        this.unit = unit;
        this.help = help;
        this.labels = List.copyOf(labels);
        this.exportedName = family + name;
        this.typedName = kind == Kind.HISTOGRAM ? exportedName.substring(0, exportedName.lastIndexOf('_')) : exportedName;
        this.only = this.labels.isEmpty() ? new Series(this, List.of()) : null;
    }

    /** Declares a counter. */
    public static Metric counter(String family, String name, String unit, String help, String... labels) {
        return new Metric(family, name, Kind.COUNTER, unit, help, List.of(labels));
    }

    /** Declares a gauge. */
    public static Metric gauge(String family, String name, String unit, String help, String... labels) {
        return new Metric(family, name, Kind.GAUGE, unit, help, List.of(labels));
    }

    /**
     * Declares a part of a histogram.
     *
     * @param name of the histogram, then {@code _bucket}, {@code _sum} or {@code _count}
     */
    public static Metric histogram(String family, String name, String unit, String help, String... labels) {
        return new Metric(family, name, Kind.HISTOGRAM, unit, help, List.of(labels));
    }

    /** The series with these label values, one for each label. A new one, but for a metric without labels always the same. */
    public Series series(String... labelValues) {
        return only != null && labelValues.length == 0 ? only : new Series(this, List.of(labelValues));
    }

    /** The name that the broker's page gives the type of. */
    public String typedName() {
        return typedName;
    }

    /** The name on the broker's page. */
    public String exportedName() {
        return exportedName;
    }

    /** The beginning of the exported name. */
    public String family() {
        return family;
    }

    /** The rest of the exported name. */
    public String name() {
        return name;
    }

    /** How the values follow each other. */
    public Kind kind() {
        return kind;
    }

    /** The unit of the values; empty for a plain number. */
    public String unit() {
        return unit;
    }

    /** The meaning, as Markdown. */
    public String help() {
        return help;
    }

    /** The names of its own labels, in the order of their values. */
    public List<String> labels() {
        return labels;
    }

    @Override
    public String toString() {
        return exportedName;
    }
}
