/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.SomeBroker.Subscription;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B3 (S7): what becomes of updates of the record when a topic is unloaded. */
class ClosingTest {

    private static final String CURSOR = "cursor";
    private static final int SEAL = 20_000;
    private static final long FAR_MILLIS = 3_600_000_000L;
    private static final long LONG_MILLIS = 600_000;

    private final JobTime time = new JobTime(1);
    private final FaultyStorage storage = new FaultyStorage(1, new FaultRates(20, 0), time);
    private final StorageLife life = storage.newLife();
    private final Subscription one =
            new SomeBroker(time, life).open(CURSOR);

    private void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    private long putsBegun() {
        return Arrays.stream(Fault.Kind.values()).mapToLong(kind -> storage.counts().of(Operation.PUT, kind)).sum();
    }

    /** Until the first update of the record after that many is under way. */
    private void runUntilAPutBegins() {
        long before = putsBegun();
        while (putsBegun() == before) {
            time.run(1);
        }
    }

    @Test
    @DisplayName("B3: a seal that ends after the close is not recorded, nor is what it would have dropped")
    void aRoundUnderWayWritesNoRecordAfterClose() {
        run(1_000);
        one.add(SEAL, FAR_MILLIS);
        run(10_000);
        one.acknowledgeAll();
        storage.onCall(Operation.APPEND, CURSOR, 2, Fault.answerLate(10_000));
        one.add(SEAL, FAR_MILLIS);
        run(500);
        long before = putsBegun();
        assertTrue(one.buckets().close().isDone(), "nothing was under way that the cursor has to wait for");
        run(LONG_MILLIS);
        assertEquals(before, putsBegun());
    }

    @Test
    @DisplayName("B3: an update that fails is not tried again after close")
    void retriesEndWithTheClose() {
        run(1_000);
        storage.onEvery(Operation.PUT, CURSOR, Fault.failBefore(Kind.UNAVAILABLE));
        one.add(SEAL, FAR_MILLIS);
        runUntilAPutBegins();
        run(60);
        long before = putsBegun();
        CompletableFuture<Void> closed = one.buckets().close();
        run(LONG_MILLIS);
        assertEquals(before, putsBegun());
        assertTrue(closed.isDone() && !closed.isCompletedExceptionally());
    }

    @Test
    @DisplayName("B3: a round that waits for its turn writes nothing after close")
    void aQueuedRoundDoesNotBegin() {
        run(1_000);
        one.add(SEAL, FAR_MILLIS);
        one.buckets().sweep();
        long before = putsBegun();
        assertTrue(one.buckets().close().isDone());
        run(LONG_MILLIS);
        assertEquals(before, putsBegun());
    }

    @Test
    @DisplayName("B3: the close ends with the update that was under way")
    void closeWaitsForTheUpdateUnderWay() {
        run(1_000);
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.answerLate(1_500));
        one.add(SEAL, FAR_MILLIS);
        runUntilAPutBegins();
        long beganMillis = time.nowMillis();
        CompletableFuture<Void> closed = one.buckets().close();
        assertFalse(closed.isDone(), "the record is being written");
        while (!closed.isDone()) {
            time.run(1);
        }
        assertTrue(time.nowMillis() >= beganMillis + 1_500, "answered before the update did");
        assertTrue(time.nowMillis() < beganMillis + SubscriptionBuckets.CLOSE_MILLIS, "answered by the deadline");
        assertEquals(0, life.callsUnderWay());
    }

    @Test
    @DisplayName("B3: the close ends well in bounded time though the update under way never answers")
    void closeDoesNotWaitForEver() {
        run(1_000);
        storage.onCall(Operation.PUT, CURSOR, 1, Fault.hangBefore());
        one.add(SEAL, FAR_MILLIS);
        runUntilAPutBegins();
        CompletableFuture<Void> closed = one.buckets().close();
        run(SubscriptionBuckets.CLOSE_MILLIS - 1);
        assertFalse(closed.isDone());
        run(1);
        assertTrue(closed.isDone() && !closed.isCompletedExceptionally());
        run(LONG_MILLIS);
        assertEquals(0, time.armedCount(), "nothing waits any longer");
    }

    @Test
    @DisplayName("B3: a snapshot that is complete by the close, and named by no record, is deleted")
    void whatIsWrittenAndNotRecordedIsDeleted() {
        run(1_000);
        one.add(SEAL, FAR_MILLIS);
        while (storage.counts().of(Operation.CLOSE_WRITER, Fault.Kind.NONE) == 0 || life.callsUnderWay() > 0) {
            time.run(1);
        }
        assertEquals(0, putsBegun(), "the record is to be written next");
        assertEquals(1, storage.world().ledgerIds().size());
        assertTrue(one.buckets().close().isDone());
        run(LONG_MILLIS);
        assertEquals(List.of(), storage.world().ledgerIds());
        assertEquals(0, putsBegun());
    }

    @Test
    @DisplayName("B3: closing while everything stored is being deleted writes no record either")
    void aClearUnderWayRemovesNoRecordAfterClose() {
        run(1_000);
        one.add(SEAL, FAR_MILLIS);
        run(10_000);
        storage.onEvery(Operation.DELETE, CURSOR, Fault.answerLate(1_000));
        CompletableFuture<Void> cleared = one.buckets().clear();
        run(100);
        CompletableFuture<Void> closed = one.buckets().close();
        long before = removalsBegun();
        run(LONG_MILLIS);
        assertEquals(before, removalsBegun());
        assertTrue(cleared.isDone() && !cleared.isCompletedExceptionally());
        assertTrue(closed.isDone() && !closed.isCompletedExceptionally());
    }

    private long removalsBegun() {
        return Arrays.stream(Fault.Kind.values()).mapToLong(kind -> storage.counts().of(Operation.REMOVE, kind)).sum();
    }

    /** The close of a tracker that is recording a seal, which takes a second and a half. */
    private CompletableFuture<Void> closeWhileRecording(SomeBroker broker) {
        Subscription old = broker.open("switched");
        run(1_000);
        storage.onCall(Operation.PUT, "switched", 1, Fault.answerLate(1_500));
        old.add(SEAL, FAR_MILLIS);
        runUntilAPutBegins();
        return old.buckets().close();
    }

    @Test
    @DisplayName("B3: the next tracker of the cursor reads the record after the last one's update has ended")
    void whoComesNextFindsWhatWasUnderWay() {
        SomeBroker broker = new SomeBroker(time, life);
        CompletableFuture<Void> closed = closeWhileRecording(broker);
        Subscription next = broker.open("switched");
        run(60_000);
        assertTrue(closed.isDone());
        assertEquals(SEAL, next.figure("sleeping_positions"), "what was sealed belongs to the next");
    }

    @Test
    @DisplayName("B3: the close of the next tracker waits for the last one's update, which keeps the cursor from its position")
    void whoComesNextWaitsForWhatWasUnderWay() {
        SomeBroker broker = new SomeBroker(time, life);
        CompletableFuture<Void> first = closeWhileRecording(broker);
        CompletableFuture<Void> second = broker.open("switched").buckets().close();
        run(1_400);
        assertFalse(first.isDone() || second.isDone(), "the record is being written");
        run(200);
        assertTrue(first.isDone() && second.isDone());
        Subscription last = broker.open("switched");
        run(100);
        assertTrue(last.buckets().close().isDone(), "nobody writes it any more");
    }
}
