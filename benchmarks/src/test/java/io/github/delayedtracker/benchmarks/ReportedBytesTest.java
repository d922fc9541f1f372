/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.index.FrozenTail;
import io.github.delayedtracker.bucket.index.Sealing.SealReason;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes that each of our indexes reports against those of the objects it keeps alive, on every workload of the report. */
class ReportedBytesTest {

    private static final int MESSAGES = 200_000;
    private static final int[] FEW_MESSAGES = {1, 10, 100, 1_000, 10_000};
    private static final long PRECISION_MILLIS = 1_024;
    private static final double MOST_OFF = 0.02;
    private static final List<Backend> OURS = List.of(Backend.HEAP, Backend.TIMEBUCKET);

    private static final Supplier<DelayIndex> NEW_PART = new TimeBucketIndexProvider()::newIndex;
    /** The usual bucket and its segments. */
    private static final int SEAL_POSITIONS = 20_000;
    private static final CutRule SEGMENTS = CutRule.usual(5_000, 300_000);
    private static final int MAX_FROZEN = 2;
    private static final long NOTHING_IS_DUE_SOON = -1;

    @BeforeAll
    static void prepare() {
        Retained.prepare();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("#23699 S-13 heap and timebucket report within 2 % what the footprint report finds, open and sealed")
    void theReportFindsWhatIsReported(Workload workload) {
        Messages messages = workload.messages(MESSAGES);
        for (Backend backend : OURS) {
            String row = workload.label() + ", " + backend.label();
            try (Tracker tracker = backend.openOrFail(false, PRECISION_MILLIS)) {
                messages.addTo(tracker);
                assertWithin(row, Retained.of(tracker, true, 0).bytes(), tracker.reportedBytes());
                tracker.settle();
                assertWithin(row + ", sealed", Retained.of(tracker, true, 0).bytes(), tracker.reportedBytes());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("#23699 S-13 a few messages are reported within 2 % too")
    void whatAFewMessagesTakeIsReported(Workload workload) {
        for (int few : FEW_MESSAGES) {
            Messages messages = workload.messages(few);
            for (Backend backend : OURS) {
                String row = few + " of " + workload.label() + ", " + backend.label();
                try (Tracker tracker = backend.openOrFail(false, PRECISION_MILLIS);
                        Tracker twin = backend.openOrFail(false, PRECISION_MILLIS)) {
                    messages.addTo(tracker);
                    messages.addTo(twin);
                    assertWithin(row, ownBytes(tracker.indexRoot(), twin.indexRoot()), tracker.reportedBytes());
                    tracker.settle();
                    twin.settle();
                    assertWithin(row + ", sealed", ownBytes(tracker.indexRoot(), twin.indexRoot()), tracker.reportedBytes());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("#23699 S-13 bucket reports within 2 % what it retains, with everything in memory and with snapshots stored")
    void bucketReportsWhatItRetains(Workload workload) {
        // An index of fewer messages is one part of timebucket.
        for (int count : new int[] {1_000, 100_000}) {
            Messages messages = workload.messages(count);
            for (boolean stores : new boolean[] {false, true}) {
                BucketIndex index = buckets(messages, stores);
                assertEquals(stores ? count - count % SEAL_POSITIONS : 0, index.sleepingPositions());
                assertWithin(count + " of " + workload.label() + (stores ? ", bucket" : ", bucket that stores nothing"),
                        ownBytes(index, buckets(messages, stores)), index.retainedBytes());
            }
        }
    }

    /** An index of buckets after a fill, with each full tail stored at once, or with none. */
    private static BucketIndex buckets(Messages messages, boolean stores) {
        BucketIndex index = new BucketIndex(NEW_PART, SEAL_POSITIONS, MAX_FROZEN);
        for (int i = 0; i < messages.count(); i++) {
            long dueMillis = messages.deliverAtMillis(i) / PRECISION_MILLIS * PRECISION_MILLIS;
            assertTrue(index.add(dueMillis, messages.ledgerId(i), messages.entryId(i)));
            index.takeWork().ifPresent(Runnable::run);
            if (stores && index.seals().isWanted()) {
                FrozenTail frozen = index.seals().freeze(SealReason.COUNT).orElseThrow();
                index.seals().beginSettling(frozen, i, segments(frozen));
                assertTrue(index.seals().settle(frozen, NOTHING_IS_DUE_SOON, SEAL_POSITIONS));
            }
        }
        return index;
    }

    private static List<SegmentEntry> segments(FrozenTail frozen) {
        return frozen.columns().cut(SEGMENTS).stream().map(segment -> new SegmentEntry(segment.firstDueMillis(),
                segment.lastDueMillis(), segment.positions(), segment.bytes())).toList();
    }

    /** The bytes of an index without the constants that it shares with a twin: each of both leads to them, neither keeps them. */
    private static long ownBytes(Object index, Object twin) {
        return Retained.walk(index, twin) - Retained.walk(twin);
    }

    private static void assertWithin(String row, long retainedBytes, long reportedBytes) {
        double ratio = (double) reportedBytes / retainedBytes;
        assertTrue(Math.abs(ratio - 1) <= MOST_OFF, () -> String.format(Locale.ROOT, "%s: reports %,d B and retains %,d B, %.4f",
                row, reportedBytes, retainedBytes, ratio));
    }
}
