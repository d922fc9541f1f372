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
import java.util.Arrays;
import java.util.List;

/**
 * The plot of {@code figures.csv} of a soak: each figure of the broker over the minutes, as a share of its most in the second
 * cycle of ten minutes, so that all fit one axis. Takes the file and the path of the plot.
 */
final class SoakPlot {

    private static final int SECONDS_COLUMN = 0;
    /** The columns before are the time and the load. */
    private static final int FIRST_FIGURE = 3;
    private static final double CYCLE_SECONDS = 600;
    private static final double SECONDS_A_MINUTE = 60;
    private static final double HIGHEST_SHARE = 1.5;

    private SoakPlot() {
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("the arguments must be figures.csv and the plot to write, got "
                    + Arrays.toString(arguments));
        }
        Files.writeString(Path.of(arguments[1]), draw(Files.readAllLines(Path.of(arguments[0]))));
    }

    /** The plot of a table whose first line names its columns. A figure that a line leaves empty has no point there. */
    static String draw(List<String> lines) {
        List<String> columns = List.of(lines.get(0).split(",", -1));
        List<String[]> rows = lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
        double lastSeconds = seconds(rows.get(rows.size() - 1));
        LinePlot plot = new LinePlot("figures of a broker under load, as a share of their most in minutes 10 to 20", "minutes",
                lastSeconds / SECONDS_A_MINUTE, HIGHEST_SHARE);
        for (int column = FIRST_FIGURE; column < columns.size(); column++) {
            int figure = column;
            List<String[]> seen = rows.stream().filter(row -> !row[figure].isEmpty()).toList();
            double most = seen.stream().filter(row -> seconds(row) > CYCLE_SECONDS && seconds(row) <= 2 * CYCLE_SECONDS)
                    .mapToDouble(row -> Double.parseDouble(row[figure])).max().orElse(1);
            plot.line(columns.get(figure), seen.stream().mapToDouble(row -> seconds(row) / SECONDS_A_MINUTE).toArray(),
                    seen.stream().mapToDouble(row -> Double.parseDouble(row[figure]) / most).toArray());
        }
        return plot.svg();
    }

    private static double seconds(String[] row) {
        return Double.parseDouble(row[SECONDS_COLUMN]);
    }
}
