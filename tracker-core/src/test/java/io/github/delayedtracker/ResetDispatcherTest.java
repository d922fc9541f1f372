/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static io.github.delayedtracker.TrackerRegistry.SWEEP_MILLIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** B6: a tracker whose dispatcher was found closed, and is in use again since its topic could not be closed. */
class ResetDispatcherTest {

    private static final Metric BUCKETS = Metric.gauge(Metric.SUBSCRIPTION, "bucket_buckets", "", "some");

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionStore stored = mock(SubscriptionStore.class);

    private SubscriptionTracker made(Optional<SubscriptionStore> index) {
        when(stored.index()).thenReturn(new HeapIndexProvider().newIndex());
        when(stored.close()).thenReturn(CompletableFuture.completedFuture(null));
        when(stored.clear()).thenReturn(CompletableFuture.completedFuture(null));
        when(stored.samples()).thenReturn(new Samples().put(BUCKETS, 7));
        SubscriptionTracker tracker = new SubscriptionTracker(broker.dispatcher, FakeBroker.setup(true), index, broker.services);
        broker.services.registry().add(tracker);
        tracker.start();
        return tracker;
    }

    private void restFor(int sweeps) {
        when(broker.dispatcher.isClosed()).thenReturn(true);
        broker.timer.advanceTo(NOW + sweeps * SWEEP_MILLIS);
        when(broker.dispatcher.isClosed()).thenReturn(false);
    }

    private static List<String> take(SubscriptionTracker tracker) {
        return tracker.getScheduledMessages(10).stream().map(p -> p.getLedgerId() + ":" + p.getEntryId()).toList();
    }

    @ParameterizedTest(name = "after {0} sweeps")
    @ValueSource(ints = {1, 2, 3, 4})
    @DisplayName("B6: in memory it delivers what it had and what it is offered afterwards, each woken for once")
    void b6DeliversWhatItHadAndWhatIsOffered(int sweeps) {
        SubscriptionTracker tracker = made(Optional.empty());
        tracker.addMessage(1, 1, NOW + 600_000);
        restFor(sweeps);
        assertTrue(tracker.containsMessage(1, 1), "held through the rest");
        assertTrue(tracker.addMessage(1, 2, NOW + 500_000));
        broker.timer.advanceTo(NOW + 500_000);
        verify(broker.dispatcher, times(1)).readMoreEntriesAsync();
        assertEquals(List.of("1:2"), take(tracker));
        broker.timer.advanceTo(NOW + 600_000);
        verify(broker.dispatcher, times(2)).readMoreEntriesAsync();
        assertEquals(List.of("1:1"), take(tracker));
        assertEquals(List.of(tracker), List.copyOf(broker.services.registry().live()), "swept again");
    }

    @Test
    @DisplayName("B6: without any call it is woken again by the next sweep after its dispatcher was reset")
    void b6TheSweepFindsADispatcherThatIsInUseAgain() {
        SubscriptionTracker tracker = made(Optional.empty());
        tracker.addMessage(1, 1, NOW + 150_000);
        restFor(1);
        broker.timer.advanceTo(NOW + 150_000);
        verify(broker.dispatcher, times(1)).readMoreEntriesAsync();
    }

    @Test
    @DisplayName("B6: a stored index is closed by the first sweep, once; what is offered afterwards waits in memory")
    void b6WorksInMemoryAfterwardsWhereTheBackendStores() {
        SubscriptionTracker tracker = made(Optional.of(stored));
        tracker.addMessage(1, 1, NOW + 600_000);
        restFor(3);
        verify(stored, times(1)).close();
        assertFalse(tracker.containsMessage(1, 1), "the next read is to take it again");
        assertEquals(0, tracker.numberOfDelayedMessages());
        assertTrue(tracker.addMessage(1, 1, NOW + 600_000), "never false for what is not due");
        assertTrue(tracker.containsMessage(1, 1));
        broker.timer.advanceTo(NOW + 600_000);
        assertEquals(List.of("1:1"), take(tracker));
        verify(stored, never()).sweep();
        assertFalse(tracker.metrics().containsKey("pulsar_delayed_index_bucket_buckets"), "tells of no storage");
    }

    @Test
    @DisplayName("B6: at rest it passes a clear on, so that a subscription deleted afterwards leaves nothing stored")
    void b6ClearStillReachesTheStorage() {
        SubscriptionTracker tracker = made(Optional.of(stored));
        restFor(1);
        tracker.addMessage(1, 1, NOW + 600_000);
        assertTrue(tracker.clear().isDone());
        verify(stored, times(1)).clear();
    }

    @Test
    @DisplayName("B6: closed at rest it leaves nothing, and no call brings it back")
    void b6ClosedAtRestItStaysClosed() {
        SubscriptionTracker tracker = made(Optional.of(stored));
        tracker.addMessage(1, 1, NOW + 700_000);
        restFor(2);
        tracker.close();
        assertTrue(tracker.addMessage(1, 2, NOW + 150_000));
        assertFalse(tracker.hasMessageAvailable());
        broker.timer.advanceTo(NOW + 800_000);
        verify(broker.dispatcher, never()).readMoreEntriesAsync();
        assertTrue(broker.services.registry().live().isEmpty());
        assertEquals(0, broker.timer.armedCount());
        assertEquals(0, tracker.state().retainedBytes());
    }

    @Test
    @DisplayName("B6: an Error of the storage's close does not keep it from resting and going on")
    void b6AnErrorOfTheStorageIsNoHindrance() {
        SubscriptionTracker tracker = made(Optional.of(stored));
        doThrow(new AssertionError("told to")).when(stored).close();
        restFor(3);
        assertTrue(broker.services.registry().live().isEmpty());
        assertTrue(tracker.addMessage(1, 1, NOW + 600_000));
        broker.timer.advanceTo(NOW + 600_000);
        assertEquals(List.of("1:1"), take(tracker));
        assertEquals(1, tracker.failures.count());
        verify(stored, times(1)).start(any());
    }
}
