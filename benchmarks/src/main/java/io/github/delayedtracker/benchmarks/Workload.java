/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.TimeRules;
import java.util.List;
import java.util.stream.Stream;

/**
 * The message streams that are measured. Every entry is delayed, with 50,000 entries in a ledger, and one message is
 * published each millisecond unless the name says otherwise. Messages come at an even rate and in order unless the name says
 * otherwise. A stream depends on nothing but its workload and length.
 */
@SuppressWarnings("ImmutableEnumChecker")
public enum Workload {
    /** Each message is delayed by 600 s. */
    FIXED("fixed", Constants.FIXED, 1, Layout.DENSE),
    /** The same, 4 messages published each millisecond. */
    FIXED_4("fixed 4/ms", Constants.FIXED, 4, Layout.DENSE),
    /** The same, 8 messages published each millisecond. */
    FIXED_8("fixed 8/ms", Constants.FIXED, 8, Layout.DENSE),
    /** The same, one message a second. */
    FIXED_SLOW("fixed 1/s", Constants.FIXED, Constants.SLOW, Layout.DENSE),
    /** 600 s with normal jitter of 50 ms. */
    FIXED_JITTER("fixed + 50 ms jitter", Constants.FIXED.withJitter(50), 1, Layout.DENSE),
    /** Uniform over 600 s. */
    UNIFORM_600S("uniform600s", Constants.UNIFORM_600S, 1, Layout.DENSE),
    /** The same, one message a second. */
    UNIFORM_600S_SLOW("uniform600s 1/s", Constants.UNIFORM_600S, Constants.SLOW, Layout.DENSE),
    /** Uniform over a day. */
    UNIFORM_1D("uniform1d", Delays.uniform(0, Constants.DAY), 1, Layout.DENSE),
    /** Uniform over 30 days. */
    UNIFORM_30D("uniform30d", Constants.UNIFORM_30D, 1, Layout.DENSE),
    /** The same, one message a second. */
    UNIFORM_30D_SLOW("uniform30d 1/s", Constants.UNIFORM_30D, Constants.SLOW, Layout.DENSE),
    /** 18 delays from 1 s to 2 h, Zipf with exponent 1. */
    MENU_18("menu18", Constants.MENU, 1, Layout.DENSE),
    /** The same, one message a second. */
    MENU_18_SLOW("menu18 1/s", Constants.MENU, Constants.SLOW, Layout.DENSE),
    /** 12 equally frequent delays from 1 s, doubling, plus 0 to 1 s. */
    BACKOFF_12("backoff12", Constants.BACKOFF, 1, Layout.DENSE),
    /** The same, one message a second. */
    BACKOFF_12_SLOW("backoff12 1/s", Constants.BACKOFF, Constants.SLOW, Layout.DENSE),
    /** Uniform over 600 s; only 1 % of the entries is delayed, and one entry is published each millisecond. */
    SPARSE_600S("1 % delayed, uniform600s", Constants.UNIFORM_600S, 0.01, Layout.share(0.01)),
    /** Uniform over 30 days; only 1 % of the entries is delayed, and one entry is published each millisecond. */
    SPARSE_30D("1 % delayed, uniform30d", Constants.UNIFORM_30D, 0.01, Layout.share(0.01)),
    /** One message in a ledger, uniform over 600 s. */
    ONE_PER_LEDGER("one per ledger", Constants.UNIFORM_600S, 1, Layout.onePerLedger(10)),
    /** Due times in order, 1024 ms apart. */
    ONE_PER_BUCKET("one per bucket", Constants.FIXED.withStep(1_023), 1, Layout.DENSE),
    /** One message in a ledger, uniform over 2^40 ms. */
    RANDOM("random 2^40", Delays.uniform(0, 1L << 40), 1, Layout.onePerLedger(1_000)),
    /** 60 % delayed by 30 minutes, 30 % uniform over a day, 10 % uniform over 30 days. */
    MIXED("mixed 60/30/10", Constants.MIXED, 1, Layout.DENSE),
    /** The same, one message a second. */
    MIXED_SLOW("mixed 60/30/10 1/s", Constants.MIXED, Constants.SLOW, Layout.DENSE),
    /** Each message is delayed by 600 s; they come at random moments, a thousand a second. */
    FIXED_RANDOM("fixed, random arrivals", new Traffic(Constants.FIXED, 1, Layout.DENSE, Arrivals.RANDOM)),
    /** The same, one message a second. */
    FIXED_SLOW_RANDOM("fixed 1/s, random arrivals", new Traffic(Constants.FIXED, Constants.SLOW, Layout.DENSE, Arrivals.RANDOM)),
    /** Uniform over 600 s, 10,000 messages at 1 a millisecond and 10,000 at 5 a second by turns. */
    PHASES("uniform600s, phases", new Traffic(Constants.UNIFORM_600S, 0.01, Layout.DENSE, Arrivals.PHASES)),
    /** Uniform over 600 s, but one in 10,000 is due in a million years. */
    OUTLIERS("uniform600s, outliers", Constants.OUTLIERS, 1, Layout.DENSE),
    /** Each message is delayed by 600 s, but one in 10,000 by 601 to 1,200; one message a second. */
    FIXED_SLOW_OUTLIERS("fixed 1/s, outliers", Constants.FIXED_OUTLIERS, Constants.SLOW, Layout.DENSE),
    /** Uniform over 600 s; one in a hundred is met behind up to 2,000 later ones. */
    LATE_1("uniform600s, 1 % late", new Traffic(Constants.UNIFORM_600S, 1, Layout.DENSE, Arrivals.late(0.01))),
    /** The same with all of them. */
    LATE_ALL("uniform600s, all late", new Traffic(Constants.UNIFORM_600S, 1, Layout.DENSE, Arrivals.late(1))),
    /** One message in a ledger, each of them met behind up to 2,000 later ones. */
    LATE_LEDGERS("one per ledger, all late",
            new Traffic(Constants.UNIFORM_600S, 1, Layout.onePerLedger(10), Arrivals.late(1))),
    /** One message in a ledger, whose ids are a thousand million apart. */
    WIDE_IDS("one per ledger, wide ids", Constants.UNIFORM_600S, 1, Layout.onePerLedger(1_000_000_000));

    private final String label;
    private final Traffic traffic;

    Workload(String label, Delays delays, double perMilli, Layout layout) {
        this(label, new Traffic(delays, perMilli, layout));
    }

    Workload(String label, Traffic traffic) {
        this.label = label;
        this.traffic = traffic;
    }

    /** The name in options and tables. */
    public String label() {
        return label;
    }

    Traffic traffic() {
        return traffic;
    }

    /** The workload of that name. */
    public static Workload of(String label) {
        return Stream.of(values()).filter(workload -> workload.label.equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("workload must be one of "
                        + Stream.of(values()).map(Workload::label).toList() + ": " + label));
    }

    /** The stream: that number of messages, in the order of their publication. */
    Messages messages(int count) {
        return traffic.messages(count, label.hashCode());
    }

    /** The same stream with the times that an index keeps of it. */
    Messages messages(int count, TimeRules rules) {
        return traffic.messages(count, label.hashCode(), rules);
    }

    /** The fewest bytes a message with which the stream can be told, at a precision. */
    double boundBytes(long precisionMillis) {
        return InformationBound.bits(traffic, precisionMillis) / Byte.SIZE;
    }

    private static final class Constants {
        static final double SLOW = 0.001;
        static final long SECOND = 1_000;
        static final long DAY = 86_400 * SECOND;
        static final Delays FIXED = Delays.fixed(600 * SECOND);
        static final Delays UNIFORM_600S = Delays.uniform(0, 600 * SECOND);
        static final Delays UNIFORM_30D = Delays.uniform(0, 30 * DAY);
        static final Delays BACKOFF = Delays.backoff(SECOND, 12);
        static final Delays MENU = menu(1, 5, 10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200);
        static final Delays OUTLIERS = Delays.mix(List.of(UNIFORM_600S, Delays.fixed(1L << 55)), List.of(9_999.0, 1.0));
        static final Delays FIXED_OUTLIERS =
                Delays.mix(List.of(FIXED, Delays.uniform(601 * SECOND, 1_201 * SECOND)), List.of(9_999.0, 1.0));
        static final Delays MIXED = DelayParser.parse("mix:60%fixed:30m+30%uniform:1d+10%uniform:30d");

        private static Delays menu(long... seconds) {
            long[] millis = new long[seconds.length];
            double[] weights = new double[seconds.length];
            for (int i = 0; i < seconds.length; i++) {
                millis[i] = seconds[i] * SECOND;
                weights[i] = 1.0 / (i + 1);
            }
            return Delays.menu(millis, weights);
        }
    }
}
