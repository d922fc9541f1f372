/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import org.junit.jupiter.api.Test;

/** The figures of a subscription that are read without its lock are those of what it holds. */
class SubscriptionFiguresTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long END = Long.MAX_VALUE;
    private static final TimeRules STRICT = new TimeRules(true, 1_000, 1);

    private final DelayIndex index = new HeapIndexProvider().newIndex();
    private final SubscriptionState state =
            new SubscriptionState(index, new HeapIndexProvider()::newIndex, STRICT, Runnable::run);

    private void offer(int from, int until, long deliverAtMillis) {
        for (int i = from; i < until; i++) {
            assertTrue(state.offer(1, i, deliverAtMillis, NOW));
        }
    }

    /** Nothing is below the read position: what is due waits for the normal read. */
    private void waitForRead(long nowMillis) {
        assertEquals(0, state.takeDue(nowMillis, 100, 1, 0, (ledgerId, entryId) -> { }));
    }

    @Test
    void anEmptySubscriptionHasNothingDueAndNobodyToWake() {
        assertEquals(0, state.count());
        assertEquals(DelayIndex.NEVER, state.nextDueMillis());
        assertEquals(DelayIndex.NEVER, state.wakeUpMillis());
        assertEquals(DelayIndex.NO_TIME, state.lastDueMillis());
        assertEquals(0, state.overdueAgeMillis(NOW));
        assertFalse(state.hasDue(END - 1));
        assertEquals(index.retainedBytes(), state.retainedBytes());
    }

    @Test
    void bytesAreThoseOfASmallIndexAfterEachAddAndThoseOfALargeOneSoonAfter() {
        for (int i = 0; i < 1_000; i++) {
            offer(i, i + 1, NOW + 5_000 + i);
            assertEquals(index.retainedBytes(), state.retainedBytes());
        }
        long seen = 0;
        for (int i = 1_000; i < 20_000; i++) {
            offer(i, i + 1, NOW + 5_000 + i);
            seen = state.retainedBytes() == index.retainedBytes() ? i : seen;
            assertTrue(i - seen <= 64, "not since entry " + seen);
        }
    }

    @Test
    void bytesOfWhatWaitsForTheReadCountAsWell() {
        offer(0, 100, NOW + 5_000);
        waitForRead(NOW + 5_000);
        assertEquals(0, index.size());
        assertTrue(state.retainedBytes() > index.retainedBytes());
        assertEquals(100, state.count());
    }

    @Test
    void theEarliestTimeIsThatOfTheWakeUp() {
        offer(0, 1, NOW + 9_000);
        offer(1, 2, NOW + 5_000);
        offer(2, 3, NOW + 7_000);
        assertEquals(NOW + 5_000, state.nextDueMillis());
        assertEquals(NOW + 5_000, state.wakeUpMillis(NOW));
        assertEquals(NOW + 9_000, state.lastDueMillis());
    }

    @Test
    void whatWaitsForTheReadIsLookedAtThenOrAtTheNextTimeIfThatIsSooner() {
        offer(0, 1, NOW + 5_000);
        offer(1, 2, NOW + 9_000);
        waitForRead(NOW + 5_000);
        assertEquals(NOW + 6_000, state.wakeUpMillis(NOW + 6_000));
        assertEquals(NOW + 9_000, state.wakeUpMillis(NOW + 10_000));
        assertEquals(0, state.wakeUpMillis());
    }

    @Test
    void somethingIsDueInTheIndexFromItsTimeOnUntilItWaitsForTheRead() {
        offer(0, 1, NOW + 5_000);
        assertFalse(state.hasDue(NOW + 4_999));
        assertTrue(state.hasDue(NOW + 5_000));
        assertTrue(state.hasDueInIndex(NOW + 5_000));
        waitForRead(NOW + 5_000);
        assertTrue(state.hasDue(NOW));
        assertFalse(state.hasDueInIndex(END - 1));
    }

    @Test
    void otherRulesMoveTheTimeFromWhichSomethingIsDue() {
        state.setRules(new TimeRules(false, 1_000, 512));
        offer(0, 1, NOW + 5_000);
        long indexedMillis = state.nextDueMillis();
        assertTrue(state.hasDue(indexedMillis - 489), "a tick of 1000 ms less 511 ms of rounding");
        assertFalse(state.hasDue(indexedMillis - 490));
        state.setRules(STRICT);
        assertFalse(state.hasDue(indexedMillis - 1));
        assertTrue(state.hasDue(indexedMillis));
    }

    @Test
    void theAgeOfTheOldestOverdueIsOfBothPlaces() {
        offer(0, 1, NOW + 5_000);
        assertEquals(0, state.overdueAgeMillis(NOW));
        assertEquals(1_000, state.overdueAgeMillis(NOW + 6_000), "in the index");
        waitForRead(NOW + 6_000);
        assertEquals(2_000, state.overdueAgeMillis(NOW + 7_000), "it waits for the read");
        offer(1, 2, NOW + 8_000);
        waitForRead(NOW + 9_000);
        assertEquals(5_000, state.overdueAgeMillis(NOW + 10_000), "the older one counts");
        assertFalse(state.contains(1, 0, NOW + 10_000));
        assertFalse(state.contains(1, 1, NOW + 10_000));
        assertEquals(0, state.overdueAgeMillis(NOW + 10_000));
        offer(2, 3, NOW + 20_000);
        waitForRead(NOW + 20_000);
        assertEquals(1_000, state.overdueAgeMillis(NOW + 21_000), "those of before count no more");
    }

    @Test
    void whatIsToBeReadForItsTimeHasNoAgeUntilItWaitsForTheRead() {
        state.addIf(() -> true, 1, 1, Withdrawals.TO_BE_READ_MILLIS);
        assertEquals(0, state.overdueAgeMillis(NOW));
        waitForRead(NOW);
        assertEquals(3_000, state.overdueAgeMillis(NOW + 3_000));
    }

    @Test
    void whatIsForgottenIsCountedOnce() {
        offer(0, 10, NOW + 5_000);
        assertTrue(state.forget(1, 9));
        assertFalse(state.forget(1, 9));
        assertEquals(1, state.forgottenCount());
        assertEquals(5, state.forgetUpTo(1, 4));
        assertEquals(0, state.forgetUpTo(1, 4));
        assertEquals(6, state.forgottenCount());
        assertEquals(4, state.count());
    }

    @Test
    void whatWaitsForTheReadIsForgottenToo() {
        offer(0, 10, NOW + 5_000);
        offer(10, 20, NOW + 9_000);
        waitForRead(NOW + 5_000);
        assertTrue(state.forget(1, 9));
        assertEquals(5, state.forgetUpTo(1, 4));
        assertEquals(4, state.overdueCount());
        assertEquals(14, state.count());
        assertEquals(14, state.forgetUpTo(1, 19));
        assertEquals(0, state.count());
        assertEquals(new HeapIndexProvider().newIndex().retainedBytes(), state.retainedBytes(), "nothing is kept");
    }

    @Test
    void whatWaitsForTheReadIsDueByAnyTime() {
        offer(0, 3, NOW + 5_000);
        offer(3, 5, NOW + 900_000_000);
        waitForRead(NOW + 5_000);
        long[] counts = new long[2];
        state.countDueBy(new long[] {NOW, NOW + 2_000_000_000}, counts);
        assertArrayEquals(new long[] {3, 5}, counts);
    }

    @Test
    void aCountThatIsNotThatOfWhatIsHeldIsFound() {
        offer(0, 2, NOW + 5_000);
        waitForRead(NOW + 5_000);
        state.validate();
        state.publishCount(3);
        assertEquals("published count 3 is not that of what is held, 2",
                assertThrows(IllegalStateException.class, state::validate).getMessage());
    }
}
