/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How often each fault struck each operation. */
public final class FaultCounts {

    private final Map<Operation, Map<Fault.Kind, Long>> counts = new EnumMap<>(Operation.class);
    private long withoutCrashes;

    void add(Operation operation, Fault.Kind kind) {
        add(operation, kind, 1);
    }

    /** Adds another run's counts. */
    public void addAll(FaultCounts other) {
        other.counts.forEach((operation, row) -> row.forEach((kind, count) -> add(operation, kind, count)));
    }

    private void add(Operation operation, Fault.Kind kind, long count) {
        boolean survived = kind != Fault.Kind.NONE && kind != Fault.Kind.AT_ONCE && kind != Fault.Kind.CRASH;
        withoutCrashes += survived ? count : 0;
        counts.computeIfAbsent(operation, row -> new EnumMap<>(Fault.Kind.class)).merge(kind, count, Long::sum);
    }

    /** One count. NONE counts the calls with which nothing went wrong. */
    public long of(Operation operation, Fault.Kind kind) {
        return counts.getOrDefault(operation, Map.of()).getOrDefault(kind, 0L);
    }

    /** Faults in all. */
    public long faults() {
        return counts.keySet().stream().mapToLong(this::faults).sum();
    }

    /** Faults that a broker has lived through. O(1). */
    public long withoutCrashes() {
        return withoutCrashes;
    }

    /** Faults that struck an operation. */
    public long faults(Operation operation) {
        long sum = 0;
        for (Map.Entry<Fault.Kind, Long> count : counts.getOrDefault(operation, Map.of()).entrySet()) {
            boolean fault = count.getKey() != Fault.Kind.NONE && count.getKey() != Fault.Kind.AT_ONCE;
            sum += fault ? count.getValue() : 0;
        }
        return sum;
    }

    /** As a table in Markdown: a row for each operation, a column for each kind. */
    public String table() {
        StringBuilder table = new StringBuilder("| operation |");
        StringBuilder rule = new StringBuilder("|---|");
        for (Fault.Kind kind : Fault.Kind.values()) {
            table.append(' ').append(label(kind)).append(" |");
            rule.append("--:|");
        }
        table.append('\n').append(rule).append('\n');
        for (Operation operation : Operation.values()) {
            table.append("| ").append(label(operation)).append(" |");
            for (Fault.Kind kind : Fault.Kind.values()) {
                table.append(' ').append(of(operation, kind)).append(" |");
            }
            table.append('\n');
        }
        return table.toString();
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
