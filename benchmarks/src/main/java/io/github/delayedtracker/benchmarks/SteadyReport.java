/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The footprint while messages are published and handed out together, for three times the longest delay, with traffic of several
 * kinds. It is given in bytes an outstanding message over time, on average and at most once as many go as come, beside the bound
 * of the steady state. A {@link SteadyPartsTable} tells what the bytes of {@code timebucket} are for. Writes {@code steady.csv},
 * {@code steady.md} and a plot each.
 */
final class SteadyReport {

    private static final double SPANS = 3;
    private static final List<Backend> BACKENDS = List.of(Backend.TIMEBUCKET, Backend.HEAP, Backend.STOCK_4_0);
    private static final double HIGHEST_RATIO_SHOWN = 4;

    private final FootprintOptions options;

    SteadyReport(FootprintOptions options) {
        this.options = options;
    }

    /** Traffic of which a share is acknowledged before it is due. */
    private record Case(String name, Traffic traffic, double ackedShare) {

        Case(String name, String delays, double perMilli, Layout layout) {
            this(name, new Traffic(DelayParser.parse(delays), perMilli, layout), 0);
        }
    }

    void run() throws IOException {
        List<Case> cases = List.of(
                new Case("uniform600s-4ms", "uniform:600s", 4, Layout.DENSE),
                new Case("uniform1d-20s", "uniform:1d", 0.02, Layout.DENSE),
                new Case("one-in-100-delayed", "uniform:600s", 4, Layout.share(0.01)),
                new Case("half-delayed", "uniform:600s", 4, Layout.share(0.5)),
                new Case("half-acknowledged-early", new Traffic(Delays.uniform(0, 600_000), 4, Layout.DENSE), 0.5),
                new Case("one-per-ledger", "uniform:600s", 4, Layout.onePerLedger(10)),
                new Case("mix-24h", "mix:60%fixed:30m+30%uniform:1h+10%uniform:24h", 0.1, Layout.DENSE));
        List<String> csv = new ArrayList<>(List.of("case,backend,atMillis,outstanding,bytes,bytesPerMessage,bound"));
        List<String> table = new ArrayList<>(List.of("| case | backend | outstanding | average, B/msg | at most | bound | "
                + "average / bound | at most / bound | model / average |", "|---|---|---|---|---|---|---|---|---|"));
        List<Backend> backends = BACKENDS.stream().filter(options.backends()::contains).toList();
        SteadyPartsTable parts = new SteadyPartsTable();
        for (Case each : cases) {
            Progress progress = new Progress(100 * backends.size());
            double bound = InformationBound.steadyBits(each.traffic, options.precisionMillis(), each.ackedShare)
                    / Byte.SIZE;
            SizingModel model = new SizingModel(each.traffic, options.precisionMillis());
            long sinceMillis = each.traffic.delays().longestMillis();
            for (Backend backend : backends) {
                if (backend.open(false, options.precisionMillis()).isEmpty()) {
                    System.out.println("SKIPPED " + backend.label() + ": no class path at " + backend.location());
                    continue;
                }
                List<SteadyParts> readings = new ArrayList<>();
                List<SteadyState.Point> points = points(each, backend, progress, readings);
                points.forEach(point -> csv.add(String.format(Locale.ROOT, "%s,%s,%d,%d,%d,%.4f,%.4f", each.name,
                        backend.label(), point.atMillis(), point.outstanding(), point.bytes(), point.perMessage(), bound)));
                SteadyState.Means means = SteadyState.Means.of(points, sinceMillis);
                // The model knows of no early acknowledgements.
                String modelled = each.ackedShare > 0 ? ""
                        : String.format(Locale.ROOT, "%.2f", model.steady().get(backend) / means.bytes());
                table.add(String.format(Locale.ROOT, "| %s | %s | %,.0f | %.3f | %.3f | %.3f | %.2f | %.2f | %s |", each.name,
                        backend.label(), means.outstanding(), means.perMessage(), means.most(), bound,
                        means.perMessage() / bound, means.most() / bound, modelled));
                if (backend == Backend.TIMEBUCKET) {
                    List<SteadyParts> steady = IntStream.range(0, points.size())
                            .filter(i -> points.get(i).atMillis() >= sinceMillis).mapToObj(readings::get).toList();
                    parts.add(each.name, SteadyParts.sum(steady), bound,
                            InformationBound.steadyPositionBits(each.traffic, each.ackedShare) / Byte.SIZE);
                    Files.writeString(options.out().resolve("steady-" + each.name + ".svg"), plot(each, points, bound));
                }
            }
            progress.clear();
        }
        String text = String.format(Locale.ROOT, "Buckets of %d ms%n%n%s%n%n%s%n", options.precisionMillis(),
                String.join("\n", table), parts.markdown());
        System.out.print(text);
        Files.write(options.out().resolve("steady.csv"), csv);
        Files.writeString(options.out().resolve("steady.md"), text);
    }

    /** Runs a case and takes readings; of {@code timebucket} the parts as well. */
    private List<SteadyState.Point> points(Case each, Backend backend, Progress progress, List<SteadyParts> parts) {
        try (Tracker tracker = backend.openOrFail(false, options.precisionMillis())) {
            return SteadyState.run(each.traffic, each.ackedShare, options.precisionMillis(), tracker, SPANS, share -> {
                progress.next(each.name + ", " + backend.label());
                if (backend == Backend.TIMEBUCKET) {
                    parts.add(SteadyParts.of(tracker.indexRoot()));
                }
            });
        }
    }

    private static String plot(Case each, List<SteadyState.Point> points, double bound) {
        double[] spans = points.stream()
                .mapToDouble(point -> (double) point.atMillis() / each.traffic.delays().longestMillis()).toArray();
        double[] bytes = points.stream().mapToDouble(SteadyState.Point::perMessage).toArray();
        double[] bounds = points.stream().mapToDouble(point -> bound).toArray();
        LinePlot plot = new LinePlot("Bytes an outstanding message, produced and handed out together: " + each.name,
                "time, in longest delays", SPANS, bound * HIGHEST_RATIO_SHOWN);
        plot.line("timebucket", spans, bytes);
        plot.line("information bound", spans, bounds);
        return plot.svg();
    }
}
