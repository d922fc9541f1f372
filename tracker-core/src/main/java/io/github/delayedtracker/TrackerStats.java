/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.StoredIndex;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.subscription.SubscriptionState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pulsar.common.policies.data.stats.TopicMetricBean;

/**
 * One tracker's statistics in the form the broker prints in /metrics, one line a bean, for the subscription and added up
 * for the topic.
 *
 * <p>Counters only grow. Gauges are published figures, read without a lock, except the due-time counts, which are a
 * bounded walk under the subscription's lock.
 */
final class TrackerStats {

    private static final String PREFIX = "pulsar_delayed_index_";
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long[] WITHIN_MILLIS = {0, MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY};
    private static final String[] WITHIN_NAMES = {"now", "1m", "1h", "6h", "1d", "7d", "30d"};

    private final SubscriptionSetup setup;
    private final Optional<StoredIndex> stored;
    private final SubscriptionState state;
    private final TrackerCounters counters;
    private final FailureLog failures;
    private final Purging purging;

    TrackerStats(SubscriptionSetup setup, Optional<StoredIndex> stored, SubscriptionState state, TrackerCounters counters,
            FailureLog failures, Purging purging) {
        this.setup = setup;
        this.stored = stored;
        this.state = state;
        this.counters = counters;
        this.failures = failures;
        this.purging = purging;
    }

    /** A fresh map of the current figures. */
    Map<String, TopicMetricBean> beans(long nowMillis, boolean closed, boolean readingStopped, boolean asked) {
        Map<String, TopicMetricBean> beans = new LinkedHashMap<>();
        put(beans, "info", 1, "backend", setup.backend(), "state", closed ? "closed" : "active",
                "precision_ms", Long.toString(state.rules().precisionMillis()),
                "adaptive_ratio", Long.toString(state.rules().adaptive().ratio()),
                "adaptive_max_ms", Long.toString(state.rules().adaptive().maxMillis()),
                "tick_ms", Long.toString(state.rules().tickMillis()),
                "strict", Boolean.toString(state.rules().strict()));
        put(beans, "offers_total", counters.offers());
        put(beans, "handed_out_total", counters.handedOut());
        put(beans, "dropped_at_hand_out_total", counters.dropped());
        put(beans, "pruned_total", state.forgottenCount());
        put(beans, "purges_total", counters.purges());
        put(beans, "purged_total", counters.purgedPositions());
        put(beans, "wake_ups_total", counters.wakeUps());
        put(beans, "failures_total", failures.count());
        put(beans, "ignored_properties", setup.problems());
        long next = state.nextDueMillis();
        put(beans, "next_due_ms", next == DelayIndex.NEVER ? 0 : next);
        boolean overdue = next <= nowMillis || state.overdueCount() > 0;
        put(beans, "oldest_overdue_age_ms", state.overdueAgeMillis(nowMillis));
        put(beans, "overdue_blocked", overdue ? 1 : 0, "reason", overdue ? reason(readingStopped, asked) : "none");
        put(beans, "waiting_for_read", state.overdueCount());
        purging.figures().ifPresent(figures -> putAckFigures(beans, figures));
        stored.ifPresent(index -> index.figures().forEach((name, figure) -> putFigure(beans, name, figure)));
        putDueCounts(beans, nowMillis);
        return beans;
    }

    private String reason(boolean readingStopped, boolean asked) {
        if (!asked) {
            return "no_permits_or_consumers";
        }
        if (state.overdueCount() == 0) {
            return "reading";
        }
        return readingStopped ? "key_shared_look_ahead" : "read_position";
    }

    private static void putAckFigures(Map<String, TopicMetricBean> beans, AckFigures figures) {
        put(beans, "ack_holes", figures.holes());
        String name = PREFIX + "acks_lost_on_restart";
        beans.put(name + "_planned", new TopicMetricBean(name, figures.lostWhenPlanned(), new String[] {"restart", "planned"}));
        beans.put(name + "_crash", new TopicMetricBean(name, figures.lostAfterCrash(), new String[] {"restart", "crash"}));
    }

    private void putDueCounts(Map<String, TopicMetricBean> beans, long nowMillis) {
        long[] untilMillis = new long[WITHIN_MILLIS.length];
        for (int i = 0; i < untilMillis.length; i++) {
            untilMillis[i] = nowMillis + WITHIN_MILLIS[i];
        }
        long[] counts = new long[untilMillis.length];
        state.countDueBy(untilMillis, counts);
        for (int i = 0; i < counts.length; i++) {
            // Each count is a bean of its own: the broker prints one value for a name in the map.
            beans.put(PREFIX + "due_within_" + WITHIN_NAMES[i],
                    new TopicMetricBean(PREFIX + "due_within", counts[i], new String[] {"within", WITHIN_NAMES[i]}));
        }
    }

    /** A figure of a backend: under this project's prefix, or as it stands if it has a whole name, with the labels behind it. */
    private static void putFigure(Map<String, TopicMetricBean> beans, String name, double value) {
        if (name.startsWith(StoredIndex.WHOLE_NAME)) {
            List<String> parts = List.of(name.split("[|=]"));
            beans.put(name, new TopicMetricBean(parts.get(0), value,
                    parts.size() == 1 ? null : parts.subList(1, parts.size()).toArray(String[]::new)));
        } else {
            put(beans, name, value);
        }
    }

    private static void put(Map<String, TopicMetricBean> beans, String name, double value, String... labels) {
        beans.put(PREFIX + name, new TopicMetricBean(PREFIX + name, value, labels.length == 0 ? null : labels));
    }
}
