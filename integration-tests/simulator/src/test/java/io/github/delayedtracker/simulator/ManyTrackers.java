/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.StockShell;
import io.github.delayedtracker.TrackerShop;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.bucket.chores.BucketKey;
import io.github.delayedtracker.bucket.chores.BucketOrigin;
import io.github.delayedtracker.bucket.chores.BucketOrigin.StockSnapshots;
import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.SomeServices;
import io.github.delayedtracker.bucket.chores.SubscriptionBuckets;
import io.github.delayedtracker.bucket.snapshot.StockKey;
import io.github.delayedtracker.bucket.storage.Answering;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import io.github.delayedtracker.bucket.storage.CursorCatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.delayed.bucket.BucketDelayedDeliveryTracker;

/**
 * A broker with many subscriptions of one delayed message each: trackers as the factory makes them on the broker's own types, on
 * one real timer, at a moment that lasts. Dispatchers, cursor and names belong to the broker. A <em>shell</em> is the stock
 * tracker that every adapter is as well.
 *
 * <p>{@link #table}: bytes of a tracker beyond its shell, by the objects it leads to, and how long a first message takes.
 */
final class ManyTrackers implements AutoCloseable {

    /** Which index the trackers have; none for the bare shells. */
    enum Backend {
        SHELL, HEAP, TIMEBUCKET, BUCKET
    }

    private static final CursorRecords NO_RECORDS = (topic, cursor) -> CompletableFuture.completedFuture(Map.of());
    private static final TrackerShop.Cursors NO_ACKS = new TrackerShop.Cursors() {
        @Override
        public Optional<Map<Long, long[]>> copy(ManagedCursor cursor) {
            return Optional.empty();
        }

        @Override
        public long consumed(ManagedCursor cursor) {
            return 0;
        }
    };
    private static final long TICK_MILLIS = 1_000;
    /** Near enough for a wake-up to be armed at once. */
    private static final long DELAY_MILLIS = 110_000;
    private static final int SMALLEST = 1_000;
    private static final int MOST_ENTRY_BYTES = 1 << 20;

    private static final long NOW_MILLIS = 1_700_000_000_000L;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /** Its clock stands still, so that no wake-up runs while objects are counted. */
    private final WheelTimer timer = new WheelTimer("many-trackers", 1, () -> 0, failure::set);
    private final Backend backend;
    private final World world = new World(Setup.calm(), List.of(), text -> { });
    private final TrackerShop shop = new TrackerShop(timer, () -> NOW_MILLIS, Runnable::run,
            BrokerLife.configuration(world.setup()), () -> 0, NO_ACKS, Optional.empty(), dispatcher -> true);
    private final List<DispatcherFace> dispatchers = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final BucketDelayedDeliveryTracker[] trackers;
    private final DelayIndexProvider provider;
    private final BucketServices services;
    private int count;

    /** None yet. */
    ManyTrackers(Backend backend, int most) {
        this.backend = backend;
        provider = backend == Backend.HEAP ? new HeapIndexProvider() : new TimeBucketIndexProvider();
        // Nothing is stored: only the size of an entry is asked for.
        SnapshotStorage storage = Answering.with(SnapshotStorage.class, (name, arguments) -> MOST_ENTRY_BYTES);
        services = SomeServices.in(timer, Runnable::run, () -> NOW_MILLIS, storage)
                .allocator(PooledByteBufAllocator.DEFAULT).newPart(provider::newIndex).make();
        for (int i = 0; i < most; i++) {
            names.add(String.format(Locale.ROOT, "topic-of-a-tenant-%06d", i));
            dispatchers.add(new DispatcherFace(world, world.dispatcher(), () -> { }, names.get(i)));
        }
        trackers = new BucketDelayedDeliveryTracker[most];
    }

    /** Makes trackers up to a number. */
    void make(int number) throws Exception {
        for (; count < number; count++) {
            trackers[count] = backend == Backend.SHELL ? StockShell.of(dispatchers.get(count), false, TICK_MILLIS)
                    : shop.newTracker(dispatchers.get(count), timer, provider,
                            backend == Backend.BUCKET ? Optional.of(buckets(names.get(count))) : Optional.empty(), false,
                            TICK_MILLIS, 0, 0);
        }
    }

    private SubscriptionStore buckets(String name) {
        return new SubscriptionBuckets(services, new Origin(name, world.cursor().face()));
    }

    /** As the backend has it. */
    private record Origin(String name, ManagedCursor cursor) implements BucketOrigin {

        @Override
        public BucketKey key() {
            return new BucketKey(name, "sub", BucketKey.WHOLE);
        }

        @Override
        public CatalogueStore catalogue() {
            return new CursorCatalogueStore(cursor, NO_RECORDS);
        }

        @Override
        public Optional<StockSnapshots> stock() {
            return Optional.of(new StockSnapshots(Answering.nothing(StockLedgers.class),
                    new StockOwner("persistent://public/default/" + name, "sub"),
                    new CursorCatalogueStore(cursor, NO_RECORDS, StockKey.PREFIX), false));
        }
    }

    /** Offers one message to each from a number on. */
    void offer(int from) {
        long deliverAtMillis = NOW_MILLIS + DELAY_MILLIS;
        for (int i = from; i < count && backend != Backend.SHELL; i++) {
            if (!trackers[i].addMessage(1, i, deliverAtMillis)) {
                throw new IllegalStateException("a message due in a minute was not taken by tracker " + i);
            }
        }
    }

    /** Wake-ups that are armed, and the sweeps that look after all trackers of a broker. */
    int armed() {
        return timer.armedCount();
    }

    /** Bytes of all objects that trackers and dispatchers lead to, the timer and the factory's register among them. */
    private long bytes() {
        return ObjectBytes.of(trackers, dispatchers, names);
    }

    @Override
    public void close() {
        for (int i = 0; i < count; i++) {
            trackers[i].close();
        }
        timer.close();
        if (failure.get() != null) {
            throw new IllegalStateException("a wake-up of a tracker failed", failure.get());
        }
    }

    /** Bytes of a tracker with its message, by the difference that some more of them make once all classes are in use. */
    static double bytesOfOne(Backend backend, int few, int more) throws Exception {
        System.setProperty("jol.magicFieldOffset", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
        System.setProperty("jol.skipDynamicAttach", "true");
        // Not closed, since buffers that were given back, and are taken again, would be no difference.
        ManyTrackers many = new ManyTrackers(backend, few + more);
        try {
            many.make(few);
            many.offer(0);
            long before = many.bytes();
            many.make(few + more);
            many.offer(few);
            return (double) (many.bytes() - before) / more;
        } finally {
            many.timer.close();
        }
    }

    /** A row for each backend, in Markdown; with thousands of trackers. */
    static String table(int number) throws Exception {
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT, "| trackers | backend | bytes each | beyond the shell"
                + " | first message at %,d, ns | at %,d, ns |%n|--:|---|--:|--:|--:|--:|%n", SMALLEST, number));
        Map<Backend, Double> bytesEach = new EnumMap<>(Backend.class);
        for (Backend backend : Backend.values()) {
            bytesOfOne(backend, 1, 1);
            bytesEach.put(backend, bytesOfOne(backend, SMALLEST, SMALLEST));
        }
        double shell = bytesEach.get(Backend.SHELL);
        for (Backend backend : Backend.values()) {
            double bytes = bytesEach.get(backend);
            try (ManyTrackers many = new ManyTrackers(backend, number)) {
                long[] nanos = many.fill(number);
                table.append(String.format(Locale.ROOT, "| %,d | %s | %.0f | %.0f | %d | %d |%n", number,
                        backend.name().toLowerCase(Locale.ROOT), bytes, bytes - shell, nanos[0], nanos[1]));
                if (backend != Backend.SHELL && many.armed() < number) {
                    throw new IllegalStateException("armed are " + many.armed() + " wake-ups of " + number);
                }
            }
        }
        return table.toString();
    }

    /** How long a first message takes, in nanoseconds, once there are a thousand trackers and once there are all. */
    private long[] fill(int number) throws Exception {
        long[] nanos = new long[2];
        for (int until = SMALLEST; until <= number; until += SMALLEST) {
            make(until);
            long begun = System.nanoTime();
            offer(until - SMALLEST);
            long each = (System.nanoTime() - begun) / SMALLEST;
            nanos[until == SMALLEST ? 0 : 1] = each;
        }
        return nanos;
    }
}
