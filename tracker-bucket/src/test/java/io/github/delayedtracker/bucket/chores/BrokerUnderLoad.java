/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.MergeTiers;
import io.github.delayedtracker.bucket.steps.JobTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A broker with many subscriptions on virtual time. Each gets delayed messages at a rate of its own, around one for all, and hands
 * out what is due. One thread for all is the lock.
 */
final class BrokerUnderLoad {

    private static final long STEP_MILLIS = 100;
    private static final long LOOK_MILLIS = 60_000;
    private static final double MILLIS_A_SECOND = 1_000;
    /** The slowest and the fastest subscription, of the mean. */
    private static final double SLOWEST = 0.8;
    private static final double FASTEST = 1.2;

    private final JobTime time;
    private final BucketServices services;
    private final PricedStorage storage;
    private final long mostDelayMillis;
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Subscription> all = new ArrayList<>();
    private final MergeTiers tiers = new MergeTiers(SomeSettings.DEFAULT.sealPositions());
    private long messages;

    /**
     * A broker without subscriptions.
     *
     * @param mostDelayMillis delays are equally frequent from 0 up to this one
     */
    BrokerUnderLoad(JobTime time, PricedStorage storage, BucketServices services, long mostDelayMillis) {
        this.time = time;
        this.storage = storage;
        this.services = services;
        this.mostDelayMillis = mostDelayMillis;
    }

    /** One subscription of its own topic. */
    static final class Subscription extends QuietHost {
        private final SubscriptionBuckets buckets;
        private final double messagesAMilli;
        private double owed;
        private long nextEntry;
        private long waitedMillis;
        private long longestWaitMillis;

        private Subscription(BucketServices services, PricedStorage.Properties properties, String topic, double messagesASecond,
                double owed) {
            this.messagesAMilli = messagesASecond / MILLIS_A_SECOND;
            this.owed = owed;
            buckets = new SubscriptionBuckets(services,
                    BucketOrigin.of(new BucketKey(topic, "cursor", BucketKey.WHOLE), () -> properties));
            buckets.start(this);
        }

        private void add(long dueMillis) {
            buckets.index().add(dueMillis, 1, nextEntry++);
            buckets.index().takeWork().ifPresent(Runnable::run);
        }

        /** How long buckets have waited at most that could be merged, to a tenth of a second. */
        long longestWaitMillis() {
            return longestWaitMillis;
        }

        private void watch(MergeTiers tiers) {
            boolean waits = buckets.awakeIndex().filter(index -> index.merges().isWanted(tiers)).isPresent();
            waitedMillis = waits ? waitedMillis + STEP_MILLIS : 0;
            longestWaitMillis = Math.max(longestWaitMillis, waitedMillis);
        }

        long figure(String name) {
            return buckets.figures().get("bucket_" + name);
        }
    }

    /** Loads topics. */
    void open(int subscriptions, double messagesASecond) {
        for (int i = 0; i < subscriptions; i++) {
            double rate = messagesASecond * (SLOWEST + (FASTEST - SLOWEST) * random.nextDouble());
            all.add(new Subscription(services, storage.catalogue(), "topic" + i, rate, random.nextDouble()));
        }
    }

    List<Subscription> subscriptions() {
        return all;
    }

    /** How many messages have come. */
    long messages() {
        return messages;
    }

    /** Adds and hands out for so long. */
    void run(long millis) {
        long untilMillis = time.nowMillis() + millis;
        while (time.nowMillis() < untilMillis) {
            time.runUntil(time.nowMillis() + STEP_MILLIS);
            all.forEach(this::step);
        }
    }

    private void step(Subscription one) {
        long nowMillis = time.nowMillis();
        one.owed += one.messagesAMilli * STEP_MILLIS;
        for (; one.owed >= 1; one.owed--) {
            one.add(nowMillis + random.nextLong(mostDelayMillis));
            messages++;
        }
        one.buckets.index().takeDue(nowMillis, Integer.MAX_VALUE, (ledgerId, entryId) -> { });
        one.watch(tiers);
        if (nowMillis % LOOK_MILLIS == 0) {
            one.buckets.look();
        }
    }

    /** The sum of a figure over all. */
    long sum(String figure) {
        return all.stream().mapToLong(one -> one.figure(figure)).sum();
    }

    /** The largest of a figure. */
    long most(String figure) {
        return all.stream().mapToLong(one -> one.figure(figure)).max().orElse(0);
    }
}
