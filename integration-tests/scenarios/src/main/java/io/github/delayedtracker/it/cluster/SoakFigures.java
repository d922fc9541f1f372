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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What was seen of a broker during a soak, and whether any of it has grown.
 *
 * <p>Policy. A figure goes up and down with the load, so its most in each whole cycle counts. The first cycle is that of classes,
 * caches and compilers and does not count. A figure has grown if its most, in the mean over the later half of the others, is more
 * than a tenth and a small number above the mean over the earlier half. Fewer than five cycles tell nothing. Not thread safe.
 */
final class SoakFigures {

    /** The figures that must not grow. */
    enum Figure {
        /** The bytes of all objects that are alive in the broker, MiB. */
        LIVE_MIB(5),
        /** The memory of the process as the system counts it, MiB. */
        RESIDENT_MIB(20),
        /** The threads of the process. */
        THREADS(3),
        /** Its files and connections. */
        FILE_HANDLES(20),
        /** The ledgers of trackers in the metadata store. */
        LEDGERS(5);

        private final double little;

        Figure(double little) {
            this.little = little;
        }
    }

    static final int LEAST_CYCLES = 5;
    private static final double MOST_GROWTH = 1.1;
    private static final double MIB = 1 << 20;
    private static final Pattern STATUS = Pattern.compile("(?m)^(VmRSS|Threads):\\s+(\\d+)");

    private final long cycleMillis;
    private final List<Row> rows = new ArrayList<>();

    /** One look: when it was, from the beginning, what the load was, and what was seen. */
    private record Row(long millis, int rate, long delayed, Map<Figure, Double> seen) {
    }

    SoakFigures(long cycleMillis) {
        this.cycleMillis = cycleMillis;
    }

    /**
     * Looks at the process, by what the system tells of it.
     *
     * @param millis from the beginning
     * @param rate messages that are sent a second
     * @param delayed messages that wait for their time
     */
    void look(long millis, int rate, long delayed, long pid) throws IOException {
        Map<Figure, Double> seen = new EnumMap<>(Figure.class);
        Path process = Path.of("/proc", Long.toString(pid));
        Matcher status = STATUS.matcher(Files.readString(process.resolve("status")));
        while (status.find()) {
            double value = Double.parseDouble(status.group(2));
            if (status.group(1).equals("Threads")) {
                seen.put(Figure.THREADS, value);
            } else {
                seen.put(Figure.RESIDENT_MIB, value / 1024);
            }
        }
        try (Stream<Path> handles = Files.list(process.resolve("fd"))) {
            seen.put(Figure.FILE_HANDLES, (double) handles.count());
        }
        see(millis, rate, delayed, seen);
    }

    /** Adds to the last look what takes the broker some work to tell. */
    void closeLook(long liveBytes, int ledgers) {
        Map<Figure, Double> seen = rows.get(rows.size() - 1).seen();
        seen.put(Figure.LIVE_MIB, liveBytes / MIB);
        seen.put(Figure.LEDGERS, (double) ledgers);
    }

    void see(long millis, int rate, long delayed, Map<Figure, Double> seen) {
        rows.add(new Row(millis, rate, delayed, seen));
    }

    /** The most of a figure in each whole cycle. */
    private List<Double> mosts(Figure figure) {
        List<Double> mosts = new ArrayList<>();
        long last = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).millis() / cycleMillis;
        for (long cycle = 0; cycle < last; cycle++) {
            long from = cycle * cycleMillis;
            mosts.add(rows.stream().filter(row -> row.millis() > from && row.millis() <= from + cycleMillis)
                    .map(row -> row.seen().get(figure)).filter(value -> value != null).mapToDouble(Double::doubleValue).max()
                    .orElse(0));
        }
        return mosts;
    }

    /** What has grown, a line each; empty if nothing has, or there were too few cycles to tell. */
    List<String> grown() {
        List<String> grown = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            List<Double> mosts = mosts(figure);
            if (mosts.size() < LEAST_CYCLES) {
                return List.of();
            }
            int middle = 1 + mosts.size() / 2;
            double earlier = mean(mosts.subList(1, middle));
            double later = mean(mosts.subList(middle, mosts.size()));
            if (later > earlier * MOST_GROWTH + figure.little) {
                grown.add(String.format(Locale.ROOT, "%s has grown: %.1f in earlier cycles, %.1f in later ones", figure, earlier,
                        later));
            }
        }
        return grown;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** For a person: the most of each figure in each cycle, and what has grown. */
    String text() {
        StringBuilder text = new StringBuilder();
        int cycles = mosts(Figure.THREADS).size();
        for (Figure figure : Figure.values()) {
            StringJoiner line = new StringJoiner(" ", figure + ", the most in each cycle: ", "\n");
            mosts(figure).forEach(most -> line.add(String.format(Locale.ROOT, "%.0f", most)));
            text.append(line);
        }
        List<String> grown = grown();
        grown.forEach(line -> text.append(line).append('\n'));
        return text.append(cycles < LEAST_CYCLES ? cycles + " cycles are too few to tell whether anything grows\n"
                : grown.isEmpty() ? "nothing has grown\n" : "").toString();
    }

    /** A line for each look, the first with the names of the columns; empty where nothing was seen. */
    String csv() {
        StringBuilder csv = new StringBuilder("seconds,rate,delayed");
        for (Figure figure : Figure.values()) {
            csv.append(',').append(figure.name().toLowerCase(Locale.ROOT));
        }
        for (Row row : rows) {
            csv.append('\n').append(row.millis() / 1_000).append(',').append(row.rate()).append(',').append(row.delayed());
            for (Figure figure : Figure.values()) {
                Double value = row.seen().get(figure);
                csv.append(',').append(value == null ? "" : String.format(Locale.ROOT, "%.1f", value));
            }
        }
        return csv.append('\n').toString();
    }
}
