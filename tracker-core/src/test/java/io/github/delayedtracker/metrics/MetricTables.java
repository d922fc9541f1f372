/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.DocsPage;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Assertions;

/** Makes the tables of docs/statistics.md from declarations of metrics. Each stands between two lines that bear its name. */
public final class MetricTables {

    private static final String COLUMNS = """
            | name | kind | unit | labels | meaning |
            |---|---|---|---|---|
            """;

    private MetricTables() {
    }

    /** Fails if a table is not the one made from these metrics, in this order. */
    public static void check(String table, List<Metric> metrics) throws IOException {
        String begin = "<!-- metrics: " + table + " -->\n";
        String end = "<!-- end of " + table + " -->\n";
        StringBuilder rows = new StringBuilder(COLUMNS);
        metrics.forEach(metric -> rows.append(row(metric)));
        DocsPage.check("statistics.md", page -> {
            int from = page.indexOf(begin);
            int to = page.indexOf(end);
            assertTrue(from >= 0 && to > from, () -> "statistics.md has no place for the table " + table);
            return page.substring(0, from + begin.length()) + rows + page.substring(to);
        });
    }

    private static String row(Metric metric) {
        String labels = String.join(", ", metric.labels().stream().map(label -> '`' + label + '`').toList());
        return "| " + String.join(" | ", '`' + metric.exportedName() + '`', metric.kind().name().toLowerCase(Locale.ROOT),
                metric.unit(), labels, metric.help()) + " |\n";
    }

    /** The constants of a class that declare metrics, from top to bottom. */
    public static List<Metric> declaredIn(Class<?> owner) {
        List<Metric> metrics = new ArrayList<>();
        for (Field field : owner.getDeclaredFields()) {
            if (field.getType() == Metric.class) {
                field.setAccessible(true);
                metrics.add(Assertions.assertDoesNotThrow(() -> (Metric) field.get(null)));
            }
        }
        return metrics;
    }

    /** Fails unless the names are different, and those of counters alone end in {@code _total}. */
    public static void checkNames(List<Metric> metrics) {
        assertEquals(metrics.size(), metrics.stream().map(Metric::exportedName).distinct().count(), "names");
        metrics.forEach(metric -> assertEquals(metric.kind() == Metric.Kind.COUNTER, metric.name().endsWith("_total"),
                metric.exportedName()));
    }
}
