/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * A tracker of one of our indexes behind the subscription state. Its lock, dedup and published figures are part of the
 * measurement, and so is the sorted set that the broker's interface wants. The read position lies above every position.
 */
final class IndexTracker implements Tracker {

    /** System property: with {@code true} a thread beside seals full tails, as in a broker; else the adding one does. */
    static final String WORKER = "delayed.benchmarks.worker";
    private static final int TIDY_BUDGET = 1 << 16;
    /** The number of calls: a part that is left alone for some calls is packed. */
    private static final int TIDY_CALLS = 8;

    private final boolean roundsTimes;
    private final TimeRules firstRules;
    private final DelayIndex[] latest = new DelayIndex[1];
    private final SubscriptionState state;
    private long nowMillis;

    IndexTracker(Supplier<DelayIndex> newIndex, boolean roundsTimes, TimeRules firstRules) {
        this.roundsTimes = roundsTimes;
        this.firstRules = firstRules;
        Supplier<DelayIndex> remembered = () -> latest[0] = newIndex.get();
        this.state = new SubscriptionState(remembered.get(), remembered, firstRules,
                Boolean.getBoolean(WORKER) ? Worker.THREAD : Runnable::run);
    }

    @Override
    public void setNowMillis(long nowMillis) {
        this.nowMillis = nowMillis;
    }

    @Override
    public void setTickMillis(long tickMillis) {
        state.setRules(firstRules.withTick(tickMillis, roundsTimes ? Long.highestOneBit(tickMillis) : 1));
    }

    @Override
    public boolean add(long ledgerId, long entryId, long deliverAtMillis) {
        return state.offer(ledgerId, entryId, deliverAtMillis, nowMillis);
    }

    @Override
    public boolean hasDue() {
        return state.hasDue(nowMillis);
    }

    @Override
    public int handOut(int limit) {
        return take(limit).size();
    }

    @Override
    public int handOut(int limit, PositionSink sink) {
        NavigableSet<HandedOut> positions = take(limit);
        for (HandedOut position : positions) {
            sink.accept(position.ledgerId(), position.entryId());
        }
        return positions.size();
    }

    private NavigableSet<HandedOut> take(int limit) {
        NavigableSet<HandedOut> positions = new TreeSet<>();
        state.takeDue(nowMillis, limit, Long.MAX_VALUE, Long.MAX_VALUE, (ledgerId, entryId) ->
                positions.add(new HandedOut(ledgerId, entryId)));
        return positions;
    }

    @Override
    public void acked(long ledgerId, long entryId) {
        state.forget(ledgerId, entryId);
    }

    @Override
    public void ackedUpTo(long ledgerId, long entryId) {
        state.forgetUpTo(ledgerId, entryId);
    }

    @Override
    public boolean contains(long ledgerId, long entryId) {
        return state.contains(ledgerId, entryId, nowMillis);
    }

    @Override
    public void settle() {
        for (int i = 0; i < TIDY_CALLS; i++) {
            while (state.tidy(TIDY_BUDGET)) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public long count() {
        return state.count();
    }

    @Override
    public long reportedBytes() {
        return latest[0].retainedBytes();
    }

    @Override
    public long positionSetBytes() {
        return latest[0].positionSetBytes();
    }

    @Override
    public Object indexRoot() {
        return latest[0];
    }

    @Override
    public void close() {
        state.close();
    }

    /** The sealing thread, made when first used. */
    private static final class Worker {
        private static final Executor THREAD = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "benchmark-worker");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A stand-in for the broker's position class: same fields, same order. */
    private record HandedOut(long ledgerId, long entryId) implements Comparable<HandedOut> {
        @Override
        public int compareTo(HandedOut other) {
            int byLedger = Long.compare(ledgerId, other.ledgerId);
            return byLedger != 0 ? byLedger : Long.compare(entryId, other.entryId);
        }
    }
}
