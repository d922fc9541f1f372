/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures of each subscription on a broker's page of metrics, at one time. Immutable.
 *
 * @param bySubscription the lines of each subscription
 */
record Metrics(Map<Name, List<Line>> bySubscription) {

    private static final Pattern LINE = Pattern.compile("(\\w+)\\{(.*)} ([-+.0-9eE]+)( \\d+)?");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** A subscription of a topic. */
    record Name(String topic, String subscription) implements Comparable<Name> {

        @Override
        public int compareTo(Name other) {
            int byTopic = topic.compareTo(other.topic);
            return byTopic != 0 ? byTopic : subscription.compareTo(other.subscription);
        }
    }

    /** A figure with its labels. */
    record Line(String metric, Map<String, String> labels, double value) {
    }

    /** Reads the text format of Prometheus; lines without a subscription, or with no number, are left out. */
    static Metrics parse(String page) {
        Map<Name, List<Line>> lines = new TreeMap<>();
        page.lines().filter(line -> line.contains("subscription=\"")).forEach(text -> {
            Matcher line = LINE.matcher(text);
            if (line.matches()) {
                Map<String, String> labels = labels(line.group(2));
                Name name = new Name(labels.getOrDefault("topic", ""), labels.getOrDefault("subscription", ""));
                lines.computeIfAbsent(name, key -> new ArrayList<>())
                        .add(new Line(line.group(1), labels, Double.parseDouble(line.group(3))));
            }
        });
        return new Metrics(lines);
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(text);
        while (label.find()) {
            labels.put(label.group(1), ESCAPED.matcher(label.group(2)).replaceAll(escaped ->
                    Matcher.quoteReplacement(escaped.group(1).equals("n") ? "\n" : escaped.group(1))));
        }
        return labels;
    }

    /** The subscriptions whose tracker is the plugin's. */
    List<Name> tracked() {
        return bySubscription.keySet().stream().filter(name -> value(name, "pulsar_delayed_index_info").isPresent()).toList();
    }

    /** The first value of a figure; of several lines that of any. */
    OptionalDouble value(Name name, String metric) {
        return lines(name, metric).stream().mapToDouble(Line::value).findFirst();
    }

    /** The value of the line with that label. */
    OptionalDouble value(Name name, String metric, String label, String text) {
        return lines(name, metric).stream().filter(line -> text.equals(line.labels().get(label))).mapToDouble(Line::value)
                .findFirst();
    }

    /** What a label of a state says. */
    Optional<String> label(Name name, String metric, String label) {
        return lines(name, metric).stream().filter(line -> line.value() > 0).map(line -> line.labels().get(label)).findFirst();
    }

    private List<Line> lines(Name name, String metric) {
        return bySubscription.getOrDefault(name, List.of()).stream().filter(line -> line.metric().equals(metric)).toList();
    }
}
