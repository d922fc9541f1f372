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
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures how many bytes each tracker keeps alive for each workload after a fill from which nothing was drained, and
 * writes {@code footprint.csv} and {@code footprint.md}.
 *
 * <pre>
 * java -Xmx10g -Djdk.attach.allowAttachSelf=true -Djol.magicFieldOffset=true \
 *     -cp benchmarks/target/benchmarks.jar io.github.delayedtracker.benchmarks.FootprintReport \
 *     --messages 1000000 --out target/footprint
 * </pre>
 *
 * <p>Options: {@code --messages N}, {@code --tick MILLIS} (1000, hence buckets of 512 ms), {@code --out DIRECTORY},
 * {@code --backends a,b}, {@code --workloads a;b}. The report ends with each workload in which a tracker of ours keeps
 * more bytes than stock 4.2 does.
 */
public final class FootprintReport {

    private int messages = 1_000_000;
    private long tickMillis = 1_000;
    private Path out = Path.of("target", "footprint");
    private List<Backend> backends = List.of(Backend.values());
    private List<Workload> workloads = List.of(Workload.values());

    private FootprintReport() {
    }

    /** Takes the options named above. */
    public static void main(String[] arguments) throws IOException {
        FootprintReport report = new FootprintReport();
        if (arguments.length % 2 != 0) {
            throw new IllegalArgumentException("every option needs a value: " + String.join(" ", arguments));
        }
        for (int i = 0; i < arguments.length; i += 2) {
            report.take(arguments[i], arguments[i + 1]);
        }
        report.run();
    }

    private void take(String option, String value) {
        switch (option) {
            case "--messages" -> messages = Integer.parseInt(value);
            case "--tick" -> tickMillis = Long.parseLong(value);
            case "--out" -> out = Path.of(value);
            case "--backends" -> backends = Stream.of(value.split(",")).map(Backend::of).toList();
            case "--workloads" -> workloads = Stream.of(value.split(";")).map(Workload::of).toList();
            default -> throw new IllegalArgumentException(
                    "option must be --messages, --tick, --out, --backends or --workloads: " + option);
        }
    }

    private void run() throws IOException {
        Files.createDirectories(out);
        List<FootprintRow> rows = new ArrayList<>();
        System.out.print(FootprintRow.MARKDOWN_HEADER);
        for (Workload workload : workloads) {
            Messages stream = workload.messages(messages);
            for (Backend backend : backends) {
                Optional<Tracker> opened = backend.open(false, tickMillis);
                if (opened.isEmpty()) {
                    System.out.println("SKIPPED " + backend.label() + ": no class path at " + backend.location());
                    continue;
                }
                try (Tracker tracker = opened.get()) {
                    stream.addTo(tracker);
                    FootprintRow row = FootprintRow.of(workload, backend, tracker);
                    rows.add(row);
                    System.out.println(row.markdown());
                }
            }
        }
        String comparison = comparison(rows);
        System.out.println(comparison);
        Files.write(out.resolve("footprint.csv"),
                Stream.concat(Stream.of(FootprintRow.CSV_HEADER), rows.stream().map(FootprintRow::csv)).toList());
        Files.writeString(out.resolve("footprint.md"), heading() + FootprintRow.MARKDOWN_HEADER
                + String.join("\n", rows.stream().map(FootprintRow::markdown).toList()) + "\n\n" + comparison);
    }

    private String heading() {
        return String.format(Locale.ROOT, "%d messages, nothing drained, tick %d ms, buckets of %d ms.%n%n", messages,
                tickMillis, Long.highestOneBit(tickMillis));
    }

    /** A line for each workload that costs more here than in stock 4.2; the position set counts. */
    private static String comparison(List<FootprintRow> rows) {
        StringBuilder text = new StringBuilder();
        for (FootprintRow stock : rows) {
            if (stock.backend() != Backend.STOCK_4_2) {
                continue;
            }
            rows.stream().filter(row -> row.backend() == Backend.TIMEBUCKET && row.workload() == stock.workload()
                    && row.retainedBytes() > stock.retainedBytes()).forEach(row -> text.append(String.format(Locale.ROOT,
                    "%s above %s in %s: %.3f > %.3f%n", row.backend().label(), stock.backend().label(),
                    row.workload().label(), row.perMessage(), stock.perMessage())));
        }
        if (rows.stream().noneMatch(row -> row.backend() == Backend.STOCK_4_2)) {
            return "stock-4.2 was not measured\n";
        }
        return text.isEmpty() ? "timebucket is nowhere above stock-4.2 where both were measured\n" : text.toString();
    }
}
