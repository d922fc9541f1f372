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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The report on the bytes that each tracker keeps alive for each workload after a fill from which nothing was drained, beside the
 * information bound and the sizing model. Writes {@code footprint.csv}, {@code footprint.md} and {@code footprint.svg}.
 *
 * <pre>
 * java -Xmx14g -XX:+UseParallelGC -cp benchmarks/target/benchmarks.jar \
 *     io.github.delayedtracker.benchmarks.FootprintReport --messages 10000000 --out target/footprint
 * </pre>
 *
 * <p>Options: {@value FootprintOptions#USAGE}. The tick is the precision, so that stock buckets are as wide. A tracker that would
 * not fit into the heap is skipped with one line. {@code --sizes}, {@code --gone}, {@code --adaptive}, {@code --published} and
 * {@code --steady} run {@link SmallSizes}, {@link RemovalReport}, {@link AdaptiveFootprint}, {@link PublishedExperiment} and
 * {@link SteadyReport} instead.
 */
public final class FootprintReport {

    private static final long HEADROOM_BYTES = 512L << 20;
    private static final int BYTES_PER_GENERATED = 24;
    private static final double MARGIN = 1.25;

    private final FootprintOptions options;

    private FootprintReport(FootprintOptions options) {
        this.options = options;
    }

    /** Takes the options named above. A bad one is answered with one line and exit code 2. */
    public static void main(String[] arguments) throws IOException {
        FootprintOptions options;
        try {
            options = FootprintOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        Retained.prepare();
        Files.createDirectories(options.out());
        if (!options.published().isEmpty()) {
            new PublishedExperiment(options).run();
        } else if (options.steady()) {
            new SteadyReport(options).run();
        } else if (!options.adaptive().isEmpty()) {
            new AdaptiveFootprint(options).run();
        } else if (options.gonePercent() > 0) {
            new RemovalReport(options).run();
        } else if (!options.sizes().isEmpty()) {
            new SmallSizes(options).run();
        } else {
            new FootprintReport(options).run();
        }
    }

    private void run() throws IOException {
        List<FootprintRow> rows = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        Progress progress = new Progress(options.workloads().size() * options.backends().size());
        System.out.print(FootprintRow.MARKDOWN_HEADER);
        for (Workload workload : options.workloads()) {
            Messages stream = workload.messages(options.messages());
            Map<Backend, Long> model =
                    new SizingModel(workload.traffic(), options.precisionMillis()).filled(options.messages());
            for (Backend backend : options.backends()) {
                progress.next(workload.label() + ", " + backend.label());
                Optional<String> obstacle = obstacle(backend, model.get(likened(backend)));
                if (obstacle.isPresent()) {
                    skipped.add("SKIPPED " + workload.label() + ", " + backend.label() + ": " + obstacle.get());
                    continue;
                }
                FootprintRow row = measure(workload, backend, stream, model.getOrDefault(backend, 0L));
                rows.add(row);
                progress.clear();
                System.out.println(row.markdown());
            }
        }
        progress.clear();
        String remarks = String.join("\n\n", Stream.of(skipped, aboveStock(rows), List.of(modelError(rows), reportedError(rows)))
                .flatMap(List::stream).toList());
        System.out.println("\n" + remarks);
        write(rows, remarks);
    }

    private FootprintRow measure(Workload workload, Backend backend, Messages stream, long modelBytes) {
        long heapBefore = walkable(backend) ? 0 : Retained.heapInUse();
        try (Tracker tracker = backend.openOrFail(false, options.precisionMillis())) {
            stream.addTo(tracker);
            Retained retained = Retained.of(tracker, backend.ours(), heapBefore);
            long reported = tracker.reportedBytes();
            long positionSet = tracker.positionSetBytes();
            tracker.settle();
            long tail = Math.max(0, reported - tracker.reportedBytes());
            return new FootprintRow(workload, backend, stream.count(), options.precisionMillis(), retained, reported,
                    positionSet, tail, modelBytes);
        }
    }

    /** The backend that a backend is likened to: the published structure takes about as much as stock 4.2, or less. */
    private static Backend likened(Backend backend) {
        return backend == Backend.AS_PUBLISHED ? Backend.STOCK_4_2 : backend;
    }

    private static boolean walkable(Backend backend) {
        return backend != Backend.STOCK_4_2 && backend != Backend.AS_PUBLISHED;
    }

    /** The reason why a tracker cannot be measured. The model tells how much it would take, and a margin is kept. */
    private Optional<String> obstacle(Backend backend, long modelBytes) {
        Optional<Tracker> opened = backend.open(false, options.precisionMillis());
        opened.ifPresent(Tracker::close);
        if (opened.isEmpty()) {
            return Optional.of("no class path at " + backend.location());
        }
        long freeBytes = Runtime.getRuntime().maxMemory() - HEADROOM_BYTES - (long) options.messages() * BYTES_PER_GENERATED;
        double neededBytes = MARGIN * modelBytes;
        return walkable(backend) || neededBytes <= freeBytes ? Optional.empty() : Optional.of(String.format(Locale.ROOT,
                "would take some %.1f GiB with its margin, and %.1f GiB of heap are left (-Xmx)", neededBytes / (1L << 30),
                (double) freeBytes / (1L << 30)));
    }

    /** A line for each workload in which timebucket takes more than a stock tracker. */
    private static List<String> aboveStock(List<FootprintRow> rows) {
        List<String> lines = new ArrayList<>();
        for (FootprintRow stock : rows) {
            if (stock.backend() != Backend.STOCK_4_0 && stock.backend() != Backend.STOCK_4_2) {
                continue;
            }
            rows.stream().filter(row -> row.backend() == Backend.TIMEBUCKET && row.workload() == stock.workload()
                    && row.retained().bytes() > stock.retained().bytes()).forEach(row -> lines.add(String.format(
                    Locale.ROOT, "ABOVE STOCK: %s takes %.3f B a message, %s %.3f B, in %s", row.backend().label(),
                    row.perMessage(), stock.backend().label(), stock.perMessage(), row.workload().label())));
        }
        return lines.isEmpty() ? List.of("timebucket is nowhere above a stock tracker where both were measured") : lines;
    }

    private static String modelError(List<FootprintRow> rows) {
        return rows.stream().filter(row -> row.modelBytes() > 0)
                .max((a, b) -> Double.compare(Math.abs(a.modelError()), Math.abs(b.modelError())))
                .map(row -> String.format(Locale.ROOT, "The sizing model is off by %.1f %% at most (%s, %s).",
                        100 * Math.abs(row.modelError()), row.workload().label(), row.backend().label()))
                .orElse("The sizing model was not compared.");
    }

    /** Stock trackers report what they allocate, or nothing near what they retain: ours alone count. */
    private static String reportedError(List<FootprintRow> rows) {
        return rows.stream().filter(row -> row.backend().ours())
                .max((a, b) -> Double.compare(Math.abs(a.reportedError()), Math.abs(b.reportedError())))
                .map(row -> String.format(Locale.ROOT, "Our trackers report what they retain but for %.2f %% at most (%s, %s).",
                        100 * Math.abs(row.reportedError()), row.workload().label(), row.backend().label()))
                .orElse("None of our trackers was measured.");
    }

    private void write(List<FootprintRow> rows, String remarks) throws IOException {
        Path out = options.out();
        Files.write(out.resolve("footprint.csv"),
                Stream.concat(Stream.of(FootprintRow.CSV_HEADER), rows.stream().map(FootprintRow::csv)).toList());
        String title = String.format(Locale.ROOT, "%,d messages, nothing drained, buckets of %d ms", options.messages(),
                options.precisionMillis());
        Files.writeString(out.resolve("footprint.md"), title + "\n\n" + FootprintRow.MARKDOWN_HEADER
                + String.join("\n", rows.stream().map(FootprintRow::markdown).toList()) + "\n\n" + remarks + "\n");
        Files.writeString(out.resolve("footprint.svg"), plot(rows, title));
    }

    private String plot(List<FootprintRow> rows, String title) {
        DotPlot plot = new DotPlot("Bytes a message: " + title, options.workloads().stream().map(Workload::label).toList());
        for (Backend backend : options.backends()) {
            rows.stream().filter(row -> row.backend() == backend).forEach(row ->
                    plot.dot(backend.label(), row.workload().label(), row.perMessage()));
        }
        options.workloads().forEach(workload -> plot.dot("information bound", workload.label(),
                workload.boundBytes(options.precisionMillis())));
        return plot.svg();
    }
}
