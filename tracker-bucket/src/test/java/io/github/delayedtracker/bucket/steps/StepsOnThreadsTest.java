/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.OpenSnapshot;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steps on real threads: storage, worker and timer each on their own, given up at any moment by another. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class StepsOnThreadsTest {

    private static final SnapshotSteps.Keep KEEP_ALL = (source, columns) -> {
        BitSet all = new BitSet();
        all.set(0, columns.count());
        return CompletableFuture.completedFuture(all);
    };
    private static final int ROUNDS = 600;
    private static final SegmentColumns COLUMNS = JobWorld.columns(1, 1_500, 1_000_000, 600_000);

    private final ExecutorService storageThreads = Executors.newFixedThreadPool(3);
    private final ExecutorService workers = Executors.newFixedThreadPool(3);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final WheelTimer timer = new WheelTimer("steps-test", 1, System::nanoTime, failures::add);
    private final ThreadedStorage storage = new ThreadedStorage(storageThreads);
    private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true, 1, 1, 8192, 3, 0, 0, false);
    private final Leftovers leftovers = new Leftovers();

    @AfterEach
    void end() {
        storageThreads.shutdownNow();
        workers.shutdownNow();
        timer.close();
        assertEquals(List.of(), List.copyOf(failures));
    }

    private Retries retries() {
        return new Retries(timer, workers, bound -> ThreadLocalRandom.current().nextLong(bound), JobLimits.DEFAULT,
                System::currentTimeMillis, System::currentTimeMillis);
    }

    private WriteSnapshot writes(Retries retries) {
        return new WriteSnapshot(storage, JobWorld.OWNER, JobWorld.RULE, retries, leftovers, allocator, () -> 1);
    }

    private ReadSnapshot reads(Retries retries) {
        return new ReadSnapshot(storage, JobWorld.OWNER, retries, new StockRanges());
    }

    /** Its value, or nothing if it was given up; nothing else may become of it. */
    private static <T> Optional<T> outcome(CompletableFuture<T> answer) {
        try {
            return Optional.of(answer.join());
        } catch (CompletionException e) {
            assertEquals(Kind.CLOSED, ((StorageException) e.getCause()).kind(), e.getCause().toString());
            return Optional.empty();
        }
    }

    private void assertNothingHeld() {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (storage.underWay.get() + storage.openHandles() + timer.armedCount() > 0) {
            assertTrue(System.nanoTime() < deadlineNanos, storage.underWay + " calls, " + storage.openHandles() + " handles, "
                    + timer.armedCount() + " timers");
            Thread.onSpinWait();
        }
        long active = allocator.metric().directArenas().stream().mapToLong(PoolArenaMetric::numActiveAllocations).sum();
        assertEquals(0, active, "buffers not given back to the pool");
    }

    private List<Long> ledgersThere() {
        return storage.ledgerIds().stream().sorted().toList();
    }

    @Test
    void whatIsNotGivenUpIsDone() {
        WriteSnapshot writes = writes(retries());
        ReadSnapshot reads = reads(retries());
        List<CompletableFuture<List<SegmentColumns>>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(writes.write(COLUMNS).thenCompose(written -> {
                List<CompletableFuture<SegmentColumns>> parts = new ArrayList<>();
                for (int part = 0; part < written.segments().size(); part++) {
                    parts.add(reads.segment(written.ledgerId(), written.segments(), part));
                }
                return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                        .thenApply(done -> parts.stream().map(CompletableFuture::join).toList());
            }));
        }
        for (CompletableFuture<List<SegmentColumns>> each : all) {
            assertEquals(JobWorld.map(List.of(COLUMNS)), JobWorld.map(each.join()));
        }
        assertNothingHeld();
    }

    @Test
    void aStepGivenUpAtAnyMomentEndsAndLeavesNothingButWhatTheLeftoversTell() {
        WrittenSnapshot source = writes(retries()).write(COLUMNS).join();
        int givenUp = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Retries retries = retries();
            CompletableFuture<WrittenSnapshot> written = writes(retries).write(COLUMNS);
            ReadSnapshot reads = reads(retries);
            CompletableFuture<OpenSnapshot> opened = reads.open(source.ledgerId());
            CompletableFuture<Optional<WrittenSnapshot>> merged =
                    new MergeSnapshots(writes(retries))
                            .merge(List.of(reads.segments(source.ledgerId(), source.segments())), KEEP_ALL,
                                    bytes -> Futures.DONE);
            int spins = ThreadLocalRandom.current().nextInt(1 + round * 100);
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            retries.abandon();
            givenUp += outcome(written).isEmpty() ? 1 : 0;
            outcome(opened).ifPresent(OpenSnapshot::close);
            givenUp += outcome(merged).isEmpty() ? 1 : 0;
        }
        assertNothingHeld();
        // A ledger is gone a moment before the leftovers hear of it.
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!ledgersThere().equals(leftovers.all()) && System.nanoTime() < deadlineNanos) {
            Thread.onSpinWait();
        }
        assertEquals(ledgersThere(), leftovers.all());
        assertTrue(givenUp > ROUNDS / 10, givenUp + " steps were given up");
    }
}
