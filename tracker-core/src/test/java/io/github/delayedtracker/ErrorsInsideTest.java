/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.metrics.Samples;
import io.github.delayedtracker.subscription.HoldGate;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.wakeup.WakeUpPlan;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.common.util.SimpleTextOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** S2: an Error inside is answered like an exception, and takes no thread, wake-up or sweep of others with it. */
class ErrorsInsideTest {

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);

    static Stream<Throwable> errors() {
        return Stream.of(new OutOfMemoryError("on purpose"), new StackOverflowError(), new AssertionError("on purpose"),
                new NoClassDefFoundError("on purpose"), new NullPointerException("on purpose"));
    }

    @Test
    void s2_aMessageThatIsIndexedIsKeptThoughItsWakeUpCannotBeArmed() {
        broker.timer.failNext();
        assertTrue(tracker.addMessage(1, 1, NOW + 5_000));
        assertTrue(tracker.containsMessage(1, 1));
        assertEquals(1, tracker.failures.count());
    }

    @Test
    void s2_aMessageThatIsIndexedIsKeptThoughThereIsNoThreadForTheWorkOfTheIndex() {
        DelayIndex index = mock(DelayIndex.class, delegatesTo(new HeapIndexProvider().newIndex()));
        doReturn(Optional.of((Runnable) () -> { })).when(index).takeWork();
        broker.newIndex = () -> index;
        SubscriptionTracker passing = broker.tracker(true);
        broker.refusedIn = 0;
        assertTrue(passing.addMessage(1, 1, NOW + 5_000));
        assertEquals(-1, broker.refusedIn, "work was passed on");
        assertTrue(passing.containsMessage(1, 1));
    }

    @Test
    void s2_aTrackerWhoseSweepCouldNotBeArmedIsSweptAfterItsNextCall() {
        broker.timer.failNext();
        broker.services.registry().add(tracker);
        assertEquals(0, broker.timer.armedCount());
        tracker.hasMessageAvailable();
        theNextLookIsNear();
    }

    @Test
    void s2_aSweepThatCouldNotBeArmedIsTriedOnceMore() {
        broker.services.registry().add(tracker);
        broker.timer.failNext();
        assertThrows(InternalError.class, () -> broker.timer.advanceTo(NOW + TrackerRegistry.SWEEP_MILLIS / 2));
        theNextLookIsNear();
        broker.timer.advanceTo(NOW + 3 * TrackerRegistry.SWEEP_MILLIS);
        theNextLookIsNear();
    }

    private void theNextLookIsNear() {
        long lookMillis = broker.timer.nextMillis();
        assertTrue(lookMillis <= broker.timer.nowMillis() + TrackerRegistry.SWEEP_MILLIS / 2, () -> "next at " + lookMillis);
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_noCallOfTheBrokerThrowsAnError(Throwable error) {
        when(broker.cursor.getMarkDeletedPosition()).thenThrow(error);
        when(broker.cursor.getReadPosition()).thenThrow(error);
        assertFalse(tracker.addMessage(1, 1, NOW + 5_000));
        assertFalse(tracker.hasMessageAvailable());
        assertTrue(tracker.getScheduledMessages(10).isEmpty());
        assertFalse(tracker.containsMessage(1, 1));
        assertEquals(0, tracker.numberOfDelayedMessages());
        assertFalse(tracker.metrics().isEmpty());
        assertTrue(tracker.clear().isDone());
        tracker.sweep();
        tracker.resetTickTime(500);
        assertTrue(tracker.failures.count() > 5, () -> "failures counted: " + tracker.failures.count());
        tracker.close();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_aDispatcherThatThrowsWhenItIsWokenIsWokenAgain(Throwable error) {
        doThrow(error).doNothing().when(broker.dispatcher).readMoreEntriesAsync();
        tracker.addMessage(1, 1, NOW + 5_000);
        broker.timer.advanceTo(NOW + 6_000);
        verify(broker.dispatcher, times(2)).readMoreEntriesAsync();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_aTrackerThatThrowsInTheSweepKeepsNoOtherFromIt(Throwable error) {
        FakeBroker other = new FakeBroker();
        doThrow(error).when(other.dispatcher).isClosed();
        broker.services.registry().add(other.tracker(true));
        broker.services.registry().add(tracker);
        tracker.addMessage(1, 1, NOW + 10 * TrackerRegistry.SWEEP_MILLIS);
        broker.timer.advanceTo(NOW + 10 * TrackerRegistry.SWEEP_MILLIS);
        verify(broker.dispatcher, times(1)).readMoreEntriesAsync();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_aQuestionAboutOnePositionThatFailsKeepsNoOtherFromTheHandOut(Throwable error) {
        for (int entryId = 0; entryId < 5; entryId++) {
            tracker.addMessage(1, entryId, NOW + 5_000);
        }
        when(broker.cursor.isMessageDeleted(PositionFactory.create(1, 2))).thenThrow(error);
        broker.timer.advanceTo(NOW + 6_000);
        assertEquals(5, tracker.getScheduledMessages(10).size(), "none of them is in the index any more");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_aPositionThatCannotBeForgottenKeepsNoOtherFromTheHandOut(Throwable error) {
        DelayIndex index = spy(new HeapIndexProvider().newIndex());
        SubscriptionState state = new SubscriptionState(index, () -> index, new TimeRules(true, 1, 1), Runnable::run);
        for (int entryId = 0; entryId < 5; entryId++) {
            state.offer(1, entryId, NOW + 5_000, NOW);
        }
        broker.acknowledged.add(PositionFactory.create(1, 2));
        doThrow(error).when(index).forget(1, 2);
        NavigableSet<Position> handedOut = new TreeSet<>();
        CheckedHandOut handOut = new CheckedHandOut(state, new CursorView(broker.cursor, broker.services),
                new TrackerCounters(), new HoldGate(), true);
        assertThrows(error.getClass(), () -> handOut.into(handedOut, 10, NOW + 6_000));
        assertEquals(List.of(0L, 1L, 3L, 4L), handedOut.stream().map(Position::getEntryId).toList());
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_anIndexThatFailsInAHandOutLosesNothingItHasGivenUp(Throwable error) {
        DelayIndex index = spy(new HeapIndexProvider().newIndex());
        SubscriptionState state = new SubscriptionState(index, () -> index, new TimeRules(true, 1, 1), Runnable::run);
        state.offer(1, 1, NOW + 5_000, NOW);
        doAnswer(call -> {
            call.<PositionSink>getArgument(2).accept(1, 1);
            throw error;
        }).when(index).takeDue(anyLong(), anyInt(), any());
        NavigableSet<Position> handedOut = new TreeSet<>();
        CheckedHandOut handOut = new CheckedHandOut(state, new CursorView(broker.cursor, broker.services),
                new TrackerCounters(), new HoldGate(), false);
        assertThrows(error.getClass(), () -> handOut.into(handedOut, 10, NOW + 6_000));
        assertEquals(1, handedOut.size());
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_aWakeUpThatCouldNotBeArmedIsArmedByTheNextCallThatWantsOne(Throwable error) {
        WakeUpTimer timer = mock(WakeUpTimer.class);
        doThrow(error).doReturn((WakeUpTimer.Armed) () -> { }).when(timer).arm(anyLong(), any());
        WakeUpPlan plan = new WakeUpPlan(timer, () -> { });
        assertThrows(error.getClass(), () -> plan.want(NOW + 1_000, NOW, 100));
        assertFalse(plan.isArmed());
        plan.want(NOW + 2_000, NOW, 100);
        assertTrue(plan.isArmed(), "a later time than the one that failed");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_theTimersThreadOutlivesATaskThatThrowsAndAListenerThatThrowsToo(Throwable error) throws Exception {
        WheelTimer timer = new WheelTimer("s2", 1, System::nanoTime, failure -> ErrorsInsideTest.<Error>sneak(error));
        CountDownLatch later = new CountDownLatch(1);
        timer.arm(0, () -> ErrorsInsideTest.<Error>sneak(error));
        timer.arm(5, later::countDown);
        assertTrue(later.await(30, TimeUnit.SECONDS), "the second task runs");
        timer.close();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void s2_metricsThatThrowLeaveTheBrokersOwnLinesAlone(Throwable error) {
        SimpleTextOutputStream page = mock(SimpleTextOutputStream.class);
        new FactoryMetrics(broker.services, () -> {
            ErrorsInsideTest.<Error>sneak(error);
            return new Samples();
        }, "c").generate(page);
        verifyNoInteractions(page);
    }

    @Test
    void s2_workThatThrowsAnErrorLeavesTheWorkerToOthers() throws Exception {
        try (IndexWorker worker = new IndexWorker("s2")) {
            CountDownLatch later = new CountDownLatch(2);
            worker.execute(() -> {
                later.countDown();
                throw new AssertionError("on purpose");
            });
            worker.execute(later::countDown);
            assertTrue(later.await(30, TimeUnit.SECONDS));
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable any) throws E {
        throw (E) any;
    }
}
