/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The calculator that tells an operator how much memory the index of delayed messages of a topic takes with each backend, by
 * {@link SizingModel}.
 *
 * <pre>
 * java -cp benchmarks/target/benchmarks.jar io.github.delayedtracker.benchmarks.SizingCalculator \
 *     --rate 1000 --delay uniform:600s --subscriptions 3 --tick 1s
 * </pre>
 *
 * <p>Bad input is answered with one line and exit code 2.
 */
public final class SizingCalculator {

    private static final double MIB = 1 << 20;
    /** The memory of all subscriptions together below which nobody need care. */
    private static final double SMALL_MIB = 16;
    private static final long MINUTE_PRECISION_MILLIS = 1 << 16;
    /** The mean delay below which a minute matters. */
    private static final double LONG_DELAY_MILLIS = 3_600_000;
    private static final double WORTH_TELLING = 0.9;
    /** The ratio that keeps a day to the minute. */
    private static final long ADVISED_RATIO = 1_000;

    private static final Map<Backend, String> NAMES = Map.of(
            Backend.TIMEBUCKET, "timebucket (heap memory)",
            Backend.HEAP, "heap (heap memory)",
            Backend.STOCK_4_0, "stock 4.0 in-memory (direct memory)",
            Backend.STOCK_4_2, "stock 4.2 in-memory (heap memory)");

    private SizingCalculator() {
    }

    /** Takes the options that {@code --help} prints. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (arguments.length == 0 || arguments[0].equals("--help")) {
            out.print(SizingOptions.USAGE);
            return;
        }
        try {
            out.print(answer(SizingOptions.parse(arguments)));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    /** The whole answer. */
    static String answer(SizingOptions options) {
        Traffic traffic = options.traffic();
        SizingModel model = new SizingModel(traffic, options.rules());
        long stockPrecisionMillis = Long.highestOneBit(options.tickMillis());
        Map<Backend, Long> bytes = model.steady();
        if (stockPrecisionMillis != options.precisionMillis()) {
            bytes.put(Backend.STOCK_4_2,
                    new SizingModel(traffic, stockPrecisionMillis).steady().get(Backend.STOCK_4_2));
        }
        double outstanding = model.outstanding();
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
                "%,.0f delayed entries wait at any time, on average (%s a second, delayed by %s on average).%n"
                + "Due times are kept to %s by timebucket, %d ms by stock 4.2, 1 ms by the heaps.%n%n"
                + "%-38s %14s %18s %14s%n", outstanding, decimal(traffic.perMilli() * 1_000),
                duration(traffic.delays().meanMillis()), precision(options), stockPrecisionMillis, "backend",
                "B an entry", "MiB a subscription", "MiB in all"));
        for (Backend backend : Backend.TRACKERS) {
            double mib = bytes.get(backend) / MIB;
            text.append(String.format(Locale.ROOT, "%-38s %14.2f %18.2f %14.2f%n", NAMES.get(backend),
                    bytes.get(backend) / Math.max(1, outstanding), mib, mib * options.subscriptions()));
        }
        text.append(String.format(Locale.ROOT, 
                "%nAverages, good to 10 %%; leave half as much again for peaks. Of timebucket up to%n"
                + "%.2f MiB a subscription is for the messages that came last, however many there are.%n",
                model.mostTailBytes() / MIB));
        advice(options, bytes, outstanding).forEach(line -> text.append("- ").append(line).append('\n'));
        return text.toString();
    }

    private static List<String> advice(SizingOptions options, Map<Backend, Long> bytes, double outstanding) {
        List<String> lines = new ArrayList<>();
        double ours = bytes.get(Backend.TIMEBUCKET);
        double stockHeap = bytes.get(Backend.STOCK_4_0);
        double stockBuckets = bytes.get(Backend.STOCK_4_2);
        if (Math.max(ours, Math.max(stockHeap, stockBuckets)) * options.subscriptions() < SMALL_MIB * MIB) {
            lines.add("Memory is no concern here, whatever the backend.");
        } else {
            lines.add(String.format(Locale.ROOT, "timebucket takes %s of what the stock 4.0 heap takes, and %s of stock 4.2.",
                    share(ours / stockHeap), share(ours / stockBuckets)));
            if (stockBuckets > stockHeap) {
                lines.add(String.format(Locale.ROOT, "Stock 4.2 takes %.1f times the stock heap: hardly any two messages of a "
                        + "ledger are due together.", stockBuckets / stockHeap));
            }
        }
        lines.addAll(coarser(options, ours));
        if (options.subscriptions() > 1) {
            lines.add("Every Shared or Key_Shared subscription has an index of its own, so memory grows with their number.");
        }
        lines.add(String.format(Locale.ROOT, "After a restart of the broker or a move of the topic the %,.0f entries are read "
                + "again to build the index; that holds for all four.", outstanding));
        return lines;
    }

    /** The advice on wider time buckets. */
    private static List<String> coarser(SizingOptions options, double bytes) {
        List<String> lines = new ArrayList<>();
        AdaptivePrecision adaptive = new AdaptivePrecision(ADVISED_RATIO, AdaptiveOption.DEFAULT_MAX_MILLIS);
        if (options.adaptive().ratio() == 0
                && options.delays().longestMillis() >= 2 * ADVISED_RATIO * options.precisionMillis()) {
            double grown = new SizingModel(options.traffic(), AdaptiveOption.rules(options.precisionMillis(),
                    options.precisionMillis(), adaptive)).steady().get(Backend.TIMEBUCKET);
            if (grown < WORTH_TELLING * bytes) {
                lines.add(String.format(Locale.ROOT, "If a thousandth of its delay does not matter to a message, "
                        + "delayedDeliveryIndexAdaptivePrecisionRatio=%d makes it %.2f MiB a subscription.", ADVISED_RATIO,
                        grown / MIB));
            }
        }
        if (options.precisionMillis() < MINUTE_PRECISION_MILLIS && options.delays().meanMillis() >= LONG_DELAY_MILLIS) {
            double coarse = new SizingModel(options.traffic(), MINUTE_PRECISION_MILLIS).steady().get(Backend.TIMEBUCKET);
            if (coarse < WORTH_TELLING * bytes) {
                lines.add(String.format(Locale.ROOT, "If a minute does not matter, delayedDeliveryIndexPrecisionMillis=%d "
                        + "makes it %.2f MiB a subscription.", MINUTE_PRECISION_MILLIS, coarse / MIB));
            }
        }
        return lines;
    }

    private static String precision(SizingOptions options) {
        AdaptivePrecision adaptive = options.adaptive();
        return adaptive.ratio() == 0 ? options.precisionMillis() + " ms" : String.format(Locale.ROOT,
                "%d ms (1/%d of the delay where that is more, up to %d ms)", options.precisionMillis(), adaptive.ratio(),
                adaptive.maxMillis());
    }

    private static String share(double ratio) {
        return ratio < 0.1 ? String.format(Locale.ROOT, "%.1f %%", 100 * ratio)
                : String.format(Locale.ROOT, "%.0f %%", 100 * ratio);
    }

    private static String decimal(double value) {
        return value >= 10 ? String.format(Locale.ROOT, "%,.0f", value) : String.format(Locale.ROOT, "%.3g", value);
    }

    private static String duration(double millis) {
        if (millis < 120e3) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
        }
        return millis < 7200e3 ? String.format(Locale.ROOT, "%.1f min", millis / 60e3)
                : String.format(Locale.ROOT, "%.1f h", millis / 3600e3);
    }
}
