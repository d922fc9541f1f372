/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static io.github.delayedtracker.config.SnapshotSettings.DEFAULT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.config.TrackerSettings;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SubscriptionSetupTest {

    private static final TrackerSettings ADAPTIVE =
            new TrackerSettings("rounding", OptionalLong.empty(), 1_000, 65_536, true, 1_000, true, DEFAULT, 5_000, true);

    private final FakeBroker broker = new FakeBroker();

    private static final class RoundingProvider implements DelayIndexProvider {
        @Override
        public String backendName() {
            return "rounding";
        }

        @Override
        public boolean roundsTimes() {
            return true;
        }

        @Override
        public DelayIndex newIndex() {
            return new HeapIndexProvider().newIndex();
        }
    }

    private static SubscriptionSetup setup(DelayIndexProvider provider, TrackerSettings settings, long tickMillis) {
        return SubscriptionSetup.of(provider, settings, tickMillis, 0);
    }

    @Test
    void aRoundingBackendGetsPrecisionAndAdaptivePrecision() {
        assertEquals(new TimeRules(true, 40, 32, new AdaptivePrecision(1_000, 65_536)),
                setup(new RoundingProvider(), ADAPTIVE, 40).rules());
    }

    @Test
    void withRatioZeroTheCapHasNoEffect() {
        TrackerSettings off = new TrackerSettings("rounding", OptionalLong.of(64), 0, 65_536, true, 1_000, true, DEFAULT,
                5_000, true);
        assertEquals(new TimeRules(true, 40, 64), setup(new RoundingProvider(), off, 40).rules());
    }

    @Test
    void aBackendThatKeepsEveryMillisecondIgnoresBoth() {
        assertEquals(new TimeRules(true, 40, 1), setup(new HeapIndexProvider(), ADAPTIVE, 40).rules());
    }

    @Test
    void theTrackerWidensFarMessagesAlsoAfterThePolicySetAnotherTick() {
        SubscriptionTracker tracker = new SubscriptionTracker(broker.dispatcher,
                setup(new RoundingProvider(), ADAPTIVE, 1_000), Optional.empty(), broker.services);
        tracker.addMessage(1, 1, NOW + 86_400_000);
        assertEquals(up(NOW + 86_400_000, 65_536), tracker.state().nextDueMillis());
        tracker.resetTickTime(100);
        tracker.addMessage(1, 2, NOW + 10_000_000);
        assertEquals(up(NOW + 10_000_000, 8_192), tracker.state().nextDueMillis());
        tracker.addMessage(1, 3, NOW + 60_000);
        assertEquals(up(NOW + 60_000, 64), tracker.state().nextDueMillis(), "no finer than the precision of the tick");
    }

    @Test
    void aContainedPositionOfferedAgainLaterKeepsItsTime() {
        SubscriptionTracker tracker = new SubscriptionTracker(broker.dispatcher,
                setup(new RoundingProvider(), ADAPTIVE, 1_000), Optional.empty(), broker.services);
        tracker.addMessage(1, 1, NOW + 86_400_001);
        broker.timer.advanceTo(NOW + 86_390_000);
        tracker.addMessage(1, 1, NOW + 86_400_001);
        assertEquals(up(NOW + 86_400_001, 65_536), tracker.state().nextDueMillis());
        assertEquals(1, tracker.numberOfDelayedMessages());
    }

    @Test
    void statisticsShowRatioAndCapBesideThePrecision() {
        List<String> labels = Arrays.asList(new SubscriptionTracker(broker.dispatcher,
                setup(new RoundingProvider(), ADAPTIVE, 1_000), Optional.empty(), broker.services)
                .metrics().get("pulsar_delayed_index_info").labelsAndValues);
        assertEquals(List.of("precision_ms", "512", "adaptive_ratio", "1000", "adaptive_max_ms", "65536"),
                labels.subList(labels.indexOf("precision_ms"), labels.indexOf("tick_ms")));
    }

    private static long up(long millis, long width) {
        return (millis + width - 1) / width * width;
    }
}
