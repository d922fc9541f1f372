/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The message streams that are measured. Positions are consecutive with 50,000 entries in a ledger and one message is
 * published each millisecond unless the name says otherwise. A stream depends on nothing but its workload and length.
 */
public enum Workload {
    /** Each message is delayed by 600 s. */
    FIXED("fixed"),
    /** The same, 4 messages published each millisecond. */
    FIXED_4("fixed 4/ms"),
    /** The same, 8 messages published each millisecond. */
    FIXED_8("fixed 8/ms"),
    /** 600 s with normal jitter of 50 ms. */
    FIXED_JITTER("fixed + 50 ms jitter"),
    /** Uniform over 600 s. */
    UNIFORM_600S("uniform600s"),
    /** Uniform over a day. */
    UNIFORM_1D("uniform1d"),
    /** Uniform over 30 days. */
    UNIFORM_30D("uniform30d"),
    /** 18 delays from 1 s to 2 h, Zipf with exponent 1. */
    MENU_18("menu18"),
    /** 12 equally frequent delays from 1 s, doubling, plus 0 to 1 s. */
    BACKOFF_12("backoff12"),
    /** Uniform over 600 s, only 1 % of the entries is delayed. */
    SPARSE_600S("1 % delayed, uniform600s"),
    /** Uniform over 30 days, only 1 % of the entries is delayed. */
    SPARSE_30D("1 % delayed, uniform30d"),
    /** One message in a ledger, uniform over 600 s. */
    ONE_PER_LEDGER("one per ledger"),
    /** Due times in order, 1024 ms apart. */
    ONE_PER_BUCKET("one per bucket"),
    /** One message in a ledger, uniform over 2^40 ms. */
    RANDOM("random 2^40"),
    /** 60 % delayed by 30 minutes, 30 % uniform over a day, 10 % uniform over 30 days. */
    MIXED("mixed 60/30/10");

    /** When the first message is published; every due time lies more than a tick after the start of the clock. */
    static final long START_MILLIS = 1_750_000_000_000L;
    private static final long ENTRIES_PER_LEDGER = 50_000;
    private static final long SECOND = 1_000;
    private static final long DAY = 86_400 * SECOND;
    private static final long[] MENU_SECONDS =
        {1, 5, 10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200};
    private static final double MENU_WEIGHT = menuWeight();

    private final String label;

    Workload(String label) {
        this.label = label;
    }

    /** The name in options and tables. */
    public String label() {
        return label;
    }

    /** The workload of that name. */
    public static Workload of(String label) {
        return Stream.of(values()).filter(workload -> workload.label.equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("workload must be one of "
                        + Stream.of(values()).map(Workload::label).toList() + ": " + label));
    }

    /** The stream: as many messages as asked for, in the order of their publication. */
    public Messages messages(int count) {
        Messages messages = new Messages(count);
        SplittableRandom random = new SplittableRandom(label.hashCode());
        long entry = 0;
        long ledger = 1_000;
        for (int i = 0; i < count; i++) {
            if (this == ONE_PER_LEDGER || this == RANDOM) {
                ledger += 1 + random.nextLong(this == RANDOM ? 1999 : 19);
                messages.set(i, ledger, random.nextLong(ENTRIES_PER_LEDGER), publishMillis(i) + delayMillis(i, random));
            } else {
                entry += this == SPARSE_600S || this == SPARSE_30D ? 1 + random.nextLong(199) : 1;
                // Of a sparse stream the plain messages take their share of the time as well.
                long publishMillis = this == SPARSE_600S || this == SPARSE_30D ? START_MILLIS + entry : publishMillis(i);
                messages.set(i, ledger + entry / ENTRIES_PER_LEDGER, entry % ENTRIES_PER_LEDGER,
                        publishMillis + delayMillis(i, random));
            }
        }
        return messages;
    }

    private long publishMillis(int i) {
        return START_MILLIS + (this == FIXED_4 ? i / 4 : this == FIXED_8 ? i / 8 : i);
    }

    private long delayMillis(int i, SplittableRandom random) {
        return switch (this) {
            case FIXED, FIXED_4, FIXED_8 -> 600 * SECOND;
            case FIXED_JITTER -> 600 * SECOND + Math.round(50 * normal(random));
            case UNIFORM_600S, SPARSE_600S, ONE_PER_LEDGER -> random.nextLong(600 * SECOND);
            case UNIFORM_1D -> random.nextLong(DAY);
            case UNIFORM_30D, SPARSE_30D -> random.nextLong(30 * DAY);
            case MENU_18 -> menuDelayMillis(random);
            case BACKOFF_12 -> (SECOND << random.nextInt(12)) + random.nextLong(SECOND);
            case ONE_PER_BUCKET -> 600 * SECOND + i * 1023L;
            case RANDOM -> random.nextLong(1L << 40);
            case MIXED -> mixedDelayMillis(random);
        };
    }

    private static long mixedDelayMillis(SplittableRandom random) {
        int share = random.nextInt(10);
        return share < 6 ? 1800 * SECOND : random.nextLong(share < 9 ? DAY : 30 * DAY);
    }

    private static double menuWeight() {
        double sum = 0;
        for (int i = 0; i < MENU_SECONDS.length; i++) {
            sum += 1.0 / (i + 1);
        }
        return sum;
    }

    private static long menuDelayMillis(SplittableRandom random) {
        double left = random.nextDouble() * MENU_WEIGHT;
        int i = 0;
        while (i < MENU_SECONDS.length - 1 && left >= 1.0 / (i + 1)) {
            left -= 1.0 / (i + 1);
            i++;
        }
        return MENU_SECONDS[i] * SECOND;
    }

    private static double normal(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
