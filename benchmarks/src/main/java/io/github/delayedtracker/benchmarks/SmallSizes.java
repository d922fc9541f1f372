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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The check whether our trackers take more than the stock heap allocates, for fills of several sizes with each workload. Writes a
 * table and a line for each fill that does, in {@code sizes.csv} and {@code sizes.md}.
 */
final class SmallSizes {

    private final FootprintOptions options;

    SmallSizes(FootprintOptions options) {
        this.options = options;
    }

    void run() throws IOException {
        List<String> csv = new ArrayList<>(List.of("workload,messages,backend,retainedBytes,reportedBytes,stockHeapBytes"));
        List<String> table = new ArrayList<>(List.of("| workload | messages | timebucket, B | heap, B | stock heap, B |",
                "|---|---|---|---|---|"));
        Map<Backend, List<String>> above = new EnumMap<>(Backend.class);
        Progress progress = new Progress(options.workloads().size() * options.sizes().size());
        for (Workload workload : options.workloads()) {
            for (int size : options.sizes()) {
                progress.next(workload.label() + ", " + size);
                Messages stream = workload.messages(size);
                long stock = stockHeapBytes(stream);
                long[] ours = new long[2];
                for (int i = 0; i < ours.length; i++) {
                    Backend backend = i == 0 ? Backend.TIMEBUCKET : Backend.HEAP;
                    try (Tracker tracker = backend.openOrFail(false, options.precisionMillis())) {
                        stream.addTo(tracker);
                        ours[i] = Retained.walk(tracker.indexRoot());
                        csv.add(String.format(Locale.ROOT, "\"%s\",%d,%s,%d,%d,%d", workload.label(), size, backend.label(),
                                ours[i], tracker.reportedBytes(), stock));
                    }
                    if (ours[i] > stock) {
                        above.computeIfAbsent(backend, key -> new ArrayList<>()).add(String.format(Locale.ROOT,
                                "ABOVE STOCK HEAP: %s takes %,d B, the stock heap %,d B, for %,d of %s", backend.label(),
                                ours[i], stock, size, workload.label()));
                    }
                }
                table.add(String.format(Locale.ROOT, "| %s | %,d | %,d | %,d | %,d |", workload.label(), size, ours[0],
                        ours[1], stock));
            }
        }
        progress.clear();
        List<String> ofHeap = above.getOrDefault(Backend.HEAP, List.of());
        String verdict = String.join("\n\n",
                above.getOrDefault(Backend.TIMEBUCKET, List.of("timebucket never takes more than the stock heap.")));
        String text = String.join("\n", table) + "\n\n" + verdict + String.format(Locale.ROOT,
                "%n%nheap takes more than the stock heap in %d of %d fills.%n", ofHeap.size(), table.size() - 2);
        System.out.print(text);
        Files.write(options.out().resolve("sizes.csv"), csv);
        Files.writeString(options.out().resolve("sizes.md"), text);
    }

    /** The bytes that the 4.0 line allocates, from the tracker itself where its classes are there. */
    private long stockHeapBytes(Messages stream) {
        Optional<Tracker> opened = Backend.STOCK_4_0.open(false, options.precisionMillis());
        if (opened.isEmpty()) {
            return StockSizes.heapBytes(stream.count());
        }
        try (Tracker tracker = opened.get()) {
            stream.addTo(tracker);
            return tracker.reportedBytes();
        }
    }
}
