/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Action.Kind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** How often each kind of disturbance met each step. Added up over runs; not thread safe. */
final class Coverage {

    private final Map<Step, Map<Kind, Long>> hits = new EnumMap<>(Step.class);
    private long faults;

    void hit(Kind kind, Set<Step> steps) {
        faults++;
        steps.forEach(step -> add(step, kind, 1));
    }

    void add(Coverage other) {
        faults += other.faults;
        other.hits.forEach((step, kinds) -> kinds.forEach((kind, times) -> add(step, kind, times)));
    }

    private void add(Step step, Kind kind, long times) {
        hits.computeIfAbsent(step, newStep -> new EnumMap<>(Kind.class)).merge(kind, times, Long::sum);
    }

    long faults() {
        return faults;
    }

    long of(Step step, Kind kind) {
        return hits.getOrDefault(step, Map.of()).getOrDefault(kind, 0L);
    }

    /** A Markdown table: a row for each kind of disturbance, a column for each step. */
    String table() {
        StringJoiner lines = new StringJoiner("\n", "", "\n");
        StringJoiner head = new StringJoiner(" | ", "| disturbance | ", " |");
        StringBuilder rule = new StringBuilder("|---|");
        for (Step step : Step.values()) {
            head.add(step.name().toLowerCase(Locale.ROOT).replace('_', ' '));
            rule.append("---|");
        }
        lines.add(head.toString()).add(rule);
        for (Kind kind : Kind.values()) {
            if (!kind.isDisturbance()) {
                continue;
            }
            StringJoiner row = new StringJoiner(" | ", "| " + kind + " | ", " |");
            for (Step step : Step.values()) {
                row.add(String.format(Locale.ROOT, "%,d", of(step, kind)));
            }
            lines.add(row.toString());
        }
        return lines.toString();
    }
}
