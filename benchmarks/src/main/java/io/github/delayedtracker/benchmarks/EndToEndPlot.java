/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The plot of {@code end-to-end.csv} of the integration tests: p99 from when a message should have come until the work on it
 * began, in seconds, with a line for each cell and a dot for each tracker. Takes the file and the path of the plot.
 */
final class EndToEndPlot {

    private static final double MILLIS_A_SECOND = 1e3;

    private EndToEndPlot() {
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("the arguments must be end-to-end.csv and the plot to write, got "
                    + Arrays.toString(arguments));
        }
        Files.writeString(Path.of(arguments[1]), draw(Files.readAllLines(Path.of(arguments[0]))));
    }

    /** The plot of a table whose first line names its columns. */
    static String draw(List<String> lines) {
        List<String> columns = List.of(lines.get(0).split(",", -1));
        List<String[]> rows = lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
        List<String> cells = new ArrayList<>();
        for (String[] row : rows) {
            if (!cells.contains(cell(columns, row))) {
                cells.add(cell(columns, row));
            }
        }
        DotPlot plot = new DotPlot("p99 until the work on a message begins, less its delay, seconds", cells);
        for (String[] row : rows) {
            plot.dot(row[columns.indexOf("tracker")], cell(columns, row),
                    Double.parseDouble(row[columns.indexOf("end_p99_ms")]) / MILLIS_A_SECOND);
        }
        return plot.svg();
    }

    private static String cell(List<String> columns, String[] row) {
        return row[columns.indexOf("topics")] + " x " + row[columns.indexOf("rate")] + "/s, " + row[columns.indexOf("work_ms")]
                + " ms, " + row[columns.indexOf("delays")] + ", " + row[columns.indexOf("listening")];
    }
}
