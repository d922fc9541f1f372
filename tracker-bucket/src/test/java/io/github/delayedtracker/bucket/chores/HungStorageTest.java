/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.executor.KeyOrderedExecutor;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A subscription on real threads whose storage never answers anything. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungStorageTest {

    /** Some for a machine that stands still; what waits for storage waits for a {@link #LONG_MILLIS}. */
    private static final Duration AT_ONCE = Duration.ofSeconds(10);
    private static final long LONG_MILLIS = 30_000;
    private static final long SHORT_MILLIS = 300;
    private static final int MOST_ENTRY_BYTES = 1 << 20;
    private static final int SEAL = 1_000;

    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final WheelTimer timer = new WheelTimer("hung-storage-test", 1, System::nanoTime, failures::add);
    private KeyOrderedExecutor<BucketKey> executor;
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private final Host host = new Host();

    /** A subscription that is its monitor. */
    private static final class Host extends QuietHost {

        @Override
        public synchronized <T> T change(Function<PositionSink, T> change) {
            return super.change(change);
        }

        @Override
        public synchronized <T> T read(Supplier<T> look) {
            return super.read(look);
        }
    }

    private <T> T hung(Class<T> type) {
        return Answering.with(type, (name, arguments) -> {
            asked.add(name);
            return name.equals("maxEntryBytes") ? MOST_ENTRY_BYTES : new CompletableFuture<>();
        });
    }

    /** Started, and waiting for its record; no call of its storage and no clearing takes longer than that. */
    private SubscriptionBuckets started(long longestMillis) {
        BucketServices services = SomeServices.on(threads, timer, hung(SnapshotStorage.class))
                .limits(new SomeLimits().timeoutMillis(longestMillis).backOffMillis(100, 1_000).make())
                .settings(new SomeSettings().seal(SEAL).prefetchMillis(0).slice(100).clearMillis(longestMillis).make()).make();
        executor = services.executor();
        SubscriptionBuckets buckets = new SubscriptionBuckets(services,
                BucketOrigin.of(new BucketKey("topic", "cursor", BucketKey.WHOLE), () -> hung(CatalogueStore.class)));
        assertTimeoutPreemptively(AT_ONCE, () -> buckets.start(host));
        awaitAsked("readAll");
        return buckets;
    }

    @AfterEach
    void end() {
        timer.close();
        threads.shutdownNow();
        assertEquals(0, failures.size(), failures::toString);
    }

    private void awaitAsked(String what) {
        while (!asked.contains(what)) {
            Thread.onSpinWait();
        }
    }

    private void addASeal(DelayIndex index) {
        for (int entry = 0; entry < SEAL; entry++) {
            int added = entry;
            host.read(() -> index.add(Long.MAX_VALUE >> 1, 1, added));
        }
    }

    @Test
    @DisplayName("#26103, #26104, #26105: a tracker is there at once, tracks and answers while its record cannot be read")
    void recoveryHoldsNobodyUp() {
        DelayIndex index = started(LONG_MILLIS).index();
        assertTimeoutPreemptively(AT_ONCE, () -> addASeal(index));
        assertTrue(host.read(() -> index.contains(1, 5)));
        assertFalse(host.read(() -> index.contains(2, 5)), "what is not registered yet is read");
        assertEquals(10, host.read(() -> index.takeDue(Long.MAX_VALUE - 1, 10, (l, e) -> { })));
    }

    @Test
    @DisplayName("#26053, S-10: closing returns at once whatever storage does")
    void closingWaitsForNothing() {
        SubscriptionBuckets buckets = started(LONG_MILLIS);
        addASeal(buckets.index());
        assertTimeoutPreemptively(AT_ONCE, buckets::close);
        assertTimeoutPreemptively(AT_ONCE, () -> host.read(() -> buckets.index().contains(1, 1)));
    }

    @Test
    @DisplayName("#26053, S-10: closing leaves nothing armed longer than a call lasts")
    void closingLeavesNothingArmed() {
        SubscriptionBuckets buckets = started(SHORT_MILLIS);
        addASeal(buckets.index());
        buckets.close();
        while (timer.armedCount() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aSubscriptionWhoseStorageHangsKeepsNoThreadFromTheOthers() throws Exception {
        started(LONG_MILLIS);
        CountDownLatch ran = new CountDownLatch(1);
        CompletableFuture<Void> other = executor.submit(new BucketKey("other", "cursor", BucketKey.WHOLE), () -> {
            ran.countDown();
            return CompletableFuture.completedFuture(null);
        });
        assertTrue(ran.await(10, TimeUnit.SECONDS));
        other.get(10, TimeUnit.SECONDS);
    }

    @Test
    void clearingReturnsAtOnce() {
        SubscriptionBuckets buckets = started(LONG_MILLIS);
        assertTimeoutPreemptively(AT_ONCE, buckets::clear);
    }

    @Test
    void clearingAnswersInBoundedTime() throws Exception {
        started(SHORT_MILLIS).clear().get(10, TimeUnit.SECONDS);
    }
}
