/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.junit.jupiter.api.Test;

/** How late a broker hands out is told as a histogram. */
class LatenessTest {

    private static final String NAME = "pulsar_delayed_index_broker_hand_out_lateness_ms";

    private final FakeBroker broker = new FakeBroker();

    private List<String> lines() {
        return new FactoryMetrics(broker.services, Samples::new, "c").render().lines()
                .filter(line -> line.contains(NAME)).toList();
    }

    @Test
    void eachHandOutCountsInAllBoundsFromItsOwnOn() {
        Lateness lateness = broker.services.lateness();
        lateness.handedOut(1_000, 400);
        lateness.handedOut(1_000, 1_050);
        lateness.handedOut(1_000, 1_051);
        lateness.handedOut(1_000, 10_000_000);
        List<String> lines = lines();
        assertEquals("# TYPE " + NAME + " histogram", lines.get(0));
        assertEquals(NAME + "_bucket{cluster=\"c\",le=\"0\"} 1", lines.get(1));
        assertEquals(NAME + "_bucket{cluster=\"c\",le=\"50\"} 2", lines.get(3));
        assertEquals(NAME + "_bucket{cluster=\"c\",le=\"100\"} 3", lines.get(4));
        assertEquals(NAME + "_bucket{cluster=\"c\",le=\"3600000\"} 3", lines.get(11));
        assertEquals(NAME + "_bucket{cluster=\"c\",le=\"+Inf\"} 4", lines.get(12));
        assertTrue(lines.contains(NAME + "_count{cluster=\"c\"} 4"));
        assertTrue(lines.contains(NAME + "_sum{cluster=\"c\"} 9999101"));
        assertEquals(1, lines.stream().filter(line -> line.startsWith("#")).count());
    }

    @Test
    void aTrackerCountsItsHandOutsByTheirEarliestPosition() {
        SubscriptionTracker tracker = broker.tracker(true);
        tracker.addMessage(1, 1, FakeBroker.NOW + 5_000);
        tracker.addMessage(1, 2, FakeBroker.NOW + 6_000);
        broker.timer.advanceTo(FakeBroker.NOW + 20_000);
        assertEquals(2, tracker.getScheduledMessages(10).size());
        assertEquals(0, tracker.getScheduledMessages(10).size());
        assertTrue(lines().contains(NAME + "_bucket{cluster=\"c\",le=\"5000\"} 0"));
        assertTrue(lines().contains(NAME + "_bucket{cluster=\"c\",le=\"30000\"} 1"));
        assertTrue(lines().contains(NAME + "_count{cluster=\"c\"} 1"));
    }

    @Test
    void whatWaitedForTheNormalReadIsAsLateAsItHasWaited() {
        SubscriptionTracker tracker = broker.tracker(true);
        broker.readPosition(1, 7);
        tracker.addMessage(1, 7, FakeBroker.NOW + 5_000);
        broker.timer.advanceTo(FakeBroker.NOW + 10_000);
        assertEquals(0, tracker.getScheduledMessages(10).size());
        broker.readPosition(1, 8);
        broker.timer.advanceTo(FakeBroker.NOW + 95_000);
        assertEquals(1, tracker.getScheduledMessages(10).size());
        assertTrue(lines().contains(NAME + "_bucket{cluster=\"c\",le=\"60000\"} 0"));
        assertTrue(lines().contains(NAME + "_bucket{cluster=\"c\",le=\"300000\"} 1"));
    }

    @Test
    void whatWasAcknowledgedBeforeItIsDueIsNoHandOut() {
        SubscriptionTracker tracker = broker.tracker(true);
        tracker.addMessage(1, 1, FakeBroker.NOW + 5_000);
        broker.acknowledged.add(PositionFactory.create(1, 1));
        broker.timer.advanceTo(FakeBroker.NOW + 20_000);
        assertEquals(0, tracker.getScheduledMessages(10).size());
        assertTrue(lines().contains(NAME + "_count{cluster=\"c\"} 0"));
    }
}
