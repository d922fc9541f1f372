/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import io.github.delayedtracker.bucket.chores.BucketKey;
import io.github.delayedtracker.bucket.chores.BucketOrigin;
import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.SomeServices;
import io.github.delayedtracker.bucket.chores.SubscriptionBuckets;
import io.github.delayedtracker.bucket.chores.TaskFailures;
import io.github.delayedtracker.bucket.storage.MapCatalogue;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A run of the {@code bucket} backend of one subscription through its storage interface, on files, with the delays of the
 * published test: two days and up to ten minutes. It prints the bytes kept in memory and in storage on the way, and how long
 * calls took under the subscription's lock while everything sealed and merged. It prints how long a restart takes, and hands out
 * the first 200,000.
 *
 * <p>System properties: {@code buckets.messages}; {@code buckets.spreadSeconds} instead of ten minutes; {@code buckets.rate},
 * adds a second. With a rate of 0 they go as fast as tails are sealed and merged, and garbage is collected for each line about
 * memory, so times are to be read from a run with a rate.
 */
public final class BucketRun {

    private static final int ENTRIES_OF_A_LEDGER = 50_000;
    private static final long DELAY_MILLIS = 172_800_000;
    private static final long USUAL_SPREAD_MILLIS = 600_000;
    private static final long SPREAD_MILLIS = 1_000 * Long.getLong("buckets.spreadSeconds", USUAL_SPREAD_MILLIS / 1_000);
    /** The quiet time after which all work counts as done: the first pass of a large merge only reads. */
    private static final long QUIET_SECONDS = 20;
    private static final int ADDS_A_MILLI = 100;
    private static final long PRECISION_MILLIS = 512;
    private static final int REPORTS = 10;
    private static final int BATCH = 100;
    private static final int MOST_BUCKETS = 50;
    private static final int MOST_TAIL = 40_000;
    private static final int HANDED_OUT = 200_000;
    private static final int THREADS = 4;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final long NANOS_A_SECOND = 1_000_000_000;
    private static final double MIB = 1 << 20;

    private final long messages;
    private final long rate;
    private final FileStorage storage;
    private final MapCatalogue catalogue = new MapCatalogue();
    private final AtomicLong skippedMillis = new AtomicLong();
    private final TaskFailures failures = new TaskFailures();
    private final WheelTimer timer = new WheelTimer("buckets-timer", 1, System::nanoTime, failures);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "buckets");
        thread.setDaemon(true);
        return thread;
    });
    private final BucketServices services;
    private SubscriptionBuckets buckets;
    private LockedHost host;
    private long handedOut;

    private BucketRun(long messages, long rate, Path folder) {
        this.messages = messages;
        this.rate = rate;
        storage = new FileStorage(folder);
        services = SomeServices.on(threads, timer, storage)
                .wallMillis(() -> System.currentTimeMillis() + skippedMillis.get())
                .jitter(bound -> ThreadLocalRandom.current().nextLong(bound))
                .allocator(PooledByteBufAllocator.DEFAULT).make();
    }

    /** Runs the class as described above. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("buckets");
        BucketRun run = new BucketRun(Long.getLong("buckets.messages", 10_000_000), Long.getLong("buckets.rate", 0), folder);
        try {
            run.run();
        } finally {
            run.end();
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        System.exit(0);
    }

    private void run() {
        open();
        fill();
        settle();
        report(messages, "settled");
        CallTimes background = host.background();
        print("%nBackground work under the lock: %,d times, p99 %.3f ms, p99.9 %.3f ms, worst %.2f ms%n", background.calls(),
                background.quantileMillis(0.99), background.quantileMillis(0.999), background.worstMillis());
        recover();
        handOut();
        failures.mustBeNone();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            print("%s: %d collections, %d ms%n", collector.getName(), collector.getCollectionCount(),
                    collector.getCollectionTime());
        }
    }

    /** Ends the work that would still write and delete files. */
    private void end() throws InterruptedException {
        buckets.close().join();
        threads.shutdownNow();
        if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the work in the background does not end");
        }
    }

    private void open() {
        host = new LockedHost();
        BucketKey key = new BucketKey("public/default/persistent/measured", "sub", BucketKey.WHOLE);
        buckets = new SubscriptionBuckets(services, BucketOrigin.of(key, () -> catalogue));
        buckets.start(host);
    }

    private void fill() {
        print("| messages | index, MiB | B a message | heap, MiB | buckets | in storage, B a message | written | record |%n"
                + "|---|---|---|---|---|---|---|---|%n");
        CallTimes adds = new CallTimes();
        SplittableRandom random = new SplittableRandom(1);
        DelayIndex index = buckets.index();
        long startMillis = services.wallMillis().getAsLong();
        long begun = System.nanoTime();
        for (long i = 0; i < messages; i++) {
            pace(i, begun);
            long due = startMillis + i / ADDS_A_MILLI + DELAY_MILLIS + random.nextLong(SPREAD_MILLIS) & -PRECISION_MILLIS;
            long ledgerId = i / ENTRIES_OF_A_LEDGER;
            long entryId = i % ENTRIES_OF_A_LEDGER;
            long before = System.nanoTime();
            Runnable work = host.call(() -> {
                index.add(due, ledgerId, entryId);
                return index.takeWork().orElse(null);
            });
            adds.count(System.nanoTime() - before);
            if (work != null) {
                threads.execute(work);
            }
            if (rate == 0 && (i + 1) % (messages / REPORTS) == 0) {
                report(i + 1, "");
            }
        }
        print("%n%,d adds in %.1f s; a call p99 %.4f ms, p99.9 %.4f ms, p99.99 %.3f ms, worst %.2f ms%n", messages,
                (System.nanoTime() - begun) / 1e9, adds.quantileMillis(0.99), adds.quantileMillis(0.999),
                adds.quantileMillis(0.9999), adds.worstMillis());
    }

    /** Keeps to the rate. Without one it waits while a long tail is to be sealed, or many buckets wait to be merged. */
    private void pace(long i, long begun) {
        if (rate > 0) {
            while (i * NANOS_A_SECOND / rate > System.nanoTime() - begun) {
                Thread.onSpinWait();
            }
        } else if (i % BATCH == 0) {
            while (host.call(() -> buckets.index().size()) - figure("bucket_sleeping_positions") > MOST_TAIL
                    || figure("bucket_buckets") > MOST_BUCKETS) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private long figure(String name) {
        return buckets.samples().get(name);
    }

    /** Waits until everything is sealed but positions too few for a ledger, and nothing more is merged. */
    private void settle() {
        long doneAt = Long.MAX_VALUE;
        long written = -1;
        while (System.nanoTime() < doneAt) {
            LockSupport.parkNanos(PAUSE_NANOS);
            boolean settled = host.call(() -> buckets.index().size()) - figure("bucket_sleeping_positions")
                    < services.settings().ageSealPositions();
            if (storage.writtenBytes() != written || !settled) {
                written = storage.writtenBytes();
                doneAt = System.nanoTime() + QUIET_SECONDS * NANOS_A_SECOND;
            }
        }
    }

    private void report(long added, String note) {
        System.gc();
        long bytes = host.call(() -> buckets.index().retainedBytes());
        Runtime runtime = Runtime.getRuntime();
        print("| %,d %s | %.2f | %.4f | %.1f | %d | %.3f | %.3f | %d |%n", added, note, bytes / MIB, (double) bytes / added,
                (runtime.totalMemory() - runtime.freeMemory()) / MIB, figure("bucket_buckets"),
                (double) storage.storedBytes() / added, (double) storage.writtenBytes() / added, catalogue.longest());
    }

    private void recover() {
        long before = host.call(() -> buckets.index().size());
        buckets.close();
        open();
        long begun = System.nanoTime();
        while (figure("bucket_recovering") != 0 || figure("bucket_recovery_millis") == 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        long after = host.call(() -> buckets.index().size());
        print("Restart: %,d of %,d positions are back after %.2f s, index %.2f MiB%n", after, before,
                (System.nanoTime() - begun) / 1e9, host.call(() -> buckets.index().retainedBytes()) / MIB);
    }

    /** Moves the clock on by two days and takes the due positions. */
    private void handOut() {
        CallTimes calls = new CallTimes();
        long begun = System.nanoTime();
        skippedMillis.addAndGet(DELAY_MILLIS);
        buckets.sweep();
        // Of a wider spread, the part due in ten minutes.
        long wanted = Math.min(HANDED_OUT, host.call(() -> buckets.index().size()) * USUAL_SPREAD_MILLIS / SPREAD_MILLIS);
        long busy = 0;
        while (handedOut < wanted) {
            long before = System.nanoTime();
            int taken = host.call(() -> buckets.index().takeDue(services.wallMillis().getAsLong(), BATCH, (l, e) -> handedOut++));
            long nanos = System.nanoTime() - before;
            calls.count(nanos);
            busy += taken > 0 ? nanos : 0;
            if (taken == 0) {
                // The wake-up of a broker, and its minute to the next look, are skipped.
                skippedMillis.addAndGet(10);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        print("Handed out %,d in %.1f s, %.0f ns each under the lock; a call p99 %.3f ms, p99.9 %.3f ms, worst %.2f ms%n",
                handedOut, (System.nanoTime() - begun) / 1e9, (double) busy / handedOut, calls.quantileMillis(0.99),
                calls.quantileMillis(0.999), calls.worstMillis());
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
