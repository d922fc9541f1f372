/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.benchmarks.SteadyParts.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadyPartsTest {

    private static final long TICK_MILLIS = 1_024;
    private static final int READ_EVERY = 4;
    private static final int SEGMENTS = 3;
    private static final int MESSAGES = SEGMENTS << 14;
    private static final double REPORTED_OFF = 0.1;

    @BeforeAll
    static void prepare() {
        Retained.prepare();
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0", "0.1, 0, 0", "1, 10, 0", "1, 0, 0.5"})
    void partsAreAllThatIsRetained(double delayedShare, int ledgerGap, double ackedShare) {
        Layout layout = ledgerGap > 0 ? Layout.onePerLedger(ledgerGap) : Layout.share(delayedShare);
        Traffic traffic = new Traffic(Delays.uniform(0, 60_000), 2, layout);
        List<SteadyParts> readings = new ArrayList<>();
        LongAdder steps = new LongAdder();
        try (Tracker tracker = Backend.TIMEBUCKET.openOrFail(false, TICK_MILLIS)) {
            SteadyState.run(traffic, ackedShare, TICK_MILLIS, tracker, 1.3, share -> {
                steps.increment();
                if (steps.intValue() % READ_EVERY != 0) {
                    return;
                }
                SteadyParts parts = SteadyParts.of(tracker.indexRoot());
                assertEquals(Retained.walk(tracker.indexRoot()), parts.total());
                double total = parts.total();
                assertEquals(total, (double) tracker.reportedBytes(), REPORTED_OFF * total);
                assertEquals(tracker.count(), parts.messages());
                parts.bytes().forEach((part, bytes) -> assertTrue(bytes >= 0, part + " " + bytes));
                readings.add(parts);
            });
        }
        SteadyParts sum = SteadyParts.sum(readings);
        Set<Part> late = Set.of(Part.UNDER_WAY, Part.TIMES_ACKED, Part.MARKS_GONE);
        sum.bytes().forEach((part, bytes) -> assertTrue(bytes > 0 || late.contains(part), part + " is nowhere"));
        assertEquals(ackedShare > 0, sum.bytes().get(Part.TIMES_ACKED) > 0);
    }

    @Test
    void afterAFillAllIsOfMessagesHeld() {
        try (Tracker tracker = filled()) {
            SteadyParts parts = SteadyParts.of(tracker.indexRoot());
            assertEquals(MESSAGES, parts.messages());
            assertEquals(0, parts.open());
            assertEquals(0, parts.perMessage(Part.TIMES_ACKED, Part.IDS_GONE, Part.MARKS, Part.MARKS_GONE));
            // The first message of each segment is read at once.
            assertEquals(0, bytes(parts, Part.TIMES_READ), SEGMENTS * Long.BYTES);
            double bound = InformationBound.bits(Workload.UNIFORM_600S.traffic(), TICK_MILLIS) / Byte.SIZE;
            assertEquals(bound, parts.perMessage(Part.TIMES), 0.1);
        }
    }

    @Test
    void halfAcknowledgedIsHalfOfTheTimesAndABitOfEachSegment() {
        try (Tracker tracker = filled()) {
            SteadyParts before = SteadyParts.of(tracker.indexRoot());
            Messages stream = Workload.UNIFORM_600S.messages(MESSAGES);
            for (int i = 0; i < MESSAGES; i += 2) {
                tracker.acked(stream.ledgerId(i), stream.entryId(i));
            }
            SteadyParts after = SteadyParts.of(tracker.indexRoot());
            double times = bytes(before, Part.TIMES);
            assertEquals(times / 2, bytes(after, Part.TIMES), times / 1_000);
            assertEquals(times, bytes(after, Part.TIMES) + bytes(after, Part.TIMES_ACKED));
            assertEquals(MESSAGES / 8.0, bytes(after, Part.MARKS_GONE), 150);
            assertEquals(bytes(after, Part.IDS), bytes(after, Part.IDS_GONE), 2);
        }
    }

    @Test
    void anEmptyIndexIsObjectsOnly() {
        try (Tracker tracker = Backend.TIMEBUCKET.openOrFail(false, TICK_MILLIS)) {
            SteadyParts parts = SteadyParts.of(tracker.indexRoot());
            assertEquals(parts.total(), parts.bytes().get(Part.OPEN) + parts.bytes().get(Part.OBJECTS));
            assertEquals(Retained.walk(tracker.indexRoot()), parts.total());
            assertEquals(0, parts.messages());
        }
    }

    @Test
    void sharesOfTheExcessAreAllOfIt() {
        try (Tracker tracker = filled()) {
            SteadyPartsTable table = new SteadyPartsTable();
            table.add("filled", SteadyParts.of(tracker.indexRoot()), 1, 0.1);
            String[] tables = table.markdown().split("\n\n", -1);
            double shares = tables[1].lines().filter(line -> line.contains("%"))
                    .mapToDouble(line -> Double.parseDouble(line.split("\\|", -1)[2].replace("%", ""))).sum();
            assertEquals(100, shares, 0.5);
        }
    }

    private static double bytes(SteadyParts parts, Part part) {
        return parts.bytes().get(part);
    }

    private static Tracker filled() {
        Tracker tracker = Backend.TIMEBUCKET.openOrFail(false, TICK_MILLIS);
        Workload.UNIFORM_600S.messages(MESSAGES).addTo(tracker);
        tracker.settle();
        return tracker;
    }
}
