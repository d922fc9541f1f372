/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * The due times of 16 evenly spread positions of a segment, rounded down: enough to count roughly those due by a time; and the
 * last one.
 */
final class DueSamples {

    private static final int SAMPLES = 16;
    static final int BYTES = Footprint.object(2 * Long.BYTES + 2 * Integer.BYTES + Footprint.REFERENCE)
            + Footprint.array(SAMPLES, Integer.BYTES);

    private final long firstMillis;
    private final int shift;
    private final int positions;
    /** When the last contained position is due, or a later time after that has left. */
    private long lastMillis;
    /** Due times after the first one, in units of 2^shift ms. */
    private final int[] samples = new int[SAMPLES];

    private DueSamples(long firstMillis, long lastMillis, int positions) {
        this.firstMillis = firstMillis;
        this.lastMillis = lastMillis;
        this.positions = positions;
        shift = Math.max(0, 33 - Long.numberOfLeadingZeros(lastMillis - firstMillis));
    }

    /** The samples of the segment that was just made of the scratch. */
    static DueSamples of(Scratch scratch) {
        int last = scratch.count - 1;
        DueSamples samples = new DueSamples(scratch.dueMillis[scratch.order[0]], scratch.dueMillis[scratch.order[last]],
                scratch.count);
        for (int i = 0; i < SAMPLES; i++) {
            long dueMillis = scratch.dueMillis[scratch.order[samples.at(i)]];
            samples.samples[i] = (int) (dueMillis - samples.firstMillis >>> samples.shift);
        }
        return samples;
    }

    /** The samples of a segment that comes from elsewhere. Linear. */
    static DueSamples of(SegmentFormat header, long[] words) {
        DueSamples samples = new DueSamples(header.firstDueMillis(), header.lastDueMillis(), header.positions());
        DueCursor cursor = new DueCursor(header, words);
        PositionDirectory directory = new PositionDirectory(header);
        for (int i = 0; i < SAMPLES; i++) {
            int at = samples.at(i);
            while (header.positions() - cursor.left() <= at) {
                cursor.next(words, directory);
            }
            samples.samples[i] = (int) (cursor.dueMillis() - samples.firstMillis >>> samples.shift);
        }
        return samples;
    }

    /** A time that no contained position is due after. */
    long lastMillis() {
        return lastMillis;
    }

    /** Notes when the last contained position is due. */
    void endAt(long dueMillis) {
        lastMillis = dueMillis;
    }

    /**
     * Adds to each count the number of positions due by the time.
     *
     * @param consumed how many of the earliest were handed out
     * @param left how many there are
     */
    void countDueBy(long[] untilMillis, long[] counts, int consumed, int left) {
        for (int i = 0; i < untilMillis.length; i++) {
            counts[i] += Math.min(left, Math.max(0, countDueBy(untilMillis[i]) - consumed));
        }
    }

    /** The number of positions of the whole segment that are due by a time, rounded up to the next sample. */
    private int countDueBy(long untilMillis) {
        if (untilMillis < firstMillis) {
            return 0;
        }
        long units = untilMillis - firstMillis >>> shift;
        int sample = 0;
        while (sample < SAMPLES && samples[sample] <= units) {
            sample++;
        }
        return sample == SAMPLES ? positions : at(sample);
    }

    private int at(int sample) {
        return (int) ((long) sample * positions / SAMPLES);
    }
}
