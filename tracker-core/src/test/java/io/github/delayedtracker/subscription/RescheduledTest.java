/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The time that a command gives to a message counts from then on, and as long as the message is there. */
class RescheduledTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long DUE = NOW + 60_000;
    private static final long EARLIER = NOW + 5_000;
    private static final long LATER = NOW + 90_000;
    private static final long END = Long.MAX_VALUE;

    private final SubscriptionState state = States.empty(new HeapIndexProvider()::newIndex, new TimeRules(true, 1_000, 1));
    private final Rescheduled rescheduled = new Rescheduled(state);

    private void schedule(int entries) {
        for (int i = 0; i < entries; i++) {
            assertTrue(state.offer(1, i, DUE, NOW));
        }
    }

    private static PositionTimes at(long millis, long... entryIds) {
        PositionTimes.Builder times = new PositionTimes.Builder();
        for (long entryId : entryIds) {
            times.add(1, entryId, millis);
        }
        return times.build();
    }

    private List<Long> takeBelow(long readEntryId, long nowMillis) {
        List<Long> taken = new ArrayList<>();
        state.takeDue(nowMillis, 1_000, 1, readEntryId, (ledgerId, entryId) -> taken.add(entryId));
        return taken;
    }

    @Test
    void aMessageKeepsItsOwnTimeUntilItIsGivenAnother() {
        schedule(2);
        assertEquals(DUE, rescheduled.dueMillis(1, 0, DUE));
        assertEquals(1, rescheduled.give(at(EARLIER, 0), NOW).size());
        assertEquals(EARLIER, rescheduled.dueMillis(1, 0, DUE));
        assertEquals(OptionalLong.of(EARLIER), rescheduled.given(1, 0));
        assertEquals(DUE, rescheduled.dueMillis(1, 1, DUE));
        assertEquals(OptionalLong.empty(), rescheduled.given(1, 1));
    }

    @Test
    void onlyMessagesThatAreScheduledAreGivenAnotherTime() {
        schedule(1);
        PositionTimes given = rescheduled.give(at(EARLIER, 0, 1), NOW);
        assertEquals(OptionalLong.of(EARLIER), given.at(1, 0));
        assertEquals(1, given.size());
        assertEquals(OptionalLong.empty(), rescheduled.given(1, 1));
        assertEquals(1, state.count());
    }

    @Test
    void anEarlierTimeIsThatOfTheHandOut() {
        schedule(2);
        rescheduled.give(at(EARLIER, 1), NOW);
        assertEquals(EARLIER, state.wakeUpMillis());
        assertEquals(List.of(1L), takeBelow(END, EARLIER));
        assertEquals(List.of(0L), takeBelow(END, DUE));
    }

    @Test
    void whatWaitsForTheNormalReadIsScheduledAnew() {
        schedule(1);
        assertEquals(List.of(), takeBelow(0, DUE));
        assertEquals(1, rescheduled.give(at(LATER, 0), DUE).size());
        assertEquals(0, state.overdueCount());
        assertTrue(state.contains(1, 0, DUE));
        assertEquals(List.of(0L), takeBelow(END, LATER));
    }

    @Test
    void whatIsUnknownIsGivenNoTimeThoughOthersWaitForTheNormalRead() {
        schedule(1);
        assertEquals(List.of(), takeBelow(0, DUE));
        assertTrue(rescheduled.give(at(LATER, 9), DUE).isEmpty());
        assertEquals(1, state.count());
    }

    @Test
    void manyAreGivenAnotherTimeAtOnce() {
        schedule(200);
        PositionTimes.Builder all = new PositionTimes.Builder();
        for (int i = 0; i < 200; i++) {
            all.add(1, i, EARLIER);
        }
        assertEquals(200, rescheduled.give(all.build(), NOW).size());
        assertEquals(200, rescheduled.times().size());
        assertEquals(200, takeBelow(END, EARLIER).size());
    }

    private static PositionTimes evenEntries(int count) {
        PositionTimes.Builder all = new PositionTimes.Builder();
        for (int i = 0; i < count; i++) {
            all.add(1, 2L * i, EARLIER);
        }
        return all.build();
    }

    private static PositionRange entries(long first, long last) {
        PositionSet both = new PositionSet();
        both.add(1, first);
        both.add(1, last);
        return PositionRange.of(both);
    }

    private static long allocatedBy(Runnable work) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void manyAreGivenAnotherTimeWithoutACopyOfAllForEachFew() {
        schedule(60_000);
        PositionTimes asked = evenEntries(30_000);
        long bytes = allocatedBy(() -> rescheduled.give(asked, NOW));
        assertTrue(bytes < 1_500L * asked.size(), () -> bytes / asked.size() + " bytes a message");
    }

    @Test
    void timesThatStayAsTheyAreAreNotCopied() {
        schedule(60_000);
        rescheduled.give(evenEntries(30_000), NOW);
        PositionTimes before = rescheduled.times();
        long bytes = allocatedBy(() -> rescheduled.again(entries(0, 60_000), NOW));
        assertSame(before, rescheduled.times());
        assertTrue(bytes < 600L * before.size(), () -> bytes / before.size() + " bytes a message");
    }

    @Test
    void aMessageThatCannotBeIndexedAnewIsHandedOutToBeReadAgain() {
        AtomicBoolean full = new AtomicBoolean();
        SubscriptionState some = States.empty(() -> States.withoutRoom(new HeapIndexProvider().newIndex(), full),
                new TimeRules(true, 1_000, 1));
        assertTrue(some.offer(1, 0, DUE, NOW));
        assertTrue(some.offer(1, 1, DUE, NOW));
        full.set(true);
        assertThrows(OutOfMemoryError.class, () -> new Rescheduled(some).give(at(LATER, 0), NOW));
        full.set(false);
        some.validate();
        assertEquals(2, some.count());
        assertTrue(some.wakeUpMillis() <= NOW, "at once");
        List<Long> taken = new ArrayList<>();
        some.takeDue(NOW, 10, 1, END, (ledgerId, entryId) -> taken.add(entryId));
        assertEquals(List.of(0L), taken);
    }

    @Test
    void timesAreRoundedByTheRulesInForce() {
        state.setRules(new TimeRules(true, 1_000, 512));
        schedule(1);
        rescheduled.give(at(EARLIER, 0), NOW);
        assertEquals(state.rules().round(EARLIER, NOW), state.nextDueMillis());
        assertEquals(EARLIER, rescheduled.dueMillis(1, 0, DUE));
    }

    @Test
    void restoredTimesCountUnlessAnotherWasGivenSince() {
        schedule(2);
        rescheduled.give(at(LATER, 0), NOW);
        rescheduled.restore(at(EARLIER, 0, 1, 7), NOW);
        assertEquals(List.of(1L), takeBelow(END, EARLIER));
        assertEquals(LATER, rescheduled.dueMillis(1, 0, DUE));
        assertEquals(EARLIER, rescheduled.dueMillis(1, 7, DUE), "it is not known yet");
        assertTrue(state.offer(1, 7, DUE, NOW));
        rescheduled.again(entries(0, 6), NOW);
        assertEquals(List.of(), takeBelow(END, EARLIER), "another one is meant");
        rescheduled.again(entries(7, 7), NOW);
        assertEquals(List.of(7L), takeBelow(END, EARLIER));
    }

    @Test
    void timesOfMessagesThatAreGoneAreForgotten() {
        schedule(3);
        rescheduled.give(at(EARLIER, 0, 1, 2), NOW);
        rescheduled.forget((ledgerId, entryId) -> entryId == 1);
        assertEquals(OptionalLong.empty(), rescheduled.given(1, 1));
        assertEquals(2, rescheduled.times().size());
        rescheduled.forget((ledgerId, entryId) -> true);
        assertTrue(rescheduled.times().isEmpty());
        assertEquals(DUE, rescheduled.dueMillis(1, 0, DUE));
    }

    @Test
    void whereNothingIsGoneTheTimesStayAsTheyAre() {
        schedule(1);
        rescheduled.give(at(EARLIER, 0), NOW);
        PositionTimes before = rescheduled.times();
        rescheduled.forget((ledgerId, entryId) -> false);
        assertSame(before, rescheduled.times());
    }

    @Test
    void aTimeThatIsGivenWhileOthersAreForgottenIsKept() {
        schedule(2);
        rescheduled.give(at(LATER, 0), NOW);
        rescheduled.forget((ledgerId, entryId) -> rescheduled.give(at(EARLIER, 1), NOW).size() == 1);
        assertEquals(OptionalLong.of(EARLIER), rescheduled.given(1, 1));
    }

    @Test
    void nothingIsGivenInAClosedSubscription() {
        schedule(1);
        state.close();
        assertTrue(rescheduled.give(at(EARLIER, 0), NOW).isEmpty());
        assertFalse(rescheduled.given(1, 0).isPresent());
    }
}
