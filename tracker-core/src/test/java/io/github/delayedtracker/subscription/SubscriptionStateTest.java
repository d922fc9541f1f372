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
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a subscription does with an index that is changed from outside, and how much it does in one call. */
class SubscriptionStateTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long DUE = NOW + 5_000;
    private static final long END = Long.MAX_VALUE;

    private final Supplier<DelayIndex> newIndex = new HeapIndexProvider()::newIndex;
    private final DelayIndex index = spy(newIndex.get());
    private final List<Runnable> elsewhere = new ArrayList<>();
    private final SubscriptionState state =
            new SubscriptionState(index, newIndex, new TimeRules(true, 1_000, 1), elsewhere::add);

    private List<String> take(long nowMillis, int limit, long readLedgerId, long readEntryId) {
        List<String> taken = new ArrayList<>();
        assertEquals(state.takeDue(nowMillis, limit, readLedgerId, readEntryId,
                (ledgerId, entryId) -> taken.add(ledgerId + ":" + entryId)), taken.size());
        return taken;
    }

    @Test
    void aPositionIsKeptThoughThereIsNoThreadForTheWorkOfTheIndex() {
        when(index.takeWork()).thenReturn(Optional.of(() -> { }));
        SubscriptionState without = new SubscriptionState(index, newIndex, new TimeRules(true, 1_000, 1), work -> {
            throw new RejectedExecutionException("for the test");
        });
        long before = PassedOnWork.dropped();
        assertTrue(without.offer(1, 1, DUE, NOW));
        assertEquals(before + 1, PassedOnWork.dropped());
        assertTrue(without.contains(1, 1, NOW));
    }

    @Test
    void whatIsPutIntoTheIndexFromOutsideIsKnownOnceItIsTold() {
        index.add(DUE, 4, 7);
        assertFalse(state.contains(4, 7, NOW), "nobody told");
        assertEquals("done", state.change(known -> {
            known.accept(4, 7);
            return "done";
        }));
        assertTrue(state.contains(4, 7, NOW));
        assertEquals(1, state.count());
        assertEquals(DUE, state.wakeUpMillis());
    }

    @Test
    void anIndexThatIsAlwaysAskedIsAskedOutsideTheKnownRangeToo() {
        index.add(DUE, 4, 7);
        state.askAlways(true);
        assertTrue(state.contains(4, 7, NOW));
        assertFalse(state.offer(4, 7, NOW, NOW), "it is due");
        assertFalse(state.contains(4, 7, NOW));
        assertEquals(0, index.size());
    }

    @Test
    void whereTheIndexIsAlwaysAskedNothingQueuesBehindItsEqual() {
        state.setRules(new TimeRules(false, 1_000, 1));
        assertTrue(state.offer(1, 1, DUE, NOW));
        state.askAlways(true);
        assertFalse(state.offer(1, 2, DUE, DUE - 500), "it may have been handed out before");
        state.askAlways(false);
        assertTrue(state.offer(1, 2, DUE, DUE - 500));
    }

    @Test
    void readingTheIndexPublishesNothing() {
        index.add(DUE, 4, 7);
        assertEquals(1, state.read(index::size));
        assertEquals(0, state.count());
        assertTrue(state.offer(4, 8, DUE, NOW));
    }

    @Test
    void whatIsLetGoOfIsUnknownAndWhatComesThenIsIndexed() {
        assertTrue(state.offer(1, 1, DUE, NOW));
        assertTrue(state.offer(1, 2, DUE + 9_000, NOW));
        assertEquals(List.of(), take(DUE, 10, 1, 0));
        state.askAlways(true);
        state.letGo(false);
        assertEquals(0, state.count());
        assertEquals(0, state.overdueCount());
        assertTrue(state.allBelow(0, 0));
        assertTrue(state.offer(1, 3, DUE, NOW));
        index.add(DUE, 9, 9);
        assertFalse(state.contains(9, 9, NOW), "another index");
        assertEquals(List.of("1:3"), take(DUE, 10, END, END));
    }

    @Test
    void workThatTheIndexWantsDoneIsPassedOnByTheNextCall() {
        Runnable afterAdd = () -> { };
        Runnable afterHandOut = () -> { };
        when(index.takeWork()).thenReturn(Optional.of(afterAdd));
        assertTrue(state.offer(1, 1, DUE, NOW));
        assertEquals(List.of(afterAdd), elsewhere);
        when(index.takeWork()).thenReturn(Optional.of(afterHandOut)).thenReturn(Optional.empty());
        assertEquals(List.of("1:1"), take(DUE, 10, END, END));
        assertEquals(List.of(afterAdd, afterHandOut), elsewhere);
    }

    @Test
    void theIndexIsNotAskedAboutWhatWasForgotten() {
        assertTrue(state.offer(1, 5, DUE, NOW));
        assertTrue(state.offer(1, 9, DUE, NOW));
        assertEquals(1, state.forgetUpTo(1, 5));
        clearInvocations(index);
        assertFalse(state.contains(1, 5, NOW));
        verify(index, never()).contains(anyLong(), anyLong());
        assertTrue(state.contains(1, 9, NOW));
        assertEquals(1, state.forgetUpTo(1, 9));
        clearInvocations(index);
        assertFalse(state.contains(1, 9, NOW));
        verify(index, never()).contains(anyLong(), anyLong());
        assertTrue(state.allBelow(0, 0));
    }

    @Test
    void theMemoryOfTheIndexComesBackWithTheLastPositionAndNoSooner() {
        assertTrue(state.offer(1, 5, DUE, NOW));
        assertTrue(state.offer(1, 6, DUE, NOW));
        assertTrue(state.offer(1, 7, DUE + 1_000, NOW));
        assertEquals(List.of(), take(DUE, 10, 1, 0));
        assertEquals(1, state.forgetUpTo(1, 5));
        verify(index, never()).clear();
        assertEquals(List.of(), take(DUE + 1_000, 10, 1, 0));
        assertEquals(0, index.size());
        assertEquals(1, state.forgetUpTo(1, 6));
        verify(index, never()).clear();
        assertEquals(1, state.forgetUpTo(1, 7));
        verify(index).clear();
    }

    @Test
    void aRecoveryThatEndsAfterTheCloseFindsNothing() {
        assertTrue(state.offer(1, 1, DUE, NOW));
        state.close();
        state.askAlways(true);
        assertFalse(state.contains(1, 1, NOW));
    }

    @Test
    void noMoreIsHandedOutThanWasAskedForThoughOthersStandAboveTheReadPosition() {
        for (int i = 0; i < 4; i++) {
            assertTrue(state.offer(1, i, DUE, NOW));
        }
        for (int i = 0; i < 6; i++) {
            assertTrue(state.offer(3, i, DUE, NOW));
        }
        for (int i = 10; i < 40; i++) {
            assertTrue(state.offer(1, i, DUE + 1_000, NOW));
        }
        assertEquals(10, take(DUE + 1_000, 10, 2, 0).size());
        assertEquals(6, state.overdueCount());
    }

    @Test
    void aBrokenRuleOfTheIndexIsFound() {
        doThrow(new IllegalStateException("for the test")).when(index).validate();
        assertThrows(IllegalStateException.class, state::validate);
    }

    @Test
    void everythingIsBelowAPositionBehindTheLastOne() {
        assertTrue(state.allBelow(1, 1), "there is nothing");
        assertTrue(state.offer(3, 5, DUE, NOW));
        assertTrue(state.offer(2, 9, DUE, NOW));
        assertFalse(state.allBelow(3, 5));
        assertTrue(state.allBelow(3, 6));
        assertTrue(state.allBelow(4, 0));
        assertFalse(state.allBelow(2, 10));
    }

    @Test
    void theReadPositionDividesLedgersAndTheEntriesOfItsOwn() {
        for (long ledgerId = 4; ledgerId <= 6; ledgerId++) {
            for (long entryId = 0; entryId < 3; entryId++) {
                assertTrue(state.offer(ledgerId, entryId, DUE, NOW));
            }
        }
        assertEquals(List.of("4:0", "4:1", "4:2", "5:0"), take(DUE, 100, 5, 1));
        assertEquals(5, state.overdueCount());
        assertEquals(List.of("5:1", "5:2", "6:0"), take(DUE, 100, 6, 1));
        assertEquals(List.of("6:1", "6:2"), take(DUE, 100, 6, 3));
    }

    @Test
    void nobodyGetsMoreThanWasAskedForThoughSomeWaitedForTheReadAndSomeDidNot() {
        for (int i = 0; i < 20; i++) {
            assertTrue(state.offer(1, i, DUE + i / 10 * 1_000L, NOW));
        }
        assertEquals(List.of(), take(DUE, 100, 1, 0));
        assertEquals(10, state.overdueCount());
        assertEquals(List.of(), take(DUE + 1_000, 0, END, END));
        assertEquals(12, take(DUE + 1_000, 12, END, END).size());
        assertEquals(8, take(DUE + 1_000, 12, END, END).size());
    }

    @Test
    void aHandOutMovesFewHundredThatWaitForTheReadHoweverManyAreDue() {
        for (int i = 0; i < 5_000; i++) {
            assertTrue(state.offer(1, i, DUE, NOW));
        }
        assertEquals(List.of(), take(DUE, 10, 1, 0));
        assertTrue(state.overdueCount() >= 256 && state.overdueCount() < 512, "moved " + state.overdueCount());
        assertEquals(5_000, state.count());
    }

    @Test
    void aQuestionMovesFewHundredThatAreDueAndGivesUpTheOneAskedFor() {
        for (int i = 0; i < 5_000; i++) {
            assertTrue(state.offer(1, i, DUE, NOW));
        }
        assertFalse(state.contains(1, 3, DUE));
        assertEquals(255, state.overdueCount());
        assertEquals(4_999, state.count());
    }

    @Test
    void aPositionThatWaitedForTheReadAndIsOfferedForLaterIsCountedOnce() {
        assertTrue(state.offer(1, 1, DUE, NOW));
        assertEquals(List.of(), take(DUE, 10, 1, 0));
        assertTrue(state.offer(1, 1, DUE + 60_000, DUE), "the clock or the tick has changed");
        assertEquals(1, state.count());
        assertEquals(0, state.overdueCount());
        assertEquals(List.of("1:1"), take(DUE + 60_000, 10, END, END));
    }

    @Test
    void handOutsOfNothingGiveBackTheMemoryOfWhatWasForgotten() {
        assertTrue(state.offer(1, 5_000, DUE, NOW));
        for (int i = 0; i < 1_000; i++) {
            assertTrue(state.offer(1, i, DUE + 60_000 + i, NOW));
        }
        for (int i = 0; i < 1_000; i++) {
            assertTrue(state.forget(1, i));
        }
        long before = state.retainedBytes();
        for (int calls = 0; calls < 40; calls++) {
            assertEquals(List.of(), take(NOW, 10, END, END));
        }
        assertTrue(state.retainedBytes() < before / 4, state.retainedBytes() + " bytes left of " + before);
        assertEquals(List.of("1:5000"), take(DUE, 10, END, END));
    }
}
