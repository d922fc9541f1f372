/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.DeleteChore.HoldLimit;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.index.PositionSink;

/** The buckets of a broker that shares virtual time and storage with others; one thread for all is the lock. */
final class SomeBroker {

    static final String TOPIC = "topic";

    private final StorageLife life;
    private final BucketServices services;

    SomeBroker(JobTime time, StorageLife life) {
        this(time, life, new HoldLimit(time::nowMillis));
    }

    SomeBroker(JobTime time, StorageLife life, HoldLimit holds) {
        this.life = life;
        services = SomeServices.in(time, life.storage()).holds(holds).make();
    }

    /** A subscription whose topic is loaded here. */
    static final class Subscription extends QuietHost {
        private static final long LEDGER = 7;

        private final SubscriptionBuckets buckets;
        private long nextEntry;
        private long markDelete = -1;

        private Subscription(SubscriptionBuckets buckets) {
            this.buckets = buckets;
        }

        @Override
        public void markDelete(PositionSink sink) {
            if (markDelete >= 0) {
                sink.accept(LEDGER, markDelete);
            }
        }

        SubscriptionBuckets buckets() {
            return buckets;
        }

        void add(int positions, long dueMillis) {
            for (int i = 0; i < positions; i++) {
                buckets.index().add(dueMillis + i, LEDGER, nextEntry++);
                buckets.index().takeWork().ifPresent(Runnable::run);
            }
        }

        /** Later entries are added from here on. */
        void goOnFrom(long entry) {
            nextEntry = entry;
        }

        /** Everything added so far is acknowledged. */
        void acknowledgeAll() {
            markDelete = nextEntry - 1;
            buckets.index().forgetUpTo(LEDGER, markDelete);
        }

        long figure(String name) {
            return buckets.samples().get("bucket_" + name);
        }
    }

    Subscription open(String cursor) {
        Subscription one = new Subscription(new SubscriptionBuckets(services, BucketOrigin.of(
                new BucketKey(TOPIC, cursor, BucketKey.WHOLE), () -> life.catalogue(TOPIC, cursor))));
        one.buckets.start(one);
        return one;
    }
}
