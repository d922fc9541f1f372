/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Subscriptions of one broker in virtual time: the real index and works, the real rules, a dispatcher. */
final class OutageWorld {

    static final int LEDGER = 7;
    private static final long STORAGE_MILLIS = 5;
    private static final long ASK_MILLIS = 1_000;
    private static final int BATCH = 100;

    final JobTime time = new JobTime(1);
    final FaultyStorage storage = new FaultyStorage(1, new FaultRates(STORAGE_MILLIS, 0), time);
    final StorageLife life = storage.newLife();
    final RereadLimit limit = new RereadLimit(time);
    final BucketServices services;
    /** How long a read of some messages of the topic takes. */
    long readMillis = 2;

    OutageWorld(BucketSettings settings) {
        this(settings, 0);
    }

    OutageWorld(BucketSettings settings, long memoryBytes) {
        services = SomeServices.in(time, life.storage()).memoryBytes(memoryBytes).rereads(limit).settings(settings).make();
    }

    Subscription open(String cursor) {
        Subscription opened = new Subscription(cursor);
        opened.buckets.start(opened);
        time.after(ASK_MILLIS, opened::ask);
        return opened;
    }

    void run(long millis) {
        time.runUntil(time.nowMillis() + millis);
    }

    /** One subscription with its dispatcher. */
    final class Subscription implements IndexHost {
        final SubscriptionBuckets buckets;
        final SubscriptionState state;
        final List<Long> deliverAtMillis = new ArrayList<>();
        final BitSet delivered = new BitSet();
        /** Entries in the order in which they were read, those that were tracked again included. */
        final List<Integer> reads = new ArrayList<>();
        final List<Long> readAtMillis = new ArrayList<>();
        boolean takes = true;
        /** Whether the topic delays messages: otherwise they are sent without being offered. */
        boolean delays = true;
        boolean readsFail;
        private boolean reading;

        private Subscription(String cursor) {
            BucketKey key = new BucketKey("topic", cursor, BucketKey.WHOLE);
            buckets = new SubscriptionBuckets(services, BucketOrigin.of(key, () -> life.catalogue("topic", cursor)));
            state = new SubscriptionState(buckets.index(), new TimeBucketIndexProvider()::newIndex, new TimeRules(true, 1, 1),
                    time);
        }

        @Override
        public <T> T change(Function<PositionSink, T> change) {
            return state.change(change);
        }

        @Override
        public <T> T read(Supplier<T> look) {
            return state.read(look);
        }

        @Override
        public void wake() {
            read();
        }

        @Override
        public boolean offersAgain() {
            return delays;
        }

        @Override
        public void askAlways(boolean always) {
            state.askAlways(always);
        }

        @Override
        public void markDelete(PositionSink sink) {
            // Nothing is acknowledged.
        }

        void publish(long dueMillis) {
            int entry = deliverAtMillis.size();
            deliverAtMillis.add(dueMillis);
            offer(entry);
        }

        private void offer(int entry) {
            if (!state.offer(LEDGER, entry, deliverAtMillis.get(entry), time.nowMillis())) {
                if (delivered.get(entry)) {
                    throw new AssertionError("entry " + entry + " is delivered once");
                }
                delivered.set(entry);
            }
        }

        private void ask() {
            read();
            time.after(ASK_MILLIS, this::ask);
        }

        private void read() {
            if (reading || !takes || !state.hasDue(time.nowMillis())) {
                return;
            }
            List<Integer> batch = new ArrayList<>();
            state.takeDue(time.nowMillis(), BATCH, Long.MAX_VALUE, Long.MAX_VALUE,
                    (ledgerId, entryId) -> batch.add((int) entryId));
            if (batch.isEmpty()) {
                return;
            }
            reading = true;
            time.after(readsFail ? ASK_MILLIS : readMillis, () -> {
                reading = false;
                if (readsFail) {
                    retry(batch);
                    return;
                }
                batch.forEach(this::take);
                read();
            });
        }

        /** As a dispatcher does: what was not read stays to be replayed. */
        private void retry(List<Integer> batch) {
            time.after(ASK_MILLIS, () -> {
                if (readsFail) {
                    retry(batch);
                } else {
                    batch.forEach(this::take);
                }
            });
        }

        private void take(int entry) {
            reads.add(entry);
            readAtMillis.add(time.nowMillis());
            if (delays) {
                offer(entry);
            } else {
                delivered.set(entry);
            }
        }

        long figure(String name) {
            return buckets.samples().get("bucket_" + name);
        }
    }
}
