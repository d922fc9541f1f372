/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Two days of mixed delays through one time-bucket index: 60 % by half an hour, 30 % up to an hour, 10 % up to a day. Half of
 * the messages are acknowledged before they are due, and a second thread does the work that calls pass on. The first day fills
 * the index with the given number of messages, calls of the second are measured. Prints how much CPU time each kind of call took.
 *
 * <pre>
 * java -Xms3g -Xmx3g -XX:+AlwaysPreTouch -XX:+UseParallelGC -cp benchmarks/target/benchmarks.jar \
 *     io.github.delayedtracker.benchmarks.LongDay 3000000
 * </pre>
 */
public final class LongDay {

    private static final String DELAYS = "mix:60%fixed:30m+30%uniform:1h+10%uniform:24h";
    private static final long DAY_MILLIS = 86_400_000;
    private static final long TICK_MILLIS = 1_000;
    private static final long PRECISION_MILLIS = 512;
    private static final double ACKED_SHARE = 0.5;
    /** Of the delay of a message acknowledged early, on average. */
    private static final double WAITED_SHARE = 0.5;
    private static final int BATCH = 100;
    private static final int TIDY_PER_CALL = 64;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final DelayIndex index = new TimeBucketIndexProvider().newIndex();
    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private final CallTimes adds = new CallTimes("add");
    private final CallTimes acks = new CallTimes("forget");
    private final CallTimes handOuts = new CallTimes("takeDue and tidy");
    private boolean counts;
    private long mostOutstanding;

    private LongDay() {
    }

    private record Ack(long atMillis, long ledgerId, long entryId) { }

    /** Runs the days of the class; the argument is the number of messages outstanding. */
    public static void main(String[] arguments) throws InterruptedException {
        new LongDay().run(Long.parseLong(arguments[0]));
    }

    private void run(long outstanding) throws InterruptedException {
        Delays delays = DelayParser.parse(DELAYS);
        double perMilli = outstanding / (delays.meanMillis() * (1 - ACKED_SHARE * (1 - WAITED_SHARE)));
        Traffic.Source source = new Traffic(delays, perMilli, Layout.DENSE).new Source(1);
        SplittableRandom random = new SplittableRandom(1);
        PriorityQueue<Ack> early = new PriorityQueue<>(Comparator.comparingLong(Ack::atMillis));
        source.next();
        for (long atMillis = 0; atMillis <= 2 * DAY_MILLIS; atMillis += TICK_MILLIS) {
            counts = atMillis > DAY_MILLIS;
            long nowMillis = Traffic.START_MILLIS + atMillis;
            while (source.publishMillis() <= nowMillis) {
                add(source);
                if (random.nextDouble() < ACKED_SHARE) {
                    long delayMillis = source.deliverAtMillis() - source.publishMillis();
                    early.add(new Ack(source.publishMillis() + (long) (delayMillis * random.nextDouble()), source.ledgerId(),
                            source.entryId()));
                }
                source.next();
            }
            while (!early.isEmpty() && early.peek().atMillis <= nowMillis) {
                Ack ack = early.remove();
                measure(acks, () -> index.forget(ack.ledgerId, ack.entryId));
            }
            handOut(nowMillis);
            mostOutstanding = Math.max(mostOutstanding, index.size());
        }
        worker.shutdown();
        worker.awaitTermination(1, TimeUnit.MINUTES);
        System.out.printf(Locale.ROOT, "%,d messages at most, %.2f B each%n", mostOutstanding,
                (double) index.retainedBytes() / index.size());
        adds.print();
        acks.print();
        handOuts.print();
    }

    private void add(Traffic.Source source) {
        long dueMillis = source.deliverAtMillis() & -PRECISION_MILLIS;
        measure(adds, () -> index.add(dueMillis, source.ledgerId(), source.entryId()));
    }

    private void handOut(long nowMillis) {
        while (index.nextDueMillis() <= nowMillis) {
            measure(handOuts, () -> {
                int taken = index.takeDue(nowMillis, BATCH, (ledgerId, entryId) -> { });
                index.tidy(TIDY_PER_CALL);
                return taken > 0;
            });
        }
    }

    private void measure(CallTimes times, BooleanSupplier call) {
        long before = counts ? threads.getCurrentThreadCpuTime() : 0;
        boolean unused = call.getAsBoolean();
        index.takeWork().ifPresent(worker::execute);
        if (counts) {
            times.add(threads.getCurrentThreadCpuTime() - before);
        }
    }
}
