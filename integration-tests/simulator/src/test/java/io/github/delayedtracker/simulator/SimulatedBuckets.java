/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.backend.StoredParts;
import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.bucket.chores.BucketKey;
import io.github.delayedtracker.bucket.chores.BucketOrigin;
import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.BucketSettings;
import io.github.delayedtracker.bucket.chores.SomeServices;
import io.github.delayedtracker.bucket.chores.SomeSettings;
import io.github.delayedtracker.bucket.chores.SubscriptionBuckets;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SmallTimeBuckets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** The buckets of one broker life: the real backend on the double of the storage, small enough for each part of it to be used. */
final class SimulatedBuckets {

    static final String TOPIC = "public/default/persistent/simulated";
    static final String CURSOR = "sub";

    private static final BucketKey KEY = new BucketKey(TOPIC, CURSOR, BucketKey.WHOLE);
    /** How long work rests that has failed for good. */
    static final long PAUSE_MILLIS = 10_000;
    /** An overdue segment that was not read for so long is given up: longer than a storage is away in most scenarios. */
    static final long UNREADABLE_MILLIS = 65_000;
    /** What a former owner dooms stays for so long. */
    static final long HOLD_MILLIS = 40_000;
    static final int SEAL_POSITIONS = 8;
    private static final BucketSettings SETTINGS = new SomeSettings().seal(SEAL_POSITIONS).ageSeal(4).prefetchMillis(3_000)
            .slice(3).unreadableMillis(UNREADABLE_MILLIS).pauseMillis(PAUSE_MILLIS).clearMillis(5_000)
            .holdMillis(HOLD_MILLIS).segments(new CutRule(3, 2, 60_000)).make();
    static final JobLimits LIMITS = new SomeLimits().timeoutMillis(3_000).backOffMillis(50, 1_000).mostAttempts(4)
            .appendsUnderWay(4).deletesUnderWay(2).make();
    private static final long MERGE_BYTES_A_SECOND = 1 << 20;
    private static final int MERGES = 1;
    /** Of all positions of lost buckets at a time: fewer than there are in one. */
    private static final int MOST_REREADS = 4;

    private final StorageLife storage;
    private final BucketServices services;
    private SubscriptionStore opened;
    private int open;
    private boolean twoWriters;
    private CompletableFuture<Void> removal = CompletableFuture.completedFuture(null);

    SimulatedBuckets(World world, StorageLife storage, SimulatedTimer timer, Executor threads) {
        this.storage = storage;
        Scheduler scheduler = world.scheduler();
        this.services = SomeServices.in(timer, threads, scheduler::nowMillis, storage.storage())
                .wallMillis(scheduler::wallMillis)
                .jitter(bound -> scheduler.draw((int) Math.min(bound - 1, Integer.MAX_VALUE - 1)))
                .allocator(storage.allocator())
                .newPart(new SmallTimeBuckets()::newIndex)
                .merges(MERGES, MERGE_BYTES_A_SECOND)
                .memoryBytes(world.setup().get(Setup.Parameter.MEMORY))
                .shortMillis(SETTINGS.pauseMillis())
                .rereads(MOST_REREADS)
                .limits(limits(world.setup().get(Setup.Parameter.CALLS)))
                .settings(SETTINGS)
                .make();
    }

    private static JobLimits limits(long callsAtATime) {
        return callsAtATime == 0 ? LIMITS : new SomeLimits(LIMITS).callsUnderWay((int) callsAtATime).make();
    }

    private BucketOrigin origin() {
        return BucketOrigin.of(KEY, () -> storage.catalogue(TOPIC, CURSOR));
    }

    SubscriptionStore open() {
        opened = new SubscriptionBuckets(services, origin());
        open++;
        twoWriters |= open > 1;
        return new Watched(opened);
    }

    /**
     * Whether a late read of a dispatcher that was replaced has made a second tracker. Either may delete a ledger of the other:
     * what it finds read again of it, or writes where memory is short, or leaves out of the record.
     */
    boolean hadTwoWriters() {
        return twoWriters;
    }

    /** A tracker is about to be made that nobody closes, whether there is another one or not. */
    void trackerOfALateRead() {
        twoWriters = true;
    }

    /** Tells when it is closed. */
    private final class Watched implements SubscriptionStore {
        private final SubscriptionStore watched;

        private Watched(SubscriptionStore watched) {
            this.watched = watched;
        }

        @Override
        public DelayIndex index() {
            return watched.index();
        }

        @Override
        public StoredRuns storedRuns(long fromMillis, long untilMillis) {
            return watched.storedRuns(fromMillis, untilMillis);
        }

        @Override
        public long nextStoredMillis() {
            return watched.nextStoredMillis();
        }

        @Override
        public long lastStoredMillis() {
            return watched.lastStoredMillis();
        }

        @Override
        public StoredParts storedParts() {
            return watched.storedParts();
        }

        @Override
        public void start(IndexHost host) {
            watched.start(host);
        }

        @Override
        public void sweep() {
            watched.sweep();
        }

        @Override
        public CompletableFuture<Void> clear() {
            return watched.clear();
        }

        @Override
        public CompletableFuture<Void> close() {
            open--;
            return watched.close();
        }

        @Override
        public Samples samples() {
            return watched.samples();
        }
    }

    /** Whether there are some that were not closed. */
    boolean isOpen() {
        return open > 0;
    }

    /** Whether there were any buckets yet. */
    boolean isOpened() {
        return opened != null;
    }

    /** Whether a merge is under way. */
    boolean isMerging() {
        return services.samples().get("bucket_merges_under_way") > 0;
    }

    /** A figure of the buckets opened last. */
    long figure(String name) {
        return opened.samples().get(name);
    }

    /** What the factory does for a subscription that is deleted and has no tracker. */
    void removeAll() {
        removal = SubscriptionBuckets.removeAll(services, origin());
    }

    /** Whether nobody writes the record but a tracker that its dispatcher closes. */
    boolean hasOneWriter() {
        return !twoWriters && removal.isDone();
    }

    /** Whether every update of the record is refused. */
    boolean isRecordStale() {
        return storage.isCursorStale(TOPIC, CURSOR);
    }

    /** The topic is loaded: the cursor reads its record now. */
    void load() {
        storage.reloadCursor(TOPIC, CURSOR);
        storage.catalogue(TOPIC, CURSOR);
    }

    /** The cursor learns that somebody else has written its record, and goes on to write what it knows. */
    void refreshCursor() {
        storage.refreshCursor(TOPIC, CURSOR);
    }

    /** Whether nothing is under way or waits that the broker has few places for: no merge and no call. */
    boolean isFree() {
        Samples figures = services.samples();
        return Stream.of("merges_under_way", "merges_waiting", "calls_under_way", "calls_waiting")
                .allMatch(name -> figures.get("bucket_" + name) == 0);
    }

    StorageLife storage() {
        return storage;
    }
}
