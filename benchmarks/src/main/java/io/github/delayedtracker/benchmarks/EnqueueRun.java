/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of the enqueue experiment in a JVM of its own. After a warm-up requests arrive at random around a rate and are
 * enqueued. Another thread completes those that complete before their timeout, as exactly as it manages. Prints one line of
 * figures.
 */
final class EnqueueRun {

    static final long TIMEOUT_MILLIS = 200;
    private static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    private static final long SEED = 20_151_030;
    /** A quantile of the standard normal distribution: three quarters lie below. */
    private static final double UPPER_QUARTILE = 0.674_489_75;
    private static final double NANOS_PER_SECOND = 1e9;
    /** The warm-up, which lets the code be compiled before it is measured. */
    private static final int WARM_UP_REQUESTS = 100_000;
    private static final double WARM_UP_RATE = 40_000;

    private final DelayQueue<Completion> completions = new DelayQueue<>();
    private final EnqueueDesign design;

    private EnqueueRun(EnqueueDesign design) {
        this.design = design;
    }

    /** Takes the design, median and upper quartile of the time to completion in ms, requests, requests a second. */
    public static void main(String[] arguments) {
        double medianMillis = Double.parseDouble(arguments[1]);
        double sigma = Math.log(Double.parseDouble(arguments[2]) / medianMillis) / UPPER_QUARTILE;
        int requests = Integer.parseInt(arguments[3]);
        Random random = new Random(SEED);
        float[] completionNanos = new float[requests];
        for (int i = 0; i < requests; i++) {
            completionNanos[i] = (float) (medianMillis * 1e6 * Math.exp(sigma * random.nextGaussian()));
        }
        try (EnqueueDesign design = EnqueueDesign.open(arguments[0], TIMEOUT_MILLIS)) {
            EnqueueRun run = new EnqueueRun(design);
            EnqueueDesign.start("enqueue-completer", run::completeAll);
            run.run(gapNanos(random, WARM_UP_REQUESTS, WARM_UP_RATE), completionNanos);
            System.out.println(run.run(gapNanos(random, requests, Double.parseDouble(arguments[4])), completionNanos));
        }
    }

    private static float[] gapNanos(Random random, int requests, double perSecond) {
        float[] gapNanos = new float[requests];
        for (int i = 0; i < requests; i++) {
            gapNanos[i] = (float) (-Math.log(1 - random.nextDouble()) * NANOS_PER_SECOND / perSecond);
        }
        return gapNanos;
    }

    private String run(float[] gapNanos, float[] completionNanos) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long[] gcBefore = gcMillis();
        long cpuBefore = system.getProcessCpuTime();
        long start = System.nanoTime();
        double arrivalNanos = 0;
        int mostHeld = 0;
        for (int i = 0; i < gapNanos.length; i++) {
            arrivalNanos += gapNanos[i];
            long ahead = start + (long) arrivalNanos - System.nanoTime();
            if (ahead > 0) {
                LockSupport.parkNanos(ahead);
            }
            long now = System.nanoTime();
            EnqueueRequest request = new EnqueueRequest(now + TIMEOUT_NANOS);
            design.add(request);
            if (completionNanos[i] < TIMEOUT_NANOS) {
                completions.add(new Completion(request, now + (long) completionNanos[i]));
            }
            if (i % 1_000 == 0) {
                mostHeld = Math.max(mostHeld, design.heldByTimer());
            }
        }
        long elapsed = System.nanoTime() - start;
        long cpu = system.getProcessCpuTime() - cpuBefore;
        long[] gc = gcMillis();
        return String.format(Locale.ROOT, "%.0f,%.2f,%d,%d,%d", gapNanos.length / (elapsed / NANOS_PER_SECOND),
                (double) cpu / elapsed, gc[0] - gcBefore[0], gc[1] - gcBefore[1], mostHeld);
    }

    private void completeAll() {
        try {
            while (true) {
                design.complete(completions.take().request);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The time in collections of the young generation, and in others. */
    private static long[] gcMillis() {
        long[] millis = new long[2];
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            millis[collector.getName().contains("Young") ? 0 : 1] += collector.getCollectionTime();
        }
        return millis;
    }

    private static final class Completion implements Delayed {

        private final EnqueueRequest request;
        private final long atNanos;

        Completion(EnqueueRequest request, long atNanos) {
            this.request = request;
            this.atNanos = atNanos;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.signum(atNanos - ((Completion) other).atNanos);
        }
    }
}
