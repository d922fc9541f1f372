/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.BucketSettings;
import io.github.delayedtracker.bucket.chores.SomeServices;
import io.github.delayedtracker.bucket.chores.SomeSettings;
import io.github.delayedtracker.bucket.chores.TaskFailures;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The test whether subscriptions of the {@code bucket} backend wait for one among them. All but that one seal, load and hand out
 * at a steady rate, in real time, on one timer, one executor, one pool of threads and one storage of files. Meanwhile the one
 * takes turns: it does nothing; it seals and merges; it waits for a storage that does not answer it. The run prints how late the
 * others' messages were in each turn as a table in Markdown. The exit code is 1 if p99 was more than 1.2 times its value while
 * the one did nothing.
 *
 * <p>The rules are strict. With the tick of 1 ms lateness is the timer, the threads and the work, and no window; a broker's tick
 * is 1,000. A tail is sealed from 20 positions on and loaded 2 s ahead, so that the others seal and load all the time. Each round
 * begins with another turn, so that a machine that gets slower or faster does not decide.
 *
 * <p>System properties: {@code fairness.subscriptions}, {@code fairness.rate} (messages a second of each),
 * {@code fairness.seconds} of a turn, {@code fairness.rounds}, {@code fairness.flood} (messages a second of the one),
 * {@code fairness.tick} in ms.
 */
public final class FairnessRun {

    /** The turns of the one. */
    private enum Turn {
        QUIET("does nothing"), FLOOD("seals and merges"), HUNG("waits for its storage");

        private final String text;

        Turn(String text) {
            this.text = text;
        }
    }

    private static final double RULE = 1.2;
    private static final double LARGE_PART = 0.99;
    /** The part of the others' messages that has to be handed out at least. */
    private static final double PART = 0.95;
    private static final String ONE = "the-one";
    private static final int WORKING_THREADS = 4;
    private static final int DISPATCHERS = 2;
    private static final int LEAST_DELAY_MILLIS = 4_000;
    private static final int MOST_DELAY_MILLIS = 16_000;
    private static final int WARM_UP_SECONDS = 20;
    private static final int LEAVING_SECONDS = 30;
    private static final int FAR_MILLIS = 172_800_000;
    private static final int SPREAD_MILLIS = 600_000;
    private static final BucketSettings SETTINGS =
            new SomeSettings().ageSeal(20).sealAgeMillis(2_000).prefetchMillis(2_000).make();

    private final int subscriptions = Integer.getInteger("fairness.subscriptions", 1_000);
    private final int rate = Integer.getInteger("fairness.rate", 5);
    private final int seconds = Integer.getInteger("fairness.seconds", 5);
    private final int rounds = Integer.getInteger("fairness.rounds", 6);
    private final int flood = Integer.getInteger("fairness.flood", 100_000);
    private final long tickMillis = Long.getLong("fairness.tick", 1);
    private final TimeRules rules = new TimeRules(true, tickMillis, Long.highestOneBit(tickMillis));
    private final WallClock clock = new WallClock();
    private final TaskFailures failures = new TaskFailures();
    private final WheelTimer timer = new WheelTimer("fairness-timer", 1, System::nanoTime, failures);
    private final ExecutorService threads = daemons(WORKING_THREADS, "fairness-storage");
    private final ExecutorService worker = daemons(1, "fairness-worker");
    private final ExecutorService dispatcherOfOne = daemons(1, "fairness-one");
    private final List<FairSubscription> others = new ArrayList<>();
    private final Map<Turn, Lateness> lateness = new EnumMap<>(Turn.class);
    private final Map<Turn, Effort> effort = new EnumMap<>(Turn.class);
    private final Map<Turn, Long> doneByOne = new EnumMap<>(Turn.class);
    private final FileStorage storage;
    private final BucketServices services;
    private volatile boolean ended;

    private FairnessRun(Path folder) {
        storage = new FileStorage(folder);
        services = SomeServices.on(threads, timer, storage).wallMillis(clock::millis)
                .jitter(bound -> ThreadLocalRandom.current().nextLong(bound)).allocator(PooledByteBufAllocator.DEFAULT)
                .settings(SETTINGS).make();
        for (Turn turn : Turn.values()) {
            lateness.put(turn, new Lateness(2 * messages() / rounds));
        }
    }

    /** Runs the class as described above. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("fairness");
        boolean fair;
        try {
            fair = new FairnessRun(folder).run();
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        System.exit(fair ? 0 : 1);
    }

    private static ExecutorService daemons(int number, String name) {
        return Executors.newFixedThreadPool(number, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The number of messages of the others that fall due in all turns of a kind. */
    private int messages() {
        return (subscriptions - 1) * rate * seconds * rounds;
    }

    private boolean run() throws Exception {
        List<ExecutorService> dispatchers = Stream.generate(() -> daemons(1, "fairness-dispatcher")).limit(DISPATCHERS).toList();
        for (int i = 1; i < subscriptions; i++) {
            others.add(new FairSubscription("sub-" + i, services, rules, worker, dispatchers.get(i % DISPATCHERS), this::taken));
        }
        Thread offering = new Thread(this::offerToOthers, "fairness-offers");
        offering.setDaemon(true);
        offering.start();
        pause(WARM_UP_SECONDS);
        turn(Turn.FLOOD, false);
        turn(Turn.HUNG, false);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < Turn.values().length; i++) {
                turn(Turn.values()[(round + i) % Turn.values().length], true);
            }
        }
        ended = true;
        offering.join();
        others.forEach(FairSubscription::close);
        threads.shutdown();
        timer.close();
        threads.awaitTermination(LEAVING_SECONDS, TimeUnit.SECONDS);
        failures.mustBeNone();
        return report();
    }

    private static void pause(int seconds) {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (long left = untilNanos - System.nanoTime(); left > 0; left = untilNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void taken(long deliverAtMillis) {
        long lateMicros = clock.micros() - TimeUnit.MILLISECONDS.toMicros(deliverAtMillis);
        lateness.values().forEach(turn -> turn.count(lateMicros));
    }

    private void offerToOthers() {
        SplittableRandom random = new SplittableRandom(1);
        new Pace((long) others.size() * rate).run(() -> !ended, message -> others.get(random.nextInt(others.size()))
                .offer(clock.millis() + random.nextInt(LEAST_DELAY_MILLIS, MOST_DELAY_MILLIS)));
    }

    private void turn(Turn turn, boolean counts) throws Exception {
        FairSubscription one = new FairSubscription(ONE, services, rules, worker, dispatcherOfOne, null);
        SplittableRandom random = new SplittableRandom(2);
        if (turn == Turn.HUNG) {
            flood(one, 1, () -> random.nextInt(LEAST_DELAY_MILLIS, MOST_DELAY_MILLIS));
            storage.hang().begin(ONE);
        }
        Effort before = Effort.sofar();
        if (counts) {
            lateness.get(turn).begin();
        }
        if (turn == Turn.QUIET) {
            pause(seconds);
        } else {
            flood(one, seconds, () -> FAR_MILLIS + random.nextInt(SPREAD_MILLIS));
        }
        lateness.get(turn).end();
        if (counts) {
            effort.merge(turn, Effort.sofar().less(before), Effort::plus);
            doneByOne.merge(turn, one.figure("bucket_sealed_positions_total"), Long::sum);
        }
        System.err.printf(Locale.ROOT, "%s: %,d messages of the one, %d seals, %d merges; of the others %d seals, %d loads%n",
                turn, one.offered(), one.figure("bucket_seals_total"), one.figure("bucket_merges_total"),
                ofOthers("bucket_seals_total"), ofOthers("bucket_loads_total"));
        storage.hang().end();
        one.leave().get(LEAVING_SECONDS, TimeUnit.SECONDS);
        pause(1);
    }

    private void flood(FairSubscription one, int forSeconds, IntSupplier delayMillis) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(forSeconds);
        new Pace(flood).run(() -> System.nanoTime() < endNanos, message -> one.offer(clock.millis() + delayMillis.getAsInt()));
    }

    private long ofOthers(String figure) {
        return others.stream().mapToLong(other -> other.figure(figure)).sum();
    }

    private boolean report() {
        System.out.printf(Locale.ROOT, "%,d subscriptions, %d messages a second of each, tick %d ms,"
                + " %d x %d s of each turn, Java %d, %d processors%n%n| the one | positions it sealed"
                + " | messages of the others | late p50, ms | p99 | p99.9"
                + " | worst | p99 of each turn | p99, times | processors busy | in collections, ms a second |%n"
                + "|---|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|%n", subscriptions, rate, tickMillis, rounds,
                seconds, Runtime.version().feature(), Runtime.getRuntime().availableProcessors());
        double usual = lateness.get(Turn.QUIET).medianMillis(LARGE_PART);
        boolean fair = true;
        for (Turn turn : Turn.values()) {
            Lateness of = lateness.get(turn);
            double times = of.medianMillis(LARGE_PART) / usual;
            Effort used = effort.get(turn);
            double[] worst = of.quantileMillis(1);
            System.out.printf(Locale.ROOT, "| %s | %,d | %,d | %.2f | %.2f | %.2f | %.1f | %s | %.2f | %.2f | %.1f |%n",
                    turn.text, doneByOne.get(turn), of.messages(), of.medianMillis(0.5), of.medianMillis(LARGE_PART),
                    of.medianMillis(0.999), worst[worst.length - 1], Arrays.stream(of.quantileMillis(LARGE_PART))
                            .mapToObj(millis -> String.format(Locale.ROOT, "%.1f", millis)).collect(Collectors.joining(" ")),
                    times, used.processors(), (double) used.collectionMillis() * TimeUnit.SECONDS.toNanos(1) / used.nanos());
            fair &= times <= RULE && of.messages() >= PART * messages();
        }
        System.out.println(fair ? "\nNobody waits for the one."
                : "\nOthers wait for the one, or not all of their messages came.");
        return fair;
    }
}
