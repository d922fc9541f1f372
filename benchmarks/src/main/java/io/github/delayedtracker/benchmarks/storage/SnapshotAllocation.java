/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import com.sun.management.ThreadMXBean;
import io.github.delayedtracker.bucket.chores.SomeSettings;
import io.github.delayedtracker.bucket.chores.TaskFailures;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.SnapshotSteps;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * The cost of a snapshot of the same positions: ours, and that of the stock bucket tracker by its own classes and buffers. Prints
 * a table in Markdown: bytes allocated on the heap, collections in all runs, the most heap above that before, the most bytes of
 * buffers under way at a time, bytes of the snapshot.
 *
 * <pre>
 * java -Xmx1g -cp ... io.github.delayedtracker.benchmarks.storage.SnapshotAllocation     # or -Pstorage, docs/benchmarks.md
 * </pre>
 */
public final class SnapshotAllocation {

    /** The numbers of positions; stock's snapshots of them are 1 and 25 MiB. */
    private static final int[] POSITIONS = {64_000, 1_600_000};
    private static final int WARM = 5;
    private static final int RUNS = 10;
    private static final int ENTRIES_OF_A_LEDGER = 50_000;
    private static final long START_MILLIS = 1_700_000_000_000L;
    private static final long DELAY_MILLIS = 600_000;
    private static final long PRECISION_MILLIS = 512;

    /** One way to make a snapshot. */
    private interface Way {
        /** Takes the positions in, before any measurement. */
        void fill(long[] dueMillis) throws Exception;

        /** Makes the snapshot. */
        void write(LateStorage storage) throws Exception;
    }

    private SnapshotAllocation() {
    }

    /** Runs the class as described above. */
    public static void main(String[] arguments) throws Exception {
        System.out.println("| positions | by | allocated, MiB | B a position | collections in " + RUNS
                + " | most heap, MiB | buffers under way, MiB | snapshot, MiB |\n|---|---|---|---|---|---|---|---|");
        for (int positions : POSITIONS) {
            long[] dueMillis = new SplittableRandom(1).longs(positions, 0, DELAY_MILLIS).toArray();
            for (int i = 0; i < positions; i++) {
                dueMillis[i] = START_MILLIS + i + dueMillis[i] & -PRECISION_MILLIS;
            }
            measure(positions, "bucket", new Ours(), dueMillis);
            measure(positions, "stock 4.0.7", new Stock(), dueMillis);
        }
        System.exit(0);
    }

    private static void measure(int positions, String name, Way way, long[] dueMillis) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        long collections = 0;
        long mostHeap = 0;
        LateStorage last = null;
        for (int run = 0; run < WARM + RUNS; run++) {
            way.fill(dueMillis);
            last = new LateStorage();
            System.gc();
            long usedBefore = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
            long collectionsBefore = collections();
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            way.write(last);
            long after = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            if (run >= WARM) {
                allocated += after - before;
                collections += collections() - collectionsBefore;
                mostHeap = Math.max(mostHeap, peak() - usedBefore);
            }
        }
        double mib = 1 << 20;
        System.out.printf(Locale.ROOT, "| %,d | %s | %.2f | %.1f | %d | %.1f | %.3f | %.2f |%n", positions, name,
                allocated / mib / RUNS, (double) allocated / RUNS / positions, collections, mostHeap / mib,
                last.mostPendingBytes() / mib, last.bytes() / mib);
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }

    private static long peak() {
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType()
                == java.lang.management.MemoryType.HEAP).mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    }

    /** Our seal, from the columns that a frozen tail gives. */
    private static final class Ours implements Way {
        private SegmentColumns columns;

        @Override
        public void fill(long[] dueMillis) {
            int count = dueMillis.length;
            long[] ledgerIds = new long[count];
            long[] entryIds = new long[count];
            Arrays.setAll(ledgerIds, i -> i / ENTRIES_OF_A_LEDGER);
            Arrays.setAll(entryIds, i -> i % ENTRIES_OF_A_LEDGER);
            columns = new SegmentColumns(count, dueMillis, ledgerIds, entryIds);
        }

        @Override
        public void write(LateStorage storage) throws Exception {
            TaskFailures failures = new TaskFailures();
            WheelTimer timer = new WheelTimer("snapshots", 1, System::nanoTime, failures);
            Retries retries = new Retries(timer, Runnable::run, bound -> 0, JobLimits.DEFAULT, () -> START_MILLIS,
                    () -> System.nanoTime() / 1_000_000);
            CompletableFuture<?> written = new SnapshotSteps(storage.snapshots(),
                    new SnapshotOwner("topic", "cursor", START_MILLIS), SomeSettings.DEFAULT.segments(), new Leftovers(),
                    PooledByteBufAllocator.DEFAULT, () -> START_MILLIS, retries, retries, Optional.empty())
                    .write(columns);
            storage.answer();
            written.get();
            timer.close();
            failures.mustBeNone();
        }
    }

    /** The stock tracker's own classes, on a storage that makes the buffers its storage makes. */
    private static final class Stock implements Way {
        private StockSeal seal;

        @Override
        public void fill(long[] dueMillis) throws Exception {
            seal = new StockSeal();
            for (int i = 0; i < dueMillis.length; i++) {
                seal.add(i / ENTRIES_OF_A_LEDGER, i % ENTRIES_OF_A_LEDGER, dueMillis[i]);
            }
        }

        @Override
        public void write(LateStorage storage) throws Exception {
            seal.write(storage);
        }
    }
}
