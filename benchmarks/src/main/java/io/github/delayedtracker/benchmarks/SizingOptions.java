/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.Locale;

/** The command line of {@link SizingCalculator}. */
final class SizingOptions {

    static final String USAGE = """
            Memory of the delayed delivery index of one topic.

              --rate N                   entries published a second, delayed or not (required)
              --delay D                  how long they are delayed (required); units ms, s, m, h, d:
                                           fixed:30m                     all by 30 minutes
                                           uniform:600s, uniform:1s-1d   anything from 0, or from a second
                                           menu:1s,5s,10s                one of these, equally often
                                           backoff:1s*2^12               12 levels from 1 s, doubling, and 0 to 1 s more
                                           mix:60%fixed:30m+40%uniform:1d
              --subscriptions N          Shared and Key_Shared subscriptions of the topic (1)
              --tick D                   delayedDeliveryTickTimeMillis (1s)
              --share P                  share of the entries that is delayed (100%)
              --batch N                  messages in an entry, if producers batch delayed messages; then --rate counts
                                         messages. The Java client never does (1)
              --entries-per-ledger N     managedLedgerMaxEntriesPerLedger (50000)
              --precision D              delayedDeliveryIndexPrecisionMillis (the largest power of two within the tick)
              --adaptive RATIO[:MILLIS]  delayedDeliveryIndexAdaptivePrecisionRatio and ...MaxMillis, as in 1000:65536 (off)
            """;

    private double ratePerSecond;
    private Delays delays;
    private int subscriptions = 1;
    private long tickMillis = 1_000;
    private double share = 1;
    private int batch = 1;
    private int entriesPerLedger = Layout.USUAL_ENTRIES_PER_LEDGER;
    private long precisionMillis;
    private AdaptivePrecision adaptive = AdaptivePrecision.OFF;

    private SizingOptions() {
    }

    /** Throws an {@link IllegalArgumentException} that names the rule and the bad value. */
    static SizingOptions parse(String... arguments) {
        SizingOptions options = new SizingOptions();
        for (int i = 0; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException("option needs a value: " + arguments[i]);
            }
            options.take(arguments[i], arguments[i + 1]);
        }
        if (options.ratePerSecond == 0 || options.delays == null) {
            throw new IllegalArgumentException("--rate and --delay are required, as in --rate 1000 --delay uniform:600s");
        }
        return options;
    }

    private void take(String option, String value) {
        switch (option) {
            case "--rate" -> ratePerSecond = number(option, value, 1e-6, 1e9);
            case "--delay" -> delays = DelayParser.parse(value);
            case "--subscriptions" -> subscriptions = whole(option, value, 100_000);
            case "--tick" -> tickMillis = duration(option, value);
            case "--share" -> share = percent(option, value);
            case "--batch" -> batch = whole(option, value, 1_000_000);
            case "--entries-per-ledger" -> entriesPerLedger = whole(option, value, 100_000_000);
            case "--precision" -> precisionMillis = duration(option, value);
            case "--adaptive" -> adaptive = AdaptiveOption.parse(value);
            default -> throw new IllegalArgumentException("option must be one of --rate, --delay, --subscriptions, --tick, "
                    + "--share, --batch, --entries-per-ledger, --precision, --adaptive: " + option);
        }
    }

    private static double number(String option, String value, double least, double most) {
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            number = Double.NaN;
        }
        if (!(number >= least && number <= most)) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "%s must be a number from %s to %s: '%s'", option,
                    plain(least), plain(most), value));
        }
        return number;
    }

    private static int whole(String option, String value, int most) {
        double number = number(option, value, 1, most);
        if (number != Math.rint(number)) {
            throw new IllegalArgumentException(option + " must be a whole number: '" + value + "'");
        }
        return (int) number;
    }

    private static double percent(String option, String value) {
        if (!value.endsWith("%")) {
            throw new IllegalArgumentException(option + " must be a percentage, as in 1%: '" + value + "'");
        }
        return number(option, value.substring(0, value.length() - 1), 0.001, 100) / 100;
    }

    /** A duration; a bare number counts milliseconds, as in broker.conf. */
    private static long duration(String option, String value) {
        try {
            return DelayParser.millis(value.matches("[0-9]+") ? value + "ms" : value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.6f", number);
    }

    int subscriptions() {
        return subscriptions;
    }

    long tickMillis() {
        return tickMillis;
    }

    Delays delays() {
        return delays;
    }

    /** The precision, a power of two, as the tracker would use it. */
    long precisionMillis() {
        return Long.highestOneBit(precisionMillis == 0 ? tickMillis : precisionMillis);
    }

    AdaptivePrecision adaptive() {
        return adaptive;
    }

    /** The rules of rounding. Their tick is the precision, which says how times are rounded but not how widely. */
    TimeRules rules() {
        return AdaptiveOption.rules(precisionMillis(), precisionMillis(), adaptive);
    }

    Traffic traffic() {
        double perMilli = ratePerSecond / 1_000 * share / batch;
        return new Traffic(delays, perMilli, new Layout(share, entriesPerLedger, 0));
    }
}
