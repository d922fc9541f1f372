/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The memory of {@code timebucket} where precision grows with the remaining delay, and how much later messages come for it. It is
 * compared with the fixed precision and with a fixed precision as wide as the cap. Writes two tables, in {@code adaptive.csv} and
 * {@code adaptive.md}.
 *
 * <p>Each message is rounded as when the broker offers it at the moment of its publication; nothing is drained. The tick is the
 * fixed precision, so that times are rounded down to that and up to everything wider.
 */
final class AdaptiveFootprint {

    private final FootprintOptions options;

    AdaptiveFootprint(FootprintOptions options) {
        this.options = options;
    }

    /**
     * A footprint and its price.
     *
     * @param workload the messages that were added
     * @param setting the name of the setting in the tables
     * @param messages how many messages were held
     * @param bytes bytes kept alive
     * @param tailBytes the bytes that the open tail takes more than its positions take once sealed
     * @param modelBytes the bytes that {@link SizingModel} says
     * @param meanLateMillis the time by which times are rounded up, on average
     * @param mostLateMillis the same time at most
     */
    record Cell(Workload workload, String setting, int messages, long bytes, long tailBytes, long modelBytes,
            double meanLateMillis, long mostLateMillis) {

        String csv() {
            return String.format(Locale.ROOT, "\"%s\",%s,%d,%d,%.5f,%d,%d,%.0f,%d", workload.label(), setting, messages, bytes,
                    (double) bytes / messages, tailBytes, modelBytes, meanLateMillis, mostLateMillis);
        }

        String perMessage() {
            return String.format(Locale.ROOT, "%.2f", (double) bytes / messages);
        }

        String lateness() {
            return mostLateMillis == 0 ? "0" : String.format(Locale.ROOT, "%.1f / %.1f", meanLateMillis / 1e3,
                    mostLateMillis / 1e3);
        }
    }

    void run() throws IOException {
        List<TimeRules> settings = settings();
        List<List<Cell>> rows = new ArrayList<>();
        Progress progress = new Progress(options.workloads().size() * settings.size());
        for (Workload workload : options.workloads()) {
            List<Cell> row = new ArrayList<>();
            for (TimeRules rules : settings) {
                progress.next(workload.label() + ", " + label(rules));
                row.add(measure(workload, rules, options.messages()));
            }
            rows.add(row);
        }
        progress.clear();
        String text = String.format(Locale.ROOT, "timebucket, %,d messages, nothing drained, bytes a message%n%n%s%n"
                + "Rounded up by, on average / at most, s%n%n%s", options.messages(), table(rows, Cell::perMessage),
                table(rows, Cell::lateness));
        System.out.print(text);
        List<String> csv = new ArrayList<>(List.of("workload,setting,messages,retainedBytes,bytesPerMessage,tailBytes,"
                + "modelBytes,meanLateMillis,mostLateMillis"));
        rows.forEach(row -> row.forEach(cell -> csv.add(cell.csv())));
        Files.write(options.out().resolve("adaptive.csv"), csv);
        Files.writeString(options.out().resolve("adaptive.md"), text);
    }

    /** The settings: the fixed precision, then those asked for, then the widest cap as a fixed precision. */
    private List<TimeRules> settings() {
        long tickMillis = options.precisionMillis();
        List<TimeRules> settings = new ArrayList<>(List.of(new TimeRules(false, tickMillis, tickMillis)));
        long widestMillis = tickMillis;
        for (AdaptivePrecision adaptive : options.adaptive()) {
            settings.add(AdaptiveOption.rules(tickMillis, tickMillis, adaptive));
            widestMillis = Math.max(widestMillis, adaptive.maxMillis());
        }
        settings.add(new TimeRules(false, tickMillis, widestMillis));
        return settings;
    }

    static Cell measure(Workload workload, TimeRules rules, int count) {
        Messages rounded = workload.messages(count, rules);
        long modelBytes = new SizingModel(workload.traffic(), rules).filled(count).get(Backend.TIMEBUCKET);
        // Rounded already, so rounding to the tick changes nothing.
        try (Tracker tracker = Backend.TIMEBUCKET.openOrFail(false, rules.tickMillis())) {
            rounded.addTo(tracker);
            long bytes = Retained.walk(tracker.indexRoot());
            long reportedBytes = tracker.reportedBytes();
            tracker.settle();
            long tailBytes = Math.max(0, reportedBytes - tracker.reportedBytes());
            Messages asSent = workload.messages(count);
            double sum = 0;
            long most = 0;
            for (int i = 0; i < count; i++) {
                long late = Math.max(0, rounded.deliverAtMillis(i) - asSent.deliverAtMillis(i));
                sum += late;
                most = Math.max(most, late);
            }
            return new Cell(workload, label(rules), count, bytes, tailBytes, modelBytes, sum / count, most);
        }
    }

    private static String label(TimeRules rules) {
        AdaptivePrecision adaptive = rules.adaptive();
        return adaptive.ratio() == 0 ? rules.precisionMillis() + " ms"
                : "1/" + adaptive.ratio() + " up to " + adaptive.maxMillis() + " ms";
    }

    private static String table(List<List<Cell>> rows, Function<Cell, String> text) {
        StringBuilder table = new StringBuilder("| workload |");
        rows.get(0).forEach(cell -> table.append(' ').append(cell.setting()).append(" |"));
        table.append("\n|---|").append("---|".repeat(rows.get(0).size())).append('\n');
        for (List<Cell> row : rows) {
            table.append("| ").append(row.get(0).workload().label()).append(" |");
            row.forEach(cell -> table.append(' ').append(text.apply(cell)).append(" |"));
            table.append('\n');
        }
        return table.toString();
    }
}
