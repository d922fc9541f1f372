/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One random life of a subscription with adaptive precision beside a list that follows the plain rule: offers around
 * every boundary of the precision, re-adds, policy changes, and hand-outs one millisecond before and at every opening.
 */
final class AdaptivePrecisionRun {

    private static final long NOW = 1_700_000_000_000L;
    private static final long END = Long.MAX_VALUE;
    private static final int STEPS = 150;
    private static final long[] RATIOS = {8, 9, 100, 1_000, 1_024, 999_983, 1_000_000};

    /** A position that waits, by the plain rule. */
    private record Waiting(long entryId, long deliverAtMillis, long ownMillis, long indexedMillis) {
    }

    private final Random random;
    private final String name;
    private final SubscriptionState state;
    private final Map<Long, Waiting> waiting = new TreeMap<>();
    private long nowMillis = NOW;
    private long longestTickMillis;
    private boolean tickChanged;
    private long nextEntryId;
    private long highestIndexed = -1;

    AdaptivePrecisionRun(Supplier<DelayIndex> newIndex, long seed) {
        this.random = new Random(seed);
        long tickMillis = 1L + random.nextInt(3_000);
        TimeRules rules = new TimeRules(random.nextBoolean(), tickMillis, precisionNear(tickMillis),
                new AdaptivePrecision(RATIOS[random.nextInt(RATIOS.length)], 1L << random.nextInt(18)));
        this.state = States.empty(newIndex, rules);
        this.longestTickMillis = tickMillis;
        this.name = "seed " + seed + ", began with " + rules;
    }

    void run(boolean withPolicyChanges) {
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(withPolicyChanges ? 10 : 9)) {
                case 0, 1 -> offerAgain();
                case 2, 3 -> advanceOverAnOpening();
                case 9 -> changeTick();
                default -> offer(nextEntryId++, nowMillis + delayMillis());
            }
            takeAllDue();
        }
        offer(nextEntryId++, Long.MAX_VALUE);
        finishByWakeUps();
    }

    private long precisionNear(long tickMillis) {
        return Long.highestOneBit(Math.max(1, tickMillis >> random.nextInt(12))) << (random.nextInt(4) == 0 ? 1 : 0);
    }

    // Mostly next to where the precision doubles.
    private long delayMillis() {
        long ratio = state.rules().adaptive().ratio();
        return random.nextInt(4) == 0 ? random.nextLong(1L << random.nextInt(1, 36))
                : (ratio << random.nextInt(18)) + random.nextInt(-1, 2);
    }

    private void offer(long entryId, long deliverAtMillis) {
        TimeRules rules = state.rules();
        boolean contained = waiting.containsKey(entryId);
        long nextDueMillis = state.nextDueMillis();
        long ownMillis = PlainRounding.precisionMillis(rules.precisionMillis(), rules.adaptive(), deliverAtMillis, nowMillis);
        long indexedMillis = PlainRounding.round(rules.strict(), rules.tickMillis(), ownMillis, deliverAtMillis);
        boolean queues = deliverAtMillis > nowMillis && entryId > highestIndexed && firstMillis() == indexedMillis;
        boolean atOnce = deliverAtMillis - (rules.strict() ? 0 : rules.tickMillis()) <= nowMillis && !queues;
        assertEquals(!atOnce, state.offer(1, entryId, deliverAtMillis, nowMillis), name);
        if (atOnce) {
            waiting.remove(entryId);
        } else if (contained) {
            assertEquals(nextDueMillis, state.nextDueMillis(), "a re-add moved a position, " + name);
        } else {
            waiting.put(entryId, new Waiting(entryId, deliverAtMillis, ownMillis, indexedMillis));
            highestIndexed = Math.max(highestIndexed, entryId);
        }
        assertEquals(waiting.size(), state.count(), name);
    }

    // What is forgotten may keep its place as the first until it is tidied away.
    private long firstMillis() {
        return state.forgottenCount() > 0 ? state.nextDueMillis()
                : waiting.values().stream().mapToLong(Waiting::indexedMillis).min().orElse(Long.MAX_VALUE);
    }

    // With less of its delay left the same message would get a finer precision now.
    private void offerAgain() {
        if (!waiting.isEmpty()) {
            Waiting chosen = any();
            offer(chosen.entryId(), (random.nextInt(4) == 0 ? any() : chosen).deliverAtMillis());
        }
    }

    private void advanceOverAnOpening() {
        if (waiting.isEmpty()) {
            return;
        }
        Waiting chosen = any();
        long opensMillis = chosen.indexedMillis() - windowMillis();
        if (opensMillis > nowMillis) {
            nowMillis = opensMillis - 1;
            takeAllDue();
            assertTrue(state.contains(1, chosen.entryId(), nowMillis), "gone before it opened, " + name);
            nowMillis = opensMillis;
            takeAllDue();
            assertNotSame(chosen, waiting.get(chosen.entryId()), "still there when open, " + name);
        }
    }

    private void changeTick() {
        long tickMillis = 1L + random.nextInt(random.nextBoolean() ? 50 : 6_000);
        state.setRules(state.rules().withTick(tickMillis, precisionNear(tickMillis)));
        longestTickMillis = Math.max(longestTickMillis, tickMillis);
        tickChanged = true;
    }

    private long windowMillis() {
        return (state.rules().strict() ? 0 : state.rules().tickMillis()) - PlainRounding.slackMillis(state.rules());
    }

    private List<Waiting> takeAllDue() {
        List<Long> taken = new ArrayList<>();
        for (int call = 0; state.hasDue(nowMillis); call++) {
            assertTrue(call < 10_000, "never stops being due, " + name);
            state.takeDue(nowMillis, 1 + random.nextInt(20), END, END, (ledgerId, entryId) -> taken.add(entryId));
        }
        state.validate();
        List<Waiting> due = waiting.values().stream().filter(this::isOpen)
                .sorted(Comparator.comparingLong(Waiting::indexedMillis).thenComparingLong(Waiting::entryId)).toList();
        assertEquals(due.stream().map(Waiting::entryId).toList(), taken, () -> name + ", at +" + (nowMillis - NOW));
        due.forEach(one -> waiting.remove(one.entryId()));
        due.forEach(this::readAndOfferAgain);
        return due;
    }

    // As the dispatcher does. With one tick all that is handed out may be delivered.
    private void readAndOfferAgain(Waiting one) {
        long earlyMillis = state.rules().strict() ? 0 : state.rules().tickMillis();
        boolean early = nowMillis < one.deliverAtMillis() - earlyMillis;
        assertTrue(!early || tickChanged, () -> "early: " + one + ", " + name);
        offer(one.entryId(), one.deliverAtMillis());
        assertEquals(early, waiting.containsKey(one.entryId()), () -> "held though it may go, or early: " + one + ", " + name);
        assertTrue(!early || !isOpen(waiting.get(one.entryId())), () -> "comes back at once: " + one + ", " + name);
    }

    private boolean isOpen(Waiting one) {
        return one.indexedMillis() <= nowMillis + windowMillis();
    }

    private void finishByWakeUps() {
        while (state.wakeUpMillis() < NOW + (1L << 50)) {
            assertTrue(state.wakeUpMillis() > nowMillis, "woken for what was handed out, " + name);
            nowMillis = state.wakeUpMillis();
            List<Waiting> due = takeAllDue();
            assertTrue(!due.isEmpty() || state.forgottenCount() > 0, "woken for nothing, " + name);
            for (Waiting one : due) {
                long lateMillis = nowMillis - one.deliverAtMillis();
                long mostMillis = tickChanged ? 2 * longestTickMillis + one.ownMillis() : one.ownMillis() - 1;
                assertTrue(lateMillis <= mostMillis, () -> "late by " + lateMillis + ": " + one + ", " + name);
            }
        }
        assertEquals(List.of(Long.MAX_VALUE), waiting.values().stream().map(Waiting::deliverAtMillis).toList(), name);
        assertEquals(1, state.count(), name);
    }

    private Waiting any() {
        return waiting.values().stream().skip(random.nextInt(waiting.size())).findFirst().orElseThrow();
    }
}
