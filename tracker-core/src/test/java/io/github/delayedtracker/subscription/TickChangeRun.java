/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One change of the tick of a subscription whose index is not empty for 30 days, with a dispatcher that asks when it is woken, or
 * each tick, and offers all it is handed out again, as brokers do.
 */
final class TickChangeRun {

    private static final long NOW = 1_700_000_000_000L;
    private static final long END = Long.MAX_VALUE;
    private static final long FAR_MILLIS = 30L * 86_400_000;
    private static final int MESSAGES = 300;

    private final SubscriptionState state;
    private final Map<Long, Long> deliverAtMillis = new TreeMap<>();
    private final Map<Long, Integer> offers = new TreeMap<>();
    private final TimeRules after;
    private final long beforeTickMillis;
    private final boolean asksEachTick;
    private final String name;
    private long nowMillis = NOW;

    TickChangeRun(Supplier<DelayIndex> newIndex, TimeRules before, TimeRules after, boolean asksEachTick) {
        this.state = States.empty(newIndex, before);
        this.after = after;
        this.beforeTickMillis = before.tickMillis();
        this.asksEachTick = asksEachTick;
        this.name = before + " then " + after + (asksEachTick ? ", asked each tick" : ", asked when woken");
    }

    void run() {
        state.offer(1, 0, NOW + FAR_MILLIS, NOW);
        long spanMillis = 3 * Math.max(beforeTickMillis, after.tickMillis());
        for (long entryId = 1; entryId <= MESSAGES; entryId++) {
            offer(entryId, NOW + beforeTickMillis + 1 + entryId * spanMillis / MESSAGES);
        }
        state.setRules(after);
        for (long entryId = MESSAGES + 1; entryId <= 2 * MESSAGES; entryId++) {
            offer(entryId, NOW + after.tickMillis() + 1 + (entryId - MESSAGES) * spanMillis / MESSAGES);
        }
        while (state.count() > 1) {
            long nextMillis = asksEachTick ? nowMillis + after.tickMillis() : state.wakeUpMillis();
            assertTrue(nextMillis > nowMillis, () -> "woken for nothing that is due, " + name);
            nowMillis = nextMillis;
            assertTrue(nowMillis < NOW + FAR_MILLIS / 2, () -> "held back without end, " + name);
            readWhatIsDue();
        }
        assertEquals(Map.of(), deliverAtMillis, name);
        offers.forEach((entryId, times) -> assertTrue(times <= 3, () -> entryId + " was read " + times + " times, " + name));
    }

    private void readWhatIsDue() {
        for (int reads = 0; state.hasDue(nowMillis); reads++) {
            List<Long> taken = new ArrayList<>();
            state.takeDue(nowMillis, 50, END, END, (ledgerId, entryId) -> taken.add(entryId));
            taken.forEach(entryId -> offer(entryId, deliverAtMillis.get(entryId)));
            assertTrue(reads < 4 * MESSAGES, () -> "hands out the same ones without end, " + name);
            state.validate();
        }
    }

    private void offer(long entryId, long atMillis) {
        offers.merge(entryId, 1, Integer::sum);
        deliverAtMillis.put(entryId, atMillis);
        if (state.offer(1, entryId, atMillis, nowMillis)) {
            return;
        }
        deliverAtMillis.remove(entryId);
        long lateMillis = nowMillis - atMillis;
        assertTrue(lateMillis >= (after.strict() ? 0 : -state.rules().tickMillis()), () -> entryId + " early by " + -lateMillis
                + " ms, " + name);
        long tickMillis = entryId > MESSAGES ? after.tickMillis() : Math.max(after.tickMillis(), beforeTickMillis);
        assertTrue(lateMillis <= 2 * tickMillis + tickMillis, () -> entryId + " late by " + lateMillis + " ms, " + name);
    }
}
