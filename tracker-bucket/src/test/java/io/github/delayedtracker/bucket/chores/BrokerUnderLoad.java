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
 * A broker with many subscriptions on virtual time. Each gets delayed messages at a rate of its own, around one for all, and
 * hands out what is due. One thread for all is the lock.
 */
final class BrokerUnderLoad {

    private static final long LOOK_MILLIS = 60_000;
    private static final double MILLIS_A_SECOND = 1_000;
    /** The slowest and the fastest subscription, of the mean. */
    private static final double SLOWEST = 0.8;
    private static final double FASTEST = 1.2;

    private final JobTime time;
    private final BucketServices services;
    private final PricedStorage storage;
    private final long mostDelayMillis;
    private final long stepMillis;
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Subscription> all = new ArrayList<>();
    private final MergeTiers tiers = new MergeTiers(SomeSettings.DEFAULT.sealPositions());
    private long messages;

    /**
     * A broker without subscriptions.
     *
     * @param mostDelayMillis delays are equally frequent from 0 up to this one
     * @param stepMillis how often messages come and are handed out
     */
    BrokerUnderLoad(JobTime time, PricedStorage storage, BucketServices services, long mostDelayMillis, long stepMillis) {
        this.time = time;
        this.storage = storage;
        this.services = services;
        this.mostDelayMillis = mostDelayMillis;
        this.stepMillis = stepMillis;
    }

    /** One subscription of its own topic. */
    static final class Subscription extends QuietHost {
        private final SubscriptionBuckets buckets;
        private final PricedStorage.Properties properties;
        private final double messagesAMilli;
        private double owed;
        private long nextEntry;
        private long waitedMillis;
        private long longestWaitMillis;

        private Subscription(BucketServices services, PricedStorage.Properties properties, String topic, double messagesASecond,
                double owed) {
            this.properties = properties;
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

        /** How long buckets have waited at most that could be merged, to a step. */
        long longestWaitMillis() {
            return longestWaitMillis;
        }

        private void watch(MergeTiers tiers, long stepMillis) {
            boolean waits = buckets.awakeIndex().filter(index -> index.merges().isWanted(tiers)).isPresent();
            waitedMillis = waits ? waitedMillis + stepMillis : 0;
            longestWaitMillis = Math.max(longestWaitMillis, waitedMillis);
        }

        long figure(String name) {
            return buckets.samples().get("bucket_" + name);
        }
    }

    /** Loads topics. */
    void open(int subscriptions, double messagesASecond) {
        for (int i = 0; i < subscriptions; i++) {
            double rate = messagesASecond * (SLOWEST + (FASTEST - SLOWEST) * random.nextDouble());
            all.add(new Subscription(services, storage.catalogue(), "topic" + i, rate, random.nextDouble()));
        }
    }

    /** Gives each topic a tail that is sealed by its size, far from due, and waits until all are sealed. */
    void sealEach(int positions) {
        long dueMillis = time.nowMillis() + mostDelayMillis;
        long seals = sum("seals_total") + all.size();
        all.forEach(one -> {
            for (int i = 0; i < positions; i++) {
                one.add(dueMillis + i);
            }
        });
        while (sum("seals_total") < seals) {
            time.runUntil(time.nowMillis() + stepMillis);
        }
    }

    /** Another broker loads these topics, all at once, when this one is gone. */
    BrokerUnderLoad movedTo(BucketServices others) {
        all.forEach(one -> one.buckets.close());
        time.runAll();
        BrokerUnderLoad moved = new BrokerUnderLoad(time, storage, others, mostDelayMillis, stepMillis);
        for (int i = 0; i < all.size(); i++) {
            moved.all.add(new Subscription(others, all.get(i).properties, "topic" + i, 0, 0));
        }
        return moved;
    }

    /** Goes on until a number of buckets is back; answers how long that took, to a step. */
    long recoveredMillis(long buckets) {
        long begunMillis = time.nowMillis();
        while (sum("buckets") < buckets || sum("recovering") > 0) {
            time.runUntil(time.nowMillis() + stepMillis);
        }
        return time.nowMillis() - begunMillis;
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
            time.runUntil(time.nowMillis() + stepMillis);
            all.forEach(this::step);
        }
    }

    private void step(Subscription one) {
        long nowMillis = time.nowMillis();
        one.owed += one.messagesAMilli * stepMillis;
        for (; one.owed >= 1; one.owed--) {
            one.add(nowMillis + random.nextLong(mostDelayMillis));
            messages++;
        }
        one.buckets.index().takeDue(nowMillis, Integer.MAX_VALUE, (ledgerId, entryId) -> { });
        one.watch(tiers, stepMillis);
        if (nowMillis % LOOK_MILLIS == 0) {
            one.buckets.sweep();
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
