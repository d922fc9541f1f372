/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The model against what the trackers really keep alive. */
class SizingModelTest {

    private static final int TAIL_BYTES_OFF = 48 << 10;
    private static final double SHARE_OFF = 0.10;
    private static final int MESSAGES = 200_000;
    /** A graph of millions of objects takes seconds to walk; heap in use is exact enough for it. */
    private static final long MANY_BYTES = 30 << 20;
    private static final long PRECISION_MILLIS = 1_024;

    @BeforeAll
    static void prepare() {
        Retained.prepare();
    }

    @ParameterizedTest
    @EnumSource
    void fillIsForetold(Workload workload) {
        Map<Backend, Long> model = new SizingModel(workload.traffic(), PRECISION_MILLIS).filled(MESSAGES);
        Messages messages = workload.messages(MESSAGES);
        for (Backend backend : Backend.TRACKERS) {
            boolean many = model.get(backend) > MANY_BYTES;
            long before = many ? Retained.heapInUse() : 0;
            try (Tracker tracker = backend.openOrFail(false, PRECISION_MILLIS)) {
                messages.addTo(tracker);
                long bytes = many ? Retained.heapInUse() - before : Retained.of(tracker, backend.ours(), 0).bytes();
                assertEquals(bytes, model.get(backend), SHARE_OFF * bytes, backend.label() + " with " + workload.label());
            }
        }
    }

    @Test
    void aMillionThatBackOffAreForetoldForStock() {
        Messages messages = Workload.BACKOFF_12.messages(1_000_000);
        long model = new SizingModel(Workload.BACKOFF_12.traffic(), PRECISION_MILLIS).filled(messages.count())
                .get(Backend.STOCK_4_2);
        try (Tracker tracker = Backend.STOCK_4_2.openOrFail(false, PRECISION_MILLIS)) {
            messages.addTo(tracker);
            long bytes = Retained.walk(tracker.indexRoot());
            assertEquals(bytes, model, SHARE_OFF * bytes);
        }
    }

    @Test
    void largeSteadyStateIsForetoldFromSamples() {
        Traffic traffic = new Traffic(Delays.uniform(0, 600_000), 3, Layout.DENSE);
        Map<Backend, Long> model = new SizingModel(traffic, PRECISION_MILLIS).steady();
        for (Backend backend : List.of(Backend.TIMEBUCKET, Backend.HEAP, Backend.STOCK_4_0)) {
            double bytes = SteadyState.means(traffic, PRECISION_MILLIS, backend).bytes();
            assertEquals(bytes, model.get(backend), SHARE_OFF * bytes, backend.label());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            4 | mix:50%fixed:30s+50%uniform:500s
            8 | fixed:5m
            2 | backoff:1s*2^11
            """)
    void largeSteadyStateOfOtherDelaysIsForetoldFromSamples(double perMilli, String delays) {
        Traffic traffic = new Traffic(DelayParser.parse(delays), perMilli, Layout.DENSE);
        double bytes = SteadyState.means(traffic, PRECISION_MILLIS, Backend.TIMEBUCKET).bytes();
        double model = new SizingModel(traffic, PRECISION_MILLIS).steady().get(Backend.TIMEBUCKET);
        // With one fixed delay the open tail is most of it, and its room depends on the moment.
        assertEquals(bytes, model, Math.max(SHARE_OFF * bytes, TAIL_BYTES_OFF));
    }

    @Test
    void largeSteadyStateWithAGrowingPrecisionIsForetoldFromSamples() {
        Traffic traffic = new Traffic(DelayParser.parse("mix:50%fixed:30s+50%uniform:500s"), 4, Layout.DENSE);
        TimeRules rules = AdaptiveOption.rules(PRECISION_MILLIS, PRECISION_MILLIS, new AdaptivePrecision(16, 65_536));
        double bytes = SteadyState.means(traffic, rules).bytes();
        assertEquals(bytes, new SizingModel(traffic, rules).steady().get(Backend.TIMEBUCKET), SHARE_OFF * bytes);
    }

    @Test
    void stockBucketsOfASmallSteadyStateAreForetold() {
        stockBucketsAreForetold(new Traffic(Delays.uniform(0, 600_000), 0.2, Layout.DENSE));
    }

    @Test
    void stockBucketsOfALargeSteadyStateAreForetold() {
        stockBucketsAreForetold(new Traffic(Delays.uniform(0, 600_000), 3, Layout.DENSE));
    }

    private static void stockBucketsAreForetold(Traffic traffic) {
        long model = new SizingModel(traffic, PRECISION_MILLIS).steady().get(Backend.STOCK_4_2);
        try (Tracker tracker = Backend.STOCK_4_2.openOrFail(false, PRECISION_MILLIS)) {
            SteadyState.run(traffic, 0, PRECISION_MILLIS, tracker, 1.1, share -> { });
            long bytes = Retained.walk(tracker.indexRoot());
            assertEquals(bytes, model, SHARE_OFF * bytes);
        }
    }
}
