/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.bucket.chores.BucketKey;
import io.github.delayedtracker.bucket.chores.BucketOrigin;
import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.SubscriptionBuckets;
import io.github.delayedtracker.bucket.storage.MapCatalogue;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.wakeup.WakeUpPlan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One subscription of a broker as far as delayed messages go: state, wake-ups and buckets as a tracker has them, and a dispatcher
 * that only takes due positions. One thread offers; the dispatcher's takes.
 */
final class FairSubscription implements IndexHost {

    /** A listener that is told of every position handed out, on the dispatcher's thread. */
    @FunctionalInterface
    interface Taken {
        void taken(long deliverAtMillis);
    }

    private static final int ENTRIES_OF_A_LEDGER = 50_000;
    private static final int BATCH = 100;
    /** The number of due times remembered: more messages than are ever delayed at a time in a subscription with a listener. */
    private static final int REMEMBERED = 1 << 12;

    private final BucketServices services;
    private final Executor dispatcher;
    private final Taken taken;
    private final SubscriptionBuckets buckets;
    private final SubscriptionState state;
    private final WakeUpPlan wakeUps;
    private final AtomicLongArray deliverAtMillis;
    private long offered;

    /** A subscription that remembers when each message is due only if it has a listener to tell. */
    FairSubscription(String name, BucketServices services, TimeRules rules, Executor worker, Executor dispatcher, Taken taken) {
        this.services = services;
        this.dispatcher = dispatcher;
        this.taken = taken;
        deliverAtMillis = new AtomicLongArray(taken == null ? 0 : REMEMBERED);
        BucketKey key = new BucketKey("public/default/persistent/" + name, name, BucketKey.WHOLE);
        MapCatalogue catalogue = new MapCatalogue();
        buckets = new SubscriptionBuckets(services, BucketOrigin.of(key, () -> catalogue));
        state = new SubscriptionState(buckets.index(), buckets::index, rules, worker);
        wakeUps = new WakeUpPlan(services.timer(), this::wakeUp);
        buckets.start(this);
    }

    /** Offers the next message of the topic. */
    void offer(long dueMillis) {
        if (taken != null) {
            deliverAtMillis.set((int) (offered % REMEMBERED), dueMillis);
        }
        state.offer(offered / ENTRIES_OF_A_LEDGER, offered % ENTRIES_OF_A_LEDGER, dueMillis, nowMillis());
        offered++;
        rearm();
    }

    /** The number of messages that have been offered. */
    long offered() {
        return offered;
    }

    /** A figure of the buckets. */
    long figure(String figure) {
        return buckets.samples().get(figure);
    }

    /** Deletes everything stored, then ends. */
    CompletableFuture<Void> leave() {
        return buckets.clear().thenRun(this::close);
    }

    void close() {
        wakeUps.close();
        state.close();
        buckets.close();
    }

    private long nowMillis() {
        return services.wallMillis().getAsLong();
    }

    private void rearm() {
        long wantedMillis = state.wakeUpMillis();
        if (wantedMillis != Long.MAX_VALUE) {
            wakeUps.want(wantedMillis, nowMillis(), state.rules().tickMillis());
        }
    }

    private void wakeUp() {
        if (state.wakeUpMillis() <= nowMillis()) {
            dispatcher.execute(this::read);
        }
        rearm();
    }

    private void read() {
        wakeUps.asked(false, nowMillis(), state.rules().tickMillis());
        int found = BATCH;
        while (found > 0) {
            found = state.takeDue(nowMillis(), BATCH, Long.MAX_VALUE, Long.MAX_VALUE, this::handOut);
        }
        rearm();
    }

    private void handOut(long ledgerId, long entryId) {
        if (taken != null) {
            taken.taken(deliverAtMillis.get((int) ((ledgerId * ENTRIES_OF_A_LEDGER + entryId) % REMEMBERED)));
        }
    }

    @Override
    public <T> T change(Function<PositionSink, T> change) {
        T answer = state.change(change);
        rearm();
        return answer;
    }

    @Override
    public <T> T read(Supplier<T> look) {
        return state.read(look);
    }

    @Override
    public void askAlways(boolean always) {
        state.askAlways(always);
    }

    @Override
    public void markDelete(PositionSink sink) {
        // nothing is acknowledged here
    }
}
