/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import io.github.delayedtracker.it.page.Metrics.Name;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The last ten minutes of each subscription, a sample a second. Thread safe. */
final class Samples implements AutoCloseable {

    static final int MOST = 600;
    /** Subscriptions that are watched at most: each has a stock heap beside it. */
    static final int MOST_SUBSCRIPTIONS = 100;

    private final Map<Name, Watched> watched = new HashMap<>();
    private Metrics latest = new Metrics(Map.of());
    private long latestMillis;

    /**
     * A subscription at one time.
     *
     * @param handedOutCount messages that were handed out so far
     * @param behindMillis for how long the earliest message has been due that was not handed out
     * @param stockBytes bytes that the stock heap takes for as many
     */
    record Sample(long atMillis, long delayed, long handedOutCount, long behindMillis, long bytes, long stockBytes) {
    }

    private static final class Watched {

        private final Deque<Sample> samples = new ArrayDeque<>();
        private final StockHeap stock = new StockHeap();
    }

    /** Takes a sample of each subscription. */
    synchronized void add(Metrics metrics, long nowMillis) {
        latest = metrics;
        latestMillis = nowMillis;
        List<Name> names = metrics.tracked();
        watched.entrySet().removeIf(entry -> {
            boolean gone = !names.contains(entry.getKey());
            if (gone) {
                entry.getValue().stock.close();
            }
            return gone;
        });
        names.stream().limit(MOST_SUBSCRIPTIONS).forEach(name -> {
            Watched one = watched.computeIfAbsent(name, key -> new Watched());
            one.samples.addLast(sample(metrics, name, one.stock, nowMillis));
            if (one.samples.size() > MOST) {
                one.samples.removeFirst();
            }
        });
    }

    private static Sample sample(Metrics metrics, Name name, StockHeap stock, long nowMillis) {
        long delayed = (long) metrics.value(name, "pulsar_subscription_delayed").orElse(0);
        long handedOut = (long) metrics.value(name, "pulsar_delayed_index_handed_out_total").orElse(0);
        long behindMillis = (long) metrics.value(name, "pulsar_delayed_index_oldest_overdue_age_ms").orElse(0);
        long bytes = (long) metrics.value(name, "pulsar_subscription_delayed_message_index_size_bytes").orElse(0);
        return new Sample(nowMillis, delayed, handedOut, behindMillis, bytes, stock.bytesAt(delayed));
    }

    synchronized List<Sample> of(Name name) {
        Watched one = watched.get(name);
        return one == null ? List.of() : List.copyOf(one.samples);
    }

    /** When the last sample was taken; 0 before the first. */
    synchronized long latestMillis() {
        return latestMillis;
    }

    @Override
    public synchronized void close() {
        watched.values().forEach(one -> one.stock.close());
        watched.clear();
    }

    /** The metrics as of the last sample. */
    synchronized Metrics latest() {
        return latest;
    }
}
