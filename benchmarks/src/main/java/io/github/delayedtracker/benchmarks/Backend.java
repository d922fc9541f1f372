/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The trackers that are compared: ours and the stock in-memory trackers, by the names used in all output. */
public enum Backend {
    /** Our heap. */
    HEAP("heap", null),
    /** Our time buckets, at the precision that follows from the tick. */
    TIMEBUCKET("timebucket", null),
    /** The heap in direct memory of broker 4.0.7. */
    STOCK_4_0("stock-4.0", "4.0"),
    /** The time buckets of broker 4.2.4. */
    STOCK_4_2("stock-4.2", "4.2"),
    /** The time buckets as they were published: no broker ships exactly this. */
    AS_PUBLISHED("as published", null);

    /** The backends that a broker can run. */
    static final List<Backend> TRACKERS = List.of(HEAP, TIMEBUCKET, STOCK_4_0, STOCK_4_2);

    private final String label;
    private final String line;

    Backend(String label, String line) {
        this.label = label;
        this.line = line;
    }

    /** The name in options and tables. */
    public String label() {
        return label;
    }

    /** Whether this is one of the project's own. */
    public boolean ours() {
        return this == HEAP || this == TIMEBUCKET;
    }

    /** The backend of that name. */
    public static Backend of(String label) {
        return Stream.of(values()).filter(backend -> backend.label.equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("backend must be one of "
                        + Stream.of(values()).map(Backend::label).toList() + ": " + label));
    }

    /** A new, empty tracker, or nothing where the class path of a stock tracker is absent. */
    public Optional<Tracker> open(boolean strict, long tickMillis) {
        return switch (this) {
            case HEAP -> Optional.of(ours(new HeapIndexProvider(), strict, tickMillis));
            case TIMEBUCKET -> Optional.of(ours(new TimeBucketIndexProvider(), strict, tickMillis));
            case AS_PUBLISHED -> Optional.of(new PublishedTracker(Long.highestOneBit(tickMillis)));
            case STOCK_4_0, STOCK_4_2 -> StockTracker.open(line, strict, tickMillis);
        };
    }

    /** A new, empty {@link #TIMEBUCKET} with rules of its own, where the precision does not follow from the tick. */
    static Tracker timebucket(TimeRules rules) {
        return new IndexTracker(new TimeBucketIndexProvider()::newIndex, true, rules);
    }

    private static Tracker ours(DelayIndexProvider provider, boolean strict, long tickMillis) {
        boolean rounds = provider.roundsTimes();
        return new IndexTracker(provider::newIndex, rounds,
                new TimeRules(strict, tickMillis, rounds ? Long.highestOneBit(tickMillis) : 1));
    }

    /** A new, empty tracker; fails where the class path of a stock tracker is absent. */
    public Tracker openOrFail(boolean strict, long tickMillis) {
        return open(strict, tickMillis).orElseThrow(() -> new IllegalStateException(
                "no class path for " + label + " at " + StockClassPath.location(line)));
    }

    /** The place where the classes of a stock tracker are looked for. */
    public String location() {
        return line == null ? "this build" : StockClassPath.location(line).toString();
    }
}
