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
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The report on the memory that comes back when messages are acknowledged in random order. It shows the bytes that
 * {@code timebucket} retains after a fill, and after a share of it is gone, beside the bytes that tell which ones are left.
 * Writes {@code removal.csv} and {@code removal.md}.
 */
final class RemovalReport {

    private static final long SEED = 11;
    private static final int PERCENT = 100;
    /** The removals after which memory is given back: while removals come, as in a broker, and not at their end only. */
    private static final int REMOVALS_PER_SETTLE = 10_000;

    private final FootprintOptions options;

    RemovalReport(FootprintOptions options) {
        this.options = options;
    }

    void run() throws IOException {
        List<String> csv = new ArrayList<>(List.of("workload,messages,left,filledBytes,leftBytes,floorBytes"));
        List<String> table = new ArrayList<>(List.of(
                "| workload | filled, B | " + options.gonePercent()
                        + " % gone, B | given back | to say which are left, B | so at most |",
                "|---|---|---|---|---|---|"));
        Progress progress = new Progress(options.workloads().size());
        for (Workload workload : options.workloads()) {
            progress.next(workload.label());
            Messages stream = workload.messages(options.messages());
            int[] gone = gone(stream.count());
            long filled;
            long left;
            try (Tracker tracker = Backend.TIMEBUCKET.openOrFail(false, options.precisionMillis())) {
                stream.addTo(tracker);
                tracker.settle();
                filled = Retained.walk(tracker.indexRoot());
                for (int i = 0; i < gone.length; i++) {
                    tracker.acked(stream.ledgerId(gone[i]), stream.entryId(gone[i]));
                    if (i % REMOVALS_PER_SETTLE == 0) {
                        tracker.settle();
                    }
                }
                tracker.settle();
                left = Retained.walk(tracker.indexRoot());
            }
            double share = 1 - (double) gone.length / stream.count();
            double floor = InformationBound.choiceBits(share) * stream.count() / Byte.SIZE;
            csv.add(String.format(Locale.ROOT, "\"%s\",%d,%d,%d,%d,%.0f", workload.label(), stream.count(),
                    stream.count() - gone.length, filled, left, floor));
            table.add(String.format(Locale.ROOT, "| %s | %,d | %,d | %.1f %% | %,.0f | %.1f %% |", workload.label(), filled, left,
                    percent(left, filled), floor, percent(floor, filled)));
        }
        progress.clear();
        String text = String.join("\n", table) + "\n";
        System.out.print(text);
        Files.write(options.out().resolve("removal.csv"), csv);
        Files.writeString(options.out().resolve("removal.md"), text);
    }

    private static double percent(double left, double filled) {
        return PERCENT * (1 - left / filled);
    }

    /** The messages that go, in the order in which they go. */
    private int[] gone(int count) {
        Random random = new Random(SEED);
        int[] order = IntStream.range(0, count).toArray();
        int gone = (int) ((long) count * options.gonePercent() / PERCENT);
        for (int i = 0; i < gone; i++) {
            int other = i + random.nextInt(count - i);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return IntStream.of(order).limit(gone).toArray();
    }
}
