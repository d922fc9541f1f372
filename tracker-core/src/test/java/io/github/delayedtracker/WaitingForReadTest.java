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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.doAnswer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When the dispatcher is woken for what waits for its normal read. */
class WaitingForReadTest {

    private final FakeBroker broker = new FakeBroker();
    private final SubscriptionTracker tracker = broker.tracker(true);

    @Test
    @DisplayName("A read that hangs is not asked about every tick by what waits for it, and what it passes comes at once")
    void whatWaitsForAHungReadWakesRarely() {
        tracker.resetTickTime(1);
        broker.readPosition(1, 1);
        tracker.addMessage(1, 1, NOW + 5_000);
        List<Integer> handedOut = new ArrayList<>();
        doAnswer(call -> handedOut.add(tracker.getScheduledMessages(10).size())).when(broker.dispatcher).readMoreEntriesAsync();
        broker.timer.advanceTo(NOW + 65_000);
        assertTrue(handedOut.size() > 50 && handedOut.size() < 100, () -> "woken " + handedOut.size() + " times in a minute");
        tracker.addMessage(1, 0, NOW + 65_500);
        broker.timer.advanceTo(NOW + 65_500);
        assertEquals(1, handedOut.get(handedOut.size() - 1), "below the read position, and due now");
        broker.readPosition(1, 2);
        broker.timer.advanceTo(NOW + 65_502);
        assertEquals(2, handedOut.stream().mapToInt(Integer::intValue).sum(), "the read has passed it");
    }

    @Test
    @DisplayName("What a read that goes on has passed is handed out within a tick, though other positions wait for that read")
    void whatASlowReadHasPassedComesWithinATick() {
        AtomicLong aheadMillis = new AtomicLong();
        SubscriptionTracker slow = broker.tracker(true, () -> Math.max(broker.timer.nowMillis(), aheadMillis.get()));
        slow.resetTickTime(1);
        broker.readPosition(1, 5);
        slow.addMessage(1, 4, NOW + 30_000);
        slow.addMessage(1, 9, NOW + 5_000);
        List<Integer> handedOut = new ArrayList<>();
        doAnswer(call -> handedOut.add(slow.getScheduledMessages(10).size())).when(broker.dispatcher).readMoreEntriesAsync();
        broker.timer.advanceTo(NOW + 29_999);
        aheadMillis.set(NOW + 30_000);
        assertFalse(slow.containsMessage(1, 5), "and what is due meanwhile waits for the read or stands below it");
        broker.timer.advanceTo(NOW + 30_002);
        assertEquals(1, handedOut.stream().mapToInt(Integer::intValue).sum());
    }
}
