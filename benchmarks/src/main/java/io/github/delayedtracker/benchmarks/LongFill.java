/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A long fill of one time-bucket index with messages whose delays are uniform over ten minutes, one published each millisecond,
 * while a second thread seals. Then all of them are taken out. Prints how long adds took, pauses of the collector among them, and
 * the bytes that the index keeps.
 *
 * <pre>
 * java -Xmx1g -XX:+UseParallelGC -cp benchmarks/target/benchmarks.jar io.github.delayedtracker.benchmarks.LongFill 100000000
 * </pre>
 */
public final class LongFill {

    private static final int ENTRIES_OF_A_LEDGER = 50_000;
    private static final long DELAY_MILLIS = 600_000;
    private static final long PRECISION_MILLIS = 512;
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final int BATCH = 100;
    /** The tenths of a microsecond up to which adds are counted by their time; slower ones are counted together. */
    private static final int TENTHS = 1_000_000;

    private final long[] times = new long[TENTHS + 1];
    private long worstNanos;
    private long handedOut;

    private LongFill() {
    }

    /** Runs the fill of the class; the argument is the number of messages. */
    public static void main(String[] arguments) throws InterruptedException {
        new LongFill().run(Long.parseLong(arguments[0]));
    }

    private void run(long messages) throws InterruptedException {
        ExecutorService worker = Executors.newSingleThreadExecutor();
        DelayIndex index = new TimeBucketIndexProvider().newIndex();
        SplittableRandom random = new SplittableRandom(1);
        long begun = System.nanoTime();
        for (long i = 0; i < messages; i++) {
            long due = START_MILLIS + i + random.nextLong(DELAY_MILLIS) & -PRECISION_MILLIS;
            long before = System.nanoTime();
            index.add(due, i / ENTRIES_OF_A_LEDGER, i % ENTRIES_OF_A_LEDGER);
            index.takeWork().ifPresent(worker::execute);
            count(System.nanoTime() - before);
        }
        long fillNanos = System.nanoTime() - begun;
        worker.shutdown();
        worker.awaitTermination(1, TimeUnit.MINUTES);
        long bytes = index.retainedBytes();
        begun = System.nanoTime();
        while (index.takeDue(Long.MAX_VALUE - 1, BATCH, (ledgerId, entryId) -> handedOut++) > 0 || index.size() > 0) {
            index.tidy(1);
        }
        long drainNanos = System.nanoTime() - begun;
        print("%,d adds, %.0f ns each with the clock and the random number; p99.99 %.1f us, p99.999 %.1f us, worst %.1f ms%n",
                messages, (double) fillNanos / messages, quantileMicros(messages, 0.9999), quantileMicros(messages, 0.99999),
                worstNanos / 1e6);
        print("%,d bytes, %.2f a message; %,d handed out, %.0f ns each%n", bytes, (double) bytes / messages, handedOut,
                (double) drainNanos / messages);
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            print("%s: %d collections, %d ms%n", collector.getName(), collector.getCollectionCount(),
                    collector.getCollectionTime());
        }
    }

    private void count(long nanos) {
        times[(int) Math.min(TENTHS, nanos / 100)]++;
        worstNanos = Math.max(worstNanos, nanos);
    }

    private double quantileMicros(long messages, double quantile) {
        long beyond = (long) (messages * (1 - quantile));
        for (int tenths = TENTHS; tenths >= 0; tenths--) {
            beyond -= times[tenths];
            if (beyond < 0) {
                return tenths / 10.0;
            }
        }
        return 0;
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
