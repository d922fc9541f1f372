/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules of a subscription, promised for every backend. A backend's module extends this with its own index. */
public abstract class SubscriptionRulesContractTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long END = Long.MAX_VALUE;

    /** An empty index of the backend under test. */
    protected abstract DelayIndex newIndex();

    /** The precision the backend is used with at a tick of 1000 ms. */
    protected abstract long precisionMillis();

    private SubscriptionState strict() {
        return States.empty(this::newIndex, new TimeRules(true, 1_000, precisionMillis()));
    }

    private SubscriptionState loose() {
        return States.empty(this::newIndex, new TimeRules(false, 1_000, precisionMillis()));
    }

    private static List<String> take(SubscriptionState state, long nowMillis, int limit, long readLedger, long readEntry) {
        List<String> taken = new ArrayList<>();
        state.takeDue(nowMillis, limit, readLedger, readEntry, (l, e) -> taken.add(l + ":" + e));
        state.validate();
        return taken;
    }

    private static List<String> takeAll(SubscriptionState state, long nowMillis) {
        List<String> all = new ArrayList<>();
        for (List<String> part = take(state, nowMillis, 100, END, END); !part.isEmpty();
                part = take(state, nowMillis, 100, END, END)) {
            all.addAll(part);
        }
        return all;
    }

    @Test
    void containedMeansScheduledAndHandedOutOnceWhenDue() {
        SubscriptionState state = strict();
        assertTrue(state.offer(1, 7, NOW + 5_000, NOW));
        assertTrue(state.contains(1, 7, NOW));
        assertTrue(state.wakeUpMillis() >= NOW + 5_000);
        assertEquals(List.of(), take(state, NOW + 4_999, 10, END, END));
        assertEquals(List.of("1:7"), takeAll(state, state.wakeUpMillis()));
        assertFalse(state.contains(1, 7, NOW + 10_000));
        assertEquals(0, state.count());
        assertEquals(List.of(), takeAll(state, NOW + 100_000));
    }

    @Test
    void whatIsReadWithinItsLastTickQueuesBehindAnEarlierOneOfTheSameTime() {
        SubscriptionState state = loose();
        assertTrue(state.offer(1, 1, NOW + 5_000, NOW));
        assertTrue(state.offer(1, 2, NOW + 5_000, NOW + 4_500));
        assertEquals(List.of("1:1", "1:2"), takeAll(state, NOW + 5_000));
        assertFalse(state.offer(1, 3, NOW + 5_000, NOW + 4_900), "the earlier one is gone");
    }

    @Test
    void whatStandsAboveTheReadPositionIsKeptThoughAHandOutFails() {
        SubscriptionState state = strict();
        state.offer(1, 9, NOW + 4_000, NOW);
        state.offer(1, 1, NOW + 20_000, NOW);
        assertThrows(IllegalStateException.class, () -> state.takeDue(NOW + 30_000, 10, 1, 9, (ledgerId, entryId) -> {
            throw new IllegalStateException("no place for " + ledgerId + ":" + entryId);
        }));
        assertTrue(takeAll(state, NOW + 30_000).contains("1:9"));
    }

    @Test
    void whatWasHandedOutIsSentAtOnceThoughItsEqualsAreStillIndexed() {
        SubscriptionState state = loose();
        state.offer(1, 1, NOW + 5_000, NOW);
        state.offer(1, 2, NOW + 5_000, NOW);
        long openMillis = NOW + 4_999;
        assertEquals(List.of("1:1"), take(state, openMillis, 1, END, END));
        assertFalse(state.offer(1, 1, NOW + 5_000, openMillis));
        assertEquals(1, state.count());
    }

    @Test
    void whatIsReadWithinItsLastTickWaitsNeitherForAnEarlierTimeNorOnceItIsDue() {
        SubscriptionState state = loose();
        state.offer(1, 1, NOW + 5_000, NOW);
        assertFalse(state.offer(1, 2, NOW + 8_000, NOW + 7_500), "what is due before is stuck, whoever reads now is not");
        assertFalse(state.offer(1, 3, NOW + 5_000, NOW + 5_000));
        assertEquals(1, state.count());
    }

    @Test
    @DisplayName("#14722/#14740/T14: every position added again twice, in another order: count stays, one hand-out each")
    void t14ReAddsInAnyOrderKeepCountAndHandOutOnce() {
        SubscriptionState state = strict();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1_000; i++) {
                int entry = round % 2 == 0 ? i : 999 - i;
                assertTrue(state.offer(3, entry, NOW + 5_000 + entry, NOW));
            }
        }
        assertEquals(1_000, state.count());
        assertEquals(1_000, takeAll(state, NOW + 60_000).size());
        assertEquals(0, state.count());
    }

    @Test
    @DisplayName("T17/S-03: a tracked position re-added when due is refused, no longer counted, never handed out later")
    void t17DueReAddIsRefusedAndForgotten() {
        SubscriptionState state = strict();
        state.offer(1, 1, NOW + 2_000, NOW);
        state.offer(1, 2, NOW + 2_000, NOW);
        assertFalse(state.offer(1, 1, NOW + 2_000, NOW + 2_000));
        assertEquals(1, state.count());
        assertEquals(List.of("1:2"), takeAll(state, NOW + 60_000));
    }

    @Test
    @DisplayName("S-04: a position re-added with another time is handed out once")
    void s04AnotherTimeDoesNotMeanAnotherHandOut() {
        SubscriptionState state = strict();
        state.offer(1, 1, NOW + 2_000, NOW);
        state.offer(1, 1, NOW + 9_000, NOW);
        state.offer(1, 1, NOW + 1_500, NOW);
        assertEquals(1, state.count());
        assertEquals(List.of("1:1"), takeAll(state, NOW + 60_000));
    }

    @Test
    void aPlainMessageIsDeliveredAtOnceAndForgottenIfItWasTracked() {
        SubscriptionState state = strict();
        assertFalse(state.offer(1, 1, -1, NOW));
        state.offer(1, 2, NOW + 2_000, NOW);
        assertFalse(state.offer(1, 2, -1, NOW));
        assertEquals(List.of(), takeAll(state, NOW + 60_000));
    }

    @Test
    @DisplayName("Ruling 1: what is due at or above the read position is left to the read and given up to it once")
    void dueAboveTheReadPositionIsGivenUpToTheRead() {
        SubscriptionState state = strict();
        for (int entry = 0; entry < 10; entry++) {
            state.offer(5, entry, NOW + 1_500, NOW);
        }
        long later = NOW + 10_000;
        assertEquals(List.of("5:0", "5:1", "5:2", "5:3"), take(state, later, 100, 5, 4));
        assertEquals(6, state.count());
        assertTrue(state.wakeUpMillis() <= later, "still overdue, so still wanted");
        assertFalse(state.contains(5, 6, later));
        assertFalse(state.contains(5, 6, later), "given up once, unknown from then on");
        assertEquals(List.of("5:4", "5:5", "5:7", "5:8", "5:9"), take(state, later, 100, 5, 10));
        assertEquals(0, state.count());
    }

    @Test
    void aPositionNotYetDueIsSkippedByTheRead() {
        SubscriptionState state = strict();
        state.offer(5, 1, NOW + 60_000, NOW);
        assertTrue(state.contains(5, 1, NOW));
        assertFalse(state.contains(5, 2, NOW));
        assertFalse(state.contains(4, 1, NOW));
    }

    @Test
    @DisplayName("T12/#25371: adds in random ledger order never fail")
    void t12LedgersInAnyOrder() {
        SubscriptionState state = strict();
        long[] ledgers = {9, 3, 7, 1, 8, 2, 6, 4, 5};
        for (long ledger : ledgers) {
            assertTrue(state.offer(ledger, 0, NOW + 2_000, NOW));
        }
        assertEquals(List.of("1:0", "2:0", "3:0", "4:0", "5:0", "6:0", "7:0", "8:0", "9:0"), takeAll(state, NOW + 60_000));
    }

    @Test
    @DisplayName("S-12/T31: positions that mark-delete has passed leave count and memory, and are not handed out")
    void s12MarkDeletePrunes() {
        SubscriptionState state = strict();
        for (int i = 0; i < 100_000; i++) {
            state.offer(1 + i / 1_000, i % 1_000, NOW + 86_400_000 + i, NOW);
        }
        long fullBytes = state.retainedBytes();
        assertEquals(99_000, state.forgetUpTo(99, 999));
        assertEquals(1_000, state.count());
        // Twice at least: some work waits until an index was left alone between two calls.
        for (boolean more = true; more; more = state.tidy(10_000)) {
            state.tidy(10_000);
            state.validate();
        }
        assertTrue(state.retainedBytes() < fullBytes / 10, state.retainedBytes() + " bytes left of " + fullBytes);
        assertEquals(1_000, takeAll(state, NOW + 2 * 86_400_000L).size());
        assertEquals(99_000, state.forgottenCount());
    }

    @Test
    @DisplayName("#26420: after a seek both ways counts and hand-outs are right")
    void seekForwardForgetsAndSeekBackIndexesAgain() {
        SubscriptionState state = strict();
        for (int entry = 0; entry < 100; entry++) {
            state.offer(1, entry, NOW + 5_000, NOW);
        }
        state.forgetUpTo(1, 49);
        assertEquals(50, state.count());
        for (int entry = 0; entry < 100; entry++) {
            assertEquals(entry >= 50, state.contains(1, entry, NOW));
            state.offer(1, entry, NOW + 5_000, NOW);
        }
        assertEquals(100, state.count());
        assertEquals(100, takeAll(state, NOW + 60_000).size());
    }

    @Test
    @DisplayName("#10168: tick of 1 ms and messages without any delay left")
    void deliverAtInThePastIsDeliveredAtOnce() {
        SubscriptionState state = strict();
        assertFalse(state.offer(1, 1, NOW, NOW));
        assertFalse(state.offer(1, 1, NOW - 1, NOW));
        assertTrue(state.offer(1, 1, NOW + 1, NOW));
    }

    @Test
    void nonStrictMessagesWithinATickAreDeliveredAtOnce() {
        SubscriptionState state = loose();
        assertFalse(state.offer(1, 1, NOW + 1_000, NOW));
        assertTrue(state.offer(1, 1, NOW + 1_001, NOW));
    }

    @Test
    @DisplayName("B2/T1/S-05: after any change of the tick new messages keep its bound, though one due in 30 days is indexed")
    void b2ATickThatWasChangedHoldsForNewMessagesAtOnce() {
        long[] ticks = {1, 10, 1_000, 1_500, 60_000};
        for (boolean strict : new boolean[] {false, true}) {
            for (long before : ticks) {
                for (long after : ticks) {
                    TimeRules first = new TimeRules(strict, before, precisionAt(before));
                    TimeRules second = first.withTick(after, precisionAt(after));
                    new TickChangeRun(this::newIndex, first, second, false).run();
                    new TickChangeRun(this::newIndex, first, second, true).run();
                }
            }
        }
    }

    private long precisionAt(long tickMillis) {
        return precisionMillis() == 1 ? 1 : Long.highestOneBit(tickMillis);
    }

    @Test
    @DisplayName("Ruling 13: adaptive precision follows the plain rule: never early, late by less than the own precision")
    void adaptivePrecisionFollowsThePlainRule() {
        long seed = new Random().nextLong();
        for (int run = 0; run < 150; run++) {
            new AdaptivePrecisionRun(this::newIndex, seed + run).run(false);
        }
    }

    @Test
    @DisplayName("Ruling 13/S-05: adaptive precision, ticks changed both ways: never early, late by 2 ticks and own precision")
    void s05AdaptivePrecisionWithTicksChangedAtRunTime() {
        long seed = new Random().nextLong();
        for (int run = 0; run < 150; run++) {
            new AdaptivePrecisionRun(this::newIndex, seed + run).run(true);
        }
    }

    @Test
    void adaptivePrecisionTakesNegativeAndHugeTimes() {
        SubscriptionState state = States.empty(this::newIndex,
                new TimeRules(true, 1_000, precisionMillis(), new AdaptivePrecision(8, 1L << 62)));
        assertFalse(state.offer(1, 1, -1, NOW));
        assertFalse(state.offer(1, 1, Long.MIN_VALUE, NOW));
        assertTrue(state.offer(1, 1, Long.MAX_VALUE, NOW));
        assertTrue(state.offer(1, 2, Long.MAX_VALUE - 1, NOW));
        assertEquals(DelayIndex.NEVER, state.wakeUpMillis());
        assertEquals(List.of(), takeAll(state, Long.MAX_VALUE - 1));
        assertTrue(state.contains(1, 2, NOW));
        assertEquals(2, state.count());
    }

    @Test
    @DisplayName("deliverAt = Long.MAX_VALUE and in 100 years: accepted, contained, no wake-up before its time")
    void farTimesAreAccepted() {
        SubscriptionState state = strict();
        assertTrue(state.offer(1, 1, Long.MAX_VALUE, NOW));
        assertTrue(state.offer(1, 2, NOW + 100L * 365 * 86_400_000, NOW));
        assertTrue(state.contains(1, 1, NOW));
        assertEquals(2, state.count());
        assertTrue(state.wakeUpMillis() >= NOW + 100L * 365 * 86_400_000);
        assertEquals(List.of(), takeAll(state, NOW + 86_400_000));
    }

    @Test
    @DisplayName("#24578: after close every call gets a neutral answer and nothing is handed out")
    void callsAfterCloseAreNeutral() {
        SubscriptionState state = strict();
        state.offer(1, 1, NOW + 1_500, NOW);
        state.close();
        assertEquals(0, state.count());
        assertEquals(0, state.retainedBytes());
        assertFalse(state.contains(1, 1, NOW));
        assertFalse(state.hasDue(NOW + 60_000));
        assertEquals(List.of(), takeAll(state, NOW + 60_000));
        assertTrue(state.offer(1, 2, NOW + 1_500, NOW), "not sent early by a dispatcher that is going away");
        assertFalse(state.offer(1, 2, NOW, NOW));
        assertEquals(0, state.forgetUpTo(9, 9));
        assertEquals(DelayIndex.NEVER, state.wakeUpMillis());
        state.close();
    }

    @Test
    void aHandedOutPositionThatIsNotYetDueIsIndexedAgain() {
        SubscriptionState state = loose();
        state.offer(1, 1, NOW + 5_000, NOW);
        assertEquals(List.of("1:1"), takeAll(state, NOW + 5_000));
        assertTrue(state.offer(1, 1, NOW + 5_000, NOW), "the clock stepped back");
        assertEquals(1, state.count());
        assertEquals(List.of("1:1"), takeAll(state, NOW + 5_000));
    }
}
