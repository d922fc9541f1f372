/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The cells of one run or several: {@code end-to-end.csv} in a folder, to which each cell is added as soon as it is over, and
 * {@code end-to-end.md}, made of all that is in it.
 */
final class ResultTable {

    private static final List<String> COLUMNS = List.of("tracker", "topics", "rate", "seconds", "work_ms", "delays", "listening",
            "java", "late_p50_ms", "late_p90_ms", "late_p99_ms", "end_p50_ms", "end_p90_ms", "end_p99_ms", "messages", "lost",
            "twice", "early", "out_of_order", "broker_cpu_s", "broker_mib");
    private static final String HEADER = "| tracker | topics | messages a second of each | s | work, ms | delays | listening"
            + " | Java | late p50 / p90 / p99, ms | end to end p50 / p90 / p99, ms | messages | lost | twice | early"
            + " | out of order | broker CPU, s | broker memory, MiB |\n"
            + "|---|--:|--:|--:|--:|---|---|--:|---|---|--:|--:|--:|--:|--:|--:|--:|\n";

    private final Path csv;
    private final Path markdown;

    ResultTable(Path folder) throws IOException {
        Files.createDirectories(folder);
        csv = folder.resolve("end-to-end.csv");
        markdown = folder.resolve("end-to-end.md");
        if (!Files.exists(csv)) {
            Files.writeString(csv, String.join(",", COLUMNS) + "\n");
        }
    }

    /** The first lines of the table. */
    static String header() {
        return HEADER;
    }

    /** Adds what became of a cell and returns its line of the table. */
    String add(String tracker, Cell cell, Tally tally, long early, double brokerCpuSeconds, double brokerMib) throws IOException {
        List<String> row = new ArrayList<>(List.of(tracker, Integer.toString(cell.topics()), Integer.toString(cell.rate()),
                Integer.toString(cell.seconds()), Integer.toString(cell.workMillis()), cell.mixed() ? "mixed" : "none",
                cell.listening().name().toLowerCase(Locale.ROOT), Integer.toString(Runtime.version().feature())));
        for (long millis : tally.lateness(0.5, 0.9, 0.99)) {
            row.add(Long.toString(millis));
        }
        for (long millis : tally.endToEnd(0.5, 0.9, 0.99)) {
            row.add(Long.toString(millis));
        }
        row.addAll(List.of(Integer.toString(tally.sentCount()), Integer.toString(tally.lost()),
                Integer.toString(tally.duplicated()), Long.toString(early), Integer.toString(tally.outOfOrder()),
                String.format(Locale.ROOT, "%.1f", brokerCpuSeconds), String.format(Locale.ROOT, "%.0f", brokerMib)));
        Files.writeString(csv, String.join(",", row) + "\n", StandardOpenOption.APPEND);
        Files.writeString(markdown, HEADER + Files.readAllLines(csv).stream().skip(1)
                .map(line -> line(Arrays.asList(line.split(",", -1)))).collect(Collectors.joining()));
        return line(row);
    }

    /** A line in Markdown: quantiles of one kind share a cell. */
    private static String line(List<String> row) {
        int late = COLUMNS.indexOf("late_p50_ms");
        int end = COLUMNS.indexOf("end_p50_ms");
        int after = COLUMNS.indexOf("messages");
        List<String> cells = new ArrayList<>(row.subList(0, late));
        cells.add(String.join(" / ", row.subList(late, end)));
        cells.add(String.join(" / ", row.subList(end, after)));
        cells.addAll(row.subList(after, row.size()));
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
