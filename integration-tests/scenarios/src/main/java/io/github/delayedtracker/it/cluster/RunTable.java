/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The verdicts of many runs, added up by tracker. */
final class RunTable {

    private static final Pattern TRACKER = Pattern.compile("^tracker ([^,]+),.*, seed (\\d+),", Pattern.MULTILINE);
    private static final Pattern FIGURE = Pattern.compile("^([a-z-]+): (\\d+)$", Pattern.MULTILINE);
    private static final Pattern BROKEN = Pattern.compile("^BROKEN: \\[(.*)]$", Pattern.MULTILINE);
    private static final List<String> FIGURES =
            List.of("faults", "sent", "again-after-acknowledgement", "again-before-acknowledgement", "seals", "merges");

    private final Map<String, Row> rows = new TreeMap<>();

    /** What the runs with a tracker add up to. */
    private static final class Row {
        private int runs;
        private final Map<String, Long> figures = new TreeMap<>();
        private final List<String> broken = new ArrayList<>();
    }

    private RunTable() {
    }

    /** The runs in a folder of runs: each folder in it that has a verdict. */
    static RunTable of(Path folder) throws IOException {
        RunTable table = new RunTable();
        try (Stream<Path> runs = Files.list(folder)) {
            for (Path verdict : runs.map(run -> run.resolve(RunFolder.VERDICT)).filter(Files::exists).sorted().toList()) {
                table.add(verdict, Files.readString(verdict));
            }
        }
        return table;
    }

    private void add(Path file, String verdict) throws IOException {
        Matcher run = TRACKER.matcher(verdict);
        if (!run.find()) {
            throw new IOException("a verdict names its tracker and its seed in its first line: " + file);
        }
        Row row = rows.computeIfAbsent(run.group(1), none -> new Row());
        row.runs++;
        FIGURE.matcher(verdict).results().filter(line -> FIGURES.contains(line.group(1)))
                .forEach(line -> row.figures.merge(line.group(1), Long.parseLong(line.group(2)), Long::sum));
        Matcher broken = BROKEN.matcher(verdict);
        if (broken.find()) {
            row.broken.add(run.group(2) + " (" + broken.group(1) + ")");
        }
    }

    /** A line a tracker: how many runs, which promises were broken with which seeds, and the sums of the figures. */
    String text() {
        StringBuilder text = new StringBuilder("| tracker | runs | broken | " + String.join(" | ", FIGURES) + " |\n|---|--:|---|"
                + "--:|".repeat(FIGURES.size()) + "\n");
        rows.forEach((tracker, row) -> {
            text.append("| ").append(tracker).append(" | ").append(row.runs).append(" | ")
                    .append(row.broken.isEmpty() ? "none" : String.join(", ", row.broken)).append(" |");
            FIGURES.forEach(name -> text.append(' ').append(row.figures.getOrDefault(name, 0L)).append(" |"));
            text.append('\n');
        });
        return text.toString();
    }
}
