/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.metrics.Samples;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The next and the last due time that are told of a subscription, part of which is stored. */
class StoredTimesTest {

    private final FakeBroker broker = new FakeBroker();

    @Test
    void theNextDueTimeToldIsThatOfWhatIsStoredWhereThatIsEarlier() {
        SubscriptionStore store = mock(SubscriptionStore.class);
        when(store.index()).thenReturn(broker.newIndex.get());
        when(store.samples()).thenReturn(new Samples());
        when(store.nextStoredMillis()).thenReturn(NOW + 9_000);
        SubscriptionTracker storing = broker.tracker(store);
        assertEquals(NOW + 9_000, storing.schedule(new long[0]).nextDueMillis().orElseThrow());
        storing.addMessage(1, 1, NOW + 10_000);
        assertEquals(NOW + 9_000, storing.samples().get("next_due_ms"));
        storing.addMessage(1, 2, NOW + 5_000);
        assertEquals(NOW + 5_000, storing.schedule(new long[0]).nextDueMillis().orElseThrow());
    }

    @Test
    void theLastDueTimeToldIsThatOfWhatIsStoredWhereThatIsLater() {
        SubscriptionStore store = mock(SubscriptionStore.class);
        when(store.index()).thenReturn(broker.newIndex.get());
        when(store.samples()).thenReturn(new Samples());
        when(store.nextStoredMillis()).thenReturn(DelayIndex.NEVER);
        when(store.lastStoredMillis()).thenReturn(DelayIndex.NO_TIME);
        SubscriptionTracker storing = broker.tracker(store);
        assertEquals(0, storing.samples().get("last_due_ms"));
        assertEquals(OptionalLong.empty(), storing.schedule(new long[0]).lastDueMillis());
        storing.addMessage(1, 1, NOW + 10_000);
        storing.addMessage(1, 2, NOW + 5_000);
        assertEquals(NOW + 10_000, storing.samples().get("last_due_ms"));
        when(store.lastStoredMillis()).thenReturn(NOW + 12_000);
        assertEquals(NOW + 12_000, storing.schedule(new long[0]).lastDueMillis().orElseThrow());
        assertEquals(NOW + 12_000, storing.samples().get("last_due_ms"));
    }
}
