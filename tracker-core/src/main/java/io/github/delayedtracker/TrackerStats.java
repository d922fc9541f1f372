/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.command.DelayedCommands.DueBy;
import io.github.delayedtracker.command.DelayedCommands.Schedule;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.metrics.Series;
import io.github.delayedtracker.subscription.SubscriptionState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.pulsar.common.policies.data.stats.TopicMetricBean;

/**
 * One tracker's statistics in the form the broker prints in /metrics, one line a bean, for the subscription and added up
 * for the topic.
 *
 * <p>Counters only grow. Gauges are published figures, read without a lock, except the due-time counts, which are a
 * bounded walk under the subscription's lock.
 */
final class TrackerStats {

    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    /** The ends of the ranges but the last, from now. */
    private static final long[] RANGE_MILLIS = {0, MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY};
    private static final List<Series> RANGES = Stream.of("overdue", "0-1m", "1m-1h", "1h-6h", "6h-1d", "1d-7d", "7d-30d", "30d-")
            .map(TrackerMetrics.DUE_IN::series).toList();
    private static final Series NOT_OVERDUE = TrackerMetrics.OVERDUE_BLOCKED.series("none");
    private static final Series NOT_ASKED = TrackerMetrics.OVERDUE_BLOCKED.series("no_permits_or_consumers");
    private static final Series READING = TrackerMetrics.OVERDUE_BLOCKED.series("reading");
    private static final Series READING_STOPPED = TrackerMetrics.OVERDUE_BLOCKED.series("key_shared_look_ahead");
    private static final Series AHEAD_OF_READING = TrackerMetrics.OVERDUE_BLOCKED.series("read_position");

    private final SubscriptionSetup setup;
    private final Optional<SubscriptionStore> stored;
    private final SubscriptionState state;
    private final TrackerCounters counters;
    private final FailureLog failures;
    private final Acknowledgements acks;
    private final OptionalLong timeToLiveSeconds;
    /** Whether the dispatcher does not read on. */
    private final boolean readingStopped;
    /** Whether the dispatcher has asked since it was woken last. */
    private final boolean wasAsked;

    TrackerStats(SubscriptionSetup setup, Optional<SubscriptionStore> stored, SubscriptionState state, TrackerCounters counters,
            FailureLog failures, Acknowledgements acks, OptionalLong timeToLiveSeconds, boolean readingStopped,
            boolean wasAsked) {
        this.setup = setup;
        this.stored = stored;
        this.state = state;
        this.counters = counters;
        this.failures = failures;
        this.acks = acks;
        this.timeToLiveSeconds = timeToLiveSeconds;
        this.readingStopped = readingStopped;
        this.wasAsked = wasAsked;
    }

    /** The current figures, fresh. */
    Samples samples(long nowMillis, boolean closed) {
        Samples samples = new Samples();
        samples.put(setup.info().of(state.rules(), closed), 1);
        samples.put(TrackerMetrics.OFFERS, counters.offers());
        samples.put(TrackerMetrics.HANDED_OUT, counters.handedOut());
        samples.put(TrackerMetrics.DROPPED_AT_HAND_OUT, counters.dropped());
        samples.put(TrackerMetrics.PRUNED, state.forgottenCount());
        samples.put(TrackerMetrics.PURGED, counters.purgedPositions());
        samples.put(TrackerMetrics.WAKE_UPS, counters.wakeUps());
        samples.put(TrackerMetrics.FAILURES, failures.count());
        samples.put(TrackerMetrics.IGNORED_PROPERTIES, setup.problems());
        long next = nextDueMillis();
        samples.put(TrackerMetrics.NEXT_DUE, next == DelayIndex.NEVER ? 0 : next);
        samples.put(TrackerMetrics.LAST_DUE, Math.max(0, lastDueMillis()));
        samples.put(TrackerMetrics.OLDEST_OVERDUE_AGE, state.overdueAgeMillis(nowMillis));
        Series blocked = blocked(nowMillis);
        samples.put(blocked, blocked == NOT_OVERDUE ? 0 : 1);
        samples.put(TrackerMetrics.WAITING_FOR_READ, state.overdueCount());
        acks.putSamples(samples, nowMillis);
        stored.ifPresent(index -> samples.putAll(index.samples()));
        putDueCounts(samples, nowMillis);
        timeToLiveSeconds.ifPresent(seconds -> putDueAfterTimeToLive(samples, nowMillis + seconds * SECOND));
        return samples;
    }

    /** What is scheduled, with how many are due by some times. */
    Schedule schedule(String subscription, long[] untilMillis, long nowMillis) {
        long[] counts = new long[untilMillis.length];
        state.countDueBy(untilMillis, counts);
        List<DueBy> dueBy = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            dueBy.add(new DueBy(untilMillis[i], counts[i]));
        }
        long next = nextDueMillis();
        long last = lastDueMillis();
        return new Schedule(subscription, state.count(), overdue(nowMillis),
                next == DelayIndex.NEVER ? OptionalLong.empty() : OptionalLong.of(next),
                last == DelayIndex.NO_TIME ? OptionalLong.empty() : OptionalLong.of(last),
                blocked(nowMillis).labelValues().get(0), dueBy);
    }

    /** The earliest time, in memory or in storage; {@link DelayIndex#NEVER} if there is none. */
    private long nextDueMillis() {
        long storedMillis = stored.map(index -> state.read(index::nextStoredMillis)).orElse(DelayIndex.NEVER);
        return Math.min(storedMillis, state.nextDueMillis());
    }

    /** The latest time, in memory or in storage; {@link DelayIndex#NO_TIME} if there is none. */
    private long lastDueMillis() {
        long storedMillis = stored.map(index -> state.read(index::lastStoredMillis)).orElse(DelayIndex.NO_TIME);
        return Math.max(storedMillis, state.lastDueMillis());
    }

    private long overdue(long nowMillis) {
        if (nextDueMillis() > nowMillis) {
            return state.overdueCount();
        }
        long[] due = new long[1];
        state.countDueBy(new long[] {nowMillis}, due);
        return Math.min(due[0], state.count());
    }

    private boolean isOverdue(long nowMillis) {
        return state.nextDueMillis() <= nowMillis || state.overdueCount() > 0;
    }

    private Series blocked(long nowMillis) {
        if (!isOverdue(nowMillis)) {
            return NOT_OVERDUE;
        }
        if (!wasAsked) {
            return NOT_ASKED;
        }
        if (state.overdueCount() == 0) {
            return READING;
        }
        return readingStopped ? READING_STOPPED : AHEAD_OF_READING;
    }

    private void putDueCounts(Samples samples, long nowMillis) {
        long[] untilMillis = new long[RANGES.size()];
        for (int i = 0; i < RANGE_MILLIS.length; i++) {
            untilMillis[i] = nowMillis + RANGE_MILLIS[i];
        }
        untilMillis[RANGE_MILLIS.length] = Long.MAX_VALUE;
        long[] counts = new long[untilMillis.length];
        state.countDueBy(untilMillis, counts);
        long before = 0;
        for (int i = 0; i < counts.length; i++) {
            samples.put(RANGES.get(i), counts[i] - before);
            before = counts[i];
        }
    }

    private void putDueAfterTimeToLive(Samples samples, long endMillis) {
        long[] dueBy = new long[2];
        state.countDueBy(new long[] {endMillis, Long.MAX_VALUE}, dueBy);
        samples.put(TrackerMetrics.DUE_AFTER_TTL, dueBy[1] - dueBy[0]);
    }

    /**
     * The figures that are not 0, as the broker prints them, and those with the names of the stock tracker; none where it prints
     * none of single topics.
     */
    static Map<String, TopicMetricBean> printed(Supplier<Samples> all, TrackerServices services) {
        return services.configuration().isExposeTopicLevelMetricsInPrometheus() ? asBeans(all.get()) : Map.of();
    }

    /** Each series is a bean of its own: the broker prints one value for a key of the map. */
    private static Map<String, TopicMetricBean> asBeans(Samples samples) {
        Map<String, TopicMetricBean> beans = new LinkedHashMap<>();
        samples.forEach((series, value) -> {
            if (value != 0 || !series.metric().family().startsWith(Metric.SUBSCRIPTION)) {
                beans.put(series.name(), new TopicMetricBean(series.metric().exportedName(), value,
                        series.labelValues().isEmpty() ? null : series.labelsAndValues()));
            }
        });
        return beans;
    }
}
