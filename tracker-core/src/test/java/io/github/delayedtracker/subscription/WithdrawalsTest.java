/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.heap.HeapIndexProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A withdrawn position is neither counted nor sent until the cursor has answered; then it is acknowledged, or read again. */
class WithdrawalsTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long DUE = NOW + 5_000;
    private static final long END = Long.MAX_VALUE;

    private final SubscriptionState state = States.empty(new HeapIndexProvider()::newIndex, new TimeRules(true, 1_000, 1));
    private final Withdrawals withdrawals = new Withdrawals(state);

    private void schedule(long... entryIds) {
        LongStream.of(entryIds).forEach(entryId -> assertTrue(state.offer(1, entryId, DUE, NOW)));
    }

    private List<Long> withdraw(long... entryIds) {
        CandidateBatch asked = new CandidateBatch();
        LongStream.of(entryIds).forEach(entryId -> asked.accept(1, entryId));
        List<Long> taken = new ArrayList<>();
        withdrawals.withdraw(asked, (ledgerId, entryId) -> taken.add(entryId));
        return taken;
    }

    private List<Long> takeBelow(long readEntryId, long nowMillis) {
        List<Long> taken = new ArrayList<>();
        state.takeDue(nowMillis, 100, 1, readEntryId, (ledgerId, entryId) -> taken.add(entryId));
        return taken;
    }

    @Test
    void onlyWhatIsKnownIsWithdrawn() {
        schedule(1, 2);
        assertEquals(List.of(2L), withdraw(2, 3));
        assertFalse(withdrawals.has(1, 1));
        assertTrue(withdrawals.has(1, 2));
        assertFalse(withdrawals.has(1, 3));
        assertEquals(1, state.count());
        assertEquals(List.of(1L), takeBelow(END, DUE));
    }

    @Test
    void whatWaitsForTheNormalReadIsWithdrawnToo() {
        schedule(1, 2);
        assertEquals(List.of(), takeBelow(0, DUE));
        assertEquals(2, state.overdueCount());
        assertEquals(List.of(1L), withdraw(1));
        assertEquals(1, state.overdueCount());
        assertEquals(List.of(2L), takeBelow(END, DUE));
    }

    @Test
    void whatIsUnknownIsNotWithdrawnThoughOthersWaitForTheNormalRead() {
        schedule(1, 2);
        assertEquals(List.of(), takeBelow(0, DUE));
        assertEquals(List.of(), withdraw(3));
        assertFalse(withdrawals.has(1, 3));
    }

    @Test
    void aReadEndsTheWaitOfItsOwnPositionThoughOthersWaitForTheNormalRead() {
        schedule(1, 2);
        withdraw(1);
        withdrawals.readAgain(1, 1);
        assertEquals(List.of(), takeBelow(0, DUE));
        assertEquals(List.of(1L), takeBelow(2, DUE));
        withdrawals.isRead(1, 1);
        assertFalse(withdrawals.isToBeRead(1, 1));
        assertEquals(1, state.overdueCount());
    }

    @Test
    void manyAreWithdrawnInTheOrderInWhichTheyAreNamed() {
        long[] entryIds = LongStream.range(0, 200).map(i -> 199 - i).toArray();
        schedule(entryIds);
        assertEquals(LongStream.of(entryIds).boxed().toList(), withdraw(entryIds));
        assertEquals(0, state.count());
    }

    @Test
    void aReadThatOffersItIsToldToDropItAndIndexesNothing() {
        schedule(1, 2, 3);
        withdraw(1, 3);
        assertTrue(state.offer(1, 1, DUE, NOW));
        assertTrue(withdrawals.swallows(1, 1));
        assertFalse(withdrawals.swallows(1, 2), "another one, between two that are withdrawn");
        assertEquals(List.of(2L), takeBelow(END, DUE));
    }

    @Test
    void whatIsAcknowledgedIsWithdrawnNoMore() {
        schedule(1, 2);
        withdraw(1, 2);
        withdrawals.isAcknowledged(1, 1);
        assertFalse(withdrawals.has(1, 1));
        assertFalse(withdrawals.swallows(1, 1));
        assertTrue(withdrawals.has(1, 2));
        assertEquals(0, state.count());
    }

    @Test
    void whatCouldNotBeAcknowledgedIsHandedOutAtOnceToBeRead() {
        schedule(1);
        withdraw(1);
        withdrawals.readAgain(1, 1);
        assertFalse(withdrawals.has(1, 1));
        assertTrue(withdrawals.isToBeRead(1, 1));
        assertEquals(1, state.count());
        assertTrue(state.hasDue(NOW));
        assertEquals(List.of(1L), takeBelow(END, NOW));
    }

    @Test
    void whatIsNotWithdrawnKeepsItsTime() {
        schedule(1);
        withdrawals.readAgain(1, 1);
        withdrawals.readAgain(1, 2);
        assertFalse(withdrawals.isToBeRead(1, 1));
        assertEquals(List.of(), takeBelow(END, NOW));
        assertEquals(1, state.count());
    }

    @Test
    void itIsToBeReadUntilTheReadThatComesAfterItsHandOut() {
        schedule(1);
        withdraw(1);
        withdrawals.readAgain(1, 1);
        withdrawals.isRead(1, 1);
        assertTrue(withdrawals.isToBeRead(1, 1), "the read was on its way before");
        assertEquals(List.of(), takeBelow(0, NOW));
        withdrawals.isRead(1, 1);
        assertTrue(withdrawals.isToBeRead(1, 1), "it waits for the normal read");
        assertEquals(List.of(1L), takeBelow(END, NOW));
        withdrawals.isRead(1, 1);
        assertFalse(withdrawals.isToBeRead(1, 1));
    }

    @Test
    void whatTheCursorHasPassedNeedNotBeRead() {
        schedule(4, 5);
        withdraw(4, 5);
        withdrawals.readAgain(1, 4);
        withdrawals.readAgain(1, 5);
        withdrawals.forgetUpTo(1, 4);
        assertFalse(withdrawals.isToBeRead(1, 4));
        assertTrue(withdrawals.isToBeRead(1, 5));
    }

    @Test
    void nobodyIsAskedAboutPositionsOutsideAllThatWereWithdrawn() {
        assertFalse(withdrawals.mayHave(1, 1));
        schedule(3, 5);
        withdraw(3, 5);
        assertFalse(withdrawals.mayHave(1, 2));
        assertTrue(withdrawals.mayHave(1, 3));
        assertTrue(withdrawals.mayHave(1, 5));
        assertFalse(withdrawals.mayHave(1, 6));
    }

    @Test
    void nothingIsWithdrawnFromAClosedSubscription() {
        schedule(1);
        withdraw(1);
        state.close();
        assertEquals(List.of(), withdraw(1));
        assertFalse(withdrawals.has(1, 1));
        withdrawals.readAgain(1, 1);
        assertEquals(0, state.count());
    }
}
