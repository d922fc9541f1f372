/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.SomeLimits;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.timebucket.CutRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The whole service of a broker on virtual time and the double of the storage: subscriptions to add to, and what they say. */
final class ServiceRig {

    static final String TOPIC = "topic";
    static final String CURSOR = "cursor";
    static final int SEAL = 100;
    static final long FAR_MILLIS = 3_000_000_000_000L;
    static final long PAUSE_MILLIS = 60_000;
    static final long LEDGER = 7;
    private static final long MOST_EVENTS = 100_000;
    private static final JobLimits LIMITS = new SomeLimits().backOffMillis(100, 1_000).mostAttempts(3).make();
    static final BucketSettings SETTINGS = new SomeSettings().seal(SEAL).pauseMillis(PAUSE_MILLIS)
            .segments(CutRule.usual(100, 300_000)).make();

    final JobTime time = new JobTime(1);
    final FaultyStorage storage = new FaultyStorage(1, new FaultRates(20, 0), time);
    final StorageLife life = storage.newLife();
    final BucketServices services = SomeServices.in(time, life.storage()).wallMillis(this::wallMillis)
            .merges(2, 1 << 20).limits(LIMITS).settings(SETTINGS).make();
    /** By how much the clock has been set. */
    long wallOffsetMillis;

    private long wallMillis() {
        return time.nowMillis() + wallOffsetMillis;
    }

    /** One subscription; one thread for all is its lock. */
    final class Subscription extends QuietHost {

        final SubscriptionBuckets buckets;
        final String cursor;
        long nextEntry;

        private Subscription(String cursor) {
            this.cursor = cursor;
            this.buckets = new SubscriptionBuckets(services, origin(cursor));
        }

        void add(long dueMillis, long entryId) {
            buckets.index().add(dueMillis, LEDGER, entryId);
            buckets.index().takeWork().ifPresent(Runnable::run);
        }

        /** Adds some positions that are not due for years. */
        void addFar(int count) {
            for (int i = 0; i < count; i++) {
                add(FAR_MILLIS + nextEntry * 7_919 % 1_000_003, nextEntry++);
            }
        }

        /** Hands out everything due by a time, in the order it comes. */
        List<Long> takeDue(long untilMillis) {
            List<Long> taken = new ArrayList<>();
            buckets.index().takeDue(untilMillis, Integer.MAX_VALUE, (ledgerId, entryId) -> taken.add(entryId));
            return taken;
        }

        long figure(String name) {
            return buckets.samples().get("bucket_" + name);
        }

        String record() {
            return storage.world().propertiesOf(TOPIC, cursor).get("index");
        }
    }

    Subscription open() {
        return open(CURSOR);
    }

    /** A subscription whose topic was just loaded. */
    Subscription open(String cursor) {
        Subscription one = new Subscription(cursor);
        one.buckets.start(one);
        run(1_000);
        return one;
    }

    /** What a broker does for a subscription that is deleted and has no tracker. */
    void removeAll(String cursor) {
        SubscriptionBuckets.removeAll(services, origin(cursor)).isDone();
        run(PAUSE_MILLIS);
    }

    private BucketOrigin origin(String cursor) {
        return BucketOrigin.of(new BucketKey(TOPIC, cursor, BucketKey.WHOLE), () -> life.catalogue(TOPIC, cursor));
    }

    /** The same subscription after its topic was unloaded and, once something was done in between, loaded again. */
    Subscription reload(Subscription before, Runnable between) {
        before.buckets.close();
        run(1_000);
        between.run();
        life.reloadCursor(TOPIC, before.cursor);
        Subscription again = open(before.cursor);
        again.nextEntry = before.nextEntry;
        return again;
    }

    /** Another version, or chance, has written the record. */
    void setRecord(String cursor, String text) {
        storage.world().setProperties(TOPIC, cursor, Map.of("index", text));
    }

    void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    /** Runs so long, and says how many events that took; no more than 100,000 of them. */
    long eventsWithin(long millis) {
        long untilMillis = time.nowMillis() + millis;
        long before = time.eventsRun();
        while (time.nextMillis() <= untilMillis && time.eventsRun() - before < MOST_EVENTS) {
            time.run(1);
        }
        return time.eventsRun() - before;
    }
}
