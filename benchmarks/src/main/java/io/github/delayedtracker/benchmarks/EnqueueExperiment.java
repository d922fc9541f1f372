/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The published enqueue experiment: 1,000,000 requests with a timeout of 200 ms in a heap of 200 MB, completion times log-normal,
 * at rising target rates, by the older design and by the timing wheel. Each run has a JVM of its own. Writes {@code enqueue.csv},
 * {@code enqueue.md} and three plots. A run that ends for want of memory counts as 0 requests a second. Takes a directory, and
 * optionally the designs and the rates, with commas. Rows of other designs that the directory has already are kept.
 *
 * <p>A design keeps up with a target rate if it reaches 95 % of it and never holds more than twice the requests that arrive in
 * the length of a timeout, plus those that a purge waits for. Otherwise the requests held grow until the heap is full.
 */
final class EnqueueExperiment {

    private static final String CSV = "enqueue.csv";
    private static final String HEADER = "run,targetPerSecond,achievedPerSecond,cpus,youngGcMillis,oldGcMillis,mostHeld";
    private static final int REQUESTS = 1_000_000;
    private static final List<String> DESIGNS = List.of("delay-queue", "wheel");
    /** The median and upper quartile of the time to completion, ms. */
    private static final List<int[]> CASES = List.of(new int[] {20, 60}, new int[] {200, 400});
    private static final String RATES = "25000,40000,60000,80000,105000,150000,200000,300000,400000,600000";
    private static final double REACHED = 0.95;
    private static final double HELD = 2;
    /** The part of its target that a design has to reach to be driven further. */
    private static final double HOPELESS = 0.5;

    /** The exit code of a JVM that was told to end when it has no memory left. */
    private static final int OUT_OF_MEMORY = 3;

    private final List<Row> rows = new ArrayList<>();

    private EnqueueExperiment() {
    }

    private record Row(String name, int target, int achieved, double cpu, int youngMillis, int oldMillis, int mostHeld) {

        static Row parse(String name, int target, String line) {
            String[] figures = line.split(",", -1);
            return new Row(name, target, Integer.parseInt(figures[0]), Double.parseDouble(figures[1]),
                    Integer.parseInt(figures[2]), Integer.parseInt(figures[3]), Integer.parseInt(figures[4]));
        }

        boolean keepsUp() {
            double arrivals = target * EnqueueRun.TIMEOUT_MILLIS / 1e3;
            return achieved >= REACHED * target && mostHeld <= HELD * (arrivals + EnqueueDesign.PURGE_INTERVAL);
        }

        String csv() {
            return String.format(Locale.ROOT, "%s,%d,%d,%.2f,%d,%d,%d", name, target, achieved, cpu, youngMillis, oldMillis,
                    mostHeld);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("the first argument must be the directory for enqueue.csv");
        }
        Path out = Files.createDirectories(Path.of(arguments[0]));
        EnqueueExperiment experiment = new EnqueueExperiment();
        List<String> designs = arguments.length > 1 ? List.of(arguments[1].split(",", -1)) : DESIGNS;
        String rates = arguments.length > 2 ? arguments[2] : RATES;
        experiment.keepOthers(out.resolve(CSV), designs);
        for (String design : designs) {
            for (int[] quartiles : CASES) {
                experiment.run(design, quartiles, rates);
            }
        }
        experiment.write(out);
    }

    private void keepOthers(Path csv, List<String> designs) throws IOException {
        if (!Files.exists(csv)) {
            return;
        }
        for (String line : Files.readAllLines(csv)) {
            String[] columns = line.split(",", 3);
            if (!line.equals(HEADER) && designs.stream().noneMatch(columns[0]::startsWith)) {
                rows.add(Row.parse(columns[0], Integer.parseInt(columns[1]), columns[2]));
            }
        }
    }

    private void run(String design, int[] quartiles, String rates) throws IOException, InterruptedException {
        String name = design + " " + quartiles[0] + "/" + quartiles[1] + " ms";
        for (String rate : rates.split(",", -1)) {
            Row row = Row.parse(name, Integer.parseInt(rate), figures(design, quartiles, rate));
            System.err.println(row.csv());
            rows.add(row);
            if (row.achieved < HOPELESS * row.target) {
                return;
            }
        }
    }

    private static String figures(String design, int[] quartiles, String rate) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms200m",
                "-Xmx200m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", "-cp", System.getProperty("java.class.path"),
                EnqueueRun.class.getName(), design, String.valueOf(quartiles[0]), String.valueOf(quartiles[1]),
                String.valueOf(REQUESTS), rate).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int status = process.waitFor();
        if (status != 0 && status != OUT_OF_MEMORY) {
            throw new IllegalStateException(design + " at " + rate + " requests/s ended with " + status);
        }
        return status == 0 ? line : "0,0,0,0,0";
    }

    private void write(Path out) throws IOException {
        List<String> csv = new ArrayList<>();
        csv.add(HEADER);
        rows.forEach(row -> csv.add(row.csv()));
        Files.write(out.resolve(CSV), csv);
        StringBuilder table = new StringBuilder("""
                | design, p50/p75 to completion | keeps up to | most achieved | held by the timer at most |
                |---|---|---|---|
                """);
        for (String name : names()) {
            List<Row> ofName = rows.stream().filter(row -> row.name.equals(name)).toList();
            table.append(String.format(Locale.ROOT, "| %s | %,d/s | %,d/s | %,d |%n", name,
                    ofName.stream().filter(Row::keepsUp).mapToInt(Row::target).max().orElse(0),
                    ofName.stream().mapToInt(Row::achieved).max().orElse(0),
                    ofName.stream().mapToInt(Row::mostHeld).max().orElse(0)));
        }
        System.out.print(table);
        Files.writeString(out.resolve("enqueue.md"), table);
        plot(out, "enqueue-rate", "Enqueue experiment: achieved rate, thousands a second", row -> row.achieved / 1e3);
        plot(out, "enqueue-cpu", "Enqueue experiment: processors in use", row -> row.cpu);
        plot(out, "enqueue-gc", "Enqueue experiment: time in collections of 1 M requests, s",
                row -> (row.youngMillis + row.oldMillis) / 1e3);
    }

    private void plot(Path out, String file, String title, ToDoubleFunction<Row> value) throws IOException {
        double mostX = rows.stream().mapToDouble(row -> row.target / 1e3).max().orElse(1);
        double mostY = rows.stream().mapToDouble(value).max().orElse(1);
        LinePlot plot = new LinePlot(title, "target rate, thousands of requests a second", mostX, mostY);
        for (String name : names()) {
            List<Row> ofName = rows.stream().filter(row -> row.name.equals(name)).toList();
            plot.line(name, ofName.stream().mapToDouble(row -> row.target / 1e3).toArray(),
                    ofName.stream().mapToDouble(value).toArray());
        }
        Files.writeString(out.resolve(file + ".svg"), plot.svg());
    }

    private List<String> names() {
        return rows.stream().map(Row::name).distinct().toList();
    }
}
