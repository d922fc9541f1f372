/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.bucket.storage.faults.Thrown;
import io.github.delayedtracker.timebucket.CutRule;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

/**
 * S2: whatever is thrown by whichever call of storage, record or allocator while a subscription seals, merges, recovers, loads
 * and clears up, that step alone fails, gives back what it held, and a later one does what it could not.
 */
class ErrorsAtEveryCallTest {

    private static final int SEAL = 20;
    private static final int SEALS = 5;
    private static final int POSITIONS = SEAL * SEALS;
    private static final long MINUTE_MILLIS = 60_000;
    private static final long FIRST_DUE_MILLIS = 200 * MINUTE_MILLIS;
    private static final BucketSettings SETTINGS = new SomeSettings().seal(SEAL).slice(7)
            .segments(CutRule.usual(7, 300_000)).make();
    /** With one attempt each failed call fails its step; with several it is made up for within. */
    private static final JobLimits ONE_ATTEMPT = limits(1);
    private static final JobLimits SOME_ATTEMPTS = limits(4);

    private static JobLimits limits(int attempts) {
        return new SomeLimits().backOffMillis(100, 1_000).mostAttempts(attempts).appendsUnderWay(3).deletesUnderWay(2)
                .make();
    }

    /** One broker with one subscription, which lives all of a life; one thread for all is the lock. */
    private static final class Life extends QuietHost {
        private final JobTime time = new JobTime(1);
        private final FaultyStorage storage = new FaultyStorage(1, new FaultRates(3, 0), time);
        private final StorageLife life = storage.newLife();
        private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
        private final ThrowingCalls calls;
        private final BucketServices services;
        private final Map<Long, Integer> handedOut = new HashMap<>();
        private long stepFailures;
        private SubscriptionBuckets buckets;

        Life(ThrowingCalls calls, JobLimits limits) {
            this.calls = calls;
            services = SomeServices.in(time, calls.storage(life.storage())).allocator(calls.allocator(memory))
                    .limits(limits).settings(SETTINGS).make();
        }

        private long figure(String name) {
            return buckets.samples().get("bucket_" + name);
        }

        private void open() {
            BucketKey key = new BucketKey("topic", "cursor", BucketKey.WHOLE);
            buckets = new SubscriptionBuckets(services, BucketOrigin.of(key,
                    () -> calls.catalogue(life.catalogue(key.topic(), key.cursor()))));
            buckets.start(this);
        }

        private void minutes(int count) {
            for (int i = 0; i < count; i++) {
                time.runUntil(time.nowMillis() + MINUTE_MILLIS);
                buckets.sweep();
            }
            time.runUntil(time.nowMillis() + MINUTE_MILLIS / 2);
        }

        private void add(long entryId) {
            buckets.index().add(FIRST_DUE_MILLIS + entryId * 7_919 % 100 * 6_000, 7, entryId);
            buckets.index().takeWork().ifPresent(Runnable::run);
        }

        /** What a broker does with entries of the backlog that the index does not know. */
        private void readAgain() {
            for (long entryId = 0; entryId < POSITIONS; entryId++) {
                if (!buckets.index().contains(7, entryId) && !handedOut.containsKey(entryId)) {
                    add(entryId);
                }
            }
        }

        private void live() {
            open();
            minutes(1);
            for (long entryId = 0; entryId < POSITIONS; entryId++) {
                add(entryId);
                if (entryId % SEAL == SEAL - 1) {
                    minutes(4);
                }
            }
            minutes(20);
            assertEquals(0, figure("recovering"), "it has recovered");
            assertEquals(0, figure("frozen_tails"), "no seal waits");
            assertEquals(SEALS, figure("seals_total"), "all are sealed");
            assertEquals(1, figure("merges_total"), "they are merged");
            assertEquals(POSITIONS, figure("sleeping_positions"), "all sleep");
            assertNothingHeld();
            count();
            buckets.close();
            minutes(5);
            life.reloadCursor("topic", "cursor");
            open();
            minutes(10);
            assertEquals(0, figure("recovering"), "it has recovered again");
            readAgain();
            assertEquals(POSITIONS, buckets.index().size(), "each is known once");
            while (time.nowMillis() < FIRST_DUE_MILLIS + 60 * MINUTE_MILLIS) {
                minutes(1);
                buckets.index().takeDue(time.nowMillis(), POSITIONS, (ledgerId, entryId) ->
                        handedOut.merge(entryId, 1, Integer::sum));
            }
            for (long entryId = 0; entryId < POSITIONS; entryId++) {
                assertEquals(1, handedOut.get(entryId), "handed out once: " + entryId);
            }
            minutes(10);
            assertEquals(0, figure("buckets"), "used up buckets are gone");
            count();
            buckets.close();
            minutes(5);
            assertNothingHeld();
            assertEquals(List.of(), storage.world().ledgerIds(), "no ledger is left");
        }

        private void count() {
            stepFailures += figure("seal_failures_total") + figure("load_failures_total") + figure("merge_failures_total")
                    + figure("record_failures_total");
        }

        private void assertNothingHeld() {
            assertEquals(0, life.callsUnderWay(), "calls under way");
            assertEquals(0, life.openReaders(), "open readers");
            assertEquals(0, life.openWriters(), "open writers");
            assertEquals(0, life.unreleasedBuffers(), "unreleased buffers");
            assertEquals(0, memory.metric().usedHeapMemory(), "bytes of buffers");
            assertEquals(0, services.samples().get("bucket_merges_under_way"), "places at the gate");
            assertEquals(0, services.samples().get("bucket_calls_under_way"), "turns of calls");
        }
    }

    private static List<String> cleanRun(JobLimits limits) {
        ThrowingCalls calls = new ThrowingCalls();
        Life life = new Life(calls, limits);
        life.live();
        assertEquals(0, life.stepFailures, "nothing fails by itself");
        return calls.names();
    }

    @Test
    void s2_oneThrowableAtAnyCallFailsThatStepAloneAndALaterOneMakesUpForIt() {
        List<String> clean = cleanRun(ONE_ATTEMPT);
        assertEquals(Set.of("CatalogueStore.readAll", "CatalogueStore.readStored", "CatalogueStore.put",
                "CatalogueStore.close", "SnapshotStorage.create", "SnapshotStorage.open", "SnapshotStorage.ownerOf",
                "SnapshotStorage.delete", "SnapshotWriter.append", "SnapshotWriter.close", "SnapshotReader.read",
                "SnapshotReader.close", "allocator"), new TreeSet<>(clean));
        Set<String> inTheStep = Set.of("CatalogueStore.put", "SnapshotStorage.create", "SnapshotWriter.append",
                "SnapshotWriter.close", "allocator");
        for (Thrown thrown : Thrown.values()) {
            for (int number = 0; number < clean.size(); number++) {
                Life life = run(ONE_ATTEMPT, clean, number, thrown);
                assertTrue(!inTheStep.contains(clean.get(number)) || life.stepFailures == 1,
                        thrown + " at call " + number + ", " + clean.get(number) + ": " + life.stepFailures + " steps failed");
            }
        }
    }

    @Test
    void s2_whereAStepHasSeveralAttemptsOneThrowableCostsAnAttempt() {
        List<String> clean = cleanRun(SOME_ATTEMPTS);
        for (int number = 0; number < clean.size(); number++) {
            Life life = run(SOME_ATTEMPTS, clean, number, Thrown.OUT_OF_DIRECT_MEMORY);
            assertTrue(life.stepFailures <= 1, "at call " + number + ", " + clean.get(number));
        }
    }

    /** A3. */
    @Test
    void a3_eachSealLoadMergeAndRecoveryThatSucceedsIsOneLineAtDebug() {
        List<String> lines = CapturedLog.of(ChoreLog.class, Level.DEBUG, () -> new Life(new ThrowingCalls(), ONE_ATTEMPT).live())
                .stream().filter(event -> event.getLevel().equals(Level.DEBUG))
                .map(event -> event.getMessage().getFormattedMessage()).toList();
        assertEquals(SEALS, lines.stream().filter(line -> line.matches(
                "\\[topic / cursor] Sealed ledger \\d+: 20 positions in \\d+ segments, \\d+ bytes, \\d+ ms")).count());
        assertEquals(1, lines.stream().filter(line -> line.matches(
                "\\[topic / cursor] Merged ledgers .* into \\d+: 80 positions in \\d+ segments, \\d+ bytes, \\d+ ms")).count());
        assertEquals(2, lines.stream().filter(line -> line.matches(
                "\\[topic / cursor] Recovered ledger \\d+: \\d+ positions asleep in \\d+ segments, \\d+ bytes, \\d+ ms"))
                .count());
        assertTrue(lines.stream().anyMatch(line -> line.matches(
                "\\[topic / cursor] Loaded segment \\d+ of ledger \\d+: \\d+ positions, \\d+ bytes, \\d+ ms")), lines::toString);
    }

    /** A3. */
    @Test
    void a3_eachChangeOfABucketsStateIsOneLineAtDebugWithItsReason() {
        List<String> lines = CapturedLog.of(ChoreLog.class, Level.DEBUG, () -> new Life(new ThrowingCalls(), ONE_ATTEMPT).live())
                .stream().map(event -> event.getMessage().getFormattedMessage()).filter(line -> line.contains(" went from "))
                .toList();
        Map<String, List<String>> byLedger = new TreeMap<>();
        Pattern form = Pattern.compile("\\[topic / cursor] Bucket (without a ledger|of ledger \\d+) went from (.*)");
        lines.stream().map(form::matcher).forEach(line -> {
            assertTrue(line.matches(), lines::toString);
            byLedger.computeIfAbsent(line.group(1), ledger -> new ArrayList<>()).add(line.group(2));
        });
        assertEquals(Collections.nCopies(SEALS, "OPEN to SEALING: COUNT"), byLedger.remove("without a ledger"));
        for (int source = 0; source < SEALS - 1; source++) {
            assertEquals(List.of("SEALING to SEALED: its positions have settled",
                    "SEALED to MERGING: one of [1000, 1001, 1002, 1003]", "MERGING to DELETING: merged into ledger 1004",
                    "DELETING to GONE: its ledger is deleted"), byLedger.remove("of ledger " + (1_000 + source)));
        }
        List<String> ends = List.of("SEALED to DELETING: nothing sleeps in it", "DELETING to GONE: its ledger is deleted");
        assertEquals(ends, byLedger.remove("of ledger 1004"));
        assertEquals(ends, byLedger.remove("of ledger 1005").subList(1, 3));
        assertEquals(Map.of(), byLedger);
    }

    private static Life run(JobLimits limits, List<String> clean, int number, Thrown thrown) {
        ThrowingCalls calls = new ThrowingCalls();
        calls.failAt(number, thrown);
        Life life = new Life(calls, limits);
        try {
            life.live();
        } catch (Throwable e) {
            throw new AssertionError(thrown + " at call " + number + " of " + clean.size() + ", " + clean.get(number) + ": "
                    + e.getMessage(), e);
        }
        assertTrue(calls.hasThrown(), () -> "call " + number + " was made");
        return life;
    }
}
