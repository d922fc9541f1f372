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

/**
 * The published experiment on the time-bucket algorithm: messages with a due time that grows by 1 ms each few entries, 50,000
 * entries in a ledger, ledger ids from 10,000, buckets of a power of two of milliseconds. It compares the structure as it was
 * published, ours and the heap, in MiB, beside the formula of the article. Writes {@code published.csv} and {@code published.md}.
 */
final class PublishedExperiment {

    /** The four cases that were published. */
    static final List<Case> CASES = List.of(new Case(1, 10), new Case(4, 10), new Case(8, 10), new Case(8, 15));

    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final long FIRST_LEDGER_ID = 10_000;
    private static final int ENTRIES_PER_LEDGER = 50_000;
    private static final double MIB = 1 << 20;
    private static final int ARRAY_ENTRIES = 4_096;
    private static final int BITMAP_BYTES = 8_192;

    private final FootprintOptions options;

    PublishedExperiment(FootprintOptions options) {
        this.options = options;
    }

    /**
     * A rate and a width of the buckets.
     *
     * @param perMilli the entries in a millisecond
     * @param bits the low bits of the time that are cut off
     */
    record Case(int perMilli, int bits) {

        /** Reads a case from a text like 8x15. */
        static Case parse(String text) {
            String[] parts = text.split("x", -1);
            try {
                Case parsed = new Case(Integer.parseInt(parts[0]), Integer.parseInt(parts[parts.length - 1]));
                if (parts.length == 2 && parsed.perMilli > 0 && parsed.bits >= 0 && parsed.bits <= 40) {
                    return parsed;
                }
            } catch (NumberFormatException e) {
                // Answered below.
            }
            throw new IllegalArgumentException("--published must be entries a millisecond and bits, as in 8x15: '" + text + "'");
        }

        /** The number of entries in a bucket. */
        long inBucket() {
            return (long) perMilli << bits;
        }

        /** The bytes of bitmap an entry, by the article: entries that do not fit an array take a bitmap for each ledger. */
        double formulaBytes() {
            long ledgers = (inBucket() + ENTRIES_PER_LEDGER - 1) / ENTRIES_PER_LEDGER;
            return inBucket() <= ARRAY_ENTRIES ? 2 : (double) BITMAP_BYTES * ledgers / inBucket();
        }

        /** The same bytes for buckets of many ledgers. */
        double limitBytes() {
            return inBucket() <= ENTRIES_PER_LEDGER ? formulaBytes() : (double) BITMAP_BYTES / ENTRIES_PER_LEDGER;
        }
    }

    void run() throws IOException {
        List<String> csv = new ArrayList<>(List.of("perMilli,bits,messages,buckets,publishedBytes,bitmapBytes,"
                + "timebucketBytes,heapBytes,stockHeapBytes,formulaBytesPerEntry,limitBytesPerEntry"));
        List<String> table = new ArrayList<>(List.of(
                "| entries/ms | bits | buckets | as published, MiB | of it bitmaps | article's formula, B/entry (limit) | "
                + "as published, B/entry | timebucket, MiB | timebucket, B/entry | heap, MiB | stock heap, MiB | "
                + "timebucket / stock heap |", "|---|---|---|---|---|---|---|---|---|---|---|---|"));
        Progress progress = new Progress(options.published().size());
        int messages = options.messages();
        for (Case each : options.published()) {
            progress.next(each.perMilli + " a millisecond, " + each.bits + " bits");
            long published;
            long bitmaps;
            int buckets;
            try (PublishedTracker tracker = new PublishedTracker(1L << each.bits)) {
                fill(tracker, each);
                published = Retained.walk(tracker.indexRoot());
                bitmaps = tracker.reportedBytes();
                buckets = tracker.bucketCount();
            }
            long ours = filledBytes(Backend.TIMEBUCKET, each);
            long heap = filledBytes(Backend.HEAP, each);
            long stockHeap = StockSizes.heapBytes(messages);
            csv.add(String.format(Locale.ROOT, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%.4f,%.4f", each.perMilli, each.bits, messages,
                    buckets, published, bitmaps, ours, heap, stockHeap, each.formulaBytes(), each.limitBytes()));
            table.add(String.format(Locale.ROOT,
                    "| %d | %d | %,d | %.2f | %.2f | %.3f (%.3f) | %.3f | %.3f | %.4f | %.1f | %.1f | %.3f %% |",
                    each.perMilli, each.bits, buckets, published / MIB, bitmaps / MIB, each.formulaBytes(), each.limitBytes(),
                    (double) published / messages, ours / MIB, (double) ours / messages, heap / MIB, stockHeap / MIB,
                    100.0 * ours / stockHeap));
        }
        progress.clear();
        String text = String.format(Locale.ROOT, "%,d messages%n%n%s%n", messages, String.join("\n", table));
        System.out.print(text);
        Files.write(options.out().resolve("published.csv"), csv);
        Files.writeString(options.out().resolve("published.md"), text);
    }

    private long filledBytes(Backend backend, Case each) {
        try (Tracker tracker = backend.openOrFail(false, 1L << each.bits)) {
            fill(tracker, each);
            return Retained.walk(tracker.indexRoot());
        }
    }

    private void fill(Tracker tracker, Case each) {
        tracker.setNowMillis(0);
        long timeMillis = START_MILLIS;
        for (int i = 0; i < options.messages(); i++) {
            timeMillis += i % each.perMilli == 0 ? 1 : 0;
            tracker.add(FIRST_LEDGER_ID + i / ENTRIES_PER_LEDGER, i % ENTRIES_PER_LEDGER, timeMillis);
        }
    }
}
