/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.Footprint;
import java.util.List;
import java.util.function.IntConsumer;

/** The segments of a bucket in the order of their times, and whether each is loaded: 25 bytes each. Not thread safe. */
final class SegmentTable {

    private static final byte ASLEEP = 0;
    private static final byte LOADING = 1;
    private static final byte LOADED = 2;
    private static final int OBJECT_BYTES = Footprint.object(5 * Footprint.REFERENCE + 3 * Integer.BYTES);

    private final long[] firstDueMillis;
    private final long[] lastDueMillis;
    private final int[] positions;
    private final int[] bytes;
    private final byte[] phases;
    /** The segment before which none is asleep. */
    private int firstAsleep;
    private int notLoaded;
    private int loading;

    SegmentTable(List<SegmentEntry> segments) {
        int count = segments.size();
        firstDueMillis = new long[count];
        lastDueMillis = new long[count];
        positions = new int[count];
        bytes = new int[count];
        phases = new byte[count];
        notLoaded = count;
        for (int i = 0; i < count; i++) {
            SegmentEntry segment = segments.get(i);
            firstDueMillis[i] = segment.firstDueMillis();
            lastDueMillis[i] = segment.lastDueMillis();
            positions[i] = segment.positions();
            bytes[i] = segment.bytes();
            if (i > 0 && firstDueMillis[i] < firstDueMillis[i - 1]) {
                throw new IllegalArgumentException("segments ascend by first due time, but segment " + i + " begins at "
                        + firstDueMillis[i] + " after " + firstDueMillis[i - 1]);
            }
        }
    }

    int count() {
        return phases.length;
    }

    SegmentEntry entry(int number) {
        return new SegmentEntry(firstDueMillis[number], lastDueMillis[number], positions[number], bytes[number]);
    }

    /** The earliest segment that is asleep, or -1. */
    int firstAsleep() {
        while (firstAsleep < phases.length && phases[firstAsleep] != ASLEEP) {
            firstAsleep++;
        }
        return firstAsleep < phases.length ? firstAsleep : -1;
    }

    /** When the earliest segment that is asleep begins, or {@link DelayIndex#NEVER}. */
    long nextLoadMillis() {
        int number = firstAsleep();
        return number < 0 ? DelayIndex.NEVER : firstDueMillis[number];
    }

    /** When the first segment that is not loaded begins; 0 if all are loaded, so that nobody knows. */
    long notLoadedMillis() {
        for (int i = 0; i < phases.length; i++) {
            if (phases[i] != LOADED) {
                return firstDueMillis[i];
            }
        }
        return 0;
    }

    /** When the last of the segments that are not loaded ends; {@link DelayIndex#NO_TIME} if all are. Linear in the segments. */
    long lastNotLoadedMillis() {
        long last = DelayIndex.NO_TIME;
        for (int i = 0; i < phases.length; i++) {
            last = phases[i] == LOADED ? last : Math.max(last, lastDueMillis[i]);
        }
        return last;
    }

    boolean isLoading(int number) {
        return phases[number] == LOADING;
    }

    /** Whether a segment is being loaded. */
    boolean isBusy() {
        return loading > 0;
    }

    void beginLoading(int number) {
        phases[number] = LOADING;
        loading++;
    }

    void endLoading(int number) {
        loading--;
        loaded(number);
    }

    private void loaded(int number) {
        phases[number] = LOADED;
        notLoaded--;
    }

    void loadFailed(int number) {
        loading--;
        phases[number] = ASLEEP;
        firstAsleep = Math.min(firstAsleep, number);
    }

    boolean isLoaded(int number) {
        return phases[number] == LOADED;
    }

    /** Lets a loaded segment sleep again. */
    void unloaded(int number) {
        phases[number] = ASLEEP;
        notLoaded++;
        firstAsleep = Math.min(firstAsleep, number);
    }

    long firstDueMillis(int number) {
        return firstDueMillis[number];
    }

    /** Whether no segment is left to be loaded, or being loaded. */
    boolean isLoaded() {
        return notLoaded == 0;
    }

    /** Counts sleeping segments that are wholly due by some time as loaded. */
    void loadedUntil(long untilMillis) {
        for (int i = 0; i < phases.length; i++) {
            if (phases[i] == ASLEEP && lastDueMillis[i] <= untilMillis) {
                loaded(i);
            }
        }
    }

    /** Passes on the numbers of the segments not loaded that may have positions due in a time. Linear in the segments. */
    void forEachAsleep(long fromMillis, long untilMillis, IntConsumer sink) {
        for (int i = 0; i < phases.length && firstDueMillis[i] <= untilMillis; i++) {
            if (phases[i] != LOADED && lastDueMillis[i] >= fromMillis) {
                sink.accept(i);
            }
        }
    }

    /** The number of positions that the segments not loaded had that begin by some time. Linear in the segments. */
    long positionsBy(long untilMillis) {
        long sum = 0;
        for (int i = 0; i < phases.length && firstDueMillis[i] <= untilMillis; i++) {
            sum += phases[i] == LOADED ? 0 : positions[i];
        }
        return sum;
    }

    /** These segments as a part of a bucket. Linear in them. */
    BucketSummary summary(long ledgerId, BucketState state, boolean isLive, long sleeping) {
        long sum = 0;
        long last = 0;
        for (int i = 0; i < phases.length; i++) {
            sum += bytes[i];
            last = Math.max(last, lastDueMillis[i]);
        }
        return new BucketSummary(ledgerId, state, isLive, sleeping, sum, phases.length, notLoaded,
                phases.length == 0 ? 0 : firstDueMillis[0], last);
    }

    long retainedBytes() {
        int count = phases.length;
        return OBJECT_BYTES + 2L * Footprint.array(count, Long.BYTES) + 2L * Footprint.array(count, Integer.BYTES)
                + Footprint.array(count, Byte.BYTES);
    }
}
